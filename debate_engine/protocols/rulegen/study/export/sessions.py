"""What the tables of an export read of each session: its log under made-up names, and what it tells. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from elenchus.debate_engine.events import (
    CallRecord,
    Recorded,
    SessionFailed,
    SessionFinished,
    SessionStarted,
    SessionStopped,
    StepDone,
)
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.log import calls_of
from elenchus.debate_engine.protocols.rulegen.assignment import as_played
from elenchus.debate_engine.protocols.rulegen.config import SceneConfig, config_in
from elenchus.debate_engine.protocols.rulegen.page_times import PageTime, page_times
from elenchus.debate_engine.protocols.rulegen.played import Played, Turn
from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE, Observation
from elenchus.debate_engine.protocols.rulegen.study.withdrawal import NONE_REMOVED, Removed, withdrawn_at
from elenchus.debate_engine.reports import safe
from elenchus.debate_engine.reports.pseudonymous import pseudonymous
from elenchus.debate_engine.reports.spending import CallUsage, used_in
from elenchus.debate_engine.run_ends import end_of

M = TypeVar("M", bound=BaseModel)

_OF_GRID = re.compile(r"(.+)-\d{4,}")
_TURN = re.compile(r"rule/\d+/turn/\d+/turn")
_ENDS = (SessionFinished, SessionStopped, SessionFailed)


@dataclass(frozen=True)
class PlayedSession:
    """A session of a scene: its events (nobody's name in them), its settings, and what it tells of each subject."""

    session: str
    recorded: Sequence[Recorded]
    started: SessionStarted
    cfg: SceneConfig
    observed: Sequence[Observation] = ()

    @cached_property
    def played(self) -> Played | None:
        """What came out; None where it has not ended, or failed."""
        run = end_of(self.session, list(self.recorded))
        return readable(Played, run.outcome if run else None)

    @property
    def grid(self) -> str:
        """The grid of which it is a run, "" for none."""
        found = _OF_GRID.fullmatch(self.session)
        return found[1] if found else ""

    @property
    def begun(self) -> datetime:
        """Its first event."""
        return self.recorded[0].at

    @property
    def ended(self) -> datetime | None:
        """The event by which it ended; None where it has not. Later events (a redaction) are none of the run."""
        return next((r.at for r in self.recorded if isinstance(r.event, _ENDS)), None)

    @cached_property
    def calls(self) -> list[CallRecord]:
        """Every call to a model."""
        return list(calls_of(self.recorded))

    @cached_property
    def use(self) -> CallUsage:
        """What it has used."""
        return used_in([self.recorded])

    @cached_property
    def pages(self) -> list[PageTime]:
        """What people were asked, and how long they took."""
        return page_times(self.recorded)

    @cached_property
    def turns(self) -> dict[str, Turn]:
        """The roles' turns by their step's key without its end, in order; also of a session that has not ended."""
        done = (r.event for r in self.recorded if isinstance(r.event, StepDone))
        found = {event.step.removesuffix("/turn"): readable(Turn, event.result) for event in done if is_turn(event)}
        return {step: turn for step, turn in found.items() if turn is not None}

    @cached_property
    def results(self) -> dict[str, object]:
        """The results of its steps by key."""
        return {r.event.step: r.event.result for r in self.recorded if isinstance(r.event, StepDone)}

    def model_on(self, seat: str) -> str:
        """Who sits on a seat: `people`, a model as it was asked for, "" for nobody."""
        spec = next((one.spec for one in self.started.seats if one.name == seat), "")
        return PEOPLE if is_human(spec) else safe.spec(spec)


def readable(model: type[M], value: object) -> M | None:
    """What a step recorded; None where there is nothing, or of another form than today's."""
    try:
        return None if value is None else model.model_validate(value)
    except ValidationError:
        return None


def is_turn(event: StepDone) -> bool:
    """Whether a step records a role's whole turn."""
    return _TURN.fullmatch(event.step) is not None


def sessions_of(study: Study, logs: Mapping[str, Sequence[Recorded]]) -> list[PlayedSession]:
    """The sessions of a study, by id, but for those from which somebody withdrew."""
    observed: dict[str, list[Observation]] = defaultdict(list)
    for one in study.observed:
        observed[one.session].append(one)
    found = (_session(session, logs[session], observed[session]) for session in sorted(logs) if session in observed)
    return [one for one in found if one is not None]


def _session(session: str, recorded: Sequence[Recorded], observed: Sequence[Observation]) -> PlayedSession | None:
    if withdrawn_at(recorded) is not None:
        return None
    events = pseudonymous(recorded)
    started = events[0].event
    assert isinstance(started, SessionStarted), "a log begins with its start"
    cfg = config_in(started)
    return None if cfg is None else PlayedSession(session, events, started, as_played(cfg, events), observed)


def withdrawals(logs: Mapping[str, Sequence[Recorded]], removed: Removed = NONE_REMOVED) -> list[dict[str, str]]:
    """The sessions from which somebody withdrew, and on which day: nothing else of them is handed out.

    `removed` are those whose logs are gone for that.
    """
    found = ((session, withdrawn_at(recorded)) for session, recorded in logs.items())
    days = {**removed.days, **{session: f"{at:%Y-%m-%d}" for session, at in found if at is not None}}
    return [{"session": session, "date": date} for session, date in sorted(days.items())]
