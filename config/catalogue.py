"""Reads `biases/*.yaml`, one file a bias: what each bias is, how it shows in a text, and what it is mistaken for."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from elenchus.config.validation import read_entry

BUILT_IN = Path(__file__).with_name("biases")

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Id = Annotated[str, StringConstraints(pattern=r"^[a-z]+(-[a-z]+)*$")]

_STRICT = ConfigDict(frozen=True, extra="forbid")


class Neighbour(BaseModel):
    """A bias that is easily taken for this one; `apart` says what in a text tells the two apart."""

    model_config = _STRICT

    id: Id
    apart: Text


class Source(BaseModel):
    """Where a bias was described. `checked`: the reference was looked up and its DOI found; else it is from memory."""

    model_config = _STRICT

    authors: Text
    year: int = Field(ge=1800, le=2100)
    title: Text
    where: Text
    doi: Annotated[str, StringConstraints(pattern=r"^10\.\d{4,}/\S+$")] | None = None
    checked: bool

    @model_validator(mode="after")
    def _a_doi_was_looked_up(self) -> Self:
        if self.checked != (self.doi is not None):
            raise ValueError("checked is true exactly where a DOI was looked up and is given")
        return self

    def __str__(self) -> str:
        """The reference on one line."""
        doi = f", doi:{self.doi}" if self.doi else ""
        return f"{self.authors} ({self.year}), {self.title}, {self.where}{doi}"


class Bias(BaseModel):
    """One bias. `id` is the name in kebab-case and the name of its file; the texts are Markdown-free sentences.

    `elements` are the signs by which it is found, each checkable in a text; `case` a classic case; `recipe` how a
    situation is written that elicits it; `mindscope` the sense that MindScope gives it, "" where that is the usual one.
    One that is not `detected` is there for scenes: no detector looks for it, as their figures were measured without it.
    """

    model_config = _STRICT

    id: Id
    name: Text
    aliases: tuple[Text, ...] = ()
    definition: Text
    neighbours: tuple[Neighbour, ...] = Field(min_length=2, max_length=4)
    elements: tuple[Text, ...] = Field(min_length=4, max_length=8)
    case: Text
    recipe: Text
    mindscope: str = ""
    detected: bool = True
    source: Source

    @model_validator(mode="after")
    def _the_id_is_the_name(self) -> Self:
        if self.id != kebab(self.name):
            raise ValueError(f"the id of {self.name!r} is {kebab(self.name)!r}")
        if self.id in (neighbour.id for neighbour in self.neighbours):
            raise ValueError("a bias is no neighbour of itself")
        return self

    def called(self) -> Iterator[str]:
        """Everything by which it may be asked for: id, name and aliases."""
        yield from (self.id, self.name, *self.aliases)


def kebab(name: str) -> str:
    """A name as an id: `IKEA effect` → `ikea-effect`."""
    return "-".join(re.findall(r"[a-z]+", name.lower()))


# ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────────


@lru_cache
def load_biases(folder: Path = BUILT_IN) -> tuple[Bias, ...]:
    """Every bias of a folder, by name. Raises ValueError naming the file and the field that cannot be read."""
    biases = sorted((read_entry(path, Bias) for path in folder.glob("*.yaml")), key=lambda bias: bias.name.casefold())
    owners: dict[str, Bias] = {}
    for bias in biases:
        for name in {_plain(called) for called in bias.called()}:
            if owners.setdefault(name, bias) is not bias:
                raise ValueError(f"{folder / bias.id}.yaml: aliases: {owners[name].name!r} is called {name!r} too")
    return tuple(biases)


# ── finding ──────────────────────────────────────────────────────────────────────────────────────────────────────


def find_bias(text: str) -> Bias:
    """The bias of this id, name or alias, in any case. Raises ValueError naming those with a name like it."""
    if bias := _by_name().get(_plain(text)):
        return bias
    near = [bias.name for bias in _near(text)]
    search = "`elenchus biases search WORD` looks into what they say, `elenchus biases list` shows all"
    hint = f"near it: {', '.join(near[:5])}" if near else search
    raise ValueError(f"there is no bias {text!r} in the catalogue; {hint}")


def bias_meant(text: str, *, slips: bool = True) -> Bias:
    """The bias that a person means who types this: of this name, else the only one whose name begins with these words,
    has them, or (with `slips`) differs by a slip of the pen. Raises ValueError as `find_bias`.
    """
    names, asked = _by_name(), _plain(text)
    begin = [name for name in names if name.startswith(asked)]
    for likely in (begin, _having(asked), _slips(asked) if slips else []):
        meant = {names[name].id: names[name] for name in likely}
        if asked and asked not in names and len(meant) == 1:
            return next(iter(meant.values()))
    return find_bias(text)


def _having(asked: str) -> list[str]:
    """The names in which words begin as these do."""
    return [name for name in _by_name() if asked and f" {asked}" in f" {name}"]


def _slips(asked: str) -> list[str]:
    """The names that differ from this by a slip of the pen, in the whole or in all but the word that many end with;
    four letters are too few to tell.
    """
    names, head = list(_by_name()), _head(asked)
    heads = get_close_matches(head, {_head(name) for name in names}, n=5, cutoff=0.85) if len(head) > 4 else []
    return [*get_close_matches(asked, names, n=5, cutoff=0.9), *(name for name in names if _head(name) in heads)]


def _head(name: str) -> str:
    """A plain name without the word at its end that says of what kind it is: two are not alike by that."""
    return re.sub(r"(?<=\w) (?:effect|bias|fallacy|heuristic|illusion)$", "", name)


def _near(text: str) -> list[Bias]:
    """The biases with a name that has these words, then those with one spelt like them; each once."""
    names, asked = _by_name(), _plain(text)
    alike = get_close_matches(asked, names, n=5, cutoff=0.5)
    return list({names[name].id: names[name] for name in [*_having(asked), *alike]}.values())


@lru_cache
def _by_name() -> dict[str, Bias]:
    return {_plain(called): bias for bias in load_biases() for called in bias.called()}


def _plain(text: str) -> str:
    """A name without what people write in many ways: case, hyphens, spaces and apostrophes."""
    return " ".join(re.findall(r"\w+", text.casefold().replace("'", "").replace("’", "")))


_WEIGHTS = {"name": 8.0, "definition": 3.0, "elements": 2.0}
"""What a word counts for that is found in this field; 1 in any other."""


def search_biases(text: str, biases: Iterable[Bias] | None = None) -> tuple[Bias, ...]:
    """The biases whose fields hold words that begin like those of `text`, best first; () for no words at all.

    One that holds more of the words comes before one that holds fewer; then the fields count, by `_WEIGHTS`.
    """
    words = set(_plain(text).split())
    ranked = [(_score(bias, words), bias) for bias in (load_biases() if biases is None else biases)]
    ranked.sort(key=lambda pair: pair[0], reverse=True)
    return tuple(bias for score, bias in ranked if score[0])


def _score(bias: Bias, words: set[str]) -> tuple[int, float]:
    """How many of the words it holds, and what their best fields count for together."""
    best = dict.fromkeys(words, 0.0)
    for field, told in _fields(bias):
        held = sorted(_plain(told).split())
        for word in words:
            if _holds(held, word):
                best[word] = max(best[word], _WEIGHTS.get(field, 1.0))
    return sum(weight > 0 for weight in best.values()), sum(best.values())


def _holds(held: Sequence[str], word: str) -> bool:
    """Whether the sorted words hold this one, or one that begins so where it has three letters and more."""
    at = bisect_left(held, word)
    return at < len(held) and (held[at] == word or (len(word) > 2 and held[at].startswith(word)))


def _fields(bias: Bias) -> Iterator[tuple[str, str]]:
    """The texts of a bias, each under the name of the field that says what it counts for."""
    yield "name", " ".join(bias.called())
    yield "definition", bias.definition
    yield "elements", " ".join(bias.elements)
    yield "case", bias.case
    yield "recipe", bias.recipe
    yield "mindscope", bias.mindscope
    yield "neighbours", " ".join(neighbour.apart for neighbour in bias.neighbours)
    yield "source", str(bias.source)


def as_row(bias: Bias) -> dict[str, Any]:
    """What a list shows of a bias: id, name, aliases and definition."""
    return bias.model_dump(mode="json", include={"id", "name", "aliases", "definition"})
