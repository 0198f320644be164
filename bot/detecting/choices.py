"""What is offered while somebody types `/detect`: biases of the catalogue, finished sessions, who spoke in one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

import discord
from discord.app_commands import Choice

from elenchus.bot.debate.choices import MOST, PATIENCE, matches
from elenchus.bot.debate.start import member_of
from elenchus.bot.detecting.examined import Material
from elenchus.bot.rendering import safe
from elenchus.config.catalogue import load_biases

T = TypeVar("T")
Asked = discord.Interaction[Any]
LONGEST = 100
"""Characters of a choice's name and value."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Completes the options."""

    material: Material

    async def bias(self, _: Asked, current: str) -> list[Choice[str]]:
        """Biases by their names and aliases."""
        return [Choice(name=name, value=name) for name in biases(current)][:MOST]

    async def labels(self, _: Asked, current: str) -> list[Choice[str]]:
        """The same for the last of several, without those that stand there already."""
        before, comma, last = current.rpartition(",")
        begun = f"{before.strip()}{comma} " if comma else ""
        named = {part.strip().casefold() for part in before.split(",")}
        found = [f"{begun}{name}" for name in biases(last) if name.casefold() not in named]
        return [Choice(name=value, value=value) for value in found if len(value) <= LONGEST][:MOST]

    async def session(self, interaction: Asked, current: str) -> list[Choice[str]]:
        """Finished sessions by title and id, newest first; none where the storage takes too long to tell."""
        known = await _in_time(self.material.finished(member_of(interaction)), [])
        return [
            Choice(name=safe.shortened(f"{safe.plain(info.title)} · {info.id}", LONGEST), value=info.id)
            for info in known
            if matches(current, f"{info.id} {info.title}")
        ][:MOST]

    async def speaker(self, interaction: Asked, current: str) -> list[Choice[str]]:
        """Who spoke in the session that was chosen."""
        session = str(getattr(interaction.namespace, "session", None) or "")
        found = await _in_time(self.material.speakers(member_of(interaction), session), ()) if session else ()
        names = [name for name in found if len(name) <= LONGEST and matches(current, name)]
        return [Choice(name=safe.plain(name)[:LONGEST] or name, value=name) for name in names][:MOST]


def biases(typed: str) -> list[str]:
    """The names of the biases in which every word that was typed is found, those that begin so first."""
    found = [bias.name for bias in load_biases() if matches(typed, " ".join(bias.called()))]
    return sorted(found, key=lambda name: not name.casefold().startswith(typed.strip().casefold()))


async def _in_time(found: Awaitable[Iterable[T]], otherwise: Iterable[T]) -> list[T]:
    try:
        return list(await asyncio.wait_for(found, PATIENCE))
    except TimeoutError:
        return list(otherwise)
