"""How a class stands: everybody's progress, and totals that each event changes by one, however many people play."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from elenchus.debate_engine.protocols.rulegen.people.person_progress import ACTIVE, Progress
from elenchus.service.lab.classes.change_signal import Signal
from elenchus.service.lab.classes.classroom import PHASES, ClassPlan, Classroom, Person, Phase, PhaseChange, at_least

if TYPE_CHECKING:
    from datetime import datetime

    from elenchus.debate_engine.events import Recorded
    from elenchus.service.lab.classes.publication import Publication

Place = tuple[bool, str, str]
"""What is counted of somebody: whether a robot, the version ("" before it is drawn), and what they do."""


@dataclass(slots=True)
class Member:
    """Somebody in a class, how far they have come, and whether they have left. One answer of theirs is taken at a
    time: whoever sends one holds `answering`.
    """

    person: Person
    progress: Progress
    left: bool = False
    answering: asyncio.Lock = field(default_factory=asyncio.Lock)
    changed: Signal = field(default_factory=Signal)

    @property
    def doing(self) -> str:
        """What is counted: here, reading, playing, done, or early (an end before the last rule)."""
        stage = self.progress.stage
        if stage == "here":
            return "early" if self.left else "here"
        if stage in ACTIVE:
            return "playing" if stage == "playing" else "reading"
        return "early" if self.progress.why not in ("", "not kept") or stage == "gone" else "done"

    @property
    def place(self) -> Place:
        """Where they are counted."""
        return self.person.robot, self.progress.version, self.doing

    @property
    def may_come_again(self) -> bool:
        """Whether they slept through the beginning, so that they may have a place anew, as somebody else."""
        return self.progress.knows_nothing and not self.person.robot

    @property
    def counts(self) -> bool:
        """Whether what they said may be counted: they played to the end, and neither said no nor took it back."""
        return self.progress.stage == "played" and not self.progress.withdrew

    @property
    def holds_a_place(self) -> bool:
        """Whether nobody else can have their place."""
        return not self.left and not self.person.robot and self.progress.holds_a_place


@dataclass(slots=True)
class ClassProgress:
    """A class as this process knows it. `changed` tells of everything, a member's own of what is new for them.

    `places` is how many people may take part, `until` when it ends, `knocked` how many found no place. Once it is
    `removed` nothing is left of it.
    """

    room: Classroom
    plan: ClassPlan
    places: int
    until: datetime
    phases: dict[Phase, PhaseChange] = field(default_factory=dict)
    members: dict[str, Member] = field(default_factory=dict)
    revealed: Publication | None = None
    knocked: int = 0
    removed: bool = False
    counts: Counter[Place] = field(default_factory=Counter)
    changed: Signal = field(default_factory=Signal)

    @property
    def phase(self) -> Phase:
        """The last that it has come to."""
        return next((phase for phase in reversed(PHASES) if phase in self.phases), "lobby")

    def is_at_least(self, phase: Phase) -> bool:
        """Whether it has come as far."""
        return at_least(self.phase, phase)

    @property
    def free(self) -> int:
        """How many places are open."""
        return max(0, self.places - sum(one.holds_a_place for one in self.members.values()))

    @property
    def facts(self) -> tuple[object, ...]:
        """What other processes may have changed in the store, but for its people: whoever looks is told anew."""
        return dict(self.phases), self.places, self.until, self.revealed

    def playing(self) -> Iterator[Member]:
        """Everybody who has a session that may go on."""
        return (one for one in self.members.values() if one.progress.stage not in ("here", "gone"))

    # ── what changes it ──────────────────────────────────────────────────────────────────────────────────────────

    def touch(self) -> None:
        """Something is new for everybody: a phase, the end, what came out."""
        self.changed.touch()
        for member in self.members.values():
            member.changed.touch()

    def add(self, person: Person) -> Member:
        """Somebody has come; the same one again where they are there already."""
        if (known := self.members.get(person.id)) is None:
            known = self.members[person.id] = Member(person, Progress(self.room.subject))
            self.counts[known.place] += 1
            self.changed.touch()
        return known

    def leave(self, person: str) -> None:
        """Somebody has left for good."""
        member = self.members[person]
        before, member.left = member.place, True
        self._moved(member, before)

    def take(self, member: Member, r: Recorded) -> None:
        """Take in an event of somebody's session; what it quotes of them goes where words were removed."""
        before = member.place
        member.progress.take(r)
        if member.progress.stale:
            member.progress.debriefing, member.progress.outcome = "", {}
        self._moved(member, before)

    def replace(self, member: Member, progress: Progress) -> None:
        """Somebody's progress was read anew, as words were removed."""
        before, member.progress = member.place, progress
        self._moved(member, before)

    def gone(self, member: Member) -> None:
        """Somebody's session is removed."""
        before = member.place
        member.progress.stage, member.progress.debriefing, member.progress.outcome = "gone", "", {}
        self._moved(member, before)

    def _moved(self, member: Member, before: Place) -> None:
        if (after := member.place) != before:
            self.counts[before] -= 1
            self.counts[after] += 1
        member.changed.touch()
        self.changed.touch()
