"""Step 2, the competing detectors: one call a candidate, each knowing its own bias and no other candidate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from debate_engine.participant import Declined
from debate_engine.protocols.crit.quotes import normalised, quotes_in, stands_in
from debate_engine.session import Session, together
from detectors.desk import Desk, prompts
from detectors.library import Knowledge
from detectors.material import clipped
from detectors.schemas import Candidate, Check

SEAT = "detector"
WORDS = 100


async def check_all(
    s: Session, desk: Desk, candidates: Iterable[Candidate], knowledge: Mapping[str, Knowledge]
) -> tuple[Candidate, ...]:
    """The candidates with their detectors' answers, side by side. Step keys: `check/ID`."""
    return await together(*(check(s, desk, candidate, knowledge[candidate.bias]) for candidate in candidates))


async def check(s: Session, desk: Desk, candidate: Candidate, known: Knowledge) -> Candidate:
    """One candidate with its detector's answer; unreadable is neither yes nor no."""
    answer = await s.ask(
        f"check/{candidate.bias}",
        SEAT,
        prompts.check,
        Check,
        name=known.name,
        knowledge=known.shown,
        signs=known.signs,
        text=desk.material.shown,
    )
    if isinstance(answer, Declined):
        return candidate.model_copy(update={"unread": answer.reason})
    reason, _ = clipped(answer.reason, WORDS)
    of_knowledge = normalised(f"{known.shown}\n{known.signs}")
    quotes = desk.material.quoted([*answer.quotes, *(q for q in quotes_in(reason) if not stands_in(q, of_knowledge))])
    return candidate.model_copy(update={"present": answer.present == "yes", "reason": reason, "quotes": quotes})
