"""What befalls a server while the bot runs: permissions go, threads are archived, the bot is thrown out."""

from __future__ import annotations

from tests.fakes.discord import payloads
from tests.fakes.discord.events import Intent
from tests.fakes.discord.permissions import Permission
from tests.fakes.discord.state import Channel, Guild, Member, Message, Overwrite, Role, User, Webhook
from tests.fakes.discord.world import World

WRITTEN = (0, 19, 20, 23)
"""Message types that are no announcements of Discord's own."""


def allow(world: World, place: Channel, who: Role | User | Member, *bits: Permission) -> None:
    """Set bits of a channel's overwrite to allowed."""
    _overwrite(world, place, who, allow_=_sum(bits))


def deny(world: World, place: Channel, who: Role | User | Member, *bits: Permission) -> None:
    """Set bits of a channel's overwrite to denied."""
    _overwrite(world, place, who, deny_=_sum(bits))


def _sum(bits: tuple[Permission, ...]) -> int:
    total = 0
    for bit in bits:
        total |= int(bit)
    return total


def _overwrite(world: World, place: Channel, who: Role | User | Member, allow_: int = 0, deny_: int = 0) -> None:
    seen = world.bot_sees(place)
    mine = place.overwrites.setdefault(who.id, Overwrite(who.id, 0 if isinstance(who, Role) else 1))
    mine.allow = (mine.allow | allow_) & ~deny_
    mine.deny = (mine.deny | deny_) & ~allow_
    tell_channel(world, place, was_seen=seen)


def tell_channel(world: World, place: Channel, *, was_seen: bool) -> None:
    """Tell the bot of new overwrites; of a channel that comes into its sight, the threads as well."""
    world.events.channel("UPDATE", place)
    if world.bot_sees(place) and not was_seen:
        world.events.threads_seen(place)


def set_role(world: World, guild: Guild, role: Role, permissions: Permission) -> None:
    """Replace what a role allows."""
    role.permissions = int(permissions)
    world.events.role("UPDATE", guild, {"role": payloads.role(role)})


def bot_role(world: World, guild: Guild) -> Role:
    """The bot's own managed role in a server."""
    return next(role for role in guild.roles.values() if role.bot_id == world.bot.id)


def bot_may(world: World, guild: Guild, permissions: Permission) -> None:
    """Replace what the bot's role allows (@everyone's rights stay)."""
    set_role(world, guild, bot_role(world, guild), permissions)


def give_role(world: World, member: Member, role: Role) -> None:
    member.roles.add(role.id)
    world.events.member("UPDATE", member.guild, payloads.member(member), member.id)


def take_role(world: World, member: Member, role: Role) -> None:
    member.roles.discard(role.id)
    world.events.member("UPDATE", member.guild, payloads.member(member), member.id)


def leave(world: World, member: Member) -> None:
    """A member leaves or is kicked: out of the server and of its threads."""
    guild = member.guild
    world.events.member("REMOVE", guild, {"user": payloads.user(member.user)}, member.id)
    for place in guild.channels.values():
        if place.thread_members.pop(member.id, None) is not None:
            world.events.thread_members(place, [], [member.id])
    guild.members.pop(member.id, None)


def kick_bot(world: World, guild: Guild) -> None:
    """The bot is removed from a server: GUILD_DELETE, and its role and its server commands are gone."""
    role = bot_role(world, guild)
    guild.members.pop(world.bot.id)
    guild.roles.pop(role.id)
    for place in guild.channels.values():
        place.thread_members.pop(world.bot.id, None)
    for command in [one for one in world.commands.values() if one.guild_id == guild.id]:
        del world.commands[command.id]
    world.events.send("GUILD_DELETE", {"id": str(guild.id)}, Intent.GUILDS, guild.id)


def delete_channel(world: World, place: Channel) -> None:
    """Delete a channel or a thread, with its threads, webhooks and messages."""
    assert place.guild is not None
    for thread in [one for one in place.guild.channels.values() if one.parent is place]:
        delete_channel(world, thread)
    world.events.channel("DELETE", place)
    place.guild.channels.pop(place.id, None)
    world.channels.pop(place.id, None)
    for hook in [one for one in world.webhooks.values() if one.channel is place]:
        del world.webhooks[hook.id]
    for post in place.messages.values():
        post.deleted = True


def delete_webhook(world: World, hook: Webhook) -> None:
    world.webhooks.pop(hook.id, None)
    world.events.webhooks_changed(hook)


def delete_message(world: World, post: Message) -> None:
    """Delete a message; a thread counts those that people and applications wrote."""
    post.deleted = True
    kept = post.channel.messages.pop(post.id, None)
    if kept and post.channel.is_thread and post.type in WRITTEN:
        post.channel.message_count -= 1
    world.events.removed(post)


def archive(world: World, thread: Channel, *, archived: bool = True, locked: bool | None = None) -> None:
    """Archive a thread or bring it back; a lock is what only those who manage threads can undo."""
    thread.archived = archived
    thread.locked = thread.locked if locked is None else locked
    thread.archive_changed = world.clock.now()
    world.events.channel("UPDATE", thread)


def set_command_permissions(world: World, guild: Guild, command_id: int, settings: list[dict[str, object]]) -> None:
    """What administrators set for a command in Server Settings → Integrations."""
    guild.command_permissions[command_id] = settings
