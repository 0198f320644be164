"""`SceneView`: how one subject's scene stands, as far as threads and panels show it: a projection of its log. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pydantic import ValidationError

from elenchus.debate_engine.events import Recorded, Said, Seat, SessionStarted, StepDone
from elenchus.debate_engine.human_seat import HUMAN, is_human
from elenchus.debate_engine.protocols.rulegen.assignment import STEP as DRAWN
from elenchus.debate_engine.protocols.rulegen.moves import Move, moves_of
from elenchus.debate_engine.protocols.rulegen.role_agent import instruction
from elenchus.debate_engine.protocols.rulegen.schemas import Drawn, Evaluation, SceneConfig
from elenchus.debate_engine.reports.moderation import OpenTurn
from elenchus.debate_engine.scenes.scene import Role, Rule
from elenchus.service.lab.session_status import SessionStatus

_RULE = re.compile(r"(?:^|/)rule/(\d+)/(?:turn/(\d+)/)?")


@dataclass(frozen=True, slots=True)
class Direction:
    """What a turn is about: its rule (from 1), to whom it is spoken, and what the speaker is told."""

    rule: int
    move: Move
    text: str


@dataclass(slots=True)
class SceneView:
    """The projection. `people` are the members behind the names of persons in the log (a name that is gone is missing).

    `agreed` holds each person's decision by seat; `debriefed` the seats that were told what it was about; `ended` why
    the scene ended before its last rule, "" where it did not.
    """

    session: str
    people: Mapping[str, int] = field(default_factory=dict)
    status: SessionStatus = field(init=False)
    config: SceneConfig | None = None
    rule: int = 0
    agreed: dict[str, bool] = field(default_factory=dict)
    debriefed: set[str] = field(default_factory=set)
    ended: str = ""
    evaluation: Evaluation | None = None
    condition: str = ""

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
        match r.event:
            case SessionStarted(config=config):
                self.config = config_in(config)
                self.condition = (self.config.scene.condition or "") if self.config else ""
            case Said(step=step, to=to, about="debrief") if step.startswith("debrief/"):
                self.debriefed.update(to)
            case StepDone(step=step, result=result):
                self._result(step, result)
        if isinstance(r.event, Said | StepDone) and (found := _RULE.search(r.event.step)):
            self.rule = max(self.rule, int(found[1]))

    def _result(self, step: str, result: object) -> None:
        if step == DRAWN and self.config is not None and self.config.versions:
            self.config = self.config.in_version(Drawn.model_validate(result).version)
            self.condition = self.config.scene.condition or ""
        match step.split("/"), result:
            case ["consent", *name, "given"], {"agreed": agreed}:
                self.agreed["/".join(name)] = agreed in (True, "yes")
            case ["ended"], {"why": why}:
                self.ended = str(why)
            case ["evaluation", "result"], dict():
                self.evaluation = Evaluation.model_validate(result)

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

    def role(self, name: str) -> Role | None:
        """A role by name."""
        roles = self.config.scene.roles if self.config else ()
        return next((role for role in roles if role.name == name), None)

    def is_subject(self, name: str) -> bool:
        """Whether this seat is a subject's."""
        return (role := self.role(name)) is not None and role.kind == "subject"

    def is_judge(self, name: str) -> bool:
        """Whether this seat is that of a person who judges."""
        return self.config is not None and name in self.config.human_judges

    @property
    def has_moderator(self) -> bool:
        """Whether the scene has somebody to whom questions go."""
        return self.config is not None and any(role.kind == "moderator" for role in self.config.scene.roles)

    # ── what is going on ─────────────────────────────────────────────────────────────────────────────────────────

    @property
    def over(self) -> bool:
        """Whether nothing more happens of itself."""
        return self.status.ended

    @property
    def counts(self) -> bool:
        """Whether the scene was played to its last rule, or still may be: one that ended early counts nowhere."""
        return not self.ended and self.status.state != "stopped"

    @property
    def left(self) -> set[str]:
        """The seats whose person has left."""
        return self.status.view.moderation.left

    @property
    def open_turns(self) -> list[OpenTurn]:
        """The turns that wait for a person who is still there, the longest first."""
        return [turn for turn in self.status.view.asked if turn.seat not in self.left]

    @property
    def rules(self) -> int:
        """How many rules the scene has."""
        return len(self.config.scene.rules) if self.config else 0

    def rule_at(self, step: str) -> tuple[int, Rule] | None:
        """The rule under which a step is, with its number."""
        found = _RULE.search(step)
        if found is None or self.config is None or not 1 <= int(found[1]) <= self.rules:
            return None
        return int(found[1]), self.config.scene.rules[int(found[1]) - 1]

    def direction(self, step: str) -> Direction | None:
        """What the speaker of a step under a rule is to do; None for a step under no rule."""
        found, known = _RULE.search(step), self.rule_at(step)
        if found is None or known is None or not found[2]:
            return None
        moves = moves_of(known[1])
        if not 1 <= int(found[2]) <= len(moves):
            return None
        move = moves[int(found[2]) - 1]
        return Direction(known[0], move, instruction(known[1], move))


def config_in(config: object) -> SceneConfig | None:
    """A session's settings as those of a scene, None where they are not."""
    try:
        return SceneConfig.model_validate(config)
    except ValidationError:
        return None


def names_in(events: Iterable[Recorded]) -> list[str]:
    """How persons are called on the seats of a session."""
    seats = [seat for r in events if isinstance(r.event, SessionStarted) for seat in r.event.seats]
    return [seat.spec.removeprefix(f"{HUMAN}:") for seat in seats if is_human(seat.spec) and seat.spec != HUMAN]
