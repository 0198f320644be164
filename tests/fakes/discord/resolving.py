"""People, channels, roles and files that a command, a select or a modal names: their ids, and what is sent along."""

from __future__ import annotations

import mimetypes
from typing import Any

from tests.fakes.discord import payloads, permissions
from tests.fakes.discord.answers import NotPossible
from tests.fakes.discord.state import Channel, Json, Member, Role, User

USER, CHANNEL, ROLE, MENTIONABLE, ATTACHMENT = 6, 7, 8, 9, 11
OF_A_CHANNEL = (
    "id", "name", "type", "parent_id", "thread_metadata", "guild_id", "flags", "last_message_id", "position", "topic",
    "nsfw", "rate_limit_per_user",
)  # fmt: skip


def refer(member: Member | None, place: Channel, kind: int, value: Any, resolved: Json) -> str:
    """The id of what was chosen; what it is goes into `resolved`. Raises NotPossible for something of another kind."""
    if kind == ATTACHMENT:
        return _file(value, resolved)
    if kind in (USER, MENTIONABLE) and not isinstance(value, Role | Channel):
        return _person(place, value, resolved)
    if kind in (ROLE, MENTIONABLE) and isinstance(value, Role):
        resolved.setdefault("roles", {})[str(value.id)] = payloads.role(value)
        return str(value.id)
    if kind == CHANNEL and isinstance(value, Channel):
        return _channel(member, value, resolved)
    raise NotPossible(f"{value!r} cannot be chosen here")


def _person(place: Channel, value: Any, resolved: Json) -> str:
    who = value if isinstance(value, User) else getattr(value, "user", None)
    if not isinstance(who, User):
        raise NotPossible(f"{value!r} is nobody")
    resolved.setdefault("users", {})[str(who.id)] = payloads.user(who)
    guild = place.guild
    if guild and who.id in guild.members:
        found = guild.members[who.id]
        may = str(int(permissions.in_channel(found, place)))
        shown = payloads.member(found, with_user=False) | {"permissions": may}
        shown.pop("mute")
        shown.pop("deaf")
        resolved.setdefault("members", {})[str(who.id)] = shown
    return str(who.id)


def _channel(member: Member | None, value: Channel, resolved: Json) -> str:
    may = permissions.in_channel(member, value) if member else permissions.ALL
    shown = payloads.channel(value)
    resolved.setdefault("channels", {})[str(value.id)] = {key: shown[key] for key in OF_A_CHANNEL if key in shown} | {
        "permissions": str(int(may))
    }
    return str(value.id)


def _file(value: Any, resolved: Json) -> str:
    """A file is given as (name, bytes)."""
    name, data = value
    number = str(len(resolved.get("attachments", {})) + 1_000_000)
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    shown = {"id": number, "filename": name, "size": len(data), "url": f"memory:{name}", "proxy_url": f"memory:{name}"}
    resolved.setdefault("attachments", {})[number] = shown | {"content_type": kind, "ephemeral": True}
    return number
