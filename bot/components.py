"""Hears pressed buttons and filled-in forms: whatever the custom_id names handles it, after a restart as well.

A custom_id reads `el:NAME:REST`: the name finds the handler, which finds all else by the rest, in the log or the store.
So also a form that was open while the bot restarted counts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import discord

from elenchus.bot.errors import answer_error
from elenchus.bot.interactions import Interaction, tell
from elenchus.bot.posting.discord_objects import view_of
from elenchus.bot.rendering.post import Button
from elenchus.bot.strings import msg

Handler = Callable[[Interaction, str], Awaitable[None]]
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

    async def take(self, interaction: Interaction) -> None:
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


def filled_in(interaction: Interaction) -> dict[str, str]:
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


PATIENCE = 1.5
"""Seconds for looking up, of the three that Discord gives; the rest is for the way there and back."""

LIFETIME, MOST = 14 * 60.0, 1_000
"""Seconds for which a late form is kept (an interaction's token lives 15 minutes), and the number of all kept."""


@dataclass(frozen=True, slots=True)
class Notice:
    """What the person is told instead of being shown a form."""

    text: str
    buttons: tuple[Button, ...] = ()


@dataclass(slots=True)
class TimelyForms:
    """Answers clicks that open forms: Discord takes a form only as the first answer to a click, within 3 s.

    What must be looked up before (who may, what is asked) may take longer on a busy machine. Then the click is
    acknowledged as a question that is being worked on, and a button brings the form, which is ready by then.
    """

    patience: float = PATIENCE
    _late: dict[tuple[int, str], tuple[float, discord.ui.Modal]] = field(default_factory=dict)

    async def answer(self, interaction: Interaction, found: Coroutine[Any, Any, discord.ui.Modal | Notice]) -> None:
        """Show the form, or say what is to be said; acknowledged in time however long that takes to be found.

        Whoever gets a form late presses a button of the same custom_id for it. Raises what `found` raises, in a group.
        """
        if (ready := self._taken(interaction)) is not None:
            found.close()
            await interaction.response.send_modal(ready)
            return
        answer = await self._in_time(interaction, found)
        if isinstance(answer, Notice):
            await tell(interaction, answer.text, **({"view": view_of(answer.buttons)} if answer.buttons else {}))
        elif interaction.response.is_done():
            self._keep(interaction, answer)
            button = Button(_pressed(interaction), msg("forms-open"), "success")
            await tell(interaction, msg("forms-late"), view=view_of((button,)))
        else:
            await interaction.response.send_modal(answer)

    async def _in_time(
        self, interaction: Interaction, found: Coroutine[Any, Any, discord.ui.Modal | Notice]
    ) -> discord.ui.Modal | Notice:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(found, name=f"form for {interaction.id}")
            await asyncio.wait({task}, timeout=self.patience)
            if not task.done():
                await interaction.response.defer(ephemeral=True, thinking=True)
        return task.result()

    def _taken(self, interaction: Interaction) -> discord.ui.Modal | None:
        until, form = self._late.pop(_key(interaction), (0.0, None))
        return form if until > monotonic() else None

    def _keep(self, interaction: Interaction, form: discord.ui.Modal) -> None:
        self._late = {k: v for k, v in list(self._late.items())[-MOST:] if v[0] > monotonic()}
        self._late[_key(interaction)] = (monotonic() + LIFETIME, form)


def _key(interaction: Interaction) -> tuple[int, str]:
    return interaction.user.id, _pressed(interaction)


def _pressed(interaction: Interaction) -> str:
    """The custom_id of the pressed button."""
    data: Mapping[str, Any] = interaction.data or {}
    return str(data["custom_id"])
