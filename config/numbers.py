"""What is wrong with a text that should be a number, said to whoever wrote it: often it has a decimal comma."""

from __future__ import annotations

import re
from typing import Any

WANTED = {"float_parsing": "a number", "int_parsing": "a whole number", "int_from_float": "a whole number"}
"""What pydantic's errors about numbers want."""
_COMMAS = re.compile(r"[-+]?\d[\d.]*(?:,\d+)+")


def no_number(kind: str, given: Any) -> str:
    """What is wrong, from pydantic's kind of error and what was given; "" where it is no error about a number."""
    if kind not in WANTED:
        return ""
    text = " ".join(str(given).split())
    shown = f"{text[:20]}…" if len(text) > 20 else text
    written = with_a_point(text) if kind == "float_parsing" else _without_marks(text)
    return f"“{shown}” is not {WANTED[kind]}" + (f": write {written}" if written else "")


def with_a_point(text: str) -> str:
    """A number with commas as it is to be written here, "" for another text: 0,7 is 0.7, and 1.000,5 is 1000.5.

    Three digits after the only comma may be either: both readings are given.
    """
    if not _COMMAS.fullmatch(text) or len(text) > 20:
        return ""
    whole, _, decimals = text.rpartition(",")
    either = len(decimals) == 3 and not set(whole) & set(".,")
    return f"{whole}.{decimals} or {whole}{decimals}" if either else f"{re.sub('[.,]', '', whole)}.{decimals}"


def _without_marks(text: str) -> str:
    """A whole number in groups of three digits, without what parts them; "" for another text."""
    return re.sub("[.,]", "", text) if re.fullmatch(r"[-+]?\d{1,3}(?:[.,]\d{3}){1,5}", text) else ""
