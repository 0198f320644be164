"""What is offered while somebody types who is to sit: personas, minds, models that can be used here, and members."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

import discord
from discord.app_commands import Choice

from elenchus.bot.errors import logged
from elenchus.bot.guild import GuildSettings, settings_of
from elenchus.bot.interactions import Interaction
from elenchus.bot.model_rules import price_known, refusal
from elenchus.bot.rendering import safe
from elenchus.bot.services import BotServices
from elenchus.bot.strings import msg
from elenchus.config.models import VENDORS
from elenchus.config.persona_catalogue import load_personas, offered
from elenchus.debate_engine.errors import ElenchusError
from elenchus.service.lab.mind_seats import SEAT

T = TypeVar("T")
MOST, MOST_MEMBERS, SHORTEST_NAME = 25, 8, 2
PATIENCE = 1.5
"""Seconds for looking something up, of the three that Discord gives."""

OFFERED = (*VENDORS, "local")
"""Providers whose models are offered; a script is for tests, and can be typed."""


@dataclass(slots=True)
class Completions:
    """Completes `pro`, `con` and `judges`. What can be used is looked up once: keys do not change in a process."""

    services: BotServices
    _usable: list[str] | None = None

    async def seat(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """The person who types, members whose name begins as was typed; minds, personas and models that contain it."""
        return [*await people(interaction, current), *await self._named(interaction, current, "debater")][:MOST]

    async def seat_of_no_mind(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """The same where no mind can sit."""
        speakers = self._speakers(current, "debater", await self._settings(interaction))
        return [*await people(interaction, current), *speakers][:MOST]

    async def judges(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """The same for the last of several names."""
        before, comma, last = current.rpartition(",")
        begun = f"{before}{comma} " if comma else ""
        choices = [*await people(interaction, last), *await self._named(interaction, last, "judge")]
        found = [(f"{begun}{c.name}", f"{begun}{c.value}") for c in choices]
        return [Choice(name=safe.shortened(name, 100), value=value) for name, value in found if len(value) <= 100][
            :MOST
        ]

    async def _named(self, interaction: Interaction, typed: str, sits: str) -> list[Choice[str]]:
        """The server's minds, as `mind:NAME`, then personas and models."""
        minds, settings = await asyncio.gather(
            in_time(self.services.minds.all(str(interaction.guild_id or 0)), []), self._settings(interaction)
        )
        named = [f"{SEAT}{one.title}" for one in minds]
        found = [Choice(name=safe.plain(one), value=one) for one in named if matches(typed, one)]
        return found[:MOST_MEMBERS] + self._speakers(typed, sits, settings)

    async def _settings(self, interaction: Interaction) -> GuildSettings:
        """The server's; where the storage takes too long, the owner's list alone bounds what is offered."""
        return await in_time(settings_of(self.services.store, interaction.guild_id or 0), GuildSettings())

    def _speakers(self, typed: str, sits: str, settings: GuildSettings) -> list[Choice[str]]:
        """Personas and models; the models for a persona, once it stands there with its @."""
        known = self._known(settings)
        name, at, begun = typed.strip().partition("@")
        if at and any(entry.id == name for entry in load_personas()):
            return [Choice(name=f"{name}@{s}", value=f"{name}@{s}") for s in known if matches(begun, s)]
        may = [e for e in offered(sits) if not e.model or self._may(e.model, settings)]
        named = [(safe.shortened(f"{e.name}: {e.line}", 100), e.id) for e in may]
        found = [Choice(name=name, value=id_) for name, id_ in named if matches(typed, f"{id_} {name}")]
        return found + [Choice(name=spec, value=spec) for spec in known if matches(typed, spec)]

    def _may(self, spec: str, settings: GuildSettings) -> bool:
        """Whether members of the server may have the model: allowed, and with a price or a ceiling for it."""
        priced = price_known(self.services, spec) or settings.unpriced_usd is not None
        return priced and not refusal(spec, self.services.settings.discord.models, settings.models)

    def _known(self, settings: GuildSettings) -> list[str]:
        """The models, none where they cannot be read: who types is owed an answer, and who starts is told."""
        try:
            return [spec for spec in self.models() if self._may(spec, settings)]
        except ElenchusError as error:
            logged(error, "completing models")
            return []

    def models(self) -> list[str]:
        """The specs that can be used here, of models with a name of their own. Raises UsageError."""
        if self._usable is None:
            registry = self.services.registry
            offered_by = (*OFFERED, *registry.servers)
            known = [f"{p}:{m}" for p in offered_by for m in registry.catalogue.get(p, {}) if not m.endswith("*")]
            self._usable = [spec for spec in known if len(spec) <= 100 and self._can_be_used(spec)]
        return self._usable

    def _can_be_used(self, spec: str) -> bool:
        try:
            self.services.registry.check_key(self.services.registry.model_spec(spec))
        except ElenchusError:
            return False
        return True


async def people(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """The person who types, and members whose name begins as was typed."""
    me = msg("debate-yourself", name=safe.plain(interaction.user.display_name))
    found = {f"<@{interaction.user.id}>": me} if matches(typed, me) else {}
    for member in await members(interaction.guild, typed):
        found.setdefault(f"<@{member.id}>", safe.plain(member.display_name))
    return [Choice(name=safe.shortened(name, 100), value=value) for value, name in found.items()]


async def members(guild: discord.Guild | None, typed: str) -> list[discord.Member]:
    """Members of the server by the beginning of their names; nobody where Discord takes too long to tell."""
    name = typed.strip().lstrip("@")
    if guild is None or len(name) < SHORTEST_NAME or ":" in name:
        return []
    found: list[discord.Member] = []
    with suppress(discord.ClientException):
        found = await in_time(guild.query_members(name, limit=MOST_MEMBERS, cache=False), [])
    return [member for member in found if not member.bot]


async def in_time(found: Awaitable[T], otherwise: T) -> T:
    """What is found; something else where that takes too long for whoever types."""
    try:
        return await asyncio.wait_for(found, PATIENCE)
    except TimeoutError:
        return otherwise


def matches(typed: str, name: str) -> bool:
    """Whether every word that was typed is in the name."""
    return all(word in name.casefold() for word in typed.casefold().split())
