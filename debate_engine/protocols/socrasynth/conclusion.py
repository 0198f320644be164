"""After the closings, all side by side: CRIT once more, the judges, the joint proposal, the plain answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from elenchus.debate_engine.protocols.crit.protocol import NOT_AHEAD, Listed, crit, reasons_ahead
from elenchus.debate_engine.protocols.crit.reasons import analyse
from elenchus.debate_engine.protocols.crit.schemas import Analysis, Quality
from elenchus.debate_engine.protocols.judging.compare import compare_with_plain_answer
from elenchus.debate_engine.protocols.judging.material import Case, plain_text
from elenchus.debate_engine.protocols.judging.protocol import judge
from elenchus.debate_engine.protocols.judging.schemas import Comparison, Judgement
from elenchus.debate_engine.protocols.socrasynth.conciliation import CONCILIATION_HEAT, conciliate
from elenchus.debate_engine.protocols.socrasynth.open_question import SAME_FROM_THE_START, DebateStart, moved
from elenchus.debate_engine.protocols.socrasynth.schemas import Debate, Round
from elenchus.debate_engine.protocols.socrasynth.turns import DebateSetup
from elenchus.debate_engine.protocols.speech import SIDES, Speech
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together


@dataclass(frozen=True)
class Exchange:
    """What openings and rounds leave behind: all speeches, those that CRIT has not scored yet, and how it ended.

    `quality` is None where no round was held; `heat` is the one to close at, `ended` says why the rounds ended. On an
    open question `setup` has moved with a concession.
    """

    setup: DebateSetup
    speeches: Sequence[Speech]
    unscored: Sequence[Speech]
    rounds: Sequence[Round]
    quality: Quality | None
    heat: float
    ended: str


async def settled(s: Session, opened: DebateStart) -> Debate:
    """The outcome where there is nothing to debate: both sides hold the same answer and advise together at once."""
    setup = moved(opened.setup, SAME_FROM_THE_START)
    await s.record("rounds/ended", SAME_FROM_THE_START)
    proposal = await conciliate(s.under("conciliation"), setup, CONCILIATION_HEAT)
    return Debate(
        motion=setup.cfg.motion,
        agenda=tuple(setup.agenda),
        rounds=(),
        ended=SAME_FROM_THE_START,
        closing_heat=CONCILIATION_HEAT,
        quality=None,
        analysis=None,
        judgement=None,
        winner="",
        proposal=proposal,
        open_outcome=setup.outcome,
        answers=dict(opened.answers),
    )


async def conclude(s: Session, opened: DebateStart, held: Exchange, closings: Sequence[Speech]) -> Debate:
    """Score, judge, reconcile and compare; none of these waits for another. The debate's outcome."""
    setup = held.setup
    (quality, analysis), judgement, proposal, comparison = await together(
        _analysed(s, opened, [*held.unscored, *argued(setup, closings)], held.quality),
        _judged(s, setup, held.speeches, closings, opened),
        conciliate(s.under("conciliation"), setup, held.heat),
        _compared(s, setup, [*held.speeches, *closings]),
    )
    return Debate(
        motion=setup.cfg.motion,
        claim=setup.claim,
        merged_by="" if setup.cfg.agenda or setup.cfg.open_question else setup.merger,
        agenda=tuple(setup.agenda),
        rounds=tuple(held.rounds),
        ended=held.ended,
        closing_heat=held.heat,
        quality=quality,
        analysis=analysis,
        judgement=judgement,
        winner=judgement.winning_side if judgement else "",
        proposal=proposal,
        comparison=comparison,
        open_outcome=(setup.outcome or "open") if setup.cfg.open_question else "",
        answers=dict(opened.answers),
    )


def argued(setup: DebateSetup, speeches: Sequence[Speech]) -> list[Speech]:
    """Of speeches in this debate those that argue for their side's first answer: of who has conceded none, as their
    reasons are the other's, and where both agree none at all.
    """
    silent = {"agreed": SIDES, "conceded by pro": ("pro",), "conceded by con": ("con",)}.get(setup.outcome, ())
    return [speech for speech in speeches if speech.side not in silent]


async def listed(s: Session, opened: DebateStart, openings: Sequence[Speech]) -> Listed:
    """The openings' reasons, which CRIT can list while the first refutations are being written."""
    cfg, agenda = opened.setup.cfg, opened.setup.agenda
    return await reasons_ahead(
        s, opened.claim, agenda, openings, per_topic=cfg.reasons_per_topic, language=cfg.language
    )


async def scored(
    s: Session, opened: DebateStart, new: Sequence[Speech], quality: Quality | None, ahead: Listed = NOT_AHEAD
) -> Quality:
    """CRIT over all speeches so far, the `new` ones not yet scored, the reasons of some (`ahead`) already listed."""
    cfg, known = opened.setup.cfg, quality.reasons if quality else ()
    return await crit(
        s, opened.claim, opened.setup.agenda, new, known,
        per_topic=cfg.reasons_per_topic, ahead=ahead, language=cfg.language,
    )  # fmt: skip


async def _analysed(
    s: Session, opened: DebateStart, new: Sequence[Speech], quality: Quality | None
) -> tuple[Quality, Analysis | None]:
    final = await scored(s.under("closing/crit"), opened, new, quality)
    return final, await analyse(s.under("closing/crit"), opened.claim, final, opened.setup.cfg.language)


async def _judged(
    s: Session, setup: DebateSetup, speeches: Sequence[Speech], closings: Sequence[Speech], opened: DebateStart
) -> Judgement | None:
    cfg = setup.cfg
    if not cfg.judges:
        return None
    case = Case(
        cfg.motion, setup.agenda, speeches, {c.side: c for c in closings}, opened.conclusions(setup.outcome),
        question=cfg.open_question, claim=setup.claim, language=cfg.language,
    )  # fmt: skip
    return await judge(s, case, cfg.judges)


async def _compared(s: Session, setup: DebateSetup, speeches: Sequence[Speech]) -> Comparison | None:
    if not setup.cfg.compare_qa:
        return None
    by_topic = [plain_text(n, speeches) for n in range(1, len(setup.agenda) + 1)]
    cfg = setup.cfg
    return await compare_with_plain_answer(s, cfg.motion, setup.agenda, by_topic, cfg.judges, language=cfg.language)
