"""`/session list|show|resume|delete|leave`: the debates of a server, as far as the member who asks may see them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord
from discord import app_commands

from elenchus.bot.bindings import Binding
from elenchus.bot.debate.rules import check_steer
from elenchus.bot.debate.start import member_of
from elenchus.bot.desk import Desk
from elenchus.bot.errors import tell
from elenchus.bot.guild import may_steer, settings_of
from elenchus.bot.openings import Opener, Opening
from elenchus.bot.panel import face
from elenchus.bot.people import consent, drafts, leaving
from elenchus.bot.people.who import person
from elenchus.bot.posting.outgoing import embed_of, view_of
from elenchus.bot.rendering import safe
from elenchus.bot.rendering.post import Button
from elenchus.bot.running import House
from elenchus.bot.strings import people as people_words
from elenchus.bot.strings import sessions as words
from elenchus.bot.strings import thread as thread_words
from elenchus.debate_engine.errors import SessionHeld, UsageError

DELETE = "delete"
"""The name of the click that confirms a deletion; the rest is the session."""

LISTED = 15
Asked = discord.Interaction[Any]


@dataclass(frozen=True, slots=True)
class Sessions:
    """What the commands do. All raise UsageError, StorageError, discord.HTTPException."""

    desk: Desk
    house: House
    opener: Opener

    async def listed(self, interaction: Asked) -> None:
        """The newest debates that the member may see."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        mine = {binding.session: binding for binding in await self._seen(member_of(interaction))}
        known = [info for info in await self.desk.log.sessions() if info.id in mine]
        lines = [
            words.line(
                info.id, info.state, safe.shortened(safe.inline(info.title), 90), mine[info.id].thread,
                thread_words.when(info.created),
            )
            for info in known[:LISTED]
        ]  # fmt: skip
        if len(known) > LISTED:
            lines.append(words.more(len(known) - LISTED))
        embed = discord.Embed(title=words.TITLE, description="\n".join(lines)).set_footer(text=words.SCENES_ARE)
        await (interaction.followup.send(embed=embed, ephemeral=True) if lines else tell(interaction, words.NONE))

    async def shown(self, interaction: Asked, beginning: str) -> None:
        """How one stands."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        binding = await self._binding(interaction, beginning)
        shown = face.shown(await self.house.board(binding.session))
        await interaction.followup.send(f"<#{binding.thread}>", embed=embed_of(shown.embed), ephemeral=True)

    async def resumed(self, interaction: Asked, beginning: str) -> None:
        """Go on, in a new thread where the old one is gone."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        binding = await self._binding(interaction, beginning)
        await check_steer(self.desk, binding, member_of(interaction))
        board = await self.house.board(binding.session)
        gone = await _is_gone(interaction.client, binding.thread)
        if gone:
            binding = await self._rebound(interaction, binding, board.view.title)
        if board.over:
            self.house.show(binding.session)
        else:
            await self.house.resume(binding.session, person(interaction.user.id))
        if gone:
            await tell(interaction, words.new_thread(binding.thread))
        else:
            await tell(interaction, words.IS_OVER if board.over else words.RESUMED)

    async def _rebound(self, interaction: Asked, binding: Binding, title: str) -> Binding:
        """The session in a new thread, which shows it from its beginning."""
        opening = Opening(
            session=binding.session, guild=binding.guild, channel=binding.channel, moderator=binding.moderator,
            private=binding.private, title=title, click=interaction.id,
            members=tuple(filter(None, (binding.moderator, interaction.user.id))),
        )  # fmt: skip
        return await self.opener.open(interaction.client, opening)

    async def delete(self, interaction: Asked, beginning: str) -> None:
        """Ask whether it is to be deleted."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        binding = await self._binding(interaction, beginning)
        await check_steer(self.desk, binding, member_of(interaction))
        title = (await self.house.board(binding.session)).view.title
        sure = Button(f"el:{DELETE}:{binding.session}", words.SURE, "danger")
        await tell(interaction, words.sure(safe.shortened(safe.inline(title), 300)), view=view_of((sure,)))

    async def confirmed(self, interaction: Asked, session: str) -> None:
        """The deletion was confirmed."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        await check_steer(self.desk, self.house.bindings.of(session), member_of(interaction))
        try:
            await self.desk.log.delete(session)
        except SessionHeld as error:
            raise UsageError(words.STILL_RUNS) from error
        await self.house.bindings.remove(session)
        await consent.withdraw_all(self.desk.shelf, session=session)
        await drafts.forget(self.desk.shelf, session=session)
        await tell(interaction, words.DELETED)

    async def left(self, interaction: Asked) -> None:
        """The member leaves every seat of this thread's debate."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        board = await self.house.board(self.house.bindings.in_thread(interaction.channel_id).session)
        if board.ended:
            raise UsageError(people_words.FINISHED)
        if not await leaving.leave_all(self.desk, board.view, interaction.user.id):
            raise UsageError(people_words.NO_SEAT)
        await tell(interaction, words.LEFT)

    async def _binding(self, interaction: Asked, beginning: str) -> Binding:
        """The one debate of this server that is meant and may be seen. Raises UsageError."""
        member = member_of(interaction)
        if not beginning:
            return self.house.bindings.in_thread(interaction.channel_id)
        found = [binding for binding in await self._seen(member) if binding.session.startswith(beginning)]
        if len(found) != 1:
            shown = safe.inline(beginning)
            raise UsageError(words.several(shown) if found else words.unknown(shown))
        return found[0]

    async def _seen(self, member: discord.Member) -> list[Binding]:
        """The debates of the server of which the member may know: a private one is its moderator's and the server's."""
        settings = await settings_of(self.desk.shelf, member.guild.id)
        here = [binding for binding in self.house.bindings if binding.guild == member.guild.id]
        return [b for b in here if not b.private or b.moderator == member.id or may_steer(settings, member, b.channel)]


async def _is_gone(client: discord.Client, thread: int) -> bool:
    try:
        await client.fetch_channel(thread)
    except discord.NotFound:
        return True
    return False


def add_to(tree: app_commands.CommandTree[Any], sessions: Sessions) -> None:
    """Put `/session` into the tree."""
    contexts = app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False)
    group = app_commands.Group(name="session", description=words.GROUP, allowed_contexts=contexts)

    @group.command(name="list", description=words.LIST)
    async def listed(interaction: Asked) -> None:
        await sessions.listed(interaction)

    @group.command(name="show", description=words.SHOW)
    @app_commands.describe(session=words.ID)
    async def shown(interaction: Asked, session: str = "") -> None:
        await sessions.shown(interaction, session)

    @group.command(name="resume", description=words.RESUME)
    @app_commands.describe(session=words.ID)
    async def resumed(interaction: Asked, session: str = "") -> None:
        await sessions.resumed(interaction, session)

    @group.command(name="delete", description=words.DELETE)
    @app_commands.describe(session=words.ID)
    async def delete(interaction: Asked, session: str = "") -> None:
        await sessions.delete(interaction, session)

    @group.command(name="leave", description=words.LEAVE)
    async def leave(interaction: Asked) -> None:
        await sessions.left(interaction)

    tree.add_command(group)
