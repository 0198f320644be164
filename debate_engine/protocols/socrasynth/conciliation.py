"""Conciliation: at a low heat one joint document that each side signs or amends once (section 3).

For a motion it is a proposal topic by topic, on an open question one recommendation. The side that did not merge the
agenda drafts it and so has signed; both read all speeches.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from elenchus.debate_engine.llm.schema import bounded
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import Prompt, line
from elenchus.debate_engine.protocols.socrasynth.schemas import (
    Agreement,
    Proposal,
    ProposalDraft,
    ProposalReview,
    ProposalReviews,
    RecommendationReview,
    Recommendations,
)
from elenchus.debate_engine.protocols.socrasynth.small.speaking import compromise, signs
from elenchus.debate_engine.protocols.socrasynth.turns import DebateSetup, only, prompts
from elenchus.debate_engine.protocols.speech import Side, other, titles_of
from elenchus.debate_engine.protocols.withholding import ask_in_public
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together

CONCILIATION_HEAT = 0.3


@dataclass(frozen=True)
class Table:
    """Who sits down to it: the `drafter` first, then the reviewers by turns, at this heat."""

    s: Session
    setup: DebateSetup
    drafter: Side
    heat: float

    @property
    def reviewers(self) -> tuple[Side, ...]:
        """The other side, the drafter on what it amended, and the other side once more, which then amends no longer."""
        return (other(self.drafter), self.drafter, other(self.drafter))

    def variables(self, prompt: Prompt, side: Side, **more: Any) -> dict[str, Any]:
        """What the side's prompt holds."""
        known = self.setup.known_to(self.s, side) | {"heat": self.setup.describe(self.heat)} | more
        return only(prompt, known)


async def conciliate(s: Session, setup: DebateSetup, heat: float) -> Proposal:
    """Draft, then sign or amend by turns; the outcome is in the log as step `proposal`."""
    table = Table(s, setup, other(setup.merger), min(CONCILIATION_HEAT, heat))
    proposal = await (_recommendation if setup.cfg.open_question else _by_topic)(table)
    if not proposal.missing:
        proposal = proposal.model_copy(update={"drafted_by": table.drafter})
    await s.record("proposal", proposal.model_dump(mode="json"))
    return proposal


# ── for a motion: topic by topic ─────────────────────────────────────────────────────────────────────────────────


async def _by_topic(table: Table) -> Proposal:
    setup, side, prompt = table.setup, table.drafter, prompts.draft_proposal
    if table.s.is_small(side):
        return await _signed(table, await _compromises(table))
    draft = await ask_in_public(
        table.s, "draft", side, prompt, bounded(ProposalDraft, len(setup.agenda)), max_tokens=_room(setup),
        by_number=titles_of(setup.agenda), **table.variables(prompt, side),
    )  # fmt: skip
    if isinstance(draft, Declined):
        return Proposal(heat=table.heat, missing=f"no draft could be read: {draft.reason}")
    texts = {item.number: item.proposal.strip() for item in draft.items if item.proposal.strip()}
    return await _signed(table, texts)


async def _compromises(table: Table) -> dict[int, str]:
    """A small model's draft, topic by topic; without the topics on which nothing could be used."""
    side, setup = table.drafter, table.setup
    drafts = await together(*(compromise(table.s, side, setup.claims, t, n) for n, t in enumerate(setup.agenda, 1)))
    return {n: text for n, text in enumerate(drafts, 1) if text}


async def _signed(table: Table, texts: dict[int, str]) -> Proposal:
    """The draft, signed or amended by turns."""
    setup, side = table.setup, table.drafter
    rows = {
        n: Agreement(number=n, title=topic.title, proposal=texts.get(n, ""), signed_by=(side,) if n in texts else ())
        for n, topic in enumerate(setup.agenda, 1)
    }
    for turn, reviewer in enumerate(table.reviewers, 1):
        await _reviewed(table, rows, f"review/{turn}", reviewer, may_amend=turn < 3)
    return Proposal(heat=table.heat, topics=tuple(rows.values()))


async def _reviewed(table: Table, rows: dict[int, Agreement], key: str, side: Side, *, may_amend: bool) -> None:
    pending = {n: row for n, row in rows.items() if row.proposal and side not in row.signed_by}
    if not pending:
        return
    if table.s.is_small(side):
        for n, row in pending.items():
            if await signs(table.s, f"{key}/{side}/topic/{n}", side, table.setup.claims, row.proposal):
                rows[n] = row.model_copy(update={"signed_by": (*row.signed_by, side)})
        return
    shown = "\n".join(f"{n}. {line(row.title)}: {line(row.proposal)}" for n, row in pending.items())
    prompt = prompts.review_proposal
    answer = await ask_in_public(
        table.s, f"{key}/{side}", side, prompt, bounded(ProposalReviews, len(table.setup.agenda)),
        max_tokens=_room(table.setup), by_number={n: row.title for n, row in pending.items()},
        **table.variables(prompt, side, proposal=shown),
    )  # fmt: skip
    if isinstance(answer, Declined):
        return
    for item in answer.items:
        if item.number in pending:
            rows[item.number] = decided(pending[item.number], side, item, may_amend=may_amend)


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


def _room(setup: DebateSetup) -> int:
    """The reply limit, in tokens, of a text on every topic."""
    return 100 + 240 * len(setup.agenda)


# ── on an open question: one recommendation ──────────────────────────────────────────────────────────────────────


async def _recommendation(table: Table) -> Proposal:
    side, prompt = table.drafter, prompts.draft_recommendation
    draft = await ask_in_public(table.s, "draft", side, prompt, Recommendations, **table.variables(prompt, side))
    if isinstance(draft, Declined):
        return Proposal(heat=table.heat, missing=f"no draft could be read: {draft.reason}")
    joint = Proposal(heat=table.heat, recommendations=draft, signed_by=(side,))
    prompt = prompts.review_recommendation
    for turn, reviewer in enumerate(table.reviewers, 1):
        if reviewer in joint.signed_by or joint.recommendations is None:
            continue
        variables = table.variables(prompt, reviewer, proposal=written_out(joint.recommendations))
        key = f"review/{turn}/{reviewer}"
        review = await ask_in_public(table.s, key, reviewer, prompt, RecommendationReview, **variables)
        if not isinstance(review, Declined):
            joint = agreed_on(joint, reviewer, review, may_amend=turn < 3)
    return joint


def agreed_on(joint: Proposal, side: Side, review: RecommendationReview, *, may_amend: bool) -> Proposal:
    """The recommendation after one side's decision, by the same rules as a topic's (`decided`)."""
    if review.decision == "sign" or (may_amend and review.amended == joint.recommendations):
        return joint.model_copy(update={"signed_by": (*joint.signed_by, side)})
    if not review.answer.strip():
        return joint
    amendments = (*joint.amendments, (side, review.amended))
    if not may_amend:
        return joint.model_copy(update={"amendments": amendments})
    return joint.model_copy(update={"recommendations": review.amended, "signed_by": (side,), "amendments": amendments})


def written_out(r: Recommendations) -> str:
    """A recommendation as the reviewing side reads it."""
    lists = {"Ask next": r.next_questions, "Test next": r.next_tests}
    items = [f"{name}: {'; '.join(map(line, given))}" for name, given in lists.items() if given]
    doubts = [f"Reservations: {line(r.reservations)}"] if r.reservations.strip() else []
    return "\n".join([f"Answer: {line(r.answer)}", *items, *doubts])
