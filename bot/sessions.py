"""`/session list|show|resume|delete|leave`: the debates of a server, as far as the member who asks may see them."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from elenchus.bot.bindings import Binding, ViewKey
from elenchus.bot.debate.rules import check_steer
from elenchus.bot.debate.start import member_of
from elenchus.bot.errors import tell
from elenchus.bot.guild import may_steer, settings_of
from elenchus.bot.people import leaving
from elenchus.bot.people.members import person
from elenchus.bot.posting.requests import embed_of, view_of
from elenchus.bot.rendering import panel, safe
from elenchus.bot.rendering.amounts import when
from elenchus.bot.rendering.post import Button
from elenchus.bot.services import BotServices
from elenchus.bot.session_manager import SessionManager
from elenchus.bot.strings import messages, msg
from elenchus.bot.thread_opener import Opener, Opening
from elenchus.debate_engine.errors import SessionHeld, UsageError
from elenchus.service.lab import person_records

DELETE = "delete"
"""The name of the click that confirms a deletion; the rest is the session."""

LISTED = 15
Asked = discord.Interaction[Any]


@app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
class Sessions(app_commands.Group, name="session", description=msg("sessions-group")):
    """The commands. All raise UsageError, StorageError, discord.HTTPException."""

    def __init__(self, services: BotServices, manager: SessionManager, opener: Opener) -> None:
        super().__init__()
        self.services = services
        self.manager = manager
        self.opener = opener

    @app_commands.command(name="list", description=msg("sessions-list"))
    async def listed(self, interaction: Asked) -> None:
        """The newest debates that the member may see."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        mine = {binding.session: binding for binding in await self._seen(member_of(interaction))}
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
    async def shown(self, interaction: Asked, session: str = "") -> None:
        """How one stands."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        binding = await self._binding(interaction, session)
        shown = panel.shown(await self.manager.status(binding.session))
        await interaction.followup.send(f"<#{binding.thread}>", embed=embed_of(shown.embed), ephemeral=True)

    @app_commands.command(name="resume", description=msg("sessions-resume"))
    @app_commands.describe(session=msg("sessions-id"))
    async def resumed(self, interaction: Asked, session: str = "") -> None:
        """Go on, in a new thread where the old one is gone."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        binding = await self._binding(interaction, session)
        await check_steer(self.services, binding, member_of(interaction))
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

    async def _rebound(self, interaction: Asked, binding: Binding, title: str) -> Binding:
        """The session in a new thread, which shows it from its beginning."""
        opening = Opening(
            session=binding.session, guild=binding.guild, channel=binding.channel, moderator=binding.moderator,
            private=binding.private, title=title, click=interaction.id,
            members=tuple(filter(None, (binding.moderator, interaction.user.id))),
        )  # fmt: skip
        return await self.opener.open(interaction.client, opening)

    @app_commands.command(name="delete", description=msg("sessions-delete"))
    @app_commands.describe(session=msg("sessions-id"))
    async def delete(self, interaction: Asked, session: str = "") -> None:
        """Ask whether it is to be deleted."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        binding = await self._binding(interaction, session)
        await check_steer(self.services, binding, member_of(interaction))
        title = (await self.manager.status(binding.session)).view.title
        sure = Button(f"el:{DELETE}:{binding.session}", msg("sessions-sure"), "danger")
        await tell(
            interaction, msg("sessions-sure-text", title=safe.shortened(safe.inline(title), 300)), view=view_of((sure,))
        )

    async def confirmed(self, interaction: Asked, session: str) -> None:
        """The deletion was confirmed."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        await check_steer(self.services, self.manager.bindings.of(ViewKey(session)), member_of(interaction))
        try:
            await self.services.log.delete(session)
        except SessionHeld as error:
            raise UsageError(msg("sessions-still-runs")) from error
        await self.manager.bindings.remove(ViewKey(session))
        await person_records.remove(self.services.store, session=session)
        await tell(interaction, msg("sessions-deleted"))

    @app_commands.command(name="leave", description=msg("sessions-leave"))
    async def left(self, interaction: Asked) -> None:
        """The member leaves every seat of this thread's debate."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        status = await self.manager.status(self.manager.bindings.in_thread(interaction.channel_id).session)
        if status.ended:
            raise UsageError(msg("people-finished"))
        if not await leaving.leave_all(self.services, status.view, interaction.user.id):
            raise UsageError(msg("people-no-seat"))
        await tell(interaction, msg("sessions-left"))

    async def _binding(self, interaction: Asked, beginning: str) -> Binding:
        """The one debate of this server that is meant and may be seen. Raises UsageError."""
        member = member_of(interaction)
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
        """The debates of the server of which the member may know: a private one is its moderator's and the server's."""
        settings = await settings_of(self.services.store, member.guild.id)
        here = [binding for binding in self.manager.bindings.public if binding.guild == member.guild.id]
        return [b for b in here if not b.private or b.moderator == member.id or may_steer(settings, member, b.channel)]


async def _is_gone(client: discord.Client, thread: int) -> bool:
    try:
        await client.fetch_channel(thread)
    except discord.NotFound:
        return True
    return False
