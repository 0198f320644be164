"""The joint proposal: drafted by one side (seed 1: pro), signed or amended once by each, topic by topic."""

from __future__ import annotations

from typing import Any

import pytest

from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.scripted import Scripted
from elenchus.debate_engine.protocols.socrasynth.schemas import Proposal
from elenchus.debate_engine.protocols.speech import SIDES, other
from tests.debate_engine.protocols.socrasynth.scripted_debate import GARBLED, TOPICS, Answer, ScriptedDebate


def reviews(by_turn: dict[str, list[tuple[int, str, str]]]) -> dict[str, Answer]:
    """What each turn of reviewing says: number, decision, text."""

    def review(call: Call) -> dict[str, Any]:
        said = by_turn[call.step.removeprefix("conciliation/review/")]
        return {"items": [{"number": n, "decision": d, "proposal": text} for n, d, text in said]}

    return {"socrasynth/review-proposal": review}


async def proposal_of(room: ScriptedDebate) -> Proposal:
    proposal = (await room.debate()).proposal
    assert proposal is not None
    return proposal


async def test_a_draft_that_con_signs_is_signed_by_both_and_needs_no_further_turn() -> None:
    room = ScriptedDebate(judges=())
    proposal = await proposal_of(room)
    assert [(row.title, row.proposal, row.signed_by) for row in proposal.topics] == [
        (TOPICS[0].title, "draft 1", ("pro", "con")),
        (TOPICS[1].title, "draft 2", ("pro", "con")),
    ]
    assert [step for step in room.steps if step.startswith("conciliation")] == [
        "conciliation/draft", "conciliation/review/1/con",
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
async def test_the_seed_draws_who_drafts_and_the_reviewer_reads_the_same_speeches_and_agenda(seed: int) -> None:
    room = ScriptedDebate(judges=(), seed=seed)
    proposal = await proposal_of(room)
    drafter = proposal.drafted_by
    assert drafter in SIDES
    reviewer = other(drafter)
    assert [row.signed_by for row in proposal.topics] == [(drafter, reviewer)] * 2
    draft, review = room.words("conciliation/draft"), room.words(f"conciliation/review/1/{reviewer}")
    for shown in (draft, review):
        assert "1. rest vs. practice - What evenings are for." in shown
        for said in ("opening/pro", "opening/con", "round/1/pro", "round/1/con", "closing/pro", "closing/con"):
            assert f"[{said}] on rest" in shown


async def test_an_amendment_goes_back_to_pro_who_may_sign_it() -> None:
    room = ScriptedDebate(
        reviews({"1/con": [(1, "amend", "less"), (2, "sign", "")], "2/pro": [(1, "sign", "")]}), judges=()
    )
    proposal = await proposal_of(room)
    assert proposal.topics[0].proposal == "less"
    assert set(proposal.topics[0].signed_by) == {"pro", "con"}
    assert proposal.topics[0].amendments == (("con", "less"),)
    shown = room.words("conciliation/review/2/pro")
    assert "less" in shown
    assert "draft 2" not in shown


async def test_each_side_amends_once_and_what_only_one_signs_is_shown_with_all_texts_on_offer() -> None:
    amending = {
        "1/con": [(1, "amend", "cons text"), (2, "sign", "")],
        "2/pro": [(1, "amend", "pros answer")],
        "3/con": [(1, "amend", "cons last word")],
    }
    proposal = await proposal_of(ScriptedDebate(reviews(amending), judges=()))
    row = proposal.topics[0]
    assert (row.proposal, row.signed_by) == ("pros answer", ("pro",))
    assert row.amendments == (("con", "cons text"), ("pro", "pros answer"), ("con", "cons last word"))


async def test_a_side_whose_review_could_not_be_read_has_not_signed() -> None:
    proposal = await proposal_of(ScriptedDebate({"socrasynth/review-proposal": GARBLED}, judges=()))
    assert [row.signed_by for row in proposal.topics] == [("pro",), ("pro",)]


async def test_a_topic_without_a_draft_is_shown_as_one_without_a_text_or_a_signature() -> None:
    draft: dict[str, Answer] = {"socrasynth/draft-proposal": {"items": [{"number": 2, "proposal": "only this"}]}}
    proposal = await proposal_of(ScriptedDebate(draft, judges=()))
    assert [(row.proposal, row.signed_by) for row in proposal.topics] == [("", ()), ("only this", ("pro", "con"))]


async def test_no_draft_is_said_to_be_none_and_never_made_up() -> None:
    proposal = await proposal_of(ScriptedDebate({"socrasynth/draft-proposal": Scripted(fault="refused")}, judges=()))
    assert proposal.topics == ()
    assert proposal.missing.startswith("no draft could be read")


async def test_the_proposal_is_in_the_log_before_the_debate_is_over() -> None:
    room = ScriptedDebate(judges=())
    proposal = await proposal_of(room)
    assert Proposal.model_validate((await room.results())["conciliation/proposal"]) == proposal
