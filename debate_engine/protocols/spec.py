"""What a protocol says of itself. Who runs, shows or exports a session looks it up by the name in its first event.

A protocol needs a name and something to run. All else has a default that tells no more than the log holds: what was
said, and the outcome as it was returned.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from pydantic import BaseModel, ValidationError

from elenchus.debate_engine.dry_run.stubs import Stub, filling
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.protocols import faults
from elenchus.debate_engine.reports import said

if TYPE_CHECKING:
    from datetime import datetime

    from elenchus.debate_engine.events import Recorded
    from elenchus.debate_engine.protocols.judging.votes import When
    from elenchus.debate_engine.reports.blocks import Block
    from elenchus.debate_engine.reports.canvas import Picture
    from elenchus.debate_engine.reports.document import Section
    from elenchus.debate_engine.reports.view import SessionView
    from elenchus.debate_engine.session import Protocol as Run

T = TypeVar("T")
Place = str
"""Where something stands, `package.module:name`: it is imported when it is first needed."""

NEVER = r"(?!)"


class UnusableProtocol(UsageError):
    """The package that brings this protocol is there, but cannot be loaded: mend it, or install another version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How far a session has come that has rounds and a heat, for a live line and a panel.

    `stages` are its parts in order, `at` is the one that runs, `of` how many of this kind there can be (0: not told).
    `qualities` are Γ after each stage that was scored, None where it could not be read; `progress` is what is counted
    while it is at work ("3 of 12 rulings").
    """

    stages: Sequence[str]
    at: int
    of: int = 0
    heat: float | None = None
    qualities: Sequence[float | None] = ()
    progress: str = ""


class NextTurn(NamedTuple):
    """The turn that comes next ("opening", "round 2", "closing"), its scheduled heat, and the one it will have."""

    turn: str
    scheduled: float
    heat: float


class Votes(NamedTuple):
    """The audience's votes that count now, by when they are held.

    `asked`: the session opens them itself, and each closes at its moment; otherwise they need no opening.
    """

    asked: bool
    open: Mapping[When, datetime | None]


class Projection:
    """What a protocol makes of its own events, one at a time; rebuilt from the log whenever somebody wants it.

    This one makes nothing of them: a protocol says what it has beyond what every session has.
    """

    def apply(self, r: Recorded) -> None:
        """Take in the next event. Never raises: an event of unexpected form is left out."""

    @property
    def stage(self) -> str:
        """Where the session is, such as "round 2"; "" where that has no name."""
        return ""

    @property
    def standing(self) -> Standing | None:
        """How far it has come; None where it has no rounds and no heat."""
        return None

    def next_turn(self, wanted: float | None = None) -> NextTurn | None:
        """What is spoken next at a heat that the moderator may still set (`wanted`: has set); None for nothing."""
        return None

    @property
    def votes(self) -> Votes:
        """The audience's."""
        return Votes(asked=False, open={"after": None})


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table of scores: what it holds, its values or range, and when it is empty."""

    name: str
    meaning: str
    values: str = ""
    empty: str = "never"


@dataclass(frozen=True, slots=True)
class Scores:
    """The table of a session's scores (`scores.csv`) and what its columns mean (`scores-codebook.md`).

    `introduction` (Markdown) says what one row is; `criteria` explains the values of a column, each by its cells under
    `criteria_head`. Each row is a mapping by column; a cell without a value is None.
    """

    columns: Sequence[Column]
    rows: Callable[[SessionView], Iterable[Mapping[str, Any]]]
    introduction: str = "One row is one score."
    criteria_head: Sequence[str] = ()
    criteria: Sequence[Sequence[str]] = ()


Shown = Callable[["Recorded", "SessionView", Collection[str]], "Iterable[Block]"]
"""What an event, the last one that the view has taken in, adds to what is seen by these seats, none: the moderator."""
Ended = Callable[["SessionView", Collection[str]], "Iterable[Block]"]
"""What stands at the end of a session that has finished, for these seats, none: the moderator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DryRun:
    """How a session is played dry, before anything is spent (see `dry_run.simulation`).

    - `stub`: what answers every question of a session with these settings; default: it fills whatever form is asked.
    - `given`: what stands for the `needs` of `run`, which the application hands to a real session.
    - `prepared`: the forms that a model drafts for a person whose seat `prepares`: each draft is a call.
    - `drawn`: the session's seed decides who does what, so that a plan is that of one seed.
    - `parts`: the settings of what a long session consists of, each with how often; none: it is played whole.
    """

    stub: Callable[[Any], Stub] = lambda _: filling()
    given: Mapping[str, Any] = field(default_factory=dict)
    prepared: Collection[str] = ()
    drawn: bool = False
    parts: Callable[[Any], Sequence[tuple[BaseModel, int]]] = lambda _: ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Presentation:
    """How sessions of a protocol are told. Pure functions of a view; `pictures` draws: call it off the event loop.

    - `shown`: what an event adds to what people see while the session runs; `ended`: what stands at its end; both for
      the moderator, who sees all, or for people on these seats.
    - `summary`: plain sentences; `settings`: how it was set, for the methods; `missing`: what this session lacks;
      `small`: seats whose models are too weak for their numbers to say anything.
    - `sections` of the report; `apart`: labels of words that stand there, and not in the transcript; `failures`: what
      went wrong beside what every session tells, as titled lists of pairs of a place and what; `pictures`; `scores`;
      `run_facts` for run.json.
    - `as_json`: the session for programs, beside what every session has; default: the outcome.
    """

    project: Callable[[], Projection] = Projection
    shown: Shown = said.shown
    ended: Ended = said.ended
    summary: Callable[[SessionView], Sequence[str]] = lambda _: ()
    settings: Callable[[SessionView], Sequence[str]] = lambda _: ()
    missing: Callable[[SessionView], Sequence[str]] = lambda _: ()
    small: Callable[[SessionView], Sequence[str]] = lambda _: ()
    apart: Collection[str] = ()
    failures: Callable[[SessionView], Sequence[tuple[str, Sequence[tuple[str, str]]]]] = lambda _: ()
    sections: Callable[[SessionView], Sequence[Section]] = said.sections
    pictures: Callable[[SessionView], Iterable[Picture]] = lambda _: ()
    scores: Scores | None = None
    run_facts: Callable[[SessionView], Mapping[str, Any]] = lambda _: {}
    as_json: Callable[[SessionView], Mapping[str, Any]] = lambda view: view.outcome or {}


@dataclass(frozen=True, kw_only=True)
class ProtocolSpec:
    """A protocol. `noun` is what people call a session of it ("debate"); without one its name.

    `needs` names what the application hands to `run` by keyword (`library`, `retriever`); `config` and `outcome` are
    pydantic models of both. `step_words` are pairs of a pattern of step keys and a verb phrase ("rules on a topic"),
    `tasks` of one and what a person is asked for there ("a ruling on one topic"): the first that matches counts.
    `turn_kinds` are pairs of one and a kind of a person's turn, where the kinds are shown in different ways.
    `drafts` is the pattern of keys whose text may be shown while it is written.
    `commands` are what a moderator may do to it beyond what may be done to any session.
    `seats` are the names of its seats, where these are always the same: whoever starts a session need not name them.
    `has_speakers`: what is said in it may be looked through for biases once it is over. `has_subjects`: people sit in
    it as subjects: they see what reaches them and nothing else, are debriefed, and their names leave the machine only
    as made-up ones.
    """

    name: str
    run: Place | Run
    noun: str = ""
    seats: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    config: Place | type[BaseModel] | None = None
    outcome: Place | type[BaseModel] | None = None
    step_words: Sequence[tuple[str, str]] = ()
    tasks: Sequence[tuple[str, str]] = ()
    turn_kinds: Sequence[tuple[str, str]] = ()
    drafts: str = NEVER
    commands: tuple[str, ...] = ()
    has_speakers: bool = False
    has_subjects: bool = False
    dry_run: Place | DryRun = field(default_factory=DryRun)
    presentation: Place | Presentation = field(default_factory=Presentation)

    @property
    def kind(self) -> str:
        """What people call a session of it."""
        return self.noun or self.name

    @cached_property
    def runs(self) -> Run:
        """The protocol's code. Raises UnusableProtocol."""
        return cast("Run", self._loaded(self.run))

    @cached_property
    def dry(self) -> DryRun:
        """How its sessions are played dry. Raises UnusableProtocol."""
        return cast("DryRun", self._loaded(self.dry_run, "dry run"))

    @cached_property
    def present(self) -> Presentation:
        """How its sessions are told. Of what fails of it the view of a session takes note."""
        try:
            return faults.guarded(imported(self.presentation), self.name, self.run)
        except Exception as error:  # noqa: BLE001 - whatever an import raises, the session can be read without it
            return faults.unusable(Presentation(), faults.fault_in(self.name, error, self.run, "presentation"))

    def _loaded(self, place: Any, part: str = "") -> Any:
        try:
            return imported(place)
        except Exception as error:
            raise UnusableProtocol(faults.fault_in(self.name, error, self.run, part)) from error

    def config_of(self, config: Any) -> BaseModel | None:
        """The settings, where they are of the protocol's form."""
        return _valid(self.config, config)

    @property
    def config_model(self) -> type[BaseModel] | None:
        """The model of its settings. Raises UnusableProtocol."""
        return cast("type[BaseModel] | None", self._loaded(self.config, "settings"))

    def settings(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The settings as JSON, with defaults for those that are not given. Raises UsageError as `checked` does, and
        for one that the protocol does not know.
        """
        if (model := self.config_model) is None:
            return dict(given)
        names = {name for field, info in model.model_fields.items() for name in (field, info.alias) if name}
        if model.model_config.get("extra") != "allow" and (odd := [name for name in given if name not in names]):
            known = ", ".join(model.model_fields) or "none"
            raise UsageError(f"The protocol {self.name} has no setting {odd[0]!r}: its settings are {known}.")
        return cast("BaseModel", self.checked(given)).model_dump(mode="json", by_alias=True)

    def checked(self, config: Mapping[str, Any]) -> BaseModel | None:
        """The settings, None without a model. Raises UsageError, which names the setting, for what it does not take."""
        try:
            return self.config_model.model_validate(config) if self.config_model else None
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            setting = ".".join(map(str, first["loc"]))
            raise UsageError(
                f"The protocol {self.name} does not take these settings: {setting}{': ' * bool(setting)}"
                f"{first['msg'].removeprefix('Value error, ')}."
            ) from error

    def outcome_of(self, outcome: Any) -> BaseModel | None:
        """The outcome, where it is of the protocol's form."""
        return _valid(self.outcome, outcome)

    def doing(self, step: str) -> str:
        """What a seat does in this step, as words after its name."""
        if step.endswith(AGAIN):
            return f"{self.doing(step.removesuffix(AGAIN))} once more"
        return next((words for pattern, words in self._patterns if pattern.search(step)), f"works on {step}")

    def task(self, step: str) -> str:
        """What a person is asked for in this step, as a noun."""
        return next((words for pattern, words in self.tasks if re.search(pattern, step)), "an answer")

    def turn_kind(self, step: str) -> str:
        """The kind of turn that this step is for a person, "" where the protocol tells none apart."""
        return next((kind for pattern, kind in self.turn_kinds if re.search(pattern, step)), "")

    def is_draft(self, step: str) -> bool:
        """Whether the step's answer is a text that may be shown while it is written."""
        return bool(re.search(self.drafts, step))

    @cached_property
    def _patterns(self) -> list[tuple[re.Pattern[str], str]]:
        return [(re.compile(pattern), words) for pattern, words in self.step_words]


AGAIN = "/again"
"""The end of a step's key where the seat is asked once more, with the fault of its first answer."""


def imported(place: Place | T) -> Any | T:
    """What stands at a place; anything else as it is. Raises ImportError, AttributeError."""
    return resolve_name(place) if isinstance(place, str) else place


def _valid(model: Place | type[BaseModel] | None, value: Any) -> BaseModel | None:
    if model is None or value is None:
        return None
    try:
        return cast("type[BaseModel]", imported(model)).model_validate(value)
    except ValidationError:
        return None
