"""`SessionView`: everything a front end or a report shows of a session, built event by event from its log.

It knows nothing of terminals, pages or channels, takes no time worth mentioning an event, may be thrown away and
rebuilt, and can be read at any moment: what the log does not hold yet is None or empty.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from pydantic import BaseModel

from elenchus.debate_engine.events import (
    EVERYONE,
    OwnerStarted,
    Recorded,
    Said,
    SeatNamed,
    SessionFailed,
    SessionFinished,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    SessionStopped,
    StepDone,
)
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.log import RESCUED, state_after
from elenchus.debate_engine.protocols import faults
from elenchus.debate_engine.protocols.presentation import Projection
from elenchus.debate_engine.protocols.registry import spec_or_default
from elenchus.debate_engine.protocols.spec import ProtocolSpec
from elenchus.debate_engine.reports.failures import Failures
from elenchus.debate_engine.reports.moderation import Moderation, OpenTurn, waiting
from elenchus.debate_engine.reports.seats import Speaker, names_of, speaker_of, with_name
from elenchus.debate_engine.reports.spending import Spending
from elenchus.debate_engine.steps import order_of, release_of

M = TypeVar("M", bound=BaseModel)
T = TypeVar("T")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Spoken:
    """Words that reached somebody, in their place in the log."""

    seq: int
    at: datetime
    said: Said

    @property
    def public(self) -> bool:
        """Whether everyone heard it."""
        return EVERYONE in self.said.to


UNKNOWN = ProtocolSpec(name="", run="")
"""Of a session that has not begun."""


@dataclass(slots=True)
class SessionView:
    """The projection. `spending` is its cost, `failures` what went wrong, `moderation` what people did.

    `spec` says what kind of session it is, from its first event on; `projection` is what that protocol makes of its own
    events.

    `stood_in` holds the answers (step keys with their seats) that a model gave in a person's place; `recorded_by` how
    many steps each release of Elenchus has recorded. `started` has the names that people were given since (SeatNamed).

    `reason` says why a session that is not running stands where it stands. A redaction changes the events before it:
    whoever follows a log then reads it again and builds a new view.

    `faults` are sentences on what its protocol could not do for whoever shows or reports it (see `protocols.faults`).
    """

    session_id: str = ""
    started: SessionStarted | None = None
    spec: ProtocolSpec = UNKNOWN
    projection: Projection = field(default_factory=Projection)
    created: datetime | None = None
    updated: datetime | None = None
    last_seq: int = 0
    events: int = 0
    runs: int = 0
    state: str = "running"
    reason: str = ""
    outcome: dict[str, Any] | None = None
    stood_in: dict[str, str] = field(default_factory=dict)
    recorded_by: Counter[str] = field(default_factory=Counter)
    transcript: list[Spoken] = field(default_factory=list)
    spending: Spending = field(default_factory=Spending)
    failures: Failures = field(default_factory=Failures)
    moderation: Moderation = field(default_factory=Moderation)
    faults: list[str] = field(default_factory=list)
    _stage: str = ""

    @classmethod
    def of(cls, session_id: str, events: Iterable[Recorded]) -> SessionView:
        """The view of a whole log, or of any part of one."""
        view = cls(session_id)
        for r in events:
            view.apply(r)
        return view

    def apply(self, r: Recorded) -> bool:
        """Take in the next event; False where it is already known. Never raises, whatever an event holds."""
        if r.seq <= self.last_seq:
            return False
        self.failures.lost_events += r.seq - self.last_seq - 1
        self.last_seq, self.updated, self.events = r.seq, r.at, self.events + 1
        if isinstance(r.event, StepDone | Said):
            self.recorded_by[release_of(r.event.input_hash)] += 1
        self.moderation.apply(r, self._stage, self.spec.turns_end)
        self.spending.apply(r)
        self.failures.apply(r)
        self._state(r)
        self._project(r)
        return True

    def _project(self, r: Recorded) -> None:
        """Have the protocol take it in; a protocol that cannot makes nothing of this session from here on."""

        def applied(projection: Projection) -> str:
            projection.apply(r)
            return projection.stage

        if isinstance(r.event, SessionStarted):
            self.projection = self._guarded(self.spec.present.project, Projection)
        self._stage = self.projected(applied)

    def projected(self, read: Callable[[Projection], T]) -> T:
        """What is read of the projection; from one that fails on, what any session's says."""
        return self._guarded(lambda: read(self.projection), lambda: read(self.projection))

    def _guarded(self, work: Callable[[], T], otherwise: Callable[[], T]) -> T:
        try:
            return work()
        except Exception as error:  # noqa: BLE001 - whatever a protocol's author did, the session is shown
            self.projection = Projection()
            self.note_fault(faults.fault_in(self.spec.name, error, self.spec.run, "projection"), error)
            return otherwise()

    def note_fault(self, fault: str, error: Exception | None = None) -> bool:
        """Keep a fault of the protocol; False where it is known already."""
        if error is not None:
            _log.warning("%s", fault, exc_info=error)
        if fault in self.faults:
            return False
        self.faults.append(fault)
        return True

    def _state(self, r: Recorded) -> None:
        self.state = RESCUED if self.state == RESCUED else state_after(r.event) or self.state
        match r.event:
            case SessionStarted() as started:
                self.started, self.created, self.spec = started, r.at, spec_or_default(started.protocol)
            case OwnerStarted():
                self.runs += 1
            case StepDone(step=step, inputs={"seat": str(seat)}, calls=calls) if calls and self.is_person(seat):
                self.stood_in[step] = seat
            case SeatNamed(seat=seat, title=title) if title and self.started:
                self.started = with_name(self.started, seat, title)
            case Said() as said:
                self.transcript.append(Spoken(r.seq, r.at, said))
            case SessionPaused(reason=reason) | SessionStopped(reason=reason) | SessionFailed(message=reason):
                self.reason = reason
            case SessionFinished(outcome=outcome):
                self.reason, self.outcome = "", outcome
            case SessionResumed():
                self.reason = ""

    # ── read from it ─────────────────────────────────────────────────────────────────────────────────────────────

    def by_release(self) -> list[tuple[str, int]]:
        """Each release that has recorded steps, and how many; the oldest first."""
        return sorted(self.recorded_by.items(), key=lambda one: order_of(one[0]))

    @property
    def title(self) -> str:
        """What the session is about: a debate's motion, a scene's title."""
        return self.started.title if self.started else ""

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen of itself: finished, stopped or failed."""
        return self.state in ("finished", "stopped", "failed")

    @property
    def pause_reason(self) -> str:
        """Why it waits, "" where it does not."""
        return self.reason if self.state == "paused" else ""

    @property
    def speakers(self) -> list[Speaker]:
        """Everyone on a seat."""
        return [speaker_of(seat) for seat in self.started.seats] if self.started else []

    @property
    def names(self) -> Mapping[str, str]:
        """Display names by seat."""
        return names_of(self.started.seats) if self.started else {}

    def outcome_as(self, form: type[M]) -> M | None:
        """The outcome, where the protocol's is of this form."""
        found = self.spec.outcome_of(self.outcome)
        return found if isinstance(found, form) else None

    def config_as(self, form: type[M]) -> M | None:
        """The settings, where the protocol's are of this form."""
        found = self.spec.config_of(self.started.config if self.started else None)
        return found if isinstance(found, form) else None

    def name(self, seat: str) -> str:
        """What to call a seat, or a voice without one ("moderator")."""
        return self.names.get(seat, seat)

    def is_person(self, seat: str) -> bool:
        """Whether a person was put on this seat."""
        return self.started is not None and any(s.name == seat and is_human(s.spec) for s in self.started.seats)

    def voice(self, said: Said) -> str:
        """What to call whoever really said it: a model that stood in for a person does not speak under that name."""
        stood_in = said.step.removesuffix("/said") in self.stood_in
        return f"Stand-in ({said.speaker})" if stood_in else self.name(said.speaker)

    @property
    def asked(self) -> list[OpenTurn]:
        """The people who are asked now."""
        return [] if self.ended else waiting([*self.moderation.turns.values()])

    @property
    def simulated(self) -> bool:
        """Whether every model in it is a script."""
        kinds = {s.kind for s in self.speakers} - {"person"}
        return kinds == {"simulated"}
