"""Fixed lines of a scene with places to fill: `{anchor}`, `{Imani}`, `{price}`. Pure.

A place is a name in braces: a factor (its value in this condition), a role (its name), or a measure that was stated
before. `{{` and `}}` are braces as such. What is filled in is never read as a place again.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

_PLACE = re.compile(r"\{\{|\}\}|\{([^{}\n]{0,60})\}|[{}]")


class UnknownPlace(ValueError):
    """A template names what the scene does not have, or has a brace that opens or closes nothing."""


def names_in(text: str) -> tuple[str, ...]:
    """The names in a template, each once, in order. Raises UnknownPlace for a single brace."""
    found = [_name(place) for place in _PLACE.finditer(text)]
    return tuple(dict.fromkeys(name for name in found if name is not None))


def check(text: str, known: Collection[str]) -> None:
    """Raises UnknownPlace for a name that is not known."""
    if unknown := [name for name in names_in(text) if name not in known]:
        have = ", ".join(known) or "nothing"
        raise UnknownPlace(f"{{{unknown[0]}}} is nothing that can be filled in here: there is {have}")


def as_fixed_words(text: str, known: Collection[str]) -> str:
    """Words that somebody else wrote as a template: where their braces are no places, they are braces as such."""
    try:
        check(text, known)
    except UnknownPlace:
        return text.replace("{", "{{").replace("}", "}}")
    return text


def filled(text: str, values: Mapping[str, str]) -> str:
    """The text with its places filled. Raises UnknownPlace where a value is missing."""
    check(text, values.keys())

    def put(place: re.Match[str]) -> str:
        name = _name(place)
        return place[0][0] if name is None else values[name]

    return _PLACE.sub(put, text)


def _name(place: re.Match[str]) -> str | None:
    """The name of a place, None for braces as such."""
    if place[0] in ("{{", "}}"):
        return None
    if place[1] is None:
        raise UnknownPlace(f"a single {place[0]} opens or closes nothing: write {place[0] * 2} for the brace itself")
    return str(place[1]).strip()
