"""How a message comes to be, changes, and whom it notifies: the same for the bot, its webhooks and people."""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.fakes.discord import limits, threads
from tests.fakes.discord.clock import seconds_of
from tests.fakes.discord.errors import Refused, invalid
from tests.fakes.discord.permissions import Permission, in_channel
from tests.fakes.discord.state import (
    COMPONENTS_V2,
    EPHEMERAL,
    SUPPRESS_EMBEDS,
    Attachment,
    Channel,
    Json,
    Member,
    Message,
    User,
)
from tests.fakes.discord.world import World

SETTABLE = SUPPRESS_EMBEDS | COMPONENTS_V2 | 1 << 12
PERSON, ROLE = re.compile(r"<@!?(\d+)>"), re.compile(r"<@&(\d+)>")


@dataclass(frozen=True)
class File:
    """An uploaded part `files[n]` of a multipart request."""

    filename: str
    data: bytes
    content_type: str


Files = Mapping[int, File]


@dataclass(frozen=True)
class Author:
    """Who writes. `member` limits what may be mentioned; without one (a webhook) all may."""

    user: User
    member: Member | None = None
    webhook_id: int | None = None
    application_id: int | None = None
    only_for: int | None = None
    metadata: Json | None = None


def create(
    world: World, place: Channel, by: Author, body: Json, files: Files, *, kind: int = 0, **more: Any
) -> Message:
    """Check a message, keep it and tell of it. Posting brings an archived thread back unless it is locked."""
    limits.message(body, len(files))
    if by.only_for is None:
        threads.before_post(world, place)
    post = Message(world.new_id(), place, by.user, type=kind, webhook_id=by.webhook_id, only_for=by.only_for, **more)
    post.application_id, post.interaction_metadata = by.application_id, by.metadata
    post.nonce, post.tts, post.poll = body.get("nonce"), bool(body.get("tts")), _poll(body.get("poll"))
    _fill(world, post, body, files)
    notify(world, post, body.get("allowed_mentions"), by.member)
    world.posts.append(post)
    if not post.ephemeral:
        keep(world, post)
    return post


def keep(world: World, post: Message) -> None:
    """Put a message into its channel and tell of it."""
    place = post.channel
    place.messages[post.id] = post
    if place.is_thread:
        place.message_count += 1
        place.total_sent += 1
        threads.add_mentioned(world, post)
    world.events.posted(post)


def edit(world: World, post: Message, body: Json, files: Files, by: Member | None = None) -> None:
    """Change what the body names and leave the rest; mentions are counted anew but notify nobody."""
    merged = _as_request(post) | body
    limits.message(merged, len(files), is_edit=True)
    _old(world, post)
    _fill(world, post, merged, files, kept="attachments" not in body)
    if not (post.content.strip() or post.embeds or post.attachments or post.components or post.poll):
        raise Refused(50006)
    if "content" in body or "allowed_mentions" in body:
        before = set(post.pinged)
        notify(world, post, body.get("allowed_mentions"), by)
        post.pinged = before
    post.edited_at = world.clock.now()
    world.events.edited(post)


def _as_request(post: Message) -> Json:
    kept = [{"id": str(file.id)} for file in post.attachments]
    said: Json = {"content": post.content, "embeds": post.embeds, "components": post.components, "attachments": kept}
    return said | {"flags": post.flags}


def _old(world: World, post: Message) -> None:
    """Edits to messages older than an hour are limited: 30046."""
    now = world.clock.now()
    if now - seconds_of(post.id) < world.times.old_message:
        return
    edits = post.channel.old_edits
    edits[:] = [when for when in edits if when > now - 3600]
    if len(edits) >= world.times.old_edits:
        raise Refused(30046)
    edits.append(now)


def _fill(world: World, post: Message, body: Json, files: Files, *, kept: bool = False) -> None:
    post.content = (body.get("content") or "").strip()
    post.flags = (post.flags & ~SUPPRESS_EMBEDS) | (int(body.get("flags") or 0) & SETTABLE)
    if post.ephemeral:
        post.flags |= EPHEMERAL
    post.components = with_ids(body.get("components") or [])
    post.attachments = attachments(world, post, body, files, kept=kept)
    post.embeds = [embed(each, post) for each in body.get("embeds") or []]


def attachments(world: World, post: Message, body: Json, files: Files, *, kept: bool) -> list[Attachment]:
    """The files of a message: those that stay, then the new ones, with the names and alt texts of the body."""
    told: list[Json] = body.get("attachments") or []
    new = {int(each["id"]): each for each in told if int(each["id"]) < 100}
    old = {int(each["id"]): each for each in told if int(each["id"]) >= 100}
    missing = sorted(new.keys() - files.keys())
    if missing:
        message = "No uploaded file for this attachment."
        raise invalid("attachments", missing[0], "id", code="ATTACHMENT_NOT_FOUND", message=message)
    found = [file for file in post.attachments if kept or file.id in old]
    for file in found:
        file.description = old.get(file.id, {}).get("description", file.description)
    for number, upload in sorted(files.items()):
        found.append(_store(world, post, upload, new.get(number, {})))
    return found


def _store(world: World, post: Message, upload: File, told: Json) -> Attachment:
    if len(upload.data) > limits.FILE_LIMIT:
        raise Refused(40005)
    name = re.sub(r"[^\w.\-]", "_", told.get("filename") or upload.filename)
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    made = Attachment(world.new_id(), name, upload.data, kind, told.get("description"), ephemeral=post.ephemeral)
    path = f"/attachments/{post.channel.id}/{made.id}/{name}"
    made.url = world.cdn + path
    world.files[path] = made
    return made


def embed(given: Json, post: Message) -> Json:
    """An embed as it comes back. A picture that names an attachment takes it out of the message's list."""
    shown = {key: value for key, value in given.items() if value is not None} | {"type": "rich"}
    if "fields" in shown:
        shown["fields"] = [each | {"inline": bool(each.get("inline"))} for each in shown["fields"]]
    for part in ("image", "thumbnail"):
        if part in shown:
            shown[part] = _picture(dict(shown[part]), post)
    return shown


def _picture(picture: Json, post: Message) -> Json:
    link = str(picture.get("url") or "")
    for file in post.attachments:
        if link == f"attachment://{file.filename}":
            post.attachments.remove(file)
            picture |= {"url": file.url, "proxy_url": file.url, "content_type": file.content_type}
            if file.description:
                picture["description"] = file.description
            break
    return picture


def with_ids(given: list[Json], start: int = 1) -> list[Json]:
    """Components as they come back: numbered, without what is null, selects with their bounds."""
    counter = iter(range(start, start + 10_000))

    def number(part: Json) -> Json:
        shown = {key: value for key, value in part.items() if value is not None}
        shown["id"] = shown.get("id") or next(counter)
        if shown["type"] in limits.SELECTS:
            shown = {"min_values": 1, "max_values": 1} | shown
        if "components" in shown:
            shown["components"] = [number(each) for each in shown["components"]]
        for inner in ("component", "accessory"):
            if inner in shown:
                shown[inner] = number(shown[inner])
        return shown

    return [number(part) for part in given]


def _poll(given: Json | None) -> Json | None:
    if given is None:
        return None
    answers = [{"answer_id": at, "poll_media": each["poll_media"]} for at, each in enumerate(given["answers"], 1)]
    shown: Json = {
        "question": given["question"],
        "answers": answers,
        "layout_type": 1,
        "expiry": "2030-01-01T00:00:00Z",
    }
    results: Json = {"answer_counts": [], "is_finalized": False}
    return shown | {"allow_multiselect": bool(given.get("allow_multiselect")), "results": results}


def notify(world: World, post: Message, allowed: Json | None, member: Member | None) -> None:
    """Work out whom a message names and whom it notifies, as `allowed_mentions` and the writer's rights let it."""
    guild = post.channel.guild
    parse = {"users", "roles", "everyone"} if allowed is None else set(allowed.get("parse") or ())
    listed = {kind: {int(one) for one in (allowed or {}).get(kind) or ()} for kind in ("users", "roles")}
    may_all = member is None or Permission.MENTION_EVERYONE in in_channel(member, post.channel)
    named = dict.fromkeys(int(one) for one in PERSON.findall(post.content))
    people = [one for one in named if one in world.users and ("users" in parse or one in listed["users"])]
    roles = [
        one
        for one in dict.fromkeys(int(one) for one in ROLE.findall(post.content))
        if guild and one in guild.roles and ("roles" in parse or one in listed["roles"])
    ]
    post.mentions = [world.users[one] for one in people]
    post.mention_roles = roles
    every = re.search(r"@(everyone|here)\b", post.content)
    post.mention_everyone = bool(every and "everyone" in parse and may_all and guild)
    post.pinged = {*people, *(one for one in roles if guild and (may_all or guild.roles[one].mentionable))}
    if every and post.mention_everyone:
        post.pinged.add(every[1])
    if post.reference and (allowed or {}).get("replied_user", allowed is None):
        author = post.reference.author
        post.mentions = list(dict.fromkeys([*post.mentions, author]))
        post.pinged.add(author.id)
