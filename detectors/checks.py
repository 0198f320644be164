"""Step 2, the competing detectors: one call a candidate, each knowing its own bias and no other candidate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from elenchus.debate_engine.protocols.founded import founded
from elenchus.debate_engine.session import Session, together
from elenchus.detectors.context import Desk, fault_of, prompts
from elenchus.detectors.library import Knowledge
from elenchus.detectors.replies import Check
from elenchus.detectors.schemas import Answer, Candidate

SEAT = "detector"
WORDS = 100


async def check_all(
    s: Session, desk: Desk, candidates: Iterable[Candidate], knowledge: Mapping[str, Knowledge]
) -> tuple[Candidate, ...]:
    """The candidates with their detectors' answers, side by side. Step keys: `check/ID`."""
    return await together(*(check(s, desk, candidate, knowledge[candidate.bias]) for candidate in candidates))


async def check(s: Session, desk: Desk, candidate: Candidate, known: Knowledge) -> Candidate:
    """One candidate with its detector's answer; unreadable is neither yes nor no, and a yes needs a quote that stands.

    Step keys: `check/ID`, and `check/ID/again` where the yes was unfounded.
    """

    async def asked(again: str, fault: str) -> Answer:
        answer = await s.ask(
            f"check/{candidate.bias}{again}",
            SEAT,
            prompts.check,
            Check,
            name=known.name,
            knowledge=known.shown,
            signs=known.signs,
            text=desk.material.shown,
            fault=fault,
        )
        return desk.said(answer, WORDS, known.shown, known.signs)

    return candidate.model_copy(update=dict(await founded(asked, fault_of)))
