"""Text from outside: every character whole, no more than so many words, and the JSON in it no deeper than anything of
use: alone, in a fence, among other words, or broken off.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn

from elenchus.debate_engine.errors import UnreadableReply

_HALF = re.compile(r"[\ud800-\udfff]")


def whole(text: str) -> str:
    """The text with its surrogates joined where two make a character, and U+FFFD for those that stand alone.

    A model may break off within an escaped emoji, and a server may cut one in two between pieces of a stream; what
    comes of it cannot be written as UTF-8.
    """
    if _HALF.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


_DEEPEST = 64
"""Brackets within brackets; what walks a value afterwards, and writes it down, has room for many more."""
_TOO_DEEP = f"its brackets are nested more than {_DEEPEST} deep"


def json_of(text: str | bytes) -> Any:
    """The JSON value of a text from outside. Raises ValueError: a JSONDecodeError where it is none."""
    try:
        value = json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    return shallow(value)


def shallow(value: Any) -> Any:
    """A value read from JSON. Raises ValueError where it is nested deeper than anything of use."""
    if _depth(value) > _DEEPEST:
        raise ValueError(_TOO_DEEP)
    return value


def _no_constant(name: str) -> NoReturn:
    """Refuse NaN and the infinities, which JSON has not. Raises ValueError."""
    raise ValueError(f"{name} is no JSON number")


def _depth(value: Any) -> int:
    """How deep lists and objects are nested, up to one more than what is allowed."""
    depth, level = 0, [value]
    while depth <= _DEEPEST and (level := [item for item in level if isinstance(item, list | dict)]):
        depth += 1
        level = [item for outer in level for item in (outer.values() if isinstance(outer, dict) else outer)]
    return depth


def clip_words(text: str, most: int) -> str:
    """The text, cut after its `most`th word where it has more, with an ellipsis at its end."""
    from elenchus.debate_engine.words import first_words  # its patterns take longer than this module, which all need

    first = first_words(text, most)
    return text if first == text else f"{first.rstrip(_LOOSE)}…"


def clip_characters(text: str, most: int) -> str:
    """The text, cut at a blank where it has more than `most` characters, with an ellipsis at its end."""
    if len(text) <= most:
        return text
    if most < 2:
        return text[:most]
    cut = text[: most - 1]
    at_blank = cut if text[most - 1].isspace() else cut.rsplit(maxsplit=1)[0] if len(cut.split()) > 1 else cut
    return f"{at_blank.rstrip(_LOOSE)}…"


_LOOSE = " \t\n,;:–—-"


# ── the JSON in a model's reply ──────────────────────────────────────────────────────────────────────────────────

_STARTS = 20
"""So many places of a reply are tried as the beginning of its JSON."""
_THOUGHT = "</think>"
"""Behind it begins the answer, where a server leaves a model's reasoning in the text."""
_SIDE_BY_SIDE = re.compile(r"[\s,;]*")
_NAMED = re.compile(r'"((?:[^"\\]|\\.)*)"\s*:')
"""A name of an object's field, with its colon."""
_OF_NUMBERS = "0123456789-+.eE"


class AmbiguousValue(list[Any]):
    """What stood under one name of an object, given more than once and not the same each time."""


def _object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; a field that was given otherwise each time holds all of it."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name not in found:
            found[name] = value
        elif isinstance(before := found[name], AmbiguousValue):
            before.append(value)
        elif before != value or type(before) is not type(value):
            found[name] = AmbiguousValue([before, value])
    return found


_JSON = json.JSONDecoder(object_pairs_hook=_object_of)


BROKEN = "the reply breaks off: what is whole of it was taken"


class JsonInReply(NamedTuple):
    """A JSON value in a reply. `apart`: words stand between it and the one before. `note`: what was done to read it."""

    value: Any
    apart: bool = False
    note: str = ""


def json_in(text: str, *, last: bool) -> list[JsonInReply]:
    """The JSON values in a reply, at least one.

    `last`: where there is none, what is whole of one that breaks off. Raises UnreadableReply where there is nothing.
    """
    before, _, after = text.rpartition(_THOUGHT)
    answers = "{" in after and not before.lstrip("\ufeff \t\r\n").startswith("{")  # else it is a word of the answer
    bare = (after if answers else text).strip().removeprefix("\ufeff").strip()
    if not bare:
        raise UnreadableReply("the reply was empty")
    try:
        return [JsonInReply(shallow(_JSON.decode(bare)))]
    except (ValueError, RecursionError) as error:
        problem = _problem(error, bare)
    if found := list(_objects_in(bare)):
        return found
    if last and "{" in bare:
        return [JsonInReply(_beginning(bare[bare.index("{") :], problem), note=BROKEN)]
    raise UnreadableReply(problem)


def _objects_in(text: str) -> Iterator[JsonInReply]:
    """The JSON objects that stand among other words."""
    place, end = 0, 0
    for _ in range(_STARTS):
        if (start := text.find("{", place)) < 0:
            return
        try:
            value, place = _JSON.raw_decode(text, start)
            shallow(value)
        except json.JSONDecodeError as error:
            place = max(start + 1, error.pos)  # what stands within a broken value is no answer of its own
            continue
        except (ValueError, RecursionError):
            return
        yield JsonInReply(value, bool(end) and not _SIDE_BY_SIDE.fullmatch(text, end, start))
        end = place


def _beginning(text: str, problem: str) -> Any:
    """What is whole of a JSON value that breaks off; a number at the break may lack digits, and is not.

    Nothing of one that says a thing twice.
    """
    from pydantic_core import from_json  # most programs that need this module read no reply

    named = _NAMED.findall(text)
    if text.count("{") == 1 and len(named) != len(set(named)):
        raise UnreadableReply(problem)
    try:
        return shallow(from_json(text.rstrip(_OF_NUMBERS), allow_partial=True))
    except ValueError as error:
        raise UnreadableReply(problem) from error


def _problem(error: Exception, text: str) -> str:
    """Why a text is no JSON, nor its part from the first brace on."""
    start = text.find("{")
    if start > 0:
        try:
            _JSON.raw_decode(text, start)
        except (ValueError, RecursionError) as later:
            error = later
    if not isinstance(error, json.JSONDecodeError):
        return f"the reply is not valid JSON: {error}"
    broken = error.pos >= len(text) - 1 or error.msg.startswith("Unterminated")
    where = "it breaks off in the middle" if broken else f"{error.msg} at character {error.pos}"
    return f"the reply is not valid JSON: {where}"
