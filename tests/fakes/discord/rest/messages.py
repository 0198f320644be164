"""Messages of a channel: post, read, edit, delete, pin; and "is typing"."""

from __future__ import annotations

from tests.fakes.discord import changes, posting, threads
from tests.fakes.discord.clock import iso, seconds_of
from tests.fakes.discord.errors import Refused, invalid
from tests.fakes.discord.permissions import Permission, sending
from tests.fakes.discord.posting import Author
from tests.fakes.discord.routing import Call, Reply, nothing, ok, route
from tests.fakes.discord.state import CATEGORY, Channel, Json, Message

MESSAGES = "/channels/{channel_id}/messages"
ONE = "/channels/{channel_id}/messages/{message_id}"
PINS = "/channels/{channel_id}/messages/pins"


@route("POST", MESSAGES)
def post(call: Call) -> Reply:
    place, body = call.channel(), call.json()
    _may_post(call, place, body)
    if again := _same_nonce(call, place, body):
        return ok(call.world.shown(again))
    me = call.me(place) if place.guild else None
    reference = _reference(call, place, body)
    kind = 19 if reference else 0
    by = Author(call.world.bot, me)
    return ok(call.world.shown(posting.create(call.world, place, by, body, call.files, kind=kind, reference=reference)))


def _may_post(call: Call, place: Channel, body: Json) -> None:
    if place.type == CATEGORY:
        raise Refused(50008)
    if place.guild is None:
        if not all(who.accepts_dm for who in place.recipients):
            raise Refused(50007)
        return
    needed = [sending(place)]
    wants = {
        Permission.ATTACH_FILES: call.files,
        Permission.EMBED_LINKS: body.get("embeds"),
        Permission.SEND_TTS_MESSAGES: body.get("tts"),
    }
    wants |= {Permission.SEND_POLLS: body.get("poll")}
    call.demand(place, *needed, *[bit for bit, given in wants.items() if given])
    threads.demand_unlocked(place, call.me(place))


def _same_nonce(call: Call, place: Channel, body: Json) -> Message | None:
    """With `enforce_nonce`, the bot's own recent message of that nonce instead of a second one."""
    nonce = body.get("nonce")
    if not body.get("enforce_nonce") or nonce is None:
        return None
    since = call.world.clock.now() - call.world.times.nonce
    mine = [one for one in place.messages.values() if one.author is call.world.bot and str(one.nonce) == str(nonce)]
    return next((one for one in mine if seconds_of(one.id) > since), None)


def _reference(call: Call, place: Channel, body: Json) -> Message | None:
    named = body.get("message_reference")
    if not named:
        return None
    if not call.may(place, Permission.READ_MESSAGE_HISTORY):
        raise Refused(160002)
    found = place.messages.get(int(named["message_id"]))
    if found is None and named.get("fail_if_not_exists", True):
        raise invalid("message_reference", code="MESSAGE_REFERENCE_UNKNOWN_MESSAGE", message="Unknown message")
    return found


@route("GET", MESSAGES)
def history(call: Call) -> Reply:
    """Newest first; without the right to read history there is none."""
    place = call.channel()
    if not call.may(place, Permission.READ_MESSAGE_HISTORY):
        return ok([])
    limit = int(call.query.get("limit", 50))
    if not 1 <= limit <= 100:
        raise invalid("limit", code="NUMBER_TYPE_MAX", message="int value should be between 1 and 100.")
    marks: dict[str, int] = {
        name: int(call.query[name]) for name in ("before", "after", "around") if name in call.query
    }
    if len(marks) > 1:
        raise invalid("before", message="before, after and around are mutually exclusive")
    return ok([call.world.shown(one) for one in window(place, limit, marks)])


def window(place: Channel, limit: int, marks: dict[str, int]) -> list[Message]:
    newest = sorted(place.messages.values(), key=lambda one: one.id, reverse=True)
    match marks:
        case {"before": mark}:
            return [one for one in newest if one.id < mark][:limit]
        case {"after": mark}:
            return [one for one in newest if one.id > mark][-limit:]
        case {"around": mark}:
            later = [one for one in newest if one.id >= mark][-(limit // 2 + 1) :]
            return later + [one for one in newest if one.id < mark][: limit - len(later)]
    return newest[:limit]


@route("GET", ONE)
def get(call: Call) -> Reply:
    place = call.channel(Permission.READ_MESSAGE_HISTORY)
    return ok(call.world.shown(call.message(place)))


@route("PATCH", ONE)
def edit(call: Call) -> Reply:
    place = call.channel()
    one = call.message(place)
    if one.author is not call.world.bot or (one.webhook_id and one.application_id is None):
        raise Refused(50005)
    threads.demand_open(place)
    posting.edit(call.world, one, call.json(), call.files, call.me(place) if place.guild else None)
    return ok(call.world.shown(one))


@route("DELETE", ONE)
def delete(call: Call) -> Reply:
    place = call.channel()
    one = call.message(place)
    if one.author is not call.world.bot and not (place.guild and call.may(place, Permission.MANAGE_MESSAGES)):
        raise Refused(50013 if place.guild else 50003)
    if place.guild:
        threads.demand_deletable(place, call.may(place, Permission.MANAGE_THREADS))
    if one.type == threads.STARTER:
        raise Refused(50021)
    changes.delete_message(call.world, one)
    return nothing()


@route("POST", MESSAGES + "/bulk-delete")
def bulk_delete(call: Call) -> Reply:
    place = call.channel(Permission.MANAGE_MESSAGES)
    named = {int(one) for one in call.json()["messages"]}
    oldest = call.world.clock.now() - 14 * 86400
    if not 2 <= len(named) <= 100 or any(seconds_of(one) < oldest for one in named):
        raise invalid("messages", message="2 to 100 messages, none older than two weeks")
    for one in [place.messages[each] for each in named if each in place.messages]:
        changes.delete_message(call.world, one)
    return nothing()


@route("POST", "/channels/{channel_id}/typing")
def typing(call: Call) -> Reply:
    place = call.channel()
    if place.guild:
        call.demand(place, sending(place))
    place.typing.append(call.world.bot.id)
    call.world.events.typing(place, call.world.bot.id)
    return nothing()


@route("GET", PINS)
def pins(call: Call) -> Reply:
    place = call.channel()
    pinned = sorted((one for one in place.messages.values() if one.pinned_at), key=lambda one: -(one.pinned_at or 0))
    items = [{"pinned_at": iso(one.pinned_at or 0), "message": call.world.shown(one)} for one in pinned]
    return ok({"items": items if call.may(place, Permission.READ_MESSAGE_HISTORY) else [], "has_more": False})


@route("PUT", PINS + "/{message_id}")
def pin(call: Call) -> Reply:
    place = call.channel(Permission.PIN_MESSAGES)
    one = call.message(place)
    threads.demand_open(place)
    if sum(1 for each in place.messages.values() if each.pinned_at) >= 250:
        raise Refused(30003)
    one.pinned_at = call.world.clock.now()
    threads.system(call.world, place, call.world.bot, 6, reference=one)
    call.world.events.pins_changed(place)
    return nothing()


@route("DELETE", PINS + "/{message_id}")
def unpin(call: Call) -> Reply:
    place = call.channel(Permission.PIN_MESSAGES)
    call.message(place).pinned_at = None
    call.world.events.pins_changed(place)
    return nothing()
