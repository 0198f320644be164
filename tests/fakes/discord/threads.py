"""Threads: how they begin, who is in them, and what an archive or a lock stops."""

from __future__ import annotations

from typing import Any

from tests.fakes.discord.errors import Refused
from tests.fakes.discord.permissions import Permission, in_channel
from tests.fakes.discord.state import HAS_THREAD, PRIVATE_THREAD, PUBLIC_THREAD, Channel, Json, Member, Message, User
from tests.fakes.discord.world import World

CREATED, STARTER, MEMBER_ADDED, MEMBER_REMOVED, RENAMED = 18, 21, 1, 2, 4
MOST_ACTIVE = 1000


def start(world: World, parent: Channel, owner: Member, body: Json, *, origin: Message | None = None) -> Channel:
    """Begin a thread, from a message or without one; its maker is its first member."""
    assert parent.guild is not None
    active = [one for one in parent.guild.channels.values() if one.is_thread and not one.archived]
    if len(active) >= MOST_ACTIVE:
        raise Refused(160006)
    kind = PUBLIC_THREAD if origin else int(body.get("type") or PRIVATE_THREAD)
    made = Channel(origin.id if origin else world.new_id(), kind, body["name"], parent.guild, parent)
    made.owner_id, made.created_at = owner.id, world.clock.now()
    made.archive_changed = made.created_at
    made.auto_archive = body.get("auto_archive_duration") or 4320
    made.slowmode = body.get("rate_limit_per_user") or 0
    made.invitable = body.get("invitable", True) is not False
    made.thread_members[owner.id] = made.created_at
    world.add_channel(made)
    _announce(world, made, owner.user, origin)
    return made


def _announce(world: World, made: Channel, owner: User, origin: Message | None) -> None:
    """The system messages: in the parent for a public thread, and the starter of one made from a message."""
    if origin:
        origin.thread, origin.flags = made, origin.flags | HAS_THREAD
        system(world, made, owner, STARTER, reference=origin)
        world.events.edited(origin)
    elif made.type == PUBLIC_THREAD:
        assert made.parent is not None
        system(world, made.parent, owner, CREATED, content=made.name, announces=made)


def system(world: World, place: Channel, author: User, kind: int, **more: Any) -> Message:
    """A message of Discord's own; it does not count as one of the thread."""
    post = Message(world.new_id(), place, author, type=kind, **more)
    place.messages[post.id] = post
    world.posts.append(post)
    world.events.posted(post)
    return post


def add(world: World, thread: Channel, who: Member, by: User | None = None) -> None:
    """Add somebody to a thread; those added by another are announced in it."""
    if who.id in thread.thread_members:
        return
    thread.thread_members[who.id] = world.clock.now()
    if who.user is world.bot:
        world.events.channel("CREATE", thread)
    world.events.thread_members(thread, [who.id], [])
    if by is not None and by is not who.user:
        system(world, thread, by, MEMBER_ADDED, mentions=[who.user])


def remove(world: World, thread: Channel, who: int, by: User | None = None) -> None:
    """Take somebody out of a thread; one removed by another is announced in it."""
    if thread.thread_members.pop(who, None) is None:
        return
    world.events.thread_members(thread, [], [who])
    if by is not None and by.id != who:
        system(world, thread, by, MEMBER_REMOVED, mentions=[world.users[who]])


def add_mentioned(world: World, post: Message) -> None:
    """Who is mentioned in a thread, or speaks there, becomes a member of it if they may see its parent."""
    guild, thread = post.channel.guild, post.channel
    assert guild is not None
    assert thread.parent is not None
    for who in (*post.mentions, post.author):
        member = guild.members.get(who.id)
        if member and who.id in post.pinged | {post.author.id} and world.sees(member, thread.parent):
            add(world, thread, member)


def before_post(world: World, thread: Channel) -> None:
    """A post brings an archived thread back; a locked one stays shut."""
    if thread.is_thread and thread.archived:
        if thread.locked:
            raise Refused(50083)
        thread.archived, thread.archive_changed = False, world.clock.now()
        world.events.channel("UPDATE", thread)


def demand_open(thread: Channel) -> None:
    """Edits, reactions, pins and commands are refused in an archived thread."""
    if thread.is_thread and thread.archived:
        raise Refused(50083)


def demand_deletable(thread: Channel, manages: bool) -> None:
    """Messages of an archived thread can be deleted, of a locked one only by who manages threads."""
    if thread.is_thread and thread.archived and thread.locked and not manages:
        raise Refused(50083)


def demand_unlocked(thread: Channel, member: Member) -> None:
    """Only who manages threads writes in a locked one that is still open."""
    if thread.is_thread and thread.locked and Permission.MANAGE_THREADS not in in_channel(member, thread):
        raise Refused(50083 if thread.archived else 160005)
