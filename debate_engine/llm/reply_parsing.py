"""A model's reply read liberally: a vendor takes a schema's bounds as a wish at most.

What can be taken without doubt is taken: a text that is too long is cut at a word, of a list that is too long the
first entries stay, an entry that cannot be read is left out, of several texts where one is allowed the first counts,
fields that were not asked for are dropped, "85" is a number. Every such change is a note. What is in doubt is a fault,
and all faults are told at once; a number outside its range is never moved into it, and of two numbers, choices or yes
and no neither is taken, for a score that cannot be read is no score. Notes and faults name the place
(`topics[2].scope`) and never quote the reply.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from elenchus.debate_engine.errors import UnreadableReply
from elenchus.debate_engine.llm.schema import below, entry, faults_in, raise_faults
from elenchus.debate_engine.llm.text import AmbiguousValue, clip_characters, clip_words, json_in, whole

LEFT_OUT = ": this entry was left out"
"""How a note on an entry of a list ends that could not be read; what was wrong with it stands before."""

_NUMBER = re.compile(r"[+-]?\d{1,15}(?:\.\d{1,15})?")
_YES_NO = {"true": True, "false": False, "yes": True, "no": False}


def read_json(text: str, schema: Mapping[str, Any], *, last: bool = False) -> tuple[Any, tuple[str, ...]]:
    """The value that a reply gives, which fits the schema, and notes on what was changed for that.

    `last`: it will not be asked again. Then what is there of a reply that breaks off is taken, and texts and lists
    that may be empty and were not given are empty. Raises UnreadableReply naming all that is wrong.
    """
    found = json_in(text, last=last)
    read = [(_read(one.value, schema, "", last=last), one) for one in found]
    sound = [(answer, one) for answer, one in read if not answer.faults]
    if not sound:
        raise_faults(min((answer for answer, _ in read), key=lambda answer: len(answer.faults)).faults)
    first, place = sound[0]
    others = [one for answer, one in sound[1:] if answer.value != first.value]
    if any(one.apart for one in others) or _in_doubt([answer.value for answer, _ in sound], schema):
        raise UnreadableReply("the reply gives several different answers: give one")
    notes = [place.note, f"the first of {len(sound)} answers was taken" if others else "", *first.notes]
    return first.value, tuple(note for note in notes if note)


def _in_doubt(values: Sequence[Any], schema: Mapping[str, Any]) -> bool:
    """Whether several values where one is allowed differ in a number, a choice or a yes or no, not in words alone."""
    if schema.get("type") == "object":
        held = [value for value in values if isinstance(value, dict)]
        return any(
            _in_doubt([value[name] for value in held if name in value], sub)
            for name, sub in schema["properties"].items()
        )
    return _decides(schema) and len({json.dumps(value, sort_keys=True) for value in values}) > 1


def _decides(schema: Mapping[str, Any]) -> bool:
    """Whether a value of this schema is more than words."""
    if "anyOf" in schema:
        return any(_decides(option) for option in schema["anyOf"])
    inside = [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]
    return (
        "enum" in schema
        or schema.get("type") in ("number", "integer", "boolean")
        or any(_decides(one) for one in inside)
    )


# ── from JSON to a value of the schema ───────────────────────────────────────────────────────────────────────────


@dataclass
class _Read:
    """What was read at one place: a value, or faults; and notes on what was changed."""

    value: Any = None
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def _read(value: Any, schema: Mapping[str, Any], path: str, *, last: bool) -> _Read:
    if isinstance(value, AmbiguousValue):
        if _in_doubt(value, schema):
            return _Read(faults=[f"{path or 'the answer'} is given {len(value)} times, and not the same: give one"])
        first = _read(value[0], schema, path, last=last)
        first.notes.append(f"{path} may be given once: the first of {len(value)} was taken")
        return first
    if "anyOf" in schema:
        options = [_read(value, option, path, last=last) for option in schema["anyOf"]]
        return min(options, key=lambda read: (bool(read.faults), len(read.notes)))
    match schema.get("type"):
        case "object":
            return _object(value, schema, path, last=last)
        case "array":
            return _array(value, schema, path, last=last)
    plain = _one(value, schema, path)
    faults = faults_in(plain.value, schema, path)
    return plain if not faults else _Read(faults=faults)


def _object(value: Any, schema: Mapping[str, Any], path: str, *, last: bool) -> _Read:
    properties: Mapping[str, Any] = schema["properties"]
    given, notes = _fields(value, properties, path)
    if given is None:
        return _Read(faults=faults_in(value, schema, path))
    read = {
        name: _read(given[name], sub, below(path, name), last=last) for name, sub in properties.items() if name in given
    }
    absent = [name for name in properties if name not in given]
    filled = {name for name in absent if given and _may_be_empty(properties[name]) and (last or name in notes.null)}
    lacking = [name for name in absent if name not in filled]
    result = _Read(notes=notes.all)
    if filled:
        result.notes.append(f"{path or 'the answer'} lacks {', '.join(n for n in absent if n in filled)}: left empty")
    if lacking:
        result.faults.append(f"{path or 'the answer'} lacks {', '.join(lacking)}")
    for one in read.values():
        result.faults += one.faults
        result.notes += one.notes
    empty = {name: [] if properties[name]["type"] == "array" else "" for name in filled}
    result.value = {name: read[name].value if name in read else empty.get(name) for name in properties}
    return result


def _may_be_empty(schema: Mapping[str, Any]) -> bool:
    kind = schema.get("type")
    return "enum" not in schema and (
        (kind == "string" and not schema.get("minLength") and "pattern" not in schema)
        or (kind == "array" and not schema.get("minItems"))
    )


@dataclass
class _Notes:
    """What was noted of an object's fields; `null` are those that were given as nothing."""

    all: list[str] = field(default_factory=list)
    null: set[str] = field(default_factory=set)


def _fields(value: Any, properties: Mapping[str, Any], path: str) -> tuple[dict[str, Any] | None, _Notes]:
    """The fields of an object by their right names; None where it is none."""
    notes, where = _Notes(), path or "the answer"
    if isinstance(value, list):
        only = next(iter(properties)) if len(properties) == 1 else ""
        if only and properties[only].get("type") == "array" and not _has_any(value[:1], properties):
            notes.all.append(f"{where} was a bare list: taken as {only}")
            return {only: value}, notes
        if value and isinstance(value[0], dict) and not _in_doubt(value, {"type": "object", "properties": properties}):
            notes.all += [f"{where} may be given once: the first of {len(value)} was taken"] if len(value) > 1 else []
            value = value[0]
    if not isinstance(value, dict):
        return None, notes
    alone = len(value) == 1 and (len(properties) > 1 or not _has_any([value], properties))
    if alone and _has_any(list(value.values()), properties):
        notes.all.append(f"{where} stood within another field")
        (value,) = value.values()
    names = {_plain(name): name for name in properties}
    given: dict[str, Any] = {}
    for key, one in value.items():
        name = key if key in properties else names.get(_plain(key), "")
        if name and (key == name or name not in value):
            given.setdefault(name, one)
    if unknown := len(value) - len(given):
        notes.all.append(f"{where} has {unknown} unknown field{'s' * (unknown > 1)}: left out")
    notes.null = {name for name, one in given.items() if one is None and _may_be_empty(properties[name])}
    return {name: one for name, one in given.items() if name not in notes.null}, notes


def _has_any(values: list[Any], properties: Mapping[str, Any]) -> bool:
    """Whether the first is an object with any of these fields."""
    names = {_plain(name) for name in properties}
    return bool(values) and isinstance(values[0], dict) and any(_plain(key) in names for key in values[0])


def _plain(name: str) -> str:
    """A name without what models change in it: case, blanks, hyphens, underscores, punctuation around it."""
    return re.sub(r"[\W_]+", "", name).casefold()


def _array(value: Any, schema: Mapping[str, Any], path: str, *, last: bool) -> _Read:
    result = _Read(value=[])
    if not isinstance(value, list):
        if value is None:
            return _Read(faults=faults_in(value, schema, path))
        value = [value]
    read = [_read(item, schema.get("items", {}), entry(path, n), last=last) for n, item in enumerate(value)]
    kept = [one for one in read if not one.faults]
    bad = [fault for one in read for fault in one.faults]
    if schema.get("uniqueItems"):
        kept = list({json.dumps(one.value, sort_keys=True): one for one in reversed(kept)}.values())[::-1]
    least, most = schema.get("minItems", 0), schema.get("maxItems", len(kept))
    if len(kept) < max(least, bool(read)):
        short = [f"{path or 'the answer'} needs at least {least} items"] if len(value) < least or not bad else []
        return _Read(faults=[*bad, *short])
    result.notes = [f"{fault}{LEFT_OUT}" for fault in bad]
    if len(kept) > most:
        result.notes.append(
            f"{path or 'the answer'} may have at most {most} items: the first of {len(kept)} were taken"
        )
    for one in kept[:most]:
        result.value.append(one.value)
        result.notes += one.notes
    return result


def _one(value: Any, schema: Mapping[str, Any], path: str) -> _Read:
    """A value that holds no others, brought into the asked type where there is no doubt."""
    result = _Read(value=value)
    if isinstance(value, list) and value and not isinstance(value[0], list | dict):
        if schema.get("type") not in ("integer", "number"):
            if _in_doubt(value, schema):
                return result
            result.value = value[0]
            if len(value) > 1:
                result.notes.append(f"{path} may be given once: the first of {len(value)} was taken")
        elif value.count(value[0]) == len(value):  # of two scores neither is the one
            result.value = value[0]
    if "enum" in schema:
        result.value = _choice(result.value, schema["enum"])
    elif convert := _CONVERT.get(schema.get("type", "")):
        result.value = convert(result.value)
    if isinstance(result.value, str) and "enum" not in schema:
        result.value, note = _clipped(result.value, schema)
        if note:
            result.notes.append(f"{path} {note}")
    return result


def _choice(value: Any, options: list[Any]) -> Any:
    if any(value == option and type(value) is type(option) for option in options):
        return value
    said = {True: "yes", False: "no"}.get(value, "") if isinstance(value, bool) else value
    near = [o for o in options if isinstance(o, str) and isinstance(said, str) and _plain(o) == _plain(said)]
    return near[0] if len(near) == 1 and _plain(near[0]) else value


def _text(value: Any) -> Any:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return json.dumps(value)
    return whole(value) if isinstance(value, str) else value


def _number(value: Any) -> Any:
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        value = float(value) if "." in value else int(value)
    return value if not isinstance(value, float) or math.isfinite(value) else None


def _integer(value: Any) -> Any:
    value = _number(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _boolean(value: Any) -> Any:
    return _YES_NO.get(_plain(value), value) if isinstance(value, str) else value


_CONVERT: Mapping[str, Callable[[Any], Any]] = {
    "string": _text, "number": _number, "integer": _integer, "boolean": _boolean,
}  # fmt: skip


def _clipped(text: str, schema: Mapping[str, Any]) -> tuple[str, str]:
    """A text within its bound, and a note where its end was cut."""
    if (words := schema.get("maxWords")) is not None:
        clipped, bound = clip_words(text, words), f"{words} words"
    elif (characters := schema.get("maxLength")) is not None:
        clipped, bound = clip_characters(text, characters), f"{characters} characters"
        clipped = clipped if len(clipped) >= schema.get("minLength", 0) else text[:characters]
    else:
        return text, ""
    return clipped, f"may have at most {bound}: its end was cut" if clipped != text else ""
