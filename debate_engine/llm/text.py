"""Text from outside that can be stored and sent on: every character whole, and JSON no deeper than anything of use."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

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


def json_of(text: str | bytes) -> Any:
    """The JSON value of a text from outside. Raises ValueError: a JSONDecodeError where it is none."""
    try:
        value = json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        value = None
        too_deep = True
    else:
        too_deep = _depth(value) > _DEEPEST
    if too_deep:
        raise ValueError(f"its brackets are nested more than {_DEEPEST} deep")
    return value


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _depth(value: Any) -> int:
    """How deep lists and objects are nested, up to one more than what is allowed."""
    depth, level = 0, [value]
    while depth <= _DEEPEST and (level := [item for item in level if isinstance(item, list | dict)]):
        depth += 1
        level = [item for outer in level for item in (outer.values() if isinstance(outer, dict) else outer)]
    return depth
