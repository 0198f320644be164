"""Open questions: two typed answers, defended, perhaps conceded, and advice together (the symptom-checking case)."""

from __future__ import annotations

from typing import Any

import pytest

from debate_engine.llm.client import Call
from tests.debate_engine.protocols.socrasynth.hall import GARBLED, Answer, Hall

BRIEF = "The patient has had a fever for three days."


def answer(call: Call) -> dict[str, Any]:
    first = call.step.endswith("pro")
    return {
        "answer": "dengue" if first else "chikungunya",
        "reasons": ["fever" if first else "joint pain"],
        "questions": ["Any rash?"],
        "tests": ["NS1 antigen" if first else "PCR"],
        "confidence": 70 if first else 60,
    }


def advice(call: Call) -> dict[str, Any]:
    first = call.step.endswith("pro")
    return {
        "answer": "dengue, to be confirmed",
        "next_questions": ["Any rash?", "Any bleeding?"] if first else ["Any rash?"],
        "next_tests": ["NS1 antigen"] if first else ["PCR"],
        "reservations": "" if first else "joint pain is unexplained",
    }


def positions(**stances: str) -> Answer:
    def position(call: Call) -> dict[str, Any]:
        stance = stances[call.step.rsplit("/", 1)[-1]]
        return {"more": stance == "hold", "stance": stance, "answer": "as before"}

    return position


def ward(**more: Any) -> Hall:
    answers: dict[str, Answer] = {
        "socrasynth/open-answer": answer,
        "socrasynth/recommendations": advice,
        "socrasynth/position": positions(pro="hold", con="hold"),
    } | more.pop("answers", {})
    settings: dict[str, Any] = {
        "open_question": True,
        "agenda": (),
        "brief": BRIEF,
        "max_rounds": 2,
        "judges": (),
    } | more
    return Hall(answers, **settings)


async def test_each_side_starts_from_a_typed_answer_and_both_get_the_same_facts() -> None:
    room = ward(seconds=0.01)
    debate = await room.debate()
    assert room.flew_together("answer/pro", "answer/con")
    for side in ("pro", "con"):
        assert BRIEF in room.words(f"answer/{side}")
        assert BRIEF in room.words(f"opening/{side}")
    first, second = debate.answers["pro"], debate.answers["con"]
    assert first is not None
    assert second is not None
    assert (first.answer, first.confidence, first.tests) == ("dengue", 70, ["NS1 antigen"])
    assert (second.answer, second.reasons) == ("chikungunya", ["joint pain"])


async def test_each_side_defends_its_own_answer_and_has_heard_the_others() -> None:
    room = ward()
    debate = await room.debate()
    assert [topic.title for topic in debate.agenda] == ["dengue vs. chikungunya"]
    shown = room.words("opening/con")
    assert "You hold this answer and defend it: chikungunya" in shown
    assert "dengue" in room.words("round/1/con")
    assert not [step for step in room.steps if step.startswith("agenda/")]


@pytest.mark.parametrize(
    ("pro", "con", "rounds", "outcome"),
    [
        ("hold", "concede", 1, "conceded by con"),
        ("concede", "hold", 1, "conceded by pro"),
        ("same answer", "same answer", 1, "agreed"),
        ("concede", "concede", 1, "agreed"),
        ("hold", "same answer", 2, "open"),
        ("hold", "hold", 2, "open"),
    ],
)
async def test_a_concession_or_agreement_ends_the_rounds(pro: str, con: str, rounds: int, outcome: str) -> None:
    debate = await ward(answers={"socrasynth/position": positions(pro=pro, con=con)}).debate()
    assert (len(debate.rounds), debate.open_outcome) == (rounds, outcome)


async def test_the_joint_recommendation_has_each_question_and_test_once_and_all_reservations() -> None:
    debate = await ward().debate()
    assert debate.proposal is not None
    joint = debate.proposal.recommendations
    assert joint is not None
    assert joint.answer == "dengue, to be confirmed"
    assert joint.next_questions == ["Any rash?", "Any bleeding?"]
    assert joint.next_tests == ["NS1 antigen", "PCR"]
    assert joint.reservations == "joint pain is unexplained"
    assert debate.proposal.heat <= 0.3


async def test_unreadable_answers_and_recommendations_are_said_to_be_missing() -> None:
    unreadable: dict[str, Answer] = {"socrasynth/open-answer": GARBLED, "socrasynth/recommendations": GARBLED}
    debate = await ward(answers=unreadable).debate()
    assert debate.answers == {"pro": None, "con": None}
    assert debate.proposal is not None
    assert debate.proposal.missing == "neither side's recommendations could be read"
    assert debate.open_outcome == "open"


async def test_crit_and_the_judges_take_each_sides_answer_for_its_conclusion() -> None:
    room = ward(judges=("judge-1",))
    await room.debate()
    assert "the answer is: dengue" in room.words("judging/judge-1/A-claims/topic/1")
    assert "the answer is: chikungunya" in room.words("judging/judge-1/B-claims/topic/1")
    read = [step for step in room.steps if step.startswith("round/1/crit/")]
    assert all("Answer: dengue" in room.words(step) for step in read)
    assert len(read) > 4


async def test_a_plain_debate_has_no_open_outcome() -> None:
    assert (await Hall(judges=()).debate()).open_outcome == ""
