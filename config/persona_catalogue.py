"""Reads `personas/*.yaml`, one file a persona: who a model may be on a seat.

A persona is written `engineer`, or with its model `engineer@openai:gpt-6-luna`; alone it speaks through its own model,
where it has one, else the default.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator

from elenchus.config.validation import read_entry

BUILT_IN = Path(__file__).with_name("personas")

UNUSABLE = ("discord", "clyde")
"""What no name may hold: Discord refuses it."""

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Id = Annotated[str, StringConstraints(pattern=r"^[a-z]+(-[a-z]+)*$")]


class PersonaEntry(BaseModel):
    """One persona. `id` is the name of its file; `line` says in a sentence who it is; `manner` is told to the model.

    `sits` is where it belongs; it may be put anywhere. `model` is the one it prefers (`provider:model`), "" for any.
    Whatever language is debated in, the manner is the same.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Id
    name: Annotated[Text, Field(max_length=60)]
    line: Annotated[Text, Field(max_length=100)]
    sits: Literal["debater", "judge", "either"]
    manner: Annotated[Text, Field(min_length=100, max_length=900)]
    model: Annotated[str, StringConstraints(pattern=r"^([a-z]+:\S+)?$")] = ""

    @field_validator("name")
    @classmethod
    def _can_be_posted(cls, name: str) -> str:
        if any(word in name.casefold() for word in UNUSABLE):
            raise ValueError(f"no name may hold {' or '.join(UNUSABLE)}")
        return name


@lru_cache
def load_personas(folder: Path = BUILT_IN) -> tuple[PersonaEntry, ...]:
    """Every persona of a folder, by id. Raises ValueError naming the file and the field that cannot be read."""
    return tuple(read_entry(path, PersonaEntry) for path in sorted(folder.glob("*.yaml")))


def find_persona(text: str) -> PersonaEntry:
    """The persona of this id, in any case. Raises ValueError naming those with an id like it, or all."""
    known = {entry.id: entry for entry in load_personas()}
    if entry := known.get(text.strip().casefold()):
        return entry
    near = get_close_matches(text.strip().casefold(), known, n=3, cutoff=0.6)
    raise ValueError(
        f"there is no persona {text.strip()!r}: {'near it' if near else 'there are'} {', '.join(near or known)}"
    )


def parted(text: str) -> tuple[PersonaEntry | None, str]:
    """The persona and the spec in `persona@spec`, `persona` or `spec`; "" for a spec that is not said.

    Raises ValueError for a persona that there is not. What has a colon before any @ is a spec, as is a word that names
    no persona: whoever reads specs says what is wrong with it.
    """
    name, at, spec = text.strip().partition("@")
    if ":" in name or not name:
        return None, text.strip()
    if at:
        entry = find_persona(name)
        return entry, spec.strip() or entry.model
    alone = next((one for one in load_personas() if one.id == name.casefold()), None)
    return alone, name if alone is None else alone.model


def offered(sits: str) -> Iterator[PersonaEntry]:
    """The personas for a seat, those that belong there first."""
    fitting = [entry for entry in load_personas() if entry.sits in (sits, "either")]
    yield from fitting
    yield from (entry for entry in load_personas() if entry not in fitting)
