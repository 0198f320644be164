"""What a class shows: to the room (totals alone), to its teacher (by version, nobody's answers), and to one person."""

from __future__ import annotations

from typing import Literal

from pydantic import AwareDatetime, Field

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.rulegen.people.person_progress import Stage
from elenchus.service.lab.classes.classroom import Phase
from elenchus.service.lab.classes.publication import OwnPlace, Publication


class Counts(FrozenModel):
    """How many: who are `here` and do not play yet, `reading` the consent, `playing`, or `done`.

    `left_early` are all who ended before the last rule, whyever; of who declined nobody is told more.
    """

    here: int = 0
    reading: int = 0
    playing: int = 0
    done: int = 0
    left_early: int = 0

    @property
    def all(self) -> int:
        """Everybody."""
        return self.here + self.reading + self.playing + self.done + self.left_early


class RoomView(FrozenModel):
    """What everybody in the room may see. `people` are who came and have not left, to be compared with the heads there;
    `places` is how many may. `names` are made-up, in the lobby alone. `robots` are no people, and counted apart.

    `revealed` is what came out, from then on; `counting`: it is asked for and not there yet.
    """

    id: str
    revision: int
    title: str
    phase: Phase
    code: str
    people: int
    places: int
    names: tuple[str, ...] = ()
    counts: Counts = Counts()
    robots: Counts = Counts()
    until: AwareDatetime
    counting: bool = False
    revealed: Publication | None = None


class VersionCounts(FrozenModel):
    """One version, "" for who has none yet."""

    version: str
    counts: Counts


class Slow(FrozenModel):
    """Somebody who has been asked since then and has not answered; a made-up name, and nothing of what is asked."""

    person: str
    name: str
    since: AwareDatetime
    due: AwareDatetime | None


class StalledSessions(FrozenModel):
    """Sessions that stand still, and why."""

    reason: str
    sessions: int


class Step(FrozenModel):
    """The next phase that a teacher may come to, and what is unfinished then, a sentence each."""

    to: Phase
    unfinished: tuple[str, ...] = ()


class TeacherView(RoomView):
    """What the teacher sees besides: progress by version, who waits long, what stands still, and what comes next.

    `knocked`: so many found no place. `keeping` counts what was said to whether it may be kept.
    """

    scene: str
    versions: tuple[VersionCounts, ...] = ()
    slow: tuple[Slow, ...] = ()
    troubles: tuple[StalledSessions, ...] = ()
    knocked: int = 0
    keeping: dict[str, int] = Field(default_factory=dict)
    next: tuple[Step, ...] = ()
    slips: bool = False
    questions: tuple[str, ...] = ()


WaitsFor = Literal["start", "you", "the scene", "debriefing", "reveal", "nothing"]
Action = Literal["leave", "withdraw", "debrief", "come again"]
"""Leave: for good, nothing more is asked. Withdraw: what was said is removed. Debrief: be told now, instead of waiting.
Come again: who slept through the beginning joins by the class's code once more, where a place is free.
"""


class PersonView(FrozenModel):
    """One's own place. `session` and `seat` are where one plays, once it begins; `waits_for` is what comes next, at the
    latest at `due`. `may` are ways out. `debriefing` is what it was about, once told; `step` what one is asked.

    `withdrew`: what one said is taken back. `late`: one's time ran out. `revealed`: what came out may be
    looked at; `own` is one's own place in it, for oneself alone.
    """

    id: str
    revision: int
    phase: Phase
    person: str
    name: str
    robot: bool = False
    stage: Stage
    session: str = ""
    seat: str = ""
    step: str = ""
    waits_for: WaitsFor
    due: AwareDatetime | None = None
    may: tuple[Action, ...] = ()
    trouble: str = ""
    debriefing: str = ""
    kept: bool | None = None
    withdrew: bool = False
    late: bool = False
    revealed: bool = False
    own: OwnPlace | None = None
