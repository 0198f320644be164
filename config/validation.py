"""What a person wrote, checked: numbers with a decimal comma, and the entries of a catalogue, one YAML file each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from pydantic import BaseModel

Entry = TypeVar("Entry", bound="BaseModel")

LARGEST = 200_000
"""Bytes of an entry."""

WANTED = {"float_parsing": "a number", "int_parsing": "a whole number", "int_from_float": "a whole number"}
"""What pydantic's errors about numbers want."""
_COUNTED = re.compile(r"[TLSF]\w+ should have (at (?:most|least) \d+) items? after validation, not (\d+)")
_COMMAS = re.compile(r"[-+]?\d[\d.]*(?:,\d+)+")


def no_number(kind: str, given: Any) -> str:
    """What is wrong, from pydantic's kind of error and what was given; "" where it is no error about a number."""
    if kind not in WANTED:
        return ""
    text = " ".join(str(given).split())
    shown = f"{text[:20]}…" if len(text) > 20 else text
    written = with_a_point(text) if kind == "float_parsing" else _without_marks(text)
    return f"“{shown}” is not {WANTED[kind]}" + (f": write {written}" if written else "")


def fault_told(fault: Mapping[str, Any]) -> str:
    """What is wrong, from one of pydantic's errors: our own sentence where there is one, else its words without those
    of Python.
    """
    if "input" in fault and (told := no_number(str(fault["type"]), fault["input"])):
        return told
    said = str(fault["msg"]).removeprefix("Value error, ").replace(" a valid tuple", " a list")
    return _COUNTED.sub(r"there should be \1, not \2", said)


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


class UnusableEntry(ValueError):
    """A file of a catalogue that says something else than an entry: which, and which field."""


def read_entry(path: Path, kind: type[Entry]) -> Entry:
    """The file's entry, of a kind that has an `id`. Raises UnusableEntry, UnreadableDocument."""
    from pydantic import ValidationError  # the errors of a command line need neither

    from elenchus.config.json_and_yaml import read_yaml

    try:
        entry = kind.model_validate(read_yaml(path, LARGEST))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = " → ".join(str(part) for part in first["loc"])
        raise UnusableEntry(f"{path}: {place or 'the file'}: {fault_told(first)}") from error
    if (named := getattr(entry, "id", "")) != path.stem:
        raise UnusableEntry(f"{path}: id: {named!r} is not the file's name")
    return entry
