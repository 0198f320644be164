"""What a class is: its settings, its phases, its people. Frozen values; what changes is told by facts, `ClassStore`."""

from __future__ import annotations

from datetime import timedelta
from typing import Literal, get_args

from pydantic import AwareDatetime, Field

from elenchus.debate_engine.events import FrozenModel, SessionStarted
from elenchus.debate_engine.protocols.rulegen.config import SceneField, Terms, Use
from elenchus.debate_engine.scenes.scene import Condition, Scene
from elenchus.service.lab.scene_results import PlayedScene

Phase = Literal["lobby", "playing", "closed", "debrief", "revealed", "over"]
"""Lobby: people come. Playing: each plays a session of their own, late comers too. Closed: nobody plays any more.
Debrief: each is told in private what it was about, and keeps or withdraws. Revealed: what was kept is shown to all.
"""
PHASES: tuple[Phase, ...] = get_args(Phase)

MOST_PEOPLE = 300
MOST_BOTS = 300

GRACE = timedelta(minutes=15)
"""How long after the end of its time a class may still be debriefed; then it is over by itself."""
SHOWN = timedelta(hours=2)
"""How long after its time, or after the reveal where that came later, what came out can be looked at."""


def studies_of(class_id: str) -> tuple[str, str]:
    """What the lots of a class's people, and of its robots, are kept under."""
    return f"class-{class_id}", f"class-{class_id}-robots"


def at_least(phase: Phase, other: Phase) -> bool:
    """Whether a class has come as far as to the other phase."""
    return PHASES.index(phase) >= PHASES.index(other)


class Classroom(FrozenModel):
    """A scene (by name) for `people` who are expected, `bots` among them not counted: these are answering robots.

    `conditions` are what is drawn from, with `seed`; `subject` is the seat that each of them plays. `code` lets people
    join who are in the room; with `slips` nobody joins but by a code of their own. `mode`, `terms` and
    `ethics_approval` are what people are promised (see `SceneConfig`); `minutes` is how long it takes by the scene's
    file, `answer_seconds` a person's time for one answer. Whatever is still under way at `until` is closed and
    debriefed. `questions` are for the discussion.
    """

    id: str
    code: str
    scene: str
    title: str
    subject: str
    conditions: tuple[Condition, ...]
    people: int = Field(ge=0, le=MOST_PEOPLE)
    bots: int = Field(0, ge=0, le=MOST_BOTS)
    slips: bool = False
    seed: int
    mode: Use = "demonstration"
    terms: Terms | None = None
    ethics_approval: str = ""
    minutes: tuple[int, int] | None = None
    answer_seconds: float
    created: AwareDatetime
    until: AwareDatetime
    questions: tuple[str, ...] = ()

    @property
    def study(self) -> str:
        """What the lots of its people are kept under."""
        return studies_of(self.id)[0]

    @property
    def robots_study(self) -> str:
        """What the lots of its robots are kept under: they take nobody's place."""
        return studies_of(self.id)[1]


class ClassPlan(FrozenModel):
    """What is played, as it was when the class was made: the scene's whole file, its versions, and the first event of
    a session, in which the subject's person, the lot and the seed are still to be put.
    """

    whole: SceneField
    versions: dict[Condition, SceneField]
    started: SessionStarted

    def played(self, room: Classroom) -> PlayedScene:
        """The scene as results are counted over it."""
        return PlayedScene(room.scene, self.whole, self.versions)

    @property
    def rules(self) -> dict[Condition, int]:
        """How many rules each version has."""
        return {name: len(scene.rules) for name, scene in self.versions.items()}

    @property
    def misleads(self) -> bool:
        """Whether people are asked, once told, whether what they said may be kept."""
        return any(scene.plan.misleads for scene in _scenes(self))


def _scenes(plan: ClassPlan) -> tuple[Scene, ...]:
    return tuple(plan.versions.values())


def account_of(class_id: str, person: str) -> str:
    """Under which account the key to made-up names has somebody of a class."""
    return f"class:{class_id}:{person}"


class Person(FrozenModel):
    """Somebody in a class under a made-up `name`, the `number`-th who came, with a session of their own. `called` is
    how logs call them, where the front end by which they came has a made-up name for them already.

    A `robot` is labelled as one wherever it stands, and is never counted as one of the people.
    """

    id: str
    name: str
    session: str
    number: int
    joined: AwareDatetime
    robot: bool = False
    called: str = ""

    def account(self, room: Classroom) -> str:
        """Under which account the key to made-up names has them."""
        return account_of(room.id, self.id)


class PhaseChange(FrozenModel):
    """A class has come to a phase: when, and by whose hand ("" for the clock's)."""

    at: AwareDatetime
    by: str = ""
