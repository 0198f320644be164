"""Text from outside: every character whole, JSON no deeper than anything of use, no more than so many words."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from elenchus.debate_engine.words import first_words

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
