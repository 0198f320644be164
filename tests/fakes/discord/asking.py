"""A slash command as a person types it: found among those registered, allowed, its options checked and resolved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.fakes.discord import permissions, resolving
from tests.fakes.discord.answers import NotPossible
from tests.fakes.discord.permissions import Permission
from tests.fakes.discord.state import Attachment, Channel, Command, Json, Member
from tests.fakes.discord.world import World

SUB, GROUP = 1, 2
INTEGER, NUMBER, STRING, BOOLEAN = 4, 10, 3, 5


def find(world: World, member: Member | None, place: Channel, name: str, kind: int = 1) -> Command:
    """The registered command that this person sees here. A server's own goes before a global one."""
    guild = place.guild
    mine = [one for one in world.commands.values() if one.type == kind and one.name == name]
    mine = [one for one in mine if one.guild_id is None or (guild and one.guild_id == guild.id)]
    mine.sort(key=lambda one: one.guild_id is None)
    if not mine:
        have = sorted(one.name for one in world.commands.values() if one.type == kind)
        raise NotPossible(f"no command {name!r} here; registered are {have}")
    found = mine[0]
    _context(found, in_guild=guild is not None)
    if member is not None and not allowed(found, member, place):
        raise NotPossible(f"{member.shown_name} may not use {name!r}")
    return found


def _context(one: Command, *, in_guild: bool) -> None:
    contexts = one.body.get("contexts")
    here = 0 if in_guild else 1
    if (contexts is not None and here not in contexts) or (not in_guild and one.body.get("dm_permission") is False):
        raise NotPossible(f"{one.name!r} is not offered {'in servers' if in_guild else 'in direct messages'}")


def allowed(one: Command, member: Member, place: Channel) -> bool:
    """The server's settings for the command: for the person, then their roles, then all; else its default bits."""
    may = permissions.in_channel(member, place)
    if Permission.ADMINISTRATOR in may:
        return True
    guild = member.guild
    settings = {int(each["id"]): bool(each["permission"]) for each in guild.command_permissions.get(one.id, ())}
    spot = place.parent if place.is_thread and place.parent else place
    if settings.get(spot.id, settings.get(guild.id - 1, True)) is False:
        return False
    if member.id in settings:
        return settings[member.id]
    by_role = [settings[role] for role in member.roles if role in settings]
    if by_role:
        return any(by_role)
    if guild.id in settings:
        return settings[guild.id]
    bits = one.body.get("default_member_permissions")
    if bits is None:
        return True
    return int(bits) != 0 and int(may) & int(bits) == int(bits)


def command(world: World, member: Member | None, place: Channel, path: str, given: Mapping[str, Any]) -> Json:
    """The data of a command's interaction. Raises NotPossible for what the client would not send."""
    names = path.split()
    one = find(world, member, place, names[0])
    inside, wrap = _descend(one.body, names[1:])
    resolved: Json = {}
    options = [_option(member, place, each, given[each["name"]], resolved) for each in inside if each["name"] in given]
    unknown = given.keys() - {each["name"] for each in inside}
    missing = {each["name"] for each in inside if each.get("required")} - given.keys()
    if unknown or missing:
        raise NotPossible(f"/{path}: unknown options {sorted(unknown)}, missing ones {sorted(missing)}")
    _upload(world, [value for value in given.values() if isinstance(value, tuple)], resolved.get("attachments", {}))
    return _data(one, wrap(options), resolved)


def _upload(world: World, files: list[tuple[str, bytes]], attachments: Json) -> None:
    """Put a command's files on the CDN, where the application fetches them."""
    for (number, shown), (name, data) in zip(attachments.items(), files, strict=True):
        path = f"/ephemeral-attachments/{number}/{world.new_id()}/{name}"
        world.files[path] = Attachment(int(number), name, data, shown["content_type"], ephemeral=True)
        shown["url"] = shown["proxy_url"] = world.cdn + path


def autocomplete(
    world: World, member: Member | None, place: Channel, path: str, focused: str, text: str, given: Mapping[str, Any]
) -> Json:
    """The data of an autocomplete: what is typed so far needs no check."""
    names = path.split()
    one = find(world, member, place, names[0])
    inside, wrap = _descend(one.body, names[1:])
    known = {each["name"]: each for each in inside}
    if not known.get(focused, {}).get("autocomplete"):
        raise NotPossible(f"/{path}: {focused!r} has no autocomplete")
    resolved: Json = {}
    options = [_option(member, place, known[name], value, resolved) for name, value in given.items()]
    options.append({"name": focused, "type": known[focused]["type"], "value": text, "focused": True})
    return _data(one, wrap(options), resolved)


def _data(one: Command, options: list[Json], resolved: Json) -> Json:
    data: Json = {"id": str(one.id), "name": one.name, "type": 1, "options": options}
    data |= {"guild_id": str(one.guild_id)} if one.guild_id else {}
    return data | ({"resolved": resolved} if resolved else {})


def _descend(body: Json, names: list[str]) -> tuple[list[Json], Any]:
    """The options under the sub-commands named, and how to wrap the values again."""
    steps: list[Json] = []
    inside: list[Json] = body.get("options") or []
    for name in names:
        step = next((each for each in inside if each["name"] == name and each["type"] in (SUB, GROUP)), None)
        if step is None:
            raise NotPossible(f"no sub-command {name!r}; there are {[each['name'] for each in inside]}")
        steps.append(step)
        inside = step.get("options") or []
    if any(each["type"] in (SUB, GROUP) for each in inside):
        raise NotPossible(f"a sub-command is missing: {[each['name'] for each in inside]}")

    def wrap(options: list[Json]) -> list[Json]:
        for step in reversed(steps):
            options = [{"name": step["name"], "type": step["type"], "options": options}]
        return options

    return inside, wrap


def _option(member: Member | None, place: Channel, told: Json, value: Any, resolved: Json) -> Json:
    kind = told["type"]
    if kind in (STRING, INTEGER, NUMBER, BOOLEAN):
        value = _plain(told, value)
    else:
        value = resolving.refer(member, place, kind, value, resolved)
    return {"name": told["name"], "type": kind, "value": value}


def _plain(told: Json, value: Any) -> Any:
    kinds: dict[int, Any] = {STRING: str, INTEGER: int, NUMBER: (int, float), BOOLEAN: bool}
    if not isinstance(value, kinds[told["type"]]):
        raise NotPossible(f"{told['name']}: {value!r} is of the wrong kind")
    choices: list[Json] = told.get("choices") or []
    if choices:
        found = [each["value"] for each in choices if value in (each["name"], each["value"])]
        if not found:
            raise NotPossible(f"{told['name']}: {value!r} is none of {[each['name'] for each in choices]}")
        return found[0]
    size = len(value) if isinstance(value, str) else value
    least, most = ("min_length", "max_length") if isinstance(value, str) else ("min_value", "max_value")
    ceiling = told.get(most, 6000 if isinstance(value, str) else None)
    if (told.get(least) is not None and size < told[least]) or (ceiling is not None and size > ceiling):
        raise NotPossible(f"{told['name']}: {value!r} is out of bounds")
    return value
