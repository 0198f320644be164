"""One entry of a catalogue: a YAML file, checked, that is named after the entry's id."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

Entry = TypeVar("Entry", bound=BaseModel)


class UnusableEntry(ValueError):
    """A file of a catalogue that cannot be read: which, and which field."""


def loaded(text: str) -> Any:
    """What a YAML text says, safely, and ten times as fast where libyaml is there. Raises yaml.YAMLError."""
    import yaml

    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - a safe one


def read_entry(path: Path, kind: type[Entry]) -> Entry:
    """The file's entry, of a kind that has an `id`. Raises UnusableEntry, OSError."""
    import yaml

    try:
        entry = kind.model_validate(loaded(path.read_text(encoding="utf-8")))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise UnusableEntry(f"{path} is not valid YAML: {error}") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = " → ".join(str(part) for part in first["loc"])
        raise UnusableEntry(f"{path}: {place or 'the file'}: {first['msg']}") from error
    if (named := getattr(entry, "id", "")) != path.stem:
        raise UnusableEntry(f"{path}: id: {named!r} is not the file's name")
    return entry
