"""Kinds of social bias that debates are about, one file each, and everyday topics. One's own file has the same form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from elenchus.config.documents import UnreadableDocument, read_text
from elenchus.config.json_and_yaml import read_yaml
from elenchus.config.validation import fault_told

FOLDER = Path(__file__).with_name("bias_types")
FEWEST, MOST = 3, 6
"""Identities of a type."""
LARGEST = 1_000_000
"""Bytes of a file."""
LONGEST_TOPIC = 200
"""Characters of a topic."""
ALIKE = 0.8
"""Share of words in common from which on two topics are the same one."""

Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120, pattern=r"^[^\n\r]*$")]


class Identity(BaseModel):
    """Whom a role is: `name` is the label that everybody sees, `who` is told to the role itself."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[Line, Field(max_length=40)]
    who: Line


class BiasType(BaseModel):
    """A kind of social bias: by what people are put into groups (`about`), and the groups that debates give a voice."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[Line, Field(max_length=40)]
    about: Line
    identities: tuple[Identity, ...] = Field(min_length=FEWEST, max_length=MOST)
    topics: tuple[Line, ...] = ()

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        names = [one.name.casefold() for one in self.identities]
        if len(set(names)) < len(names):
            raise ValueError("two identities have the same name: give each its own")
        return self


def types() -> tuple[str, ...]:
    """The names of the types that come along."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.yaml")))


def bias_type(name: str) -> BiasType:
    """A type that comes along, by its name, or one's own by its file. Raises UnreadableDocument."""
    known = name.strip().casefold()
    if known in types():
        return _own(FOLDER / f"{known}.yaml")
    path = Path(name).expanduser()
    if path.suffix not in (".yaml", ".yml"):
        raise UnreadableDocument(name, f"there is no such bias type: name {', '.join(types())}, or your own .yaml file")
    return _read(path)


@lru_cache
def _own(path: Path) -> BiasType:
    return _read(path)


def _read(path: Path) -> BiasType:
    try:
        return BiasType.model_validate(read_yaml(path, LARGEST, "bias type"))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise UnreadableDocument(str(path), f"{place}: {fault_told(first)}") from error


# ── topics ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@lru_cache
def everyday_topics() -> tuple[str, ...]:
    """The topics that come along."""
    return read_topics(FOLDER / "topics.txt")


def read_topics(path: Path) -> tuple[str, ...]:
    """A topic a line, each once; lines that begin with # are left out. Raises UnreadableDocument."""
    lines = read_text(path, LARGEST, "list of topics").splitlines()
    found = distinct(line for line in lines if not line.lstrip().startswith("#"))
    if not found:
        raise UnreadableDocument(str(path), "it names no topic: write one a line")
    return found


def distinct(topics: Iterable[str], beside: Sequence[str] = ()) -> tuple[str, ...]:
    """The topics in order, without those that say the same as one before them, or `beside` them; blank and overlong
    ones are left out. Pure.
    """
    kept, seen = list[str](), [_words(topic) for topic in beside]
    for topic in topics:
        text = " ".join(topic.split()).strip(" .;:,-–*•\"'")
        words = _words(text)
        if not words or len(text) > LONGEST_TOPIC:
            continue
        if not any(len(words & other) / len(words | other) >= ALIKE for other in seen):
            kept.append(text)
            seen.append(words)
    return tuple(kept)


def subject_of(topic: str) -> str:
    """What topics share that differ in case, order, punctuation, plurals and little words alone; never empty."""
    return " ".join(sorted(_words(topic))) or topic.strip().casefold() or topic


_LITTLE = {"a", "an", "the", "of", "in", "at", "on", "to", "and", "or", "for", "with"}


def _words(topic: str) -> frozenset[str]:
    """What a topic is about: its words without case, little words and the s of a plural."""
    found = {word for word in re.findall(r"\w+", topic.casefold()) if word not in _LITTLE}
    return frozenset(word.removesuffix("s") if len(word) > 3 else word for word in found)
