"""Debating an open question: both sides start from a typed answer, defend it, may concede, and advise together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from debate_engine.events import EVERYONE
from debate_engine.participant import Declined
from debate_engine.protocols.judging.protocol import CLAIMS
from debate_engine.protocols.socrasynth import heat as heats
from debate_engine.protocols.socrasynth.conciliation import CONCILIATION_HEAT
from debate_engine.protocols.socrasynth.ending import AGREED
from debate_engine.protocols.socrasynth.floor import Floor, language_of, only, prompts
from debate_engine.protocols.socrasynth.schemas import DebateConfig, OpenAnswer, Proposal, Recommendations
from debate_engine.protocols.speech import SIDES, Side, Topic
from debate_engine.session import Session
from debate_engine.tasks import together

OpenOutcome = Literal["", "agreed", "conceded by pro", "conceded by con", "open"]


@dataclass(frozen=True)
class Opened:
    """What the debate starts from: agenda, stances, and on an open question each side's first answer."""

    agenda: Sequence[Topic]
    stances: Mapping[Side, str]
    answers: Mapping[Side, OpenAnswer | None] = field(default_factory=dict)

    @property
    def conclusions(self) -> Mapping[Side, str]:
        """What each side concludes, for the judges."""
        held = {side: answer.answer for side, answer in self.answers.items() if answer}
        return {**CLAIMS, **{side: f"the answer is: {answer}" for side, answer in held.items()}}

    def claim(self, cfg: DebateConfig) -> str:
        """What CRIT takes for the claim: the motion as pro holds it."""
        answer = self.answers.get("pro")
        return f"{cfg.motion} Answer: {answer.answer}" if answer else cfg.motion


async def open_floor(s: Session, cfg: DebateConfig) -> Opened:
    """Ask both sides for their answers side by side, and let everyone hear them."""
    given = await together(
        *(
            s.ask(
                f"answer/{side}", side, prompts.open_answer, OpenAnswer,
                motion=cfg.motion, brief=cfg.brief, side=label, language=language_of(cfg),
            )
            for side, label in zip(SIDES, ("first", "second"), strict=True)
        )
    )  # fmt: skip
    answers = {side: None if isinstance(a, Declined) else a for side, a in zip(SIDES, given, strict=True)}
    for side, answer in answers.items():
        await s.say(f"answer/{side}/said", side, [EVERYONE], written(answer), "answer")
    held = {side: answer.answer if answer else "(no answer)" for side, answer in answers.items()}
    stances: dict[Side, str] = {side: f"You hold this answer and defend it: {held[side]}" for side in SIDES}
    topic = Topic(pro_concern=held["pro"], con_concern=held["con"], scope="which answer is better supported, and why")
    await s.record("agenda/agreed", [topic.model_dump()])
    return Opened([topic], stances, answers)


async def recommend(s: Session, floor: Floor, heat: float) -> Proposal:
    """The joint recommendations: what both sides write side by side, as one; each question and test once."""
    heat = min(CONCILIATION_HEAT, heat)
    given = await together(
        *(
            s.ask(
                f"recommend/{side}", side, prompts.recommendations, Recommendations,
                **only(prompts.recommendations, floor.said_by_both(s, side) | {"heat": heats.describe(heat)}),
            )
            for side in SIDES
        )
    )  # fmt: skip
    read = [answer for answer in given if not isinstance(answer, Declined)]
    if not read:
        return Proposal(heat=heat, missing="neither side's recommendations could be read")
    return Proposal(heat=heat, recommendations=joined(read))


def joined(given: Sequence[Recommendations]) -> Recommendations:
    """Both sides' recommendations as one: each question and test once; both answers where they differ."""
    answers = list(dict.fromkeys(r.answer.strip() for r in given))
    return Recommendations(
        answer=" / ".join(answers),
        next_questions=list(dict.fromkeys(q for r in given for q in r.next_questions)),
        next_tests=list(dict.fromkeys(t for r in given for t in r.next_tests)),
        reservations="\n".join(dict.fromkeys(r.reservations for r in given if r.reservations.strip())),
    )


def outcome_of(ended: str) -> OpenOutcome:
    """How an open question ended."""
    if ended == AGREED:
        return "agreed"
    if ended == "pro conceded":
        return "conceded by pro"
    return "conceded by con" if ended == "con conceded" else "open"


def written(answer: OpenAnswer | None) -> str:
    """A typed answer as the other side hears it."""
    if answer is None:
        return "(gave no readable answer)"
    lists = {"Reasons": answer.reasons, "Would ask": answer.questions, "Would test": answer.tests}
    parts = [f"{name}: {'; '.join(items)}" for name, items in lists.items() if items]
    return "\n".join([f"Answer: {answer.answer} (confidence {answer.confidence} %)", *parts])
