"""What an application says after its first answer: followups and the original, while the token lives (15 minutes)."""

from __future__ import annotations

from tests.fakes.discord import changes, payloads, posting
from tests.fakes.discord.errors import Refused
from tests.fakes.discord.interacting import writer
from tests.fakes.discord.rest.interactions import demand_channel
from tests.fakes.discord.routing import Call, Reply, nothing, ok, route
from tests.fakes.discord.state import EPHEMERAL, LOADING, Interaction, Message

ORIGINAL = "/webhooks/{webhook_id}/{webhook_token}/messages/@original"


def _told(call: Call) -> Interaction:
    """The interaction of a token: 10015 before its acknowledgement, 50027 after fifteen minutes."""
    told = call.world.interactions.get(call.values["webhook_token"])
    if told is None:
        raise Refused(50027 if call.id("webhook_id") == call.world.application.id else 10015)
    if call.world.clock.now() - told.created > call.world.times.token:
        raise Refused(50027)
    if told.acknowledged is None:
        raise Refused(10015)
    demand_channel(call, told)
    return told


def create(call: Call) -> Reply:
    """A followup. After a "thinking…" the first one takes its place, and its visibility."""
    told, body = _told(call), call.json()
    if told.original_waits and told.original is not None:
        _resolve(call, told, told.original)
        return ok(payloads.message(told.original))
    by = writer(call.world, told, ephemeral=bool(int(body.get("flags") or 0) & EPHEMERAL))
    allowed = {key: value for key, value in body.items() if key not in ("username", "avatar_url", "thread_name")}
    post = posting.create(call.world, told.channel, by, allowed, call.files)
    told.followups.append(post)
    told.stir()
    return ok(payloads.message(post))


def _resolve(call: Call, told: Interaction, post: Message) -> None:
    post.flags &= ~LOADING
    posting.edit(call.world, post, call.json(), call.files)
    if told.original_waits:
        posting.notify(call.world, post, call.json().get("allowed_mentions"), None)
        post.edited_at = None
    told.original_waits = False
    told.stir()


def _named(call: Call) -> tuple[Interaction, Message]:
    told = _told(call)
    number = call.id("message_id")
    mine = [*told.followups, *([told.original] if told.original else [])]
    for post in mine:
        if post.id == number and not post.deleted:
            return told, post
    raise Refused(10008)


def _original(call: Call) -> tuple[Interaction, Message]:
    told = _told(call)
    if told.original is None or told.original.deleted:
        raise Refused(10008)
    return told, told.original


def get(call: Call) -> Reply:
    return ok(payloads.message(_named(call)[1]))


def edit(call: Call) -> Reply:
    told, post = _named(call)
    _resolve(call, told, post)
    return ok(payloads.message(post))


def delete(call: Call) -> Reply:
    return _delete(*_named(call), call)


def _delete(told: Interaction, post: Message, call: Call) -> Reply:
    changes.delete_message(call.world, post)
    told.original_waits = False
    told.stir()
    return nothing()


@route("GET", ORIGINAL)
def get_original(call: Call) -> Reply:
    return ok(payloads.message(_original(call)[1]))


@route("PATCH", ORIGINAL)
def edit_original(call: Call) -> Reply:
    told, post = _original(call)
    _resolve(call, told, post)
    return ok(payloads.message(post))


@route("DELETE", ORIGINAL)
def delete_original(call: Call) -> Reply:
    return _delete(*_original(call), call)
