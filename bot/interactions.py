"""Who asks, where, and who somebody named is, read from an interaction; and the answer to whoever asks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import discord

from elenchus.bot.strings import msg
from elenchus.debate_engine.errors import UsageError

Interaction = discord.Interaction[Any]


def requester_of(interaction: Interaction) -> discord.Member:
    """The member of a server who asks. Raises UsageError elsewhere."""
    if not isinstance(interaction.user, discord.Member):
        raise UsageError(msg("debate-not-here"))
    return interaction.user


def channel_of(interaction: Interaction) -> discord.TextChannel:
    """The text channel where a thread can be made: this one, or the one of this thread. Raises UsageError.

    Discord makes other threads in a channel for announcements, private ones not at all.
    """
    here = interaction.channel
    channel = here.parent if isinstance(here, discord.Thread) else here
    if not isinstance(channel, discord.TextChannel) or channel.is_news():
        raise UsageError(msg("debate-not-here"))
    return channel


async def names_of(guild: discord.Guild, members: Iterable[int]) -> dict[int, str]:
    """Display names of members. Raises UsageError for somebody who is none, or for a bot."""
    names: dict[int, str] = {}
    for member in members:
        try:
            found = await guild.fetch_member(member)
        except discord.NotFound as error:
            raise UsageError(msg("debate-not-a-member")) from error
        if found.bot:
            raise UsageError(msg("debate-a-bot"))
        names[member] = found.display_name
    return names


async def tell(interaction: Interaction, text: str, **more: Any) -> None:
    """Answer a person alone, whether or not the interaction was acknowledged before."""
    quiet = {"ephemeral": True, "allowed_mentions": discord.AllowedMentions.none(), **more}
    if interaction.response.is_done():
        await interaction.followup.send(text, **quiet)
    else:
        await interaction.response.send_message(text, **quiet)
