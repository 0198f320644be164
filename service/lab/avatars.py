"""The face of a speaker: a shape for the part, letters for who it is, a colour for both; drawn alike everywhere.

A disc speaks for pro, a square for con, a hexagon judges; everybody else has another shape.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata

_COLOURS = {
    "pro": ("1f7db2", "2279bf", "226ec3", "2260c3", "2252c3", "2244c3", "2237c3", "2229c3"),
    "con": ("c32236", "c32229", "c32822", "c33422", "c34122", "c34d22", "bf5822", "b65f20"),
    "judge": ("5622c3", "6422c3", "7122c3", "7f22c3", "8d22c3", "9b22c3", "a822c3", "b622c3"),
    "crit": ("3b8618", "308618", "248618", "198618", "188622", "18862d", "188639", "188644"),
    "": ("a06c1c", "986c1b", "936f1a", "8f7219", "8b7518", "867718", "827817", "797515"),
}
"""A part's colours (RRGGBB): white letters stand out on them as WCAG 2 wants of text."""

CORNERS = {"pro": 0, "con": 4, "judge": 6, "crit": 5, "": 8}
"""Corners of a part's shape, all inside the circle to which Discord crops a face; 0 is a disc."""


def part_of(seat: str) -> str:
    """The part that a seat plays: pro, con, judge, crit, or "" for any other."""
    part = seat.partition("-")[0]
    return part if part in _COLOURS else ""


def initials(name: str) -> str:
    """One or two capital letters or digits of a name in Latin script, "?" where it has none. An article is no name."""
    plain = unicodedata.normalize("NFKD", name.partition("(")[0]).encode("ascii", "ignore").decode()
    words = re.findall(r"[A-Za-z0-9]+", plain)
    if len(words) > 1 and words[0].casefold() == "the":
        words = words[1:]
    if len(words) > 1:
        return f"{words[0][0]}{words[1][0]}".upper()
    return words[0][:2].upper() if words else "?"


def letters_of(seat: str, name: str) -> str:
    """What stands on a face: the name's initials, or the seat's where the name has none in Latin script."""
    return initials(name) if initials(name) != "?" else initials(seat)


def number_of(seat: str, name: str) -> int:
    """A number that is the same for the same speaker in every process."""
    return int.from_bytes(hashlib.sha256(f"{seat} {name}".encode()).digest()[:4])


def colour_of(seat: str, name: str) -> str:
    """The colour of a speaker: one of eight of the part, as `#rrggbb`."""
    return f"#{_COLOURS[part_of(seat)][number_of(seat, name) % 8]}"
