"""`/help`: what the person asking may do, looked up at that moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord
from discord import app_commands

from elenchus.bot.command_tree import command_of
from elenchus.bot.guild import GuildSettings, may_start, may_steer, permissions_of, settings_of
from elenchus.bot.interactions import Interaction, requester_of
from elenchus.bot.people.members import seats_of
from elenchus.bot.services import BotServices
from elenchus.bot.session_manager import SessionManager
from elenchus.bot.strings import msg


@dataclass(frozen=True, slots=True)
class HelpCommand:
    """Answers `/help`."""

    services: BotServices
    manager: SessionManager

    def command(self) -> app_commands.Command[Any, ..., Any]:
        """The command."""
        return command_of("help", msg("helping-description"), self.help)

    async def help(self, interaction: Interaction) -> None:
        """Show what the member may do. Raises UsageError outside a server, StorageError."""
        member = requester_of(interaction)
        settings = await settings_of(self.services.store, member.guild.id)
        own = any(b.moderator == member.id for b in self.manager.bindings.public if b.guild == member.guild.id)
        here = (
            interaction.channel.parent_id if isinstance(interaction.channel, discord.Thread) else interaction.channel_id
        )
        embed = shown(settings, member, here or 0, own=own, sits=await self._sits(member))
        await interaction.followup.send(embed=embed, ephemeral=True)

    async def _sits(self, member: discord.Member) -> bool:
        """Whether the member sits in a debate of this server that goes on."""
        for binding in self.manager.bindings.public:
            if binding.guild == member.guild.id and not binding.closed:
                view = (await self.manager.status(binding.session)).view
                if not view.ended and seats_of(view.started, member.id):
                    return True
        return False


def shown(settings: GuildSettings, member: discord.Member, channel: int, *, own: bool, sits: bool) -> discord.Embed:
    """The help for this member."""
    steers, permissions = may_steer(settings, member, channel), permissions_of(member)
    parts = [
        (sits, msg("helping-sitting-title"), msg("helping-sitting")),
        (True, msg("helping-everyone-title"), msg("helping-everyone")),
        (may_start(settings, member, channel), msg("helping-starting-title"), msg("helping-starting")),
        (steers, msg("helping-steering-title"), msg("helping-steering")),
        (own and not steers, msg("helping-own-title"), msg("helping-own")),
        (permissions.manage_guild or permissions.administrator, msg("helping-setting-title"), msg("helping-setting")),
    ]
    embed = discord.Embed(title=msg("helping-title"), description=msg("helping-intro"))
    for applies, name, text in parts:
        if applies:
            embed.add_field(name=name, value=text, inline=False)
    if not may_start(settings, member, channel):
        embed.set_footer(text=msg("helping-not-starting"))
    return embed
