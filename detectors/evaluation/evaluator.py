"""The labelled judge against people's labels (MindScope, section 6.1): accuracy, Pearson, Cohen's κ, repeats."""

from __future__ import annotations

import asyncio
from typing import Any

from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together
from elenchus.detectors.checks import label
from elenchus.detectors.context import Context
from elenchus.detectors.evaluation.agreement import Compared, agreement_of
from elenchus.detectors.evaluation.schemas import EvaluatorConfig, EvaluatorResult, LabelledAnswer, Row
from elenchus.detectors.evaluation.static import VOICE
from elenchus.detectors.library import Knowledge, Library, looked_up


async def bench_evaluator(s: Session, config: dict[str, Any], library: Library) -> dict[str, Any]:
    """Ask the judge (seat `detector`) of every item; a dumped `EvaluatorConfig` in, a dumped `EvaluatorResult` out.

    The judge is never shown the people's labels. Step keys: `library/BIAS`, and `ITEM/label/1` and so on.
    """
    cfg = EvaluatorConfig.model_validate(config)
    session = s.recalling() if cfg.cache else s
    known = await looked_up(session, library, sorted({item.bias for item in cfg.items}))
    rows = await together(*(_row(session.under(item.id), cfg, item, known[item.bias]) for item in cfg.items))
    result = await asyncio.to_thread(result_of, rows, cfg.seed)
    return result.model_copy(update={"judge": cfg.judge}).model_dump(mode="json")


async def _row(s: Session, cfg: EvaluatorConfig, item: LabelledAnswer, known: Knowledge) -> Row:
    settings = item.asked_about | {"repeats": cfg.repeats, "context_tokens": cfg.context_tokens}
    found = await label(s, await Context.of_answer(item.answer, **settings), known)
    await s.say("judged", VOICE, ["moderator"], f"{item.id}: {found.verdict}", "progress")
    answers = found.answers
    return Row(
        item=item.id,
        bias=item.bias,
        human=item.human,
        judge=tuple(said.counts for said in answers),
        unfounded=sum(said.unfounded for said in answers),
    )


def result_of(rows: tuple[Row, ...], seed: int) -> EvaluatorResult:
    """The outcome. Pure; some tenths of a second for the bootstrap."""
    compared = [Compared(item=row.item, human=row.human, judge=row.judge) for row in rows]
    agreement = agreement_of(compared, seed, sum(row.unfounded for row in rows))
    return EvaluatorResult(rows=rows, agreement=agreement, seed=seed)
