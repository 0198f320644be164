"""What a judge gets to read: passages under the letters A and B, and nothing that says more about the speakers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from elenchus.debate_engine.prompts import fenced
from elenchus.debate_engine.protocols.judging.rubric import RULING
from elenchus.debate_engine.protocols.judging.schemas import LETTER
from elenchus.debate_engine.protocols.speech import Side, Speech, Topic, other

NOTHING = "(This side said nothing on this topic.)"


CLAIMS: Mapping[Side, str] = {
    "pro": "the motion should be accepted",
    "con": "the motion should be rejected",
}
"""What each side concludes, where it has no conclusion in its own words."""

QUESTION_CLAIMS: Mapping[Side, str] = {
    "pro": "the claim should be accepted",
    "con": "the claim should be rejected",
}
"""The same where a claim stands for a motion put as a question."""


@dataclass(frozen=True, slots=True)
class Passage:
    """What one side said about one topic in one turn."""

    side: Side
    about: str
    text: str

    def shown(self) -> str:
        """The passage as a judge reads it."""
        return f"Side {LETTER[self.side]}, {self.about}:\n{fenced(self.text)}"


@dataclass(frozen=True, slots=True)
class Case:
    """A debate as it lies before the judges: all speeches but the closings in order, and these. `claims` is each side's
    conclusion in words (on an open question its answer, and whether it gave that up).

    `question`: it answers an open question. `claim` is what a motion put as a question was made into. `language` is the
    one to write in, "" for the motion's.
    """

    motion: str
    topics: Sequence[Topic]
    exchange: Sequence[Speech]
    closings: Mapping[Side, Speech]
    claims: Mapping[Side, str] = field(default_factory=lambda: CLAIMS)
    question: bool = False
    claim: str = ""
    language: str = ""

    def passages(self, topic: int, claimant: Side) -> list[Passage]:
        """All that was said about a topic (from 1), stage by stage, the claimant first within a stage."""
        spoken = [s for s in self.exchange if s.sections[topic - 1].strip()]
        stages = [list(speeches) for _, speeches in groupby(spoken, key=lambda s: s.about)]
        return [
            Passage(s.side, s.about, s.sections[topic - 1].strip())
            for stage in stages
            for s in sorted(stage, key=lambda s: s.side != claimant)
        ]

    def closing(self, side: Side) -> str:
        """A side's whole closing as a judge reads it."""
        speech = self.closings.get(side)
        said = speech.text.strip() if speech else ""
        return f"Side {LETTER[side]}, closing:\n{fenced(said) if said else '(This side gave no closing.)'}"

    def is_empty(self, topic: int) -> bool:
        """Whether there is nothing at all to judge on this topic."""
        return not self.passages(topic, "pro") and not any(s.text.strip() for s in self.closings.values())

    def variables(self, topic: int, claimant: Side) -> dict[str, Any]:
        """The variables of the prompt for one topic and one claimant."""
        passages = self.passages(topic, claimant)
        last = {p.side: p for p in passages}
        counterclaimant = other(claimant)
        subject = self.topics[topic - 1]
        return {
            "rubric": RULING,
            "motion": self.motion,
            "title": subject.title if claimant == "pro" else subject.turned,
            "question": self.question,
            "debated": self.claim,
            "language": self.language,
            "claim": self.claims[claimant],
            "counterclaim": self.claims[counterclaimant],
            "claimant": LETTER[claimant],
            "counterclaimant": LETTER[counterclaimant],
            "earlier": "\n\n".join(p.shown() for p in passages if p is not last[p.side]),
            "last_claimant": shown(last.get(claimant), claimant),
            "last_counterclaimant": shown(last.get(counterclaimant), counterclaimant),
            "closing_claimant": self.closing(claimant),
            "closing_counterclaimant": self.closing(counterclaimant),
        }


def shown(passage: Passage | None, side: Side) -> str:
    """A side's passage as a judge reads it, or the word that there is none."""
    return passage.shown() if passage else f"Side {LETTER[side]}:\n{NOTHING}"


def plain_text(topic: int, exchange: Sequence[Speech]) -> str:
    """All that a debate said about a topic (from 1), as running text without speakers or stages, for a comparison."""
    return "\n\n".join(text for s in exchange if (text := s.sections[topic - 1].strip()))
