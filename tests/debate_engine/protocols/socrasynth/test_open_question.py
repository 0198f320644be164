"""Open questions: two typed answers, defended, perhaps conceded, and advice together (the symptom-checking case)."""

from __future__ import annotations

from typing import Any

import pytest

from elenchus.debate_engine.events import RoundAsked
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.protocols.speech import other
from tests.debate_engine.protocols.socrasynth.scripted_debate import GARBLED, Answer, ScriptedDebate

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


ADVICE: dict[str, Any] = {
    "answer": "dengue, to be confirmed",
    "next_questions": ["Any rash?", "Any bleeding?"],
    "next_tests": ["NS1 antigen", "PCR"],
    "reservations": "joint pain is unexplained",
}
SIGNS: dict[str, Any] = {"decision": "sign", "answer": "", "next_questions": [], "next_tests": [], "reservations": ""}


def positions(**stances: str) -> Answer:
    def position(call: Call) -> dict[str, Any]:
        stance = stances[call.step.rsplit("/", 1)[-1]]
        return {"more": stance == "hold", "stance": stance, "answer": "as before"}

    return position


def ward(**more: Any) -> ScriptedDebate:
    answers: dict[str, Answer] = {
        "socrasynth/open-answer": answer,
        "socrasynth/draft-recommendation": ADVICE,
        "socrasynth/review-recommendation": SIGNS,
        "socrasynth/position": positions(pro="hold", con="hold"),
    } | more.pop("answers", {})
    settings: dict[str, Any] = {
        "open_question": True,
        "agenda": (),
        "brief": BRIEF,
        "max_rounds": 2,
        "judges": (),
    } | more
    return ScriptedDebate(answers, **settings)


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
    assert "You hold the answer that is shown below as yours, and defend it." in shown
    assert section(shown, "The answer that you hold now").startswith("Answer: chikungunya (confidence 60 %)")
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


def section(shown: str, title: str) -> str:
    """What stands in the fence under a heading."""
    return shown.split(f"### {title}\n~~~~~~\n")[1].split("\n~~~~~~", maxsplit=1)[0]


async def test_one_joint_recommendation_is_drafted_by_one_side_and_signed_by_the_other() -> None:
    room = ward()
    joint = (await room.debate()).proposal
    assert joint is not None
    assert joint.recommendations is not None
    assert joint.recommendations.model_dump() == ADVICE
    assert set(joint.signed_by) == {"pro", "con"}
    assert joint.amendments == ()
    assert joint.heat <= 0.3
    reviewer = other(joint.drafted_by or "pro")
    asked = [step for step in room.steps if step.startswith("conciliation/")]
    assert asked == ["conciliation/draft", f"conciliation/review/1/{reviewer}"]
    shown = room.words(asked[-1])
    assert section(shown, "The joint recommendation as it stands").startswith("Answer: dengue, to be confirmed\n")
    assert "[round/1/pro]" in shown, "the reviewer reads the speeches too"


async def test_an_amended_recommendation_goes_back_and_what_only_one_signs_says_so() -> None:
    def amends(call: Call) -> dict[str, Any]:
        return {**ADVICE, "decision": "amend", "answer": f"as {call.step.rsplit('/', 1)[-1]} would have it"}

    joint = (await ward(answers={"socrasynth/review-recommendation": amends}).debate()).proposal
    assert joint is not None
    assert joint.recommendations is not None
    drafter, reviewer = joint.drafted_by, other(joint.drafted_by or "pro")
    assert joint.recommendations.answer == f"as {drafter} would have it"
    assert joint.signed_by == (drafter,)
    offers = [(side, text.answer) for side, text in joint.amendments]
    assert offers == [(side, f"as {side} would have it") for side in (reviewer, drafter, reviewer)]


async def test_identical_first_answers_go_straight_to_the_joint_part() -> None:
    alike: dict[str, Answer] = {"socrasynth/open-answer": lambda call: answer(call) | {
        "answer": "Dengue." if call.step.endswith("pro") else "dengue"}}  # fmt: skip
    room = ward(answers=alike, judges=("judge-1",))
    debate = await room.debate()
    assert set(room.steps) == {"answer/pro", "answer/con", "conciliation/draft", *(
        step for step in room.steps if step.startswith("conciliation/review/1/"))}  # fmt: skip
    assert (debate.ended, debate.open_outcome) == ("both sides gave the same answer from the start", "agreed")
    assert (debate.rounds, debate.winner, debate.judgement, debate.quality) == ((), "", None, None)
    assert debate.proposal is not None
    assert debate.proposal.recommendations is not None
    assert "You and your opponent now give the same answer" in room.words("conciliation/draft")


async def test_who_has_conceded_holds_the_others_answer_from_then_on_at_the_heat_of_conciliation() -> None:
    position = positions(pro="hold", con="concede")
    room = ward(answers={"socrasynth/position": position}, judges=("judge-1",))
    debate = await room.debate()
    assert debate.closing_heat == pytest.approx(0.3)
    for step in ("closing/con", "conciliation/draft" if debate.proposal and debate.proposal.drafted_by == "con" else
                 "conciliation/review/1/con"):  # fmt: skip
        shown = room.words(step)
        assert "You have conceded" in shown
        held = section(shown, "The answer that you hold now")
        assert held.startswith("Answer: dengue")
        assert "fever" in held, "the reasons are taken over"
        assert "Contentiousness is 0.30" in shown
    assert "Your opponent has conceded" in room.words("closing/pro")
    assert "You have conceded" not in room.words("round/1/con")
    for claimant in "AB":
        ruling = room.words(f"judging/judge-1/{claimant}-claims/topic/1")
        told = "the answer is: chikungunya (it conceded later, and now holds the answer of side A)"
        assert told in ruling
        assert "Side A makes this claim: the answer is: dengue\n" in ruling
        assert "Question: " in ruling
        assert "motion" not in ruling.lower()
    assert not [step for step in room.steps if step.startswith("closing/crit/reasons/con")]
    assert [step for step in room.steps if step.startswith("closing/crit/reasons/pro")]


@pytest.mark.parametrize("stance", ["same answer", "concede"])
async def test_who_came_to_agree_holds_the_answer_that_it_gives_now_and_its_first_one_no_longer(stance: str) -> None:
    def agree(call: Call) -> dict[str, Any]:
        now = "dengue\n### with chikungunya" if call.step.endswith("con") else "  "
        return {"more": False, "stance": stance, "answer": now}

    room = ward(answers={"socrasynth/position": agree})
    assert (await room.debate()).open_outcome == "agreed"
    for side, held in (("con", "Answer: dengue ### with chikungunya"), ("pro", "Answer: dengue (confidence 70 %)")):
        shown = room.words(f"closing/{side}")
        assert "You and your opponent now give the same answer" in shown
        assert section(shown, "The answer that you hold now").startswith(held)
    assert "joint pain" not in section(room.words("closing/con"), "The answer that you hold now")


async def test_where_the_moderator_wants_another_round_after_a_concession_it_is_held_on_the_new_stance() -> None:
    def concedes_once(call: Call) -> dict[str, Any]:
        stance = "concede" if call.step == "round/1/done/con" else "hold"
        return {"more": True, "stance": stance, "answer": "as before"}

    room = ward(answers={"socrasynth/position": concedes_once})
    room.at("round/1/con", RoundAsked(by="mia"))
    debate = await room.debate()
    assert [r.heat for r in debate.rounds] == pytest.approx([0.75, 0.25])
    assert "You have conceded" in room.words("round/2/con")
    assert debate.open_outcome == "conceded by con"
    assert debate.closing_heat == pytest.approx(0.25 / 1.2)


async def test_nobody_raises_social_objections_to_a_diagnosis() -> None:
    room = ward(max_rounds=5)
    await room.debate()
    speeches = [call for call in room.client.asked if "Contentiousness is" in call.messages[-1].content]
    assert len(speeches) > 12
    for call in speeches:
        shown = call.messages[-1].content
        assert not [word for word in ("social", "ethical", "inequality", "motion") if word in shown.lower()]


async def test_unreadable_answers_and_recommendations_are_said_to_be_missing() -> None:
    unreadable: dict[str, Answer] = {"socrasynth/open-answer": GARBLED, "socrasynth/draft-recommendation": GARBLED}
    debate = await ward(answers=unreadable).debate()
    assert debate.answers == {"pro": None, "con": None}
    assert debate.proposal is not None
    assert debate.proposal.missing.startswith("no draft could be read")
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
    assert (await ScriptedDebate(judges=()).debate()).open_outcome == ""
