"""What a moderator types under `/debate` or clicks on the panel: commands, buttons, and the forms that some open.

Who may is looked up at each command and click, and again at each form.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import discord
from discord import app_commands
from discord.app_commands import Range

from elenchus.bot.bindings import Binding, ViewKey
from elenchus.bot.command_tree import command_of, group_of
from elenchus.bot.components import ComponentHandlers, TimelyForms, filled_in
from elenchus.bot.interactions import Interaction, requester_of, tell
from elenchus.bot.modal_forms import modal
from elenchus.bot.panel import content
from elenchus.bot.panel.actions import HEAT_STEP, Actions
from elenchus.bot.panel.files import send_files
from elenchus.bot.people.members import person
from elenchus.bot.posting.discord_objects import embed_of
from elenchus.bot.rules import check_steer
from elenchus.bot.services import BotServices
from elenchus.bot.session_manager import SessionManager
from elenchus.bot.strings import messages, msg
from elenchus.service.lab.moderation import FORMS, LONGEST_WORDS

Action = Callable[..., Awaitable[str]]
"""One of `Actions`: takes the session, who acts and what was given; the answer to show."""

Text = Range[str, 1, LONGEST_WORDS]
Side = Literal["pro", "con"]
Sides = Literal["pro", "con", "both"]


@dataclass(frozen=True, slots=True)
class PanelHandlers:
    """The commands, `el:panel:SESSION:ACTION` (a button) and `el:form:SESSION:ACTION` (its form, filled in).

    All raise UsageError, StorageError.
    """

    services: BotServices
    manager: SessionManager
    actions: Actions
    forms: TimelyForms = field(default_factory=TimelyForms)

    def register(self, components: ComponentHandlers) -> None:
        """Hear the panel's buttons and their forms."""
        components.on("panel", self.button, answers=True)
        components.on("form", self.form)

    # ── commands in the thread of a debate ───────────────────────────────────────────────────────────────────────

    def group(self, start: app_commands.Command[Any, ..., Any]) -> app_commands.Group:
        """`/debate`, with the command that starts one."""
        described, options = messages("debate-commands"), messages("debate-arguments")
        others = [command_of(name, described[name], getattr(self, name), options) for name in described]
        return group_of("debate", msg("debate-group"), start, *others)

    async def pause(self, interaction: Interaction, reason: Text | None = None) -> None:
        """Hold it before its next step."""
        await self._command(interaction, self.actions.pause, reason or "")

    async def resume(self, interaction: Interaction) -> None:
        """Let it go on."""
        await self._command(interaction, self.actions.resume)

    async def heat(self, interaction: Interaction, value: Range[float, 0, 1]) -> None:
        """Set the heat of the next turn."""
        await self._command(interaction, self.actions.heat, value)

    async def guide(self, interaction: Interaction, to: Sides, text: Text) -> None:
        """Tell a side something."""
        await self._command(interaction, self.actions.guide, to, text)

    async def ask(self, interaction: Interaction, side: Side, text: Text) -> None:
        """Ask a side a question."""
        await self._command(interaction, self.actions.ask, side, text)

    async def deepen(self, interaction: Interaction, side: Side) -> None:
        """Have a side deepen its weakest reason."""
        await self._command(interaction, self.actions.deepen, side)

    async def round(self, interaction: Interaction) -> None:
        """One more round."""
        await self._command(interaction, self.actions.round)

    async def close(self, interaction: Interaction) -> None:
        """The closings after this round."""
        await self._command(interaction, self.actions.close)

    async def stop(self, interaction: Interaction, reason: Text) -> None:
        """End it for good."""
        await self._command(interaction, self.actions.stop, reason)

    async def budget(
        self,
        interaction: Interaction,
        tokens: Range[int, 1, None] | None = None,
        usd: Range[float, 0, None] | None = None,
    ) -> None:
        """New limits."""
        await self._command(interaction, self.actions.budget, tokens, usd)

    async def status(self, interaction: Interaction) -> None:
        """How it stands, for whoever sees the thread."""
        session = self.manager.bindings.in_thread(interaction.channel_id).session
        shown = content.shown(await self.manager.status(session))
        await tell(interaction, "", embed=embed_of(shown.embed))

    async def export(self, interaction: Interaction) -> None:
        """Its files, for whoever sees the thread."""
        session = self.manager.bindings.in_thread(interaction.channel_id).session
        await send_files(interaction, self.services, session)

    async def _command(self, interaction: Interaction, action: Action, *given: Any) -> None:
        """Do something to the session of this thread."""
        await self._do(interaction, self.manager.bindings.in_thread(interaction.channel_id), action, *given)

    async def _do(self, interaction: Interaction, binding: Binding, action: Action, *given: Any) -> None:
        """Do something to a session, if the member may steer it."""
        await check_steer(self.services, binding, requester_of(interaction))
        await tell(interaction, await action(binding.session, person(interaction.user.id), *given))

    # ── buttons and forms ────────────────────────────────────────────────────────────────────────────────────────

    async def button(self, interaction: Interaction, rest: str) -> None:
        """A button was pressed: do it, or open its form."""
        session, _, action = rest.partition(":")
        if action in FORMS:
            await self.forms.answer(interaction, self._form(interaction, session, action))
            return
        await interaction.response.defer(ephemeral=True, thinking=True)
        binding = self.manager.bindings.of(ViewKey(session))
        match action:
            case "export":  # everyone who sees the thread may read its report
                await send_files(interaction, self.services, session)
            case "cooler":
                await self._do(interaction, binding, self.actions.change_heat, -HEAT_STEP)
            case "hotter":
                await self._do(interaction, binding, self.actions.change_heat, +HEAT_STEP)
            case "pause" | "resume" | "round" | "close":
                await self._do(interaction, binding, getattr(self.actions, action))

    async def _form(self, interaction: Interaction, session: str, action: str) -> discord.ui.Modal:
        await check_steer(self.services, self.manager.bindings.of(ViewKey(session)), requester_of(interaction))
        return form_of(action, session)

    async def form(self, interaction: Interaction, rest: str) -> None:
        """A form was sent: its action takes what its fields hold, in their order."""
        session, _, action = rest.partition(":")
        if action in FORMS:
            binding, given = self.manager.bindings.of(ViewKey(session)), filled_in(interaction)
            await self._do(interaction, binding, getattr(self.actions, action), *given.values())


def form_of(action: str, session: str) -> discord.ui.Modal:
    """The form that the button of an action opens."""
    called = messages("panel-fields")
    fields = [replace(field, called=called[f"{action}-{field.name}"]) for field in FORMS[action]]
    title, sides = messages("panel-forms")[action], messages("panel-sides")
    return modal(f"el:form:{session}:{action}", title, fields, names=sides)
