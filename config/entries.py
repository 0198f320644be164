"""One entry of a catalogue: a YAML file, checked, that is named after the entry's id."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from elenchus.config.documents import read_yaml
from elenchus.config.numbers import no_number

Entry = TypeVar("Entry", bound=BaseModel)


LARGEST = 200_000
"""Bytes of an entry."""


class UnusableEntry(ValueError):
    """A file of a catalogue that says something else than an entry: which, and which field."""


def read_entry(path: Path, kind: type[Entry]) -> Entry:
    """The file's entry, of a kind that has an `id`. Raises UnusableEntry, UnreadableDocument."""
    try:
        entry = kind.model_validate(read_yaml(path, LARGEST))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = " → ".join(str(part) for part in first["loc"])
        told = no_number(first["type"], first["input"]) or first["msg"]
        raise UnusableEntry(f"{path}: {place or 'the file'}: {told}") from error
    if (named := getattr(entry, "id", "")) != path.stem:
        raise UnusableEntry(f"{path}: id: {named!r} is not the file's name")
    return entry
