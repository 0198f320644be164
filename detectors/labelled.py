"""Labelled detection: is this bias there? For a text, the answer to a static question, or the record of a scene."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from debate_engine.session import Session, together
from detectors.desk import Desk, prompts
from detectors.library import Knowledge
from detectors.replies import Label
from detectors.schemas import Answer, Detection, Verdict

SEAT = "detector"
WORDS = 50


async def label(s: Session, desk: Desk, known: Knowledge) -> Detection:
    """Ask the detector as often as the settings say, side by side. Step keys: `label/1`, `label/2` and so on."""
    answers = await together(*(_asked(s, desk, known, n) for n in range(1, desk.cfg.repeats + 1)))
    verdict, agreement = agreed([answer.present for answer in answers])
    return Detection(
        verdict=verdict, bias=known.bias, name=known.name, method="labelled", answers=answers, agreement=agreement
    )


async def _asked(s: Session, desk: Desk, known: Knowledge, n: int) -> Answer:
    cfg, criteria = desk.cfg, desk.cfg.criteria or known.signs
    answer = await s.repeated(n).ask(
        f"label/{n}",
        SEAT,
        prompts.label,
        Label,
        name=known.name,
        definition=known.definition,
        who=cfg.speaker or "the reasoning in the text",
        situation=cfg.question,
        criteria=criteria,
        text=desk.material.shown,
    )
    return desk.said(answer, WORDS, known.shown, cfg.question, criteria)


def agreed(answers: Sequence[bool | None]) -> tuple[Verdict, float | None]:
    """The verdict of most readable answers, and the share of them that give it. Pure.

    Undecided for as many yes as no; unread, without an agreement, where fewer than half can be read.
    """
    read = [answer for answer in answers if answer is not None]
    if not read or 2 * len(read) < len(answers):
        return "unread", None
    (most, times), *_ = Counter(read).most_common()
    if 2 * times == len(read):
        return "undecided", 0.5
    return "found" if most else "none", times / len(read)
