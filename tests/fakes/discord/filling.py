"""What a person chooses in a select menu and writes into a modal, checked as the client checks it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.fakes.discord import resolving
from tests.fakes.discord.answers import NotPossible
from tests.fakes.discord.state import Channel, Json, Member

TEXT_INPUT, STRING_SELECT, LABEL, ROW = 4, 3, 18, 1
RESOLVED_AS = {5: 6, 6: 8, 7: 9, 8: 7}
"""Select kinds (user, role, mentionable, channel) as option kinds."""


def chosen(member: Member | None, place: Channel, menu: Json, values: Sequence[Any]) -> tuple[list[str], Json]:
    """The values sent for a choice, and what they resolve to."""
    if not menu.get("min_values", 1) <= len(values) <= menu.get("max_values", 1):
        raise NotPossible(f"{len(values)} chosen of {menu.get('min_values', 1)} to {menu.get('max_values', 1)}")
    if menu["type"] == STRING_SELECT:
        return [_of(menu, value) for value in values], {}
    resolved: Json = {}
    kind = RESOLVED_AS[menu["type"]]
    return [resolving.refer(member, place, kind, value, resolved) for value in values], resolved


def _of(menu: Json, value: str) -> str:
    for each in menu["options"]:
        if value in (each["value"], each["label"]):
            return str(each["value"])
    raise NotPossible(f"{value!r} is none of {[each['label'] for each in menu['options']]}")


def submitted(member: Member | None, place: Channel, modal: Json, values: Mapping[str, Any]) -> Json:
    """The data of a modal's submission. Raises NotPossible for a wrong field, or one missing, too short or too long."""
    known: set[str] = set()
    resolved: Json = {}
    parts = [_part(member, place, part, values, known, resolved) for part in modal["components"]]
    unknown = values.keys() - known
    if unknown:
        raise NotPossible(f"the modal {modal['title']!r} has no field {sorted(unknown)}")
    data: Json = {"custom_id": modal["custom_id"], "components": [part for part in parts if part]}
    return data | ({"resolved": resolved} if resolved else {})


def _part(
    member: Member | None, place: Channel, part: Json, values: Mapping[str, Any], known: set[str], resolved: Json
) -> Json | None:
    if part["type"] == ROW:
        inside = [
            _field(member, place, each, each.get("label"), values, known, resolved) for each in part["components"]
        ]
        return {"type": ROW, "id": part["id"], "components": inside}
    if part["type"] == LABEL:
        inner = _field(member, place, part["component"], part["label"], values, known, resolved)
        return {"type": LABEL, "id": part["id"], "component": inner}
    return {"type": part["type"], "id": part["id"]}


def _field(
    member: Member | None,
    place: Channel,
    field: Json,
    label: str | None,
    values: Mapping[str, Any],
    known: set[str],
    resolved: Json,
) -> Json:
    names = {name for name in (field["custom_id"], label) if name}
    given = [values[name] for name in names if name in values]
    known |= names
    shown: Json = {"type": field["type"], "custom_id": field["custom_id"], "id": field["id"]}
    if field["type"] == TEXT_INPUT:
        return shown | {"value": _text(field, label, given[0] if given else field.get("value", ""))}
    if not given:
        if field.get("required", True) and field.get("min_values", 1):
            raise NotPossible(f"{label!r} must be chosen")
        return shown | {"values": []}
    several = given[0] if isinstance(given[0], list | tuple) else [given[0]]
    picked, more = chosen(member, place, field, several)
    for kind, objects in more.items():
        resolved.setdefault(kind, {}).update(objects)
    return shown | {"values": picked}


def _text(field: Json, label: str | None, text: str) -> str:
    if not text and field.get("required", True):
        raise NotPossible(f"{label!r} must be filled")
    least, most = field.get("min_length") or 0, field.get("max_length") or 4000
    if text and not least <= len(text) <= most:
        raise NotPossible(f"{label!r} takes {least} to {most} characters, not {len(text)}")
    return text
