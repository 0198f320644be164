"""Who may do what: roles, a channel's overwrites, and what threads take from their parent."""

from __future__ import annotations

from enum import IntFlag
from typing import TYPE_CHECKING

from tests.fakes.discord.errors import Refused

if TYPE_CHECKING:
    from tests.fakes.discord.state import Channel, Member


class Permission(IntFlag):
    """Discord's permission bits, those that matter to a bot that talks."""

    CREATE_INSTANT_INVITE = 1 << 0
    KICK_MEMBERS = 1 << 1
    BAN_MEMBERS = 1 << 2
    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_AUDIT_LOG = 1 << 7
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    SEND_TTS_MESSAGES = 1 << 12
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    CHANGE_NICKNAME = 1 << 26
    MANAGE_NICKNAMES = 1 << 27
    MANAGE_ROLES = 1 << 28
    MANAGE_WEBHOOKS = 1 << 29
    MANAGE_GUILD_EXPRESSIONS = 1 << 30
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    USE_EXTERNAL_STICKERS = 1 << 37
    SEND_MESSAGES_IN_THREADS = 1 << 38
    MODERATE_MEMBERS = 1 << 40
    SEND_POLLS = 1 << 49
    USE_EXTERNAL_APPS = 1 << 50
    PIN_MESSAGES = 1 << 51


ALL = Permission((1 << 52) - 1)
NONE = Permission(0)
EVERYONE = (
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.ADD_REACTIONS
    | Permission.USE_EXTERNAL_EMOJIS
    | Permission.CHANGE_NICKNAME
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.CREATE_PRIVATE_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
    | Permission.SEND_POLLS
)
"""What a new server gives @everyone, without MENTION_EVERYONE and voice."""


def in_guild(member: Member) -> Permission:
    """What a member's roles allow in the whole server."""
    guild = member.guild
    if guild.owner_id == member.id:
        return ALL
    allowed = Permission(guild.roles[guild.id].permissions)
    for role in member.roles:
        allowed |= guild.roles[role].permissions
    return ALL if Permission.ADMINISTRATOR in allowed else allowed


def in_channel(member: Member, channel: Channel) -> Permission:
    """What a member may do in a channel; a thread takes its parent's overwrites. Without VIEW_CHANNEL: nothing."""
    allowed = in_guild(member)
    if allowed == ALL:
        return ALL
    place = channel.parent if channel.is_thread else channel
    assert place is not None
    everyone = place.overwrites.get(member.guild.id)
    if everyone:
        allowed = (allowed & ~Permission(everyone.deny)) | everyone.allow
    allow, deny = NONE, NONE
    for role in member.roles:
        if overwrite := place.overwrites.get(role):
            allow |= overwrite.allow
            deny |= overwrite.deny
    allowed = (allowed & ~deny) | allow
    if own := place.overwrites.get(member.id):
        allowed = (allowed & ~Permission(own.deny)) | own.allow
    return _in_thread(member, channel, allowed) if Permission.VIEW_CHANNEL in allowed else NONE


def _in_thread(member: Member, channel: Channel, allowed: Permission) -> Permission:
    """A private thread is there only for its members and for those who manage threads."""
    hidden = (
        channel.is_private_thread
        and member.id not in channel.thread_members
        and Permission.MANAGE_THREADS not in allowed
    )
    return NONE if hidden else allowed


def demand(member: Member, channel: Channel, *needed: Permission) -> None:
    """Refuse with 50001 who cannot see the channel, and with 50013 who may not do it."""
    allowed = in_channel(member, channel)
    if Permission.VIEW_CHANNEL not in allowed:
        raise Refused(50001)
    if any(bit not in allowed for bit in needed):
        raise Refused(50013)


def demand_in_guild(member: Member, *needed: Permission) -> None:
    allowed = in_guild(member)
    if any(bit not in allowed for bit in needed):
        raise Refused(50013)


def sending(channel: Channel) -> Permission:
    """The permission that a message needs there."""
    return Permission.SEND_MESSAGES_IN_THREADS if channel.is_thread else Permission.SEND_MESSAGES
