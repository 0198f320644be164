"""`SceneView`: how one subject's scene stands, as far as threads and panels show it, and who its members are. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from elenchus.debate_engine.events import Recorded, Seat, SessionStarted
from elenchus.debate_engine.human_seat import HUMAN, is_human
from elenchus.debate_engine.protocols.rulegen.projection import SceneProjection, scene_of
from elenchus.debate_engine.reports.moderation import OpenTurn
from elenchus.service.lab.session_status import SessionStatus


@dataclass(slots=True)
class SceneView:
    """The scene's status; `people` are the members behind the names of persons in the log (a name that is gone is
    missing).
    """

    session: str
    people: Mapping[str, int] = field(default_factory=dict)
    status: SessionStatus = field(init=False)

    def __post_init__(self) -> None:
        self.status = SessionStatus.of(self.session, ())

    @classmethod
    def of(cls, session: str, events: Iterable[Recorded], people: Mapping[str, int]) -> SceneView:
        """The view of a whole log."""
        view = cls(session, people)
        for r in events:
            view.take(r)
        return view

    def take(self, r: Recorded) -> None:
        """Take in the next event."""
        self.status.take(r)

    @property
    def scene(self) -> SceneProjection:
        """What has happened in it."""
        return scene_of(self.status.view)

    def turn_kind(self, step: str) -> str:
        """What a person is asked for in this step (see the protocol's spec)."""
        return self.status.view.spec.turn_kind(step)

    # ── who ──────────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def started(self) -> SessionStarted | None:
        """The session's first event."""
        return self.status.view.started

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, in order; a view of one seat is named by its place here."""
        return self.started.seats if self.started else ()

    def place_of(self, seat: str) -> int:
        """The place of a seat among all. Raises StopIteration for no seat."""
        return next(n for n, one in enumerate(self.seats) if one.name == seat)

    def member_on(self, seat: str) -> int | None:
        """The member on a seat, None where it is a model, or somebody who was forgotten."""
        specs = [one.spec for one in self.seats if one.name == seat]
        return self.people.get(specs[0].removeprefix(f"{HUMAN}:")) if specs else None

    def seats_of(self, member: int) -> list[str]:
        """The seats of a member."""
        return [one.name for one in self.seats if is_human(one.spec) and self.member_on(one.name) == member]

    # ── what is going on ─────────────────────────────────────────────────────────────────────────────────────────

    @property
    def over(self) -> bool:
        """Whether nothing more happens of itself."""
        return self.status.ended

    @property
    def counts(self) -> bool:
        """Whether the scene was played to its last rule, or still may be: one that ended early counts nowhere."""
        return not self.scene.ended and self.status.state != "stopped"

    @property
    def left(self) -> set[str]:
        """The seats whose person has left."""
        return self.status.view.moderation.left

    @property
    def open_turns(self) -> list[OpenTurn]:
        """The turns that wait for a person who is still there, the longest first."""
        return [turn for turn in self.status.view.asked if turn.seat not in self.left]


def names_in(events: Iterable[Recorded]) -> list[str]:
    """How persons are called on the seats of a session."""
    seats = [seat for r in events if isinstance(r.event, SessionStarted) for seat in r.event.seats]
    return [seat.spec.removeprefix(f"{HUMAN}:") for seat in seats if is_human(seat.spec) and seat.spec != HUMAN]
