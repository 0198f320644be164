"""What a server has settled: who may do what, default models, budgets of the day; and the checks by it."""

from __future__ import annotations

from typing import Literal

import discord
from pydantic import Field

from elenchus.bot.discord_internals import has_role
from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.key_value_store import KeyValueStore

NAMESPACE = "guilds"


class GuildSettings(FrozenModel):
    """One server's settings.

    `moderator_role` may steer every debate; members with Manage Threads and administrators always may. `start` says who
    may start one. Empty `debater` and `judges`: the bot's own defaults. Budgets of a day are for all its debates, None:
    no limit. A person's turn ends after `turn_seconds` (None: never); then a model answers if `stand_in`.
    `plain_messages`: what its member writes in the thread counts as well, where the bot may read messages.
    The audience's votes are open for `vote_minutes`. `models` are patterns of the models that members may have,
    `channels` where anything is started; () is all. A member may start `member_starts` things in 24 hours, and one
    every `member_minutes`. `unpriced_usd` is what a million tokens of a model without a known price are taken to cost;
    None: no such model.
    """

    moderator_role: int | None = None
    start: Literal["everyone", "moderators"] = "moderators"
    debater: str = ""
    judges: tuple[str, ...] = ()
    day_usd: float | None = Field(default=None, gt=0)
    day_tokens: int | None = Field(default=None, gt=0)
    turn_seconds: float | None = Field(default=24 * 3600.0, gt=0)
    stand_in: bool = True
    plain_messages: bool = False
    vote_minutes: float = Field(default=2.0, gt=0)
    models: tuple[str, ...] = ()
    channels: tuple[int, ...] = ()
    member_starts: int | None = Field(default=None, gt=0)
    member_minutes: float | None = Field(default=None, gt=0)
    unpriced_usd: float | None = Field(default=None, gt=0)


async def settings_of(store: KeyValueStore, guild: int) -> GuildSettings:
    """The server's settings at this moment. Raises StorageError."""
    document = await store.get(NAMESPACE, str(guild))
    return GuildSettings.model_validate(document) if document else GuildSettings()


async def keep(store: KeyValueStore, guild: int, settings: GuildSettings) -> None:
    """Put the server's settings in place of the former. Raises StorageError."""
    await store.put(NAMESPACE, str(guild), settings.model_dump(mode="json"))


def permissions_of(member: discord.Member) -> discord.Permissions:
    """What a member may do in the server: as Discord said with the click, while it has not sent the server's data."""
    said = member.resolved_permissions
    return said if said is not None and member.guild.unavailable else member.guild_permissions


def permissions_in(member: discord.Member, channel: int) -> discord.Permissions:
    """What a member may do in a channel of the server, with the channel's own overwrites; 0: in no certain one."""
    found = member.guild.get_channel(channel) if channel else None
    return permissions_of(member) if found is None else found.permissions_for(member)


def may_steer(settings: GuildSettings, member: discord.Member, channel: int = 0) -> bool:
    """Whether a member may steer every debate of this channel (0: of the server)."""
    by_role = settings.moderator_role is not None and has_role(member, settings.moderator_role)
    may = permissions_in(member, channel)
    return by_role or may.administrator or may.manage_threads


def may_start(settings: GuildSettings, member: discord.Member, channel: int = 0) -> bool:
    """Whether a member may start a debate in this channel."""
    return settings.start == "everyone" or may_steer(settings, member, channel)
