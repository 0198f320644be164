"""Forms in time: Discord takes a form only as the first answer to a click, and that answer within 3 s.

What must be looked up before a form can be shown (who may, what is asked) may take longer on a busy machine. Then the
click is acknowledged as a question that is being worked on, and a button brings the form, which is ready by then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import discord

from elenchus.bot.errors import tell
from elenchus.bot.posting.requests import view_of
from elenchus.bot.rendering.post import Button
from elenchus.bot.strings import msg

PATIENCE = 1.5
"""Seconds for looking up, of the three that Discord gives; the rest is for the way there and back."""

LIFETIME, MOST = 14 * 60.0, 1_000
"""Seconds for which a late form is kept (an interaction's token lives 15 minutes), and the number of all kept."""


@dataclass(frozen=True, slots=True)
class Told:
    """What the person is told instead of being shown a form."""

    text: str
    buttons: tuple[Button, ...] = ()


@dataclass(slots=True)
class TimelyForms:
    """Answers clicks that open forms."""

    patience: float = PATIENCE
    _late: dict[tuple[int, str], tuple[float, discord.ui.Modal]] = field(default_factory=dict)

    async def answer(
        self, interaction: discord.Interaction[Any], found: Coroutine[Any, Any, discord.ui.Modal | Told]
    ) -> None:
        """Show the form, or say what is to be said; acknowledged in time however long that takes to be found.

        Whoever gets a form late presses a button of the same custom_id for it. Raises what `found` raises, in a group.
        """
        if (ready := self._taken(interaction)) is not None:
            found.close()
            await interaction.response.send_modal(ready)
            return
        answer = await self._in_time(interaction, found)
        if isinstance(answer, Told):
            await tell(interaction, answer.text, **({"view": view_of(answer.buttons)} if answer.buttons else {}))
        elif interaction.response.is_done():
            self._keep(interaction, answer)
            button = Button(_pressed(interaction), msg("forms-open"), "success")
            await tell(interaction, msg("forms-late"), view=view_of((button,)))
        else:
            await interaction.response.send_modal(answer)

    async def _in_time(
        self, interaction: discord.Interaction[Any], found: Coroutine[Any, Any, discord.ui.Modal | Told]
    ) -> discord.ui.Modal | Told:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(found, name=f"form for {interaction.id}")
            await asyncio.wait({task}, timeout=self.patience)
            if not task.done():
                await interaction.response.defer(ephemeral=True, thinking=True)
        return task.result()

    def _taken(self, interaction: discord.Interaction[Any]) -> discord.ui.Modal | None:
        until, form = self._late.pop(_key(interaction), (0.0, None))
        return form if until > monotonic() else None

    def _keep(self, interaction: discord.Interaction[Any], form: discord.ui.Modal) -> None:
        self._late = {k: v for k, v in list(self._late.items())[-MOST:] if v[0] > monotonic()}
        self._late[_key(interaction)] = (monotonic() + LIFETIME, form)


def _key(interaction: discord.Interaction[Any]) -> tuple[int, str]:
    return interaction.user.id, _pressed(interaction)


def _pressed(interaction: discord.Interaction[Any]) -> str:
    """The custom_id of the pressed button."""
    data: Mapping[str, Any] = interaction.data or {}
    return str(data["custom_id"])
