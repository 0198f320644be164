"""Hears pressed buttons and filled-in forms: whatever the custom_id names handles it, after a restart as well.

A custom_id reads `el:NAME:REST`. Nothing of a message or a form is kept in memory, so that also a form that was open
while the bot restarted still counts.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any

import discord

from elenchus.bot.errors import answer_error

Handler = Callable[[discord.Interaction[Any], str], Awaitable[None]]
"""Handles a click; the text is the REST of its custom_id. Whatever it raises is answered to the person who clicked."""

PREFIX = "el"


class ComponentHandlers:
    """The handlers by name."""

    def __init__(self) -> None:
        self._handlers: dict[str, tuple[Handler, bool]] = {}

    def on(self, name: str, handler: Handler, *, answers: bool = False) -> None:
        """Let `handler` hear all clicks with this name. They are acknowledged, unless it `answers` them in time itself:
        a form can only be the first answer.
        """
        assert name not in self._handlers, f"two handlers for {name}"
        self._handlers[name] = handler, answers

    @property
    def names(self) -> frozenset[str]:
        """What is heard."""
        return frozenset(self._handlers)

    async def take(self, interaction: discord.Interaction[Any]) -> None:
        """Handle an interaction if it is one of ours; everything else is left alone."""
        if interaction.type not in (discord.InteractionType.component, discord.InteractionType.modal_submit):
            return
        data: Mapping[str, Any] = interaction.data or {}
        prefix, _, rest = str(data.get("custom_id", "")).partition(":")
        name, _, rest = rest.partition(":")
        if prefix != PREFIX or name not in self._handlers:
            return
        handler, answers = self._handlers[name]
        try:
            if not answers:
                await interaction.response.defer(ephemeral=True, thinking=True)
            await handler(interaction, rest)
        except Exception as error:  # noqa: BLE001 - told to the person and logged
            await answer_error(interaction, error)


def filled_in(interaction: discord.Interaction[Any]) -> dict[str, str]:
    """What a submitted form holds, by the custom_ids of its fields; a choice of several gives the first."""
    data: Mapping[str, Any] = interaction.data or {}
    return dict(_fields(data.get("components", ())))


def _fields(components: Any) -> Iterator[tuple[str, str]]:
    for part in components:
        if "value" in part:
            yield part["custom_id"], part["value"] or ""
        elif "values" in part:
            yield part["custom_id"], next(iter(part["values"]), "")
        yield from _fields(part.get("components", ()))
        if "component" in part:
            yield from _fields([part["component"]])
