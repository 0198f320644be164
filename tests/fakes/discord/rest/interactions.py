"""The callback to an interaction: within three seconds, once, and of a kind that fits."""

from __future__ import annotations

from tests.fakes.discord import limits, payloads, posting, threads
from tests.fakes.discord.errors import Refused, invalid
from tests.fakes.discord.interacting import metadata, writer
from tests.fakes.discord.routing import Call, Reply, nothing, ok, route
from tests.fakes.discord.state import EPHEMERAL, LOADING, Interaction, Json, Message

PONG, MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE, CHOICES, MODAL = 1, 4, 5, 6, 7, 8, 9
COMMAND, COMPONENT, AUTOCOMPLETE, SUBMIT = 2, 3, 4, 5
FITS = {
    COMMAND: {MESSAGE, DEFERRED, MODAL},
    COMPONENT: {MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE, MODAL},
    AUTOCOMPLETE: {CHOICES},
    SUBMIT: {MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE},
}


@route("POST", "/interactions/{interaction_id}/{interaction_token}/callback")
def callback(call: Call) -> Reply:
    told = call.world.interactions.get(call.values["interaction_token"])
    if told is None or told.id != call.id("interaction_id"):
        raise Refused(10062)
    demand_channel(call, told)
    if told.acknowledged is not None:
        raise Refused(40060)
    if call.world.clock.now() - told.created > call.world.times.acknowledge:
        raise Refused(10062)
    body = call.json()
    kind, data = int(body["type"]), body.get("data") or {}
    _fits(told, kind)
    post = _perform(call, told, kind, data)
    told.acknowledged, told.acknowledged_at = kind, call.world.clock.now()
    told.stir()
    return ok(_answer(told, kind, post)) if call.asked("with_response") else nothing()


def demand_channel(call: Call, told: Interaction) -> None:
    """Nothing can be said where the channel is gone."""
    if told.channel.id not in call.world.channels:
        raise Refused(10003)


def _fits(told: Interaction, kind: int) -> None:
    from_message = told.message is not None
    if kind not in FITS[told.kind] or (told.kind == SUBMIT and kind in (DEFERRED_UPDATE, UPDATE) and not from_message):
        message = f"Interaction of type {told.kind} cannot be answered with type {kind}."
        raise invalid("type", code="INTERACTION_RESPONSE_TYPE_INVALID", message=message)


def _perform(call: Call, told: Interaction, kind: int, data: Json) -> Message | None:
    """Do what the callback says; gives the message that it made or changed."""
    match kind:
        case 4:
            return _reply(call, told, data)
        case 5:
            return _think(call, told, data)
        case 6:
            told.original = told.message
        case 7:
            assert told.message is not None
            posting.edit(call.world, told.message, data, call.files)
            told.original = told.message
        case 8:
            limits.choices(data)
            told.choices = data.get("choices") or []
        case 9:
            limits.modal(data)
            told.modal = data | {"components": posting.with_ids(data["components"])}
    return told.original


def _reply(call: Call, told: Interaction, data: Json) -> Message:
    by = writer(call.world, told, ephemeral=bool(int(data.get("flags") or 0) & EPHEMERAL))
    kind = 20 if told.kind == COMMAND and told.data.get("type", 1) == 1 else 23 if told.kind == COMMAND else 0
    told.original = posting.create(call.world, told.channel, by, data, call.files, kind=kind)
    return told.original


def _think(call: Call, told: Interaction, data: Json) -> Message:
    """Show "thinking…": a message without words that the first followup or edit replaces."""
    by = writer(call.world, told, ephemeral=bool(int(data.get("flags") or 0) & EPHEMERAL))
    if by.only_for is None:
        threads.before_post(call.world, told.channel)
    post = Message(call.world.new_id(), told.channel, by.user, type=20, webhook_id=by.webhook_id, only_for=by.only_for)
    post.application_id, post.interaction_metadata = by.application_id, metadata(told)
    post.flags = LOADING | (EPHEMERAL if post.ephemeral else 0)
    call.world.posts.append(post)
    if not post.ephemeral:
        posting.keep(call.world, post)
    told.original, told.original_waits = post, True
    return post


def _answer(told: Interaction, kind: int, post: Message | None) -> Json:
    about: Json = {"id": str(told.id), "type": told.kind, "channel_id": str(told.channel.id)}
    if told.channel.guild:
        about["guild_id"] = str(told.channel.guild.id)
    if post is not None and kind in (MESSAGE, DEFERRED, UPDATE):
        about |= {"response_message_id": str(post.id), "response_message_loading": kind == DEFERRED}
        about["response_message_ephemeral"] = post.ephemeral
    shown: Json = {"interaction": about}
    if post is not None and kind in (MESSAGE, UPDATE):
        shown["resource"] = {"type": kind, "message": payloads.message(post)}
    return shown
