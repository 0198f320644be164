"""After the closings, all side by side: CRIT once more, the judges, the joint proposal, the plain answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from debate_engine.protocols.crit.protocol import NOT_AHEAD, Listed, analyse, crit, reasons_ahead
from debate_engine.protocols.crit.schemas import Analysis, Quality
from debate_engine.protocols.judging.compare import compare_with_plain_answer
from debate_engine.protocols.judging.protocol import judge
from debate_engine.protocols.judging.schemas import Comparison, Judgement
from debate_engine.protocols.socrasynth.conciliation import conciliate
from debate_engine.protocols.socrasynth.floor import Floor
from debate_engine.protocols.socrasynth.open_question import Opened, recommend
from debate_engine.protocols.socrasynth.schemas import Proposal
from debate_engine.protocols.speech import Side, Speech
from debate_engine.session import Session
from debate_engine.tasks import together


@dataclass(frozen=True)
class Aftermath:
    """What is known when all is said."""

    quality: Quality
    analysis: Analysis | None
    judgement: Judgement | None
    proposal: Proposal
    comparison: Comparison | None


async def aftermath(
    s: Session,
    floor: Floor,
    opened: Opened,
    speeches: Sequence[Speech],
    unscored: Sequence[Speech],
    closings: Sequence[Speech],
    quality: Quality | None,
    heat: float,
) -> Aftermath:
    """Score, judge, reconcile and compare; none of these waits for another."""
    (final, analysis), judgement, proposal, comparison = await together(
        _analysed(s, floor, opened, [*unscored, *closings], quality),
        _judged(s, floor, speeches, closings, opened.conclusions),
        _reconciled(s.under("conciliation"), floor, heat),
        _compared(s, floor, [*speeches, *closings]),
    )
    return Aftermath(final, analysis, judgement, proposal, comparison)


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
    by_topic = [
        "\n\n".join(part for speech in speeches if (part := speech.sections[i])) for i in range(len(floor.agenda))
    ]
    return await compare_with_plain_answer(s, floor.cfg.motion, floor.agenda, by_topic, floor.cfg.judges)
