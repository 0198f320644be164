"""Threads: begin them, their members, lists of the archived and the active."""

from __future__ import annotations

from tests.fakes.discord import payloads, threads
from tests.fakes.discord.clock import iso
from tests.fakes.discord.errors import Refused
from tests.fakes.discord.events import Intent
from tests.fakes.discord.permissions import Permission
from tests.fakes.discord.rest.channels import check_form
from tests.fakes.discord.routing import Call, Reply, nothing, ok, route
from tests.fakes.discord.state import PRIVATE_THREAD, PUBLIC_THREAD, TEXT, Channel, Json, Member

MEMBERS = "/channels/{channel_id}/thread-members"


def _parent(call: Call, *needed: Permission) -> Channel:
    place = call.channel()
    if place.type != TEXT:
        raise Refused(50024)
    call.demand(place, *needed)
    return place


@route("POST", "/channels/{channel_id}/messages/{message_id}/threads")
def from_message(call: Call) -> Reply:
    place = _parent(call, Permission.CREATE_PUBLIC_THREADS)
    post = call.message(place)
    if post.thread:
        raise Refused(160004)
    check_form({"name": ""} | call.json())
    made = threads.start(call.world, place, call.me(place), call.json(), origin=post)
    return Reply(201, payloads.channel(made, call.world.bot.id))


@route("POST", "/channels/{channel_id}/threads")
def without_message(call: Call) -> Reply:
    body = call.json()
    private = (body.get("type") or PRIVATE_THREAD) == PRIVATE_THREAD
    place = _parent(call, Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS)
    check_form({"name": ""} | body)
    made = threads.start(call.world, place, call.me(place), body)
    return Reply(201, payloads.channel(made, call.world.bot.id))


def _thread(call: Call) -> Channel:
    place = call.channel()
    if not place.is_thread:
        raise Refused(50024)
    return place


@route("PUT", MEMBERS + "/@me")
def join(call: Call) -> Reply:
    place = _thread(call)
    threads.demand_open(place)
    threads.add(call.world, place, call.me(place))
    return nothing()


@route("DELETE", MEMBERS + "/@me")
def leave(call: Call) -> Reply:
    place = _thread(call)
    threads.demand_open(place)
    threads.remove(call.world, place, call.world.bot.id)
    return nothing()


@route("PUT", MEMBERS + "/{user_id}")
def add(call: Call) -> Reply:
    """Who is added must see the parent; in a thread that is not invitable only managers add."""
    place = _thread(call)
    threads.demand_open(place)
    call.demand(place, Permission.SEND_MESSAGES_IN_THREADS)
    if place.is_private_thread and not place.invitable and not call.may(place, Permission.MANAGE_THREADS):
        raise Refused(50013)
    who = _member(call, place)
    assert place.parent is not None
    if not call.world.sees(who, place.parent):
        raise Refused(50001)
    threads.add(call.world, place, who, call.world.bot)
    return nothing()


@route("DELETE", MEMBERS + "/{user_id}")
def remove(call: Call) -> Reply:
    place = _thread(call)
    threads.demand_open(place)
    made_it = place.is_private_thread and place.owner_id == call.world.bot.id
    if not made_it and not call.may(place, Permission.MANAGE_THREADS):
        raise Refused(50013)
    threads.remove(call.world, place, call.id("user_id"), call.world.bot)
    return nothing()


def _member(call: Call, place: Channel) -> Member:
    found = place.members.get(call.id("user_id"))
    if found is None:
        raise Refused(10007 if call.id("user_id") in call.world.users else 10013)
    return found


def _shown(call: Call, place: Channel, who: int) -> Json:
    shown = payloads.thread_member(place, who)
    if call.asked("with_member") and who in place.members:
        shown["member"] = payloads.member(place.members[who])
    return shown


@route("GET", MEMBERS + "/{user_id}")
def member(call: Call) -> Reply:
    place = _thread(call)
    if call.id("user_id") not in place.thread_members:
        raise Refused(10007)
    return ok(_shown(call, place, call.id("user_id")))


@route("GET", MEMBERS)
def members(call: Call) -> Reply:
    """A privileged list: without the members intent in the portal it is refused."""
    place = _thread(call)
    if not call.world.application.privileged & Intent.GUILD_MEMBERS:
        raise Refused(50001)
    return ok([_shown(call, place, who) for who in sorted(place.thread_members)])


def _list(call: Call, found: list[Channel], *, more: bool | None) -> Reply:
    me = call.world.bot.id
    shown: Json = {"threads": [payloads.channel(one, me) for one in found]}
    shown["members"] = [payloads.thread_member(one, me) for one in found if me in one.thread_members]
    return ok(shown if more is None else shown | {"has_more": more})


@route("GET", "/guilds/{guild_id}/threads/active")
def active(call: Call) -> Reply:
    found = [one for one in call.guild().channels.values() if one.is_thread and not one.archived]
    return _list(call, [one for one in found if call.world.bot_sees(one)], more=False)


@route("GET", "/channels/{channel_id}/threads/archived/public")
def archived_public(call: Call) -> Reply:
    return _archived(call, call.channel(Permission.READ_MESSAGE_HISTORY), PUBLIC_THREAD, mine=False)


@route("GET", "/channels/{channel_id}/threads/archived/private")
def archived_private(call: Call) -> Reply:
    return _archived(
        call, call.channel(Permission.READ_MESSAGE_HISTORY, Permission.MANAGE_THREADS), PRIVATE_THREAD, mine=False
    )


@route("GET", "/channels/{channel_id}/users/@me/threads/archived/private")
def archived_joined(call: Call) -> Reply:
    return _archived(call, call.channel(Permission.READ_MESSAGE_HISTORY), PRIVATE_THREAD, mine=True)


def _archived(call: Call, place: Channel, kind: int, *, mine: bool) -> Reply:
    assert place.guild is not None
    found = [one for one in place.guild.channels.values() if one.parent is place and one.type == kind and one.archived]
    found = [one for one in found if not mine or call.world.bot.id in one.thread_members]
    before = call.query.get("before")
    if before:
        found = [
            one for one in found if iso(one.archive_changed) < before or (before.isdigit() and one.id < int(before))
        ]
    found.sort(key=lambda one: one.archive_changed, reverse=True)
    limit = int(call.query.get("limit", 50))
    return _list(call, found[:limit], more=len(found) > limit)
