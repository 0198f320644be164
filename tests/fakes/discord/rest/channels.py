"""A channel or a thread itself: read, change, delete; its overwrites."""

from __future__ import annotations

from tests.fakes.discord import changes, payloads, permissions, threads
from tests.fakes.discord.errors import Form, Refused
from tests.fakes.discord.permissions import Permission
from tests.fakes.discord.routing import Call, Reply, nothing, ok, route
from tests.fakes.discord.state import Channel, Json, Overwrite

ONE = "/channels/{channel_id}"
TIMES = (60, 1440, 4320, 10080)


@route("GET", ONE)
def get(call: Call) -> Reply:
    return ok(payloads.channel(call.channel(), call.world.bot.id))


@route("PATCH", ONE)
def change(call: Call) -> Reply:
    place, body = call.channel(), call.json()
    if place.guild is None:
        raise Refused(50003)
    check_form(body)
    if place.is_thread:
        _change_thread(call, place, body)
    else:
        call.demand(place, Permission.MANAGE_CHANNELS)
        place.topic = body.get("topic", place.topic)
    _rename(call, place, body)
    place.slowmode = body.get("rate_limit_per_user") or place.slowmode
    call.world.events.channel("UPDATE", place)
    return ok(payloads.channel(place, call.world.bot.id))


def check_form(body: Json) -> None:
    """Check a name, if there is one, and the time until a thread is archived. Raises Refused 50035."""
    form = Form()
    if body.get("name") is not None:
        form.length(("name",), body["name"].strip(), 100, 1)
    if body.get("auto_archive_duration") not in (None, *TIMES):
        form.wrong(("auto_archive_duration",), "BASE_TYPE_CHOICES", f"Value must be one of {TIMES}.")
    form.check()


def _rename(call: Call, place: Channel, body: Json) -> None:
    """Two renames in ten minutes, as a limit that no header announces."""
    name = body.get("name")
    if name is None or name == place.name:
        return
    now = call.world.clock.now()
    place.renames = [when for when in place.renames if when > now - 600]
    if len(place.renames) >= 2:
        wait = place.renames[0] + 600 - now
        raise RateLimited(wait)
    place.renames.append(now)
    place.name = name
    if place.is_thread:
        threads.system(call.world, place, call.world.bot, threads.RENAMED, content=name)


class RateLimited(Refused):
    """A hidden limit was hit."""

    def __init__(self, wait: float, scope: str = "user") -> None:
        headers = {"Retry-After": str(max(1, round(wait))), "X-RateLimit-Scope": scope}
        super().__init__(0, "You are being rate limited.", status=429, headers=headers)
        self.wait = wait

    def body(self) -> Json:
        return super().body() | {"retry_after": self.wait, "global": False}


def _change_thread(call: Call, thread: Channel, body: Json) -> None:
    """Members who may write reopen a thread that is not locked; the owner archives and renames; managers may all."""
    manages = call.may(thread, Permission.MANAGE_THREADS)
    owns = thread.owner_id == call.world.bot.id
    is_in = call.world.bot.id in thread.thread_members
    only_reopens = is_in and body.keys() <= {"archived"} and body.get("archived") is False
    if thread.archived and body.get("archived") is not False:
        raise Refused(50083)
    if thread.locked and not manages:
        raise Refused(50013)
    if "locked" in body and body["locked"] != thread.locked and not manages:
        raise Refused(50013)
    if not manages and not owns and not (only_reopens and call.may(thread, Permission.SEND_MESSAGES_IN_THREADS)):
        raise Refused(50013)
    if body.get("archived") is not None and body["archived"] != thread.archived:
        thread.archive_changed = call.world.clock.now()
        thread.archived = body["archived"]
    thread.locked = thread.locked if body.get("locked") is None else body["locked"]
    thread.auto_archive = body.get("auto_archive_duration") or thread.auto_archive
    thread.invitable = thread.invitable if body.get("invitable") is None else body["invitable"]


@route("DELETE", ONE)
def delete(call: Call) -> Reply:
    place = call.channel()
    shown = payloads.channel(place, call.world.bot.id)
    if place.guild:
        call.demand(place, Permission.MANAGE_THREADS if place.is_thread else Permission.MANAGE_CHANNELS)
        changes.delete_channel(call.world, place)
    return ok(shown)


@route("PUT", ONE + "/permissions/{overwrite_id}")
def set_overwrite(call: Call) -> Reply:
    """Only what the bot itself may do can be given or taken."""
    place = call.channel(Permission.MANAGE_ROLES)
    body = call.json()
    number = call.id("overwrite_id")
    given = int(body.get("allow") or 0) | int(body.get("deny") or 0)
    if given & ~int(permissions.in_channel(call.me(place), place)):
        raise Refused(50013)
    seen = call.world.bot_sees(place)
    place.overwrites[number] = Overwrite(number, body["type"], int(body.get("allow") or 0), int(body.get("deny") or 0))
    changes.tell_channel(call.world, place, was_seen=seen)
    return nothing()


@route("DELETE", ONE + "/permissions/{overwrite_id}")
def delete_overwrite(call: Call) -> Reply:
    place = call.channel(Permission.MANAGE_ROLES)
    seen = call.world.bot_sees(place)
    place.overwrites.pop(call.id("overwrite_id"), None)
    changes.tell_channel(call.world, place, was_seen=seen)
    return nothing()
