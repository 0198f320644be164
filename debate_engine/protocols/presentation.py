"""How sessions of a protocol are told: what it makes of its events, and the parts of every view and report."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from elenchus.debate_engine.reports import said

if TYPE_CHECKING:
    from datetime import datetime

    from elenchus.debate_engine.events import Recorded
    from elenchus.debate_engine.protocols.judging.votes import When
    from elenchus.debate_engine.reports.blocks import Block
    from elenchus.debate_engine.reports.canvas import Picture
    from elenchus.debate_engine.reports.document import Section
    from elenchus.debate_engine.reports.view import SessionView


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundProgress:
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
    def standing(self) -> RoundProgress | None:
        """How far it has come; None where it has no rounds and no heat."""
        return None

    def next_turn(self, wanted: float | None = None) -> NextTurn | None:
        """What is spoken next at a heat that the moderator may still set (`wanted`: has set); None for nothing."""
        return None

    @property
    def votes(self) -> Votes | None:
        """The audience's, which are for `pro` or `con`; None where there are no such sides."""
        return None


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
    `criteria_head`. Each row is a mapping by column; a cell without a value is None. The columns `session` (its id) and
    `simulated` (yes, no) are filled in by themselves where a table has them.
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
