"""Labelled detection: is this bias there? For a text, the answer to a static question, or the record of a scene."""

from __future__ import annotations

from collections.abc import Sequence

from elenchus.debate_engine.protocols.founded import founded
from elenchus.debate_engine.protocols.judging.counting import majority_of
from elenchus.debate_engine.session import Session, together
from elenchus.detectors.context import Desk, fault_of, prompts
from elenchus.detectors.library import Knowledge
from elenchus.detectors.replies import Label
from elenchus.detectors.schemas import Answer, Detection, Verdict

SEAT = "detector"
WORDS = 50


async def label(s: Session, desk: Desk, known: Knowledge) -> Detection:
    """Ask the detector as often as the settings say, side by side. Step keys: `label/1`, `label/2` and so on.

    An unfounded yes is asked once more: `label/1/again`.
    """
    answers = await together(*(_asked(s, desk, known, n) for n in range(1, desk.cfg.repeats + 1)))
    verdict, agreement = agreed(answers)
    return Detection(
        verdict=verdict, bias=known.bias, name=known.name, method="labelled", answers=answers, agreement=agreement
    )


async def _asked(s: Session, desk: Desk, known: Knowledge, n: int) -> Answer:
    cfg, criteria = desk.cfg, desk.cfg.criteria or known.signs

    async def asked(again: str, fault: str) -> Answer:
        answer = await s.repeated(n).ask(
            f"label/{n}{again}",
            SEAT,
            prompts.label,
            Label,
            name=known.name,
            definition=known.definition,
            who=cfg.speaker or "the reasoning in the text",
            situation=cfg.question,
            criteria=criteria,
            text=desk.material.shown,
            fault=fault,
        )
        return desk.said(answer, WORDS, known.shown, cfg.question, criteria)

    return await founded(asked, fault_of)


def agreed(answers: Sequence[Answer]) -> tuple[Verdict, float | None]:
    """The verdict of most counted answers, and the share of them that give it (see `majority_of`). Pure."""
    counted = [answer.counts for answer in answers]
    outcome, agreement = majority_of(
        yes=counted.count(True),
        no=counted.count(False),
        unread=sum(answer.present is None for answer in answers),
        unfounded=sum(answer.unfounded for answer in answers),
    )
    return "found" if outcome == "yes" else "none" if outcome == "no" else outcome, agreement
