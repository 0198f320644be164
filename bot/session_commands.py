"""`/session list|show|resume|delete|leave`: the debates of a server, as far as the member who asks may see them."""

from __future__ import annotations

import discord
from discord import app_commands

from elenchus.bot.bindings import Binding, ViewKey
from elenchus.bot.components import ComponentHandlers
from elenchus.bot.interactions import Interaction, requester_of, tell
from elenchus.bot.panel import content
from elenchus.bot.people import leaving
from elenchus.bot.people.members import person
from elenchus.bot.posting.discord_objects import embed_of, view_of
from elenchus.bot.rendering import safe
from elenchus.bot.rendering.amounts import when
from elenchus.bot.rendering.post import Button
from elenchus.bot.rules import check_steer, seen_by
from elenchus.bot.services import BotServices
from elenchus.bot.session_manager import SessionManager
from elenchus.bot.strings import messages, msg
from elenchus.bot.thread_opener import PendingThread, ThreadOpener
from elenchus.debate_engine.errors import SessionHeld, UsageError
from elenchus.service.lab import person_records

DELETE = "delete"
"""The name of the click that confirms a deletion; the rest is the session."""

LISTED = 15


@app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
class SessionCommands(app_commands.Group, name="session", description=msg("sessions-group")):
    """The commands. All raise UsageError, StorageError, discord.HTTPException."""

    def __init__(self, services: BotServices, manager: SessionManager, opener: ThreadOpener) -> None:
        super().__init__()
        self.services = services
        self.manager = manager
        self.opener = opener

    def register(self, components: ComponentHandlers) -> None:
        """Hear who agrees to a deletion."""
        components.on(DELETE, self.confirmed)

    @app_commands.command(name="list", description=msg("sessions-list"))
    async def listed(self, interaction: Interaction) -> None:
        """The newest debates that the member may see."""
        mine = {binding.session: binding for binding in await self._seen(requester_of(interaction))}
        known = [info for info in await self.services.log.sessions() if info.id in mine]
        lines = [
            msg(
                "sessions-line",
                session=info.id,
                state=messages("sessions-states").get(info.state, info.state),
                thread=mine[info.id].thread,
                at=when(info.created),
                title=safe.shortened(safe.inline(info.title), 90),
            )
            for info in known[:LISTED]
        ]
        if len(known) > LISTED:
            lines.append(msg("sessions-more", n=len(known) - LISTED))
        embed = discord.Embed(title=msg("sessions-title"), description="\n".join(lines)).set_footer(
            text=msg("sessions-scenes-are")
        )
        await (
            interaction.followup.send(embed=embed, ephemeral=True) if lines else tell(interaction, msg("sessions-none"))
        )

    @app_commands.command(name="show", description=msg("sessions-show"))
    @app_commands.describe(session=msg("sessions-id"))
    async def shown(self, interaction: Interaction, session: str = "") -> None:
        """How one stands."""
        binding = await self._binding(interaction, session)
        shown = content.shown(await self.manager.status(binding.session))
        await interaction.followup.send(f"<#{binding.thread}>", embed=embed_of(shown.embed), ephemeral=True)

    @app_commands.command(name="resume", description=msg("sessions-resume"))
    @app_commands.describe(session=msg("sessions-id"))
    async def resumed(self, interaction: Interaction, session: str = "") -> None:
        """Go on, in a new thread where the old one is gone."""
        binding = await self._binding(interaction, session)
        await check_steer(self.services, binding, requester_of(interaction))
        status = await self.manager.status(binding.session)
        gone = await _is_gone(interaction.client, binding.thread)
        if gone:
            binding = await self._rebound(interaction, binding, status.view.title)
        if status.over:
            self.manager.show(binding.key)
        else:
            await self.manager.resume(binding.session, person(interaction.user.id))
        if gone:
            await tell(interaction, msg("sessions-new-thread", thread=binding.thread))
        else:
            await tell(interaction, msg("sessions-is-over") if status.over else msg("sessions-resumed"))

    async def _rebound(self, interaction: Interaction, binding: Binding, title: str) -> Binding:
        """The session in a new thread, which shows it from its beginning."""
        pending = PendingThread.again(binding, title, interaction.id, (binding.moderator, interaction.user.id))
        return await self.opener.open(interaction.client, pending)

    @app_commands.command(name="delete", description=msg("sessions-delete"))
    @app_commands.describe(session=msg("sessions-id"))
    async def delete(self, interaction: Interaction, session: str = "") -> None:
        """Ask whether it is to be deleted."""
        binding = await self._binding(interaction, session)
        await check_steer(self.services, binding, requester_of(interaction))
        title = (await self.manager.status(binding.session)).view.title
        sure = Button(f"el:{DELETE}:{binding.session}", msg("sessions-sure"), "danger")
        await tell(
            interaction, msg("sessions-sure-text", title=safe.shortened(safe.inline(title), 300)), view=view_of((sure,))
        )

    async def confirmed(self, interaction: Interaction, session: str) -> None:
        """The deletion was confirmed."""
        await check_steer(self.services, self.manager.bindings.of(ViewKey(session)), requester_of(interaction))
        try:
            await self.services.log.delete(session)
        except SessionHeld as error:
            raise UsageError(msg("sessions-still-runs")) from error
        await self.manager.bindings.remove(ViewKey(session))
        await person_records.remove(self.services.store, session=session)
        await tell(interaction, msg("sessions-deleted"))

    @app_commands.command(name="leave", description=msg("sessions-leave"))
    async def left(self, interaction: Interaction) -> None:
        """The member leaves every seat of this thread's debate."""
        status = await self.manager.status(self.manager.bindings.in_thread(interaction.channel_id).session)
        if status.ended:
            raise UsageError(msg("people-finished"))
        if not await leaving.leave_all(self.services, status.view, interaction.user.id):
            raise UsageError(msg("people-no-seat"))
        await tell(interaction, msg("sessions-left"))

    async def _binding(self, interaction: Interaction, beginning: str) -> Binding:
        """The one debate of this server that is meant and may be seen. Raises UsageError."""
        member = requester_of(interaction)
        if not beginning:
            return self.manager.bindings.in_thread(interaction.channel_id)
        found = [binding for binding in await self._seen(member) if binding.session.startswith(beginning)]
        if len(found) != 1:
            shown = safe.inline(beginning)
            raise UsageError(
                msg("sessions-several", beginning=shown) if found else msg("sessions-unknown", beginning=shown)
            )
        return found[0]

    async def _seen(self, member: discord.Member) -> list[Binding]:
        """The debates of the server of which the member may know."""
        return await seen_by(self.services, member, self.manager.bindings.public)


async def _is_gone(client: discord.Client, thread: int) -> bool:
    try:
        await client.fetch_channel(thread)
    except discord.NotFound:
        return True
    return False
