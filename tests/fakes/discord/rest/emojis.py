"""The application's own emojis: 2,000 at the most, 256 KiB each, served by the CDN to everybody."""

from __future__ import annotations

import re

from tests.fakes.discord import payloads
from tests.fakes.discord.errors import Refused, invalid
from tests.fakes.discord.rest.webhooks import picture
from tests.fakes.discord.routing import Call, Reply, nothing, ok, route
from tests.fakes.discord.state import Emoji

EMOJIS = "/applications/{application_id}/emojis"


def _mine(call: Call) -> None:
    if call.id("application_id") != call.world.application.id:
        raise Refused(50001)


def _one(call: Call) -> Emoji:
    _mine(call)
    found = call.world.emojis.get(call.id("emoji_id"))
    if found is None:
        raise Refused(10014, status=404)
    return found


def _check_name(call: Call, name: str, but: Emoji | None = None) -> None:
    if not re.fullmatch(r"[A-Za-z0-9_]{2,32}", name):
        raise invalid("name", code="STRING_TYPE_REGEX", message="String value did not match validation regex.")
    if any(one.name == name for one in call.world.emojis.values() if one is not but):
        raise invalid("name", code="APPLICATION_EMOJI_NAME_ALREADY_TAKEN", message="This emoji name is already taken.")


@route("GET", EMOJIS)
def list_all(call: Call) -> Reply:
    _mine(call)
    return ok({"items": [payloads.emoji(one) for one in call.world.emojis.values()]})


@route("POST", EMOJIS)
def create(call: Call) -> Reply:
    _mine(call)
    body = call.json()
    _check_name(call, body["name"])
    image = picture(call, body["image"], most=256 * 1024)
    if len(call.world.emojis) >= 2000:
        raise Refused(30008)
    assert image is not None
    made = Emoji(call.world.new_id(), body["name"], image, body["image"].startswith("data:image/gif"), call.world.bot)
    call.world.emojis[made.id] = made
    return Reply(201, payloads.emoji(made))


@route("GET", EMOJIS + "/{emoji_id}")
def get(call: Call) -> Reply:
    return ok(payloads.emoji(_one(call)))


@route("PATCH", EMOJIS + "/{emoji_id}")
def rename(call: Call) -> Reply:
    one = _one(call)
    name = call.json().get("name") or one.name
    _check_name(call, name, one)
    one.name = name
    return ok(payloads.emoji(one))


@route("DELETE", EMOJIS + "/{emoji_id}")
def delete(call: Call) -> Reply:
    del call.world.emojis[_one(call).id]
    return nothing()
