"""A scene as its log tells it, read by step key: a projection, one event at a time. Who shows a scene reads no keys.

`protocols/rulegen` writes these keys: consent/NAME/given, rule/N/…, rule/N/turn/K/turn, unscripted/N/asked, ended,
debrief/NAME, evaluation/result.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.events import (
    Recorded,
    Said,
    SessionStarted,
    StepDone,
    TurnAnswered,
    TurnOpened,
    UnforeseenQuestion,
)
from elenchus.debate_engine.protocols.presentation import Projection
from elenchus.debate_engine.protocols.rulegen import assignment
from elenchus.debate_engine.protocols.rulegen.config import DrawnVersion, SceneConfig
from elenchus.debate_engine.protocols.rulegen.moves import Move, moves_of
from elenchus.debate_engine.protocols.rulegen.people.ending import DEBRIEF
from elenchus.debate_engine.protocols.rulegen.played import Evaluation, Turn
from elenchus.debate_engine.protocols.rulegen.role_agent import instruction
from elenchus.debate_engine.scenes.language import Language
from elenchus.debate_engine.scenes.scene import Role, Rule

if TYPE_CHECKING:
    from elenchus.debate_engine.reports.view import SessionView

_RULE = re.compile(r"(?:^|/)rule/(\d+)/(?:turn/(\d+)/)?")
_QUESTION = re.compile(r"unscripted/\d+/")


@dataclass(frozen=True, slots=True)
class Direction:
    """What a turn is about: its rule (from 1), to whom it is spoken, and what the speaker is told."""

    rule: int
    move: Move
    text: str


@dataclass(frozen=True, slots=True)
class Decision:
    """What the person on a seat answered to the question whether they take part."""

    seat: str
    agreed: bool


@dataclass(slots=True)
class SceneProjection(Projection):
    """What has happened so far. `config` is None where the settings are not of a scene's form, and in the version that
    is played from when it is drawn.

    `rule` is the last one that was come to (0: none yet); `agreed` holds each person's decision by seat,
    `debriefings` what each was told that it was about; `to_keep` are the seats that were asked whether it may be
    kept; `spoke` are the seats on which a person said or stated anything; `ended` is why the scene ended before its
    last rule, "" where it did not. `latest` is what the last event brought; `told_parts` are the seats of people
    who learn by it what part they play: at their agreement, and where that is another part in another version, when
    theirs is drawn.
    """

    config: SceneConfig | None = None
    rule: int = 0
    agreed: dict[str, bool] = field(default_factory=dict)
    debriefings: dict[str, str] = field(default_factory=dict)
    to_keep: set[str] = field(default_factory=set)
    spoke: set[str] = field(default_factory=set)
    ended: str = ""
    evaluation: Evaluation | None = None
    latest: Turn | Decision | Evaluation | None = None
    told_parts: tuple[str, ...] = ()
    _questions: dict[str, str] = field(default_factory=dict)

    def apply(self, r: Recorded) -> None:
        """Take in one event. A record of unexpected form is left out."""
        self.latest, self.told_parts = None, ()
        if isinstance(r.event, Said | StepDone) and (found := _RULE.search(r.event.step)):
            self.rule = max(self.rule, int(found[1]))
        with suppress(ValueError):  # pydantic's errors are some
            match r.event:
                case SessionStarted(config=config):
                    self.config = SceneConfig.model_validate(config)
                case UnforeseenQuestion(seat=seat):
                    self.spoke.add(seat)
                case TurnOpened(step=step, seat=seat) if step == f"consent/{seat}/keep":
                    self.to_keep.add(seat)
                case TurnAnswered(step=step, seat=seat, answer=answer) if not step.startswith("consent/"):
                    self.spoke |= {seat} if answer is not None else set()
                case Said(step=step, text=text) if (known := _QUESTION.match(step)) and step == f"{known[0]}asked":
                    self._questions[known[0]] = text
                case Said(step=step, to=to, text=text, about="debrief") if step.startswith(f"{DEBRIEF}/"):
                    self.debriefings.update(dict.fromkeys(to, text))
                case StepDone(step=step, result=result):
                    self._step(step, result)

    def _step(self, step: str, result: Any) -> None:
        match step.split("/"), result:
            case ["consent", *name, "given"], {"agreed": agreed}:
                self.latest = Decision("/".join(name), agreed in (True, "yes"))
                self.agreed[self.latest.seat] = self.latest.agreed
                if self.latest.agreed and not self._part_is_drawn(self.latest.seat):
                    self.told_parts = (self.latest.seat,)
            case ["rule", *_, "turn"], _:
                self.latest = Turn.model_validate(result)
            case [assignment.STEP], dict() if self.config and self.config.versions:
                waiting = tuple(seat for seat, agreed in self.agreed.items() if agreed and self._part_is_drawn(seat))
                self.config = self.config.in_version(DrawnVersion.model_validate(result).version)
                self.told_parts = waiting
            case ["ended"], {"why": why}:
                self.ended = str(why)
            case ["evaluation", "result"], dict():
                self.latest = self.evaluation = Evaluation.model_validate(result)

    def _part_is_drawn(self, seat: str) -> bool:
        """Whether what this role knows of itself depends on a version that is yet to be drawn."""
        scenes = self.config.scenes if self.config else ()
        return len({role for scene in scenes for role in scene.roles if role.name == seat}) > 1

    # ── who ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def role(self, name: str) -> Role | None:
        """A role by name."""
        roles = self.config.scene.roles if self.config else ()
        return next((role for role in roles if role.name == name), None)

    def is_subject(self, seat: str) -> bool:
        """Whether this seat is a subject's."""
        return (role := self.role(seat)) is not None and role.kind == "subject"

    def is_judge(self, seat: str) -> bool:
        """Whether this seat is that of a person who judges."""
        return self.config is not None and seat in self.config.human_judges

    def is_over_for(self, seat: str) -> bool:
        """Whether a person has been told what it was about; and who was misled, asked whether it may be kept."""
        misled = self.config is not None and self.config.misled and self.is_subject(seat)
        return seat in self.debriefings and (seat in self.to_keep or not misled)

    @property
    def condition(self) -> str:
        """The version that is played, "" where the scene has one."""
        return (self.config.scene.condition or "") if self.config else ""

    @property
    def language(self) -> Language:
        """In which the program speaks to people in the scene."""
        return self.config.scene.language if self.config else "en"

    @property
    def has_moderator(self) -> bool:
        """Whether the scene has somebody to whom questions go."""
        return self.config is not None and any(role.kind == "moderator" for role in self.config.scene.roles)

    # ── what a step is about ─────────────────────────────────────────────────────────────────────────────────────

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
        return Direction(known[0], move, instruction(known[1], move, self.language))

    def question(self, step: str) -> str:
        """The question that no rule foresees which this step answers, "" where it answers none."""
        known = _QUESTION.match(step)
        return self._questions.get(known[0], "") if known else ""


def scene_of(view: SessionView) -> SceneProjection:
    """The scene that a session is; an empty one where it is another session."""
    return view.projection if isinstance(view.projection, SceneProjection) else SceneProjection()
