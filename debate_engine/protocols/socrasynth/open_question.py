"""Debating an open question: both sides start from a typed answer, defend it, may concede, and advise together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from elenchus.debate_engine.events import EVERYONE
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import line
from elenchus.debate_engine.protocols.crit.quotes import normalised
from elenchus.debate_engine.protocols.judging.material import CLAIMS, QUESTION_CLAIMS
from elenchus.debate_engine.protocols.judging.schemas import LETTER
from elenchus.debate_engine.protocols.socrasynth.ending import AGREED
from elenchus.debate_engine.protocols.socrasynth.schemas import DebateConfig, OpenAnswer, OpenOutcome
from elenchus.debate_engine.protocols.socrasynth.turns import DebateSetup, language_of, prompts
from elenchus.debate_engine.protocols.speech import SIDES, Side, Topic, other
from elenchus.debate_engine.protocols.withholding import ask_in_public
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together

SAME_FROM_THE_START = "both sides gave the same answer from the start"

DEFENDS = "You hold the answer that is shown below as yours, and defend it."
HAS_NONE = "You gave no answer that could be read. Argue for the answer that you find best supported."
CONCEDED = (
    "You have conceded: your opponent's answer is better than the one that you gave at first. You hold it now, take "
    "over the reasons for it, and defend your first answer no longer."
)
HAS_WON = "You hold the answer that is shown below as yours. Your opponent has conceded and holds it too."
AGREES = "You and your opponent now give the same answer. You hold it together."


@dataclass(frozen=True)
class DebateStart:
    """What the debate starts from, and on an open question each side's first answer."""

    setup: DebateSetup
    answers: Mapping[Side, OpenAnswer | None] = field(default_factory=dict)

    @property
    def same(self) -> bool:
        """Whether both sides gave the same answer from the start, so that there is nothing to debate."""
        given = [normalised(answer.answer).strip(" .!?;:,") for answer in self.answers.values() if answer]
        return len(given) == len(SIDES) and len(set(given)) == 1

    @property
    def claim(self) -> str:
        """What CRIT takes for the claim: the motion as pro holds it."""
        return self.setup.cfg.weighed(self.setup.claim, self.answers.get("pro"))

    def conclusions(self, outcome: OpenOutcome) -> Mapping[Side, str]:
        """What each side concludes, for the judges; on an open question also who gave its answer up."""
        if not self.setup.cfg.open_question:
            return QUESTION_CLAIMS if self.setup.claim else CLAIMS
        return {side: self._conclusion(side, outcome) for side in SIDES}

    def _conclusion(self, side: Side, outcome: OpenOutcome) -> str:
        answer = self.answers.get(side)
        first = f"the answer is: {line(answer.answer)}" if answer else "(it gave no answer that could be read)"
        if outcome == f"conceded by {side}":
            return f"{first} (it conceded later, and now holds the answer of side {LETTER[other(side)]})"
        return f"{first} (later both sides gave the same answer)" if outcome == "agreed" else first


async def open_floor(s: Session, cfg: DebateConfig, merger: Side) -> DebateStart:
    """Ask both sides for their answers side by side, and let everyone hear them."""
    given = await together(
        *(
            ask_in_public(
                s, f"answer/{side}", side, prompts.open_answer, OpenAnswer,
                motion=cfg.motion, brief=cfg.brief, side=label, language=language_of(cfg),
            )
            for side, label in zip(SIDES, ("first", "second"), strict=True)
        )
    )  # fmt: skip
    answers = {side: None if isinstance(a, Declined) else a for side, a in zip(SIDES, given, strict=True)}
    for side, answer in answers.items():
        await s.say(f"answer/{side}/said", side, [EVERYONE], written(answer), "answer")
    first = {side: answer.answer if answer else "(no answer)" for side, answer in answers.items()}
    topic = Topic(pro_concern=first["pro"], con_concern=first["con"], scope="which answer is better supported, and why")
    await s.record("agenda/agreed", [topic.model_dump()])
    stances: dict[Side, str] = {side: DEFENDS if answer else HAS_NONE for side, answer in answers.items()}
    held: dict[Side, str] = {side: written(answer) for side, answer in answers.items() if answer}
    return DebateStart(DebateSetup(cfg, [topic], stances, merger, held=held), answers)


def moved(setup: DebateSetup, ended: str, now: Mapping[Side, str] = MappingProxyType({})) -> DebateSetup:
    """The setup after a round: whoever conceded holds the other's answer with its reasons from now on. Pure.

    Where both came to agree, each holds the answer that it gives `now`; without one, that of the beginning.
    """
    match outcome := outcome_of(ended):
        case "conceded by pro" | "conceded by con":
            side: Side = "pro" if outcome == "conceded by pro" else "con"
            stances: dict[Side, str] = {side: CONCEDED, other(side): HAS_WON}
            return replace(
                setup, outcome=outcome, stances=stances, held={**setup.held, side: setup.held.get(other(side), "")}
            )
        case "agreed":
            given = {side: f"Answer: {line(answer)}" for side, answer in now.items() if line(answer)}
            return replace(setup, outcome=outcome, stances=dict.fromkeys(SIDES, AGREES), held={**setup.held, **given})
    return setup


def outcome_of(ended: str) -> OpenOutcome:
    """How an open question ended."""
    if ended in (AGREED, SAME_FROM_THE_START):
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
