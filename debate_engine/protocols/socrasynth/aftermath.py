"""After the closings, all side by side: CRIT once more, the judges, the joint proposal, the plain answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from debate_engine.protocols.crit.protocol import NOT_AHEAD, Listed, analyse, crit, reasons_ahead
from debate_engine.protocols.crit.schemas import Analysis, Quality
from debate_engine.protocols.judging.compare import compare_with_plain_answer
from debate_engine.protocols.judging.material import plain_text
from debate_engine.protocols.judging.protocol import judge
from debate_engine.protocols.judging.schemas import Comparison, Judgement
from debate_engine.protocols.socrasynth.conciliation import conciliate
from debate_engine.protocols.socrasynth.floor import Floor
from debate_engine.protocols.socrasynth.open_question import Opened, outcome_of, recommend
from debate_engine.protocols.socrasynth.schemas import Debate, Proposal, Round
from debate_engine.protocols.speech import Side, Speech
from debate_engine.session import Session
from debate_engine.tasks import together


@dataclass(frozen=True)
class Held:
    """What openings and rounds leave behind: all speeches, those that CRIT has not scored yet, and how it ended.

    `quality` is None where no round was held; `heat` is the one at which the rounds ended, `ended` says why.
    """

    speeches: Sequence[Speech]
    unscored: Sequence[Speech]
    rounds: Sequence[Round]
    quality: Quality | None
    heat: float
    ended: str


async def aftermath(s: Session, floor: Floor, opened: Opened, held: Held, closings: Sequence[Speech]) -> Debate:
    """Score, judge, reconcile and compare; none of these waits for another. The debate's outcome."""
    (quality, analysis), judgement, proposal, comparison = await together(
        _analysed(s, floor, opened, [*held.unscored, *closings], held.quality),
        _judged(s, floor, held.speeches, closings, opened.conclusions),
        _reconciled(s.under("conciliation"), floor, held.heat),
        _compared(s, floor, [*held.speeches, *closings]),
    )
    return Debate(
        motion=floor.cfg.motion,
        agenda=tuple(floor.agenda),
        rounds=tuple(held.rounds),
        ended=held.ended,
        closing_heat=held.heat,
        quality=quality,
        analysis=analysis,
        judgement=judgement,
        winner=judgement.winning_side if judgement else "",
        proposal=proposal,
        comparison=comparison,
        open_outcome=outcome_of(held.ended) if floor.cfg.open_question else "",
        answers=dict(opened.answers),
    )


async def listed(s: Session, floor: Floor, opened: Opened, openings: Sequence[Speech]) -> Listed:
    """The openings' reasons, which CRIT can list while the first refutations are being written."""
    return await reasons_ahead(
        s, opened.claim(floor.cfg), floor.agenda, openings, per_topic=floor.cfg.reasons_per_topic
    )


async def scored(
    s: Session,
    floor: Floor,
    opened: Opened,
    new: Sequence[Speech],
    quality: Quality | None,
    ahead: Listed = NOT_AHEAD,
) -> Quality:
    """CRIT over all speeches so far, the `new` ones not yet scored, the reasons of some (`ahead`) already listed."""
    known = quality.reasons if quality else ()
    claim = opened.claim(floor.cfg)
    return await crit(s, claim, floor.agenda, new, known, per_topic=floor.cfg.reasons_per_topic, ahead=ahead)


async def _analysed(
    s: Session, floor: Floor, opened: Opened, new: Sequence[Speech], quality: Quality | None
) -> tuple[Quality, Analysis | None]:
    final = await scored(s.under("closing/crit"), floor, opened, new, quality)
    return final, await analyse(s.under("closing/crit"), opened.claim(floor.cfg), final)


async def _judged(
    s: Session, floor: Floor, speeches: Sequence[Speech], closings: Sequence[Speech], claims: Mapping[Side, str]
) -> Judgement | None:
    if not floor.cfg.judges:
        return None
    return await judge(
        s, floor.cfg.motion, floor.agenda, speeches, {c.side: c for c in closings}, floor.cfg.judges, claims
    )


async def _reconciled(s: Session, floor: Floor, heat: float) -> Proposal:
    proposal = await (recommend if floor.cfg.open_question else conciliate)(s, floor, heat)
    await s.record("proposal", proposal.model_dump(mode="json"))
    return proposal


async def _compared(s: Session, floor: Floor, speeches: Sequence[Speech]) -> Comparison | None:
    if not floor.cfg.compare_qa:
        return None
    by_topic = [plain_text(n, speeches) for n in range(1, len(floor.agenda) + 1)]
    return await compare_with_plain_answer(s, floor.cfg.motion, floor.agenda, by_topic, floor.cfg.judges)
