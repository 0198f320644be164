"""Yes or no about one bias: step 2, where each detector knows its own candidate alone, and labelled detection.

Labelled detection asks about a given bias: of a text, the answer to a static question, or the record of a scene.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from elenchus.debate_engine.protocols.judging.counting import majority_of
from elenchus.debate_engine.protocols.yes_no import ask_yes_no
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together
from elenchus.detectors.context import Context, fault_of, prompts
from elenchus.detectors.library import Knowledge
from elenchus.detectors.replies import Check, Label
from elenchus.detectors.schemas import Answer, Candidate, Detection, Verdict

SEAT = "detector"
WORDS = 100
"""Of the reason that a candidate's detector gives."""

LABEL_WORDS = 50
"""Of the reason in labelled detection."""


async def check_all(
    s: Session, context: Context, candidates: Iterable[Candidate], knowledge: Mapping[str, Knowledge]
) -> tuple[Candidate, ...]:
    """The candidates with their detectors' answers, side by side. Step keys: `check/ID`."""
    return await together(*(check(s, context, candidate, knowledge[candidate.bias]) for candidate in candidates))


async def check(s: Session, context: Context, candidate: Candidate, known: Knowledge) -> Candidate:
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
            text=context.text.shown,
            fault=fault,
        )
        return context.as_answer(answer, WORDS, known.shown, known.signs)

    return candidate.model_copy(update=dict(await ask_yes_no(asked, fault_of)))


# ── labelled detection ───────────────────────────────────────────────────────────────────────────────────────────────


async def label(s: Session, context: Context, known: Knowledge) -> Detection:
    """Ask the detector as often as the settings say, side by side. Step keys: `label/1`, `label/2` and so on.

    An unfounded yes is asked once more: `label/1/again`.
    """
    answers = await together(*(_asked(s, context, known, n) for n in range(1, context.cfg.repeats + 1)))
    verdict, agreement = agreed(answers)
    return Detection(
        verdict=verdict, bias=known.bias, name=known.name, method="labelled", answers=answers, agreement=agreement
    )


async def _asked(s: Session, context: Context, known: Knowledge, n: int) -> Answer:
    cfg, criteria = context.cfg, context.cfg.criteria or known.signs

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
            text=context.text.shown,
            fault=fault,
        )
        return context.as_answer(answer, LABEL_WORDS, known.shown, cfg.question, criteria)

    return await ask_yes_no(asked, fault_of)


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
