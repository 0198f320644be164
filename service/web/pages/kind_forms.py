"""The forms of all kinds of sessions but scenes: which options stand where, and how what was typed becomes options."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from textwrap import shorten
from typing import TYPE_CHECKING, Any, get_args

from elenchus.debate_engine.protocols.sweep.schemas import HEATS
from elenchus.detectors.schemas import Method
from elenchus.service.lab.numbers import read_number
from elenchus.service.lab.options import LONGEST_DOCUMENT
from elenchus.service.lab.prepared_session import options_model
from elenchus.service.lab.seats import BY_DEFAULT
from elenchus.service.web.pages.option_fields import (
    LIMITS,
    OptionField,
    option_field,
    properties,
    read_option,
    seat_in,
    who_may_sit,
)

if TYPE_CHECKING:
    from elenchus.config.settings import Settings
    from elenchus.service.lab.options import RunOptions
    from elenchus.service.web.strings import Words

Schema = Mapping[str, Any]
LONGEST_TITLE = 60
"""Characters of a text's beginning that are its title where nobody has named one."""
JUDGES = ("judge-1", "judge-2", "judge-3")


@dataclass(frozen=True, slots=True)
class KindForm:
    """The form of a kind of session. `first` and `more` are its options, on the page and folded away.

    `left_out` are those that want a file or a table, or an expert: the terminal and the API take them. On `seats` a
    model sits, on those of `people` a person may, on those of `personas` a persona. `own` are names that are worded
    for this kind alone. `typed_as` are options that are typed otherwise than they are given: as this schema, from which
    `given_as` makes the option.
    """

    kind: str
    first: tuple[str, ...]
    seats: tuple[str, ...]
    more: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ("price",)
    people: tuple[str, ...] = ()
    personas: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    typed_as: Mapping[str, Schema] = field(default_factory=dict)
    given_as: Mapping[str, Callable[[str], Iterator[tuple[str, Any]]]] = field(default_factory=dict)

    @property
    def options(self) -> type[RunOptions]:
        """The options of such sessions."""
        if self.kind == "class-debate":
            from elenchus.service.lab.class_debates.room import ClassDebateOptions

            return ClassDebateOptions
        return options_model(self.kind)

    def words(self, name: str) -> str:
        """By which name the messages on an option or a seat are called."""
        return f"{self.kind}-{name}" if name in self.own else name

    def called(self, name: str, t: Words) -> str:
        """An option as it is called in what is said of it."""
        words = self.words(name)
        return f"“{t.of('seat' if name in self.seats else 'option', words)}”"

    def context(self, settings: Settings, typed: Mapping[str, str]) -> dict[str, Any]:
        """What the form shows. Reads files: call it off the event loop."""
        parts = {"first": self.first, "more": self.more, "limits": LIMITS}
        fields = {part: self._fields(names, typed) for part, names in parts.items()}
        return {"form": self, **fields, **who_may_sit(settings)}

    def _fields(self, names: tuple[str, ...], typed: Mapping[str, str]) -> list[OptionField]:
        return [option_field(self._schema(name), name, typed, self.words(name)) for name in names]

    def _schema(self, name: str) -> Schema:
        return self.typed_as.get(name) or properties(self.options)[name]

    def options_in(self, typed: Mapping[str, str]) -> dict[str, Any]:
        """The options that were typed; those left empty are left out. Raises UnreadableReply, UsageError."""
        given = dict(self._given(typed))
        seats = {name: spec for name in self.seats if (spec := seat_in(name, typed))}
        judges = [seats.pop(name) for name in JUDGES if name in seats]
        if JUDGES[0] in self.seats and not typed.get(JUDGES[0]):
            judges = [BY_DEFAULT, *judges]  # the first is a default model; nobody sits where nobody is chosen
        return given | seats | ({"judges": judges} if judges else {})

    def _given(self, typed: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
        for name in (*self.first, *self.more, *LIMITS):
            read = dict(read_option(self._schema(name), name, typed))
            if name == self.first[0]:
                read = {name: typed.get(name, "")}  # what it is about: without it there is nothing to begin
            elif name == "title" and not read:
                read = {name: shorten(typed.get(self.first[0], ""), LONGEST_TITLE, placeholder="…")}
            for value in read.values():
                yield from self.given_as[name](value) if name in self.given_as else ((name, value),)


# ── what is typed otherwise ──────────────────────────────────────────────────────────────────────────────────────────


def _heats(text: str) -> Iterator[tuple[str, Any]]:
    yield "heats", [read_number(one, "heats", low=0, high=1) for one in re.split(r"[\s;]+", text) if one]


def _biases(text: str) -> Iterator[tuple[str, Any]]:
    yield "labels", [one.strip() for one in text.split(",") if one.strip()]


def _examined(text: str) -> Iterator[tuple[str, Any]]:
    from elenchus.service.lab.detection import turn_of

    yield "turns", [turn_of(text)]


# ── the kinds ────────────────────────────────────────────────────────────────────────────────────────────────────────

TITLE: Schema = {"type": "string", "maxLength": 200}
_SIDES = ("pro", "con")
_DEBATERS = (*_SIDES, *JUDGES, "crit")
_HELD = ("brief", "language", "words", "speech_words", "heat", "decay", "floor", "stop")

DEBATE = KindForm(
    "debate",
    first=("motion", "max_rounds", "topics"),
    more=(*_HELD, "open_question", "simultaneous", "coach", "vote_seconds", "approve_agenda", "compare_qa"),
    seats=_DEBATERS, people=_DEBATERS, personas=_DEBATERS, left_out=("price", "agenda"),
)  # fmt: skip
CLASS_DEBATE = KindForm(
    "class-debate",
    first=("motion", "people", "argument_seconds", "vote_seconds", "max_rounds", "topics"),
    more=("arguments", "speech_minutes", *_HELD, "simultaneous", "coach", "compare_qa"),
    seats=_DEBATERS, people=_DEBATERS, personas=_DEBATERS, own=("vote_seconds", "people", *_SIDES),
    left_out=("price", "agenda", "open_question", "approve_agenda"),
)  # fmt: skip
CRIT = KindForm(
    "crit", first=("document", "title"), more=("max_reasons", "language"), seats=("model",), people=("model",),
    personas=("model",), left_out=("price", "sources"), own=("model", "language"), typed_as={"title": TITLE},
)  # fmt: skip
SWEEP = KindForm(
    "sweep", first=("motion", "heats", "topics", "samples"), more=("language",), seats=(*_SIDES, "crit"),
    personas=_SIDES, left_out=("price", "agenda"), own=("crit",), given_as={"heats": _heats},
    typed_as={"heats": {"type": "string", "default": " ".join(map(str, HEATS))}},
)  # fmt: skip
DETECT = KindForm(
    "detect", first=("text", "title", "method", "bias"), more=("labels", "top", "repeats"),
    seats=("model", "detector", "referee"), left_out=("price", "turns", "source", "speaker", "weights", "screen"),
    own=("model",), given_as={"text": _examined, "labels": _biases},
    typed_as={
        "title": TITLE, "text": {"type": "string", "maxLength": LONGEST_DOCUMENT}, "labels": {"type": "string"},
        "method": {"default": "full", "enum": list(get_args(Method))},
    },
)  # fmt: skip

KINDS: Mapping[str, KindForm] = {one.kind: one for one in (DEBATE, CLASS_DEBATE, CRIT, SWEEP, DETECT)}
