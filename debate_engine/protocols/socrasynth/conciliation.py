"""Conciliation: at a low heat a joint proposal, topic by topic, that each side signs or amends once (section 3)."""

from __future__ import annotations

from typing import Any

from debate_engine.llm.schema import bounded
from debate_engine.participant import Declined
from debate_engine.protocols.socrasynth import heat as heats
from debate_engine.protocols.socrasynth.floor import Floor, only, prompts
from debate_engine.protocols.socrasynth.schemas import (
    Agreement,
    Proposal,
    ProposalDraft,
    ProposalReview,
    ProposalReviews,
)
from debate_engine.protocols.socrasynth.small.agreeing import compromise, signs
from debate_engine.protocols.speech import Side
from debate_engine.session import Session
from debate_engine.tasks import together

CONCILIATION_HEAT = 0.3


async def conciliate(s: Session, floor: Floor, heat: float) -> Proposal:
    """Pro drafts and so has signed; con signs or amends; pro signs or amends what con amended; con takes it or not."""
    heat = min(CONCILIATION_HEAT, heat)
    if s.is_small("pro"):
        texts = await _compromises(s, floor)
        return await _signed(s, floor, texts, heat)
    draft = await s.ask(
        "draft", "pro", prompts.draft_proposal, bounded(ProposalDraft, len(floor.agenda)), max_tokens=_room(floor),
        **_variables(s, floor, "pro", heat),
    )  # fmt: skip
    if isinstance(draft, Declined):
        return Proposal(heat=heat, missing=f"no draft could be read: {draft.reason}")
    texts = {item.number: item.proposal.strip() for item in draft.items if item.proposal.strip()}
    return await _signed(s, floor, texts, heat)


async def _compromises(s: Session, floor: Floor) -> dict[int, str]:
    """A small model's draft, topic by topic; without the topics on which nothing could be used."""
    drafts = await together(*(compromise(s, "pro", floor.claims, t, n) for n, t in enumerate(floor.agenda, 1)))
    return {n: text for n, text in enumerate(drafts, 1) if text}


async def _signed(s: Session, floor: Floor, texts: dict[int, str], heat: float) -> Proposal:
    table = {
        n: Agreement(number=n, title=topic.title, proposal=texts.get(n, ""), signed_by=("pro",) if n in texts else ())
        for n, topic in enumerate(floor.agenda, 1)
    }
    reviewers: tuple[Side, ...] = ("con", "pro", "con")
    for turn, side in enumerate(reviewers, 1):
        await _reviewed(s, floor, table, f"review/{turn}", side, heat, may_amend=turn < 3)
    return Proposal(heat=heat, topics=tuple(table.values()))


async def _reviewed(
    s: Session, floor: Floor, table: dict[int, Agreement], key: str, side: Side, heat: float, *, may_amend: bool
) -> None:
    pending = {n: row for n, row in table.items() if row.proposal and side not in row.signed_by}
    if not pending:
        return
    if s.is_small(side):
        for n, row in pending.items():
            if await signs(s, f"{key}/{side}/topic/{n}", side, floor.claims, row.proposal):
                table[n] = row.model_copy(update={"signed_by": (*row.signed_by, side)})
        return
    shown = "\n".join(f"{n}. {row.title}: {row.proposal}" for n, row in pending.items())
    variables = _variables(s, floor, side, heat) | {"proposal": shown}
    answer = await s.ask(
        f"{key}/{side}", side, prompts.review_proposal, bounded(ProposalReviews, len(floor.agenda)),
        max_tokens=_room(floor), **only(prompts.review_proposal, variables),
    )  # fmt: skip
    if isinstance(answer, Declined):
        return
    for item in answer.items:
        if item.number in pending:
            table[item.number] = decided(pending[item.number], side, item, may_amend=may_amend)


def decided(row: Agreement, side: Side, item: ProposalReview, *, may_amend: bool) -> Agreement:
    """The row after one side's decision: an amendment replaces the text and leaves only its author's signature."""
    text = item.proposal.strip()
    if item.decision == "sign" or (may_amend and text == row.proposal):
        return row.model_copy(update={"signed_by": (*row.signed_by, side)})
    if not text:
        return row
    amendments = (*row.amendments, (side, text))
    if not may_amend:
        return row.model_copy(update={"amendments": amendments})
    return row.model_copy(update={"proposal": text, "signed_by": (side,), "amendments": amendments})


def _room(floor: Floor) -> int:
    """The reply limit, in tokens, of a text on every topic."""
    return 100 + 240 * len(floor.agenda)


def _variables(s: Session, floor: Floor, side: Side, heat: float) -> dict[str, Any]:
    known = floor.said_by_both(s, side) | {"heat": heats.describe(heat)}
    return only(prompts.draft_proposal, known)
