"""Webhooks of channels: make, list, change, delete; post by them, and their messages."""

from __future__ import annotations

import base64
import hashlib
import re
import secrets

from tests.fakes.discord import changes, payloads, posting, threads
from tests.fakes.discord.errors import Form, Refused, invalid
from tests.fakes.discord.permissions import Permission, demand_in_guild
from tests.fakes.discord.posting import Author
from tests.fakes.discord.rest import followups
from tests.fakes.discord.rest.channels import RateLimited
from tests.fakes.discord.routing import Call, Reply, nothing, ok, route
from tests.fakes.discord.state import TEXT, Attachment, Channel, Json, Message, User, Webhook

WITH_TOKEN = "/webhooks/{webhook_id}/{webhook_token}"
FORBIDDEN = ("discord", "clyde")
PICTURE = re.compile(r"data:image/(png|jpeg|gif|webp);base64,(.+)\Z", re.DOTALL)


def check_name(form: Form, path: str, name: str) -> None:
    """1 to 80 characters, without "discord" and "clyde"."""
    form.length((path,), name.strip(), 80, 1)
    for word in FORBIDDEN:
        if word in name.lower():
            code = "USERNAME_INVALID_CONTAINS"
            form.wrong((path,), code, f'Username cannot contain "{word}"')


def picture(call: Call, given: str | None, *, most: int = 10 * 1024 * 1024) -> bytes | None:
    """The bytes of a data URI. Raises Refused 50035 where it is none or too large."""
    if given is None:
        return None
    found = PICTURE.match(given)
    try:
        data = base64.b64decode(found[2], validate=True) if found else b""
    except ValueError:
        data = b""
    if not data:
        raise invalid("image", code="IMAGE_INVALID", message="Invalid image data")
    if len(data) > most:
        raise invalid("image", code="BINARY_TYPE_MAX_SIZE", message=f"File cannot be larger than {most // 1024} kb.")
    return data


def _keep_avatar(call: Call, hook: Webhook, given: str | None) -> None:
    data = picture(call, given)
    hook.avatar = hashlib.md5(data, usedforsecurity=False).hexdigest() if data else None
    if data:
        path = f"/avatars/{hook.id}/{hook.avatar}.png"
        call.world.files[path] = Attachment(hook.id, "avatar.png", data, "image/png", url=call.world.cdn + path)


@route("POST", "/channels/{channel_id}/webhooks")
def create(call: Call) -> Reply:
    place = call.channel(Permission.MANAGE_WEBHOOKS)
    if place.type != TEXT:
        raise Refused(50024)
    form = Form()
    check_name(form, "name", call.json()["name"])
    form.check()
    if sum(1 for one in call.world.webhooks.values() if one.channel is place) >= 15:
        raise Refused(30007)
    if sum(1 for one in call.world.webhooks.values() if one.channel.guild is place.guild) >= 1000:
        raise Refused(30058)
    hook = call.world.webhook(place, call.json()["name"].strip(), call.world.bot, call.world.application.id)
    _keep_avatar(call, hook, call.json().get("avatar"))
    return ok(_shown(call, hook))


def _shown(call: Call, hook: Webhook) -> Json:
    """A webhook of another application keeps its token to itself."""
    mine = hook.application_id in (None, call.world.application.id)
    return payloads.webhook(hook, call.world.api, with_token=mine)


@route("GET", "/channels/{channel_id}/webhooks")
def of_channel(call: Call) -> Reply:
    place = call.channel(Permission.MANAGE_WEBHOOKS)
    return ok([_shown(call, one) for one in call.world.webhooks.values() if one.channel is place])


@route("GET", "/guilds/{guild_id}/webhooks")
def of_guild(call: Call) -> Reply:
    guild = call.guild()
    demand_in_guild(call.world.me(guild), Permission.MANAGE_WEBHOOKS)
    return ok([_shown(call, one) for one in call.world.webhooks.values() if one.channel.guild is guild])


def _by_id(call: Call, *, reads: bool = False) -> Webhook:
    """The webhook of the path; the application reads its own without the right to manage any."""
    hook = call.world.webhooks.get(call.id("webhook_id"))
    if hook is None:
        raise Refused(10015)
    if not (reads and hook.application_id == call.world.application.id):
        call.demand(hook.channel, Permission.MANAGE_WEBHOOKS)
    return hook


def _by_token(call: Call) -> Webhook:
    hook = call.world.webhooks.get(call.id("webhook_id"))
    if hook is None:
        raise Refused(10015)
    if not secrets.compare_digest(hook.token.encode(), call.values["webhook_token"].encode()):
        raise Refused(50027)
    return hook


@route("GET", "/webhooks/{webhook_id}")
def get(call: Call) -> Reply:
    return ok(_shown(call, _by_id(call, reads=True)))


@route("GET", WITH_TOKEN)
def get_by_token(call: Call) -> Reply:
    return ok(payloads.webhook(_by_token(call), call.world.api, with_user=False))


@route("PATCH", "/webhooks/{webhook_id}")
def change(call: Call) -> Reply:
    hook, body = _by_id(call), call.json()
    if body.get("channel_id"):
        place = call.world.channels.get(int(body["channel_id"]))
        if place is None:
            raise Refused(10003)
        call.demand(place, Permission.MANAGE_WEBHOOKS)
        hook.channel = place
    return _change(call, hook)


@route("PATCH", WITH_TOKEN)
def change_by_token(call: Call) -> Reply:
    return _change(call, _by_token(call))


def _change(call: Call, hook: Webhook) -> Reply:
    body = call.json()
    if body.get("name") is not None:
        form = Form()
        check_name(form, "name", body["name"])
        form.check()
        hook.name = body["name"].strip()
    if "avatar" in body:
        _keep_avatar(call, hook, body["avatar"])
    call.world.events.webhooks_changed(hook)
    return ok(_shown(call, hook))


@route("DELETE", "/webhooks/{webhook_id}")
def delete(call: Call) -> Reply:
    changes.delete_webhook(call.world, _by_id(call))
    return nothing()


@route("DELETE", WITH_TOKEN)
def delete_by_token(call: Call) -> Reply:
    changes.delete_webhook(call.world, _by_token(call))
    return nothing()


# posting


@route("POST", WITH_TOKEN)
def execute(call: Call) -> Reply:
    """Post under a name and a face of the message's own. An application's id instead of a webhook's is a followup."""
    if call.id("webhook_id") == call.world.application.id:
        return followups.create(call)
    hook = _by_token(call)
    place, body = _target(call, hook), _with_components(call, hook)
    _check_look(body)
    if body.get("thread_name"):
        raise Refused(220003)
    if limited := call.discord.limits.take_webhook_post(hook.channel.id):
        raise RateLimited(limited.retry_after, "shared")
    face = User(hook.id, (body.get("username") or hook.name).strip(), bot=True, avatar=_face(body, hook))
    by = Author(face, webhook_id=hook.id, application_id=hook.application_id)
    post = posting.create(call.world, place, by, body, call.files)
    return ok(payloads.message(post)) if call.asked("wait") else nothing()


def _with_components(call: Call, hook: Webhook) -> Json:
    """What is posted. A webhook without an application must ask for components, and has no interactive ones."""
    body = call.json()
    if hook.application_id is None and not call.asked("with_components"):
        return {key: value for key, value in body.items() if key != "components"}
    if hook.application_id is None and any(
        part.get("custom_id") for part in payloads.walk(body.get("components") or [])
    ):
        message = "This webhook cannot send interactive components."
        raise invalid("components", code="WEBHOOK_INTERACTIVE_COMPONENTS", message=message)
    return body


def _face(body: Json, hook: Webhook) -> str | None:
    link = body.get("avatar_url")
    return hashlib.md5(str(link).encode(), usedforsecurity=False).hexdigest() if link else hook.avatar


def _check_look(body: Json) -> None:
    form = Form()
    if body.get("username"):
        check_name(form, "username", body["username"])
    link = body.get("avatar_url")
    form.length(("avatar_url",), link, 2048)
    if link and not re.match(r"https?://[^\s/]+", link):
        form.wrong(("avatar_url",), "URL_TYPE_INVALID_URL", "Not a well formed URL.")
    form.check()


def _target(call: Call, hook: Webhook) -> Channel:
    """The webhook's channel, or the thread of it that `thread_id` names."""
    if hook.channel.id not in call.world.channels:
        raise Refused(10015)
    if "thread_id" not in call.query:
        return hook.channel
    place = call.world.channels.get(int(call.query["thread_id"]))
    if place is None or place.parent is not hook.channel:
        raise Refused(10003)
    return place


def _own(call: Call) -> Message:
    hook = _by_token(call)
    post = _target(call, hook).messages.get(call.id("message_id"))
    if post is None or post.webhook_id != hook.id:
        raise Refused(10008)
    return post


@route("GET", WITH_TOKEN + "/messages/{message_id}")
def get_message(call: Call) -> Reply:
    """A webhook reads what it wrote, whatever the intents."""
    if call.id("webhook_id") == call.world.application.id:
        return followups.get(call)
    return ok(payloads.message(_own(call)))


@route("PATCH", WITH_TOKEN + "/messages/{message_id}")
def edit_message(call: Call) -> Reply:
    if call.id("webhook_id") == call.world.application.id:
        return followups.edit(call)
    post = _own(call)
    threads.demand_open(post.channel)
    posting.edit(call.world, post, call.json(), call.files)
    return ok(payloads.message(post))


@route("DELETE", WITH_TOKEN + "/messages/{message_id}")
def delete_message(call: Call) -> Reply:
    if call.id("webhook_id") == call.world.application.id:
        return followups.delete(call)
    post = _own(call)
    threads.demand_deletable(post.channel, manages=False)
    changes.delete_message(call.world, post)
    return nothing()
