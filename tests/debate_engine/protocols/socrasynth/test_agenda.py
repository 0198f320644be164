"""Agreeing on the agenda: propose, refine having seen the other's, merge, review, approve."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from elenchus.debate_engine.events import AnswerRejected, StepDone, TurnAnswered, TurnOpened
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.scripted import Scripted
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.protocols.speech import SIDES, Topic, other
from tests.debate_engine.protocols.socrasynth.scripted_debate import GARBLED, TOPICS, Answer, ScriptedDebate, idea


def proposals(call: Call) -> dict[str, list[dict[str, str]]]:
    """Five topics that name the step that gave them."""
    who = call.step.removeprefix("agenda/")
    return {"topics": [idea(f"{who} for {n}", f"{who} against {n}") for n in range(1, 6)]}


MERGED = {"topics": [idea("rest", "practice"), idea("fairness", "effort")]}
AGREED = {"topics": [{"number": n, "verdict": "agree", "pro_concern": "", "con_concern": "", "scope": ""}
                     for n in (1, 2)]}  # fmt: skip
NEGOTIATED: dict[str, Answer] = {
    "socrasynth/propose-topics": proposals,
    "socrasynth/refine-topics": proposals,
    "socrasynth/merge-topics": MERGED,
    "socrasynth/review-agenda": AGREED,
}


def without_agenda(topics: int = 2, seed: int = 1, **answers: Answer) -> ScriptedDebate:
    named = {f"socrasynth/{name.replace('_', '-')}": answer for name, answer in answers.items()}
    return ScriptedDebate({**NEGOTIATED, **named}, agenda=(), topics=topics, max_rounds=1, judges=(), seed=seed)


async def test_each_side_proposes_five_topics_from_its_own_stance_side_by_side() -> None:
    room = without_agenda()
    await room.debate()
    assert room.flew_together("agenda/propose/pro", "agenda/propose/con")
    assert "Propose 5 subtopics" in room.words("agenda/propose/pro")
    assert "you argue for the motion" in room.words("agenda/propose/pro")
    assert "you argue against the motion" in room.words("agenda/propose/con")


async def test_each_side_refines_its_list_having_seen_the_other_sides() -> None:
    room = without_agenda()
    await room.debate()
    for side in SIDES:
        shown = room.words(f"agenda/refine/{side}")
        assert f"propose/{side} for 5" in shown
        assert f"propose/{other(side)} for 5" in shown
        assert f"propose/{other(side)} for 5" not in room.words(f"agenda/propose/{side}")


@pytest.mark.parametrize("seed", range(6))
async def test_the_seed_draws_who_merges_and_the_other_side_reviews_with_the_same_lists_at_hand(seed: int) -> None:
    room = without_agenda(seed=seed)
    debate = await room.debate()
    merger = debate.merged_by
    assert merger in SIDES
    asked = {step.step: step.inputs for r in await room.recorded() if isinstance(step := r.event, StepDone)}
    assert asked["agenda/merge"]["seat"] == merger
    assert asked["agenda/review"]["seat"] == other(merger)
    for side in SIDES:
        listed = [f"refine/{side} for {n}" for n in range(1, 6)]
        assert all(topic in room.words(step) for topic in listed for step in ("agenda/merge", "agenda/review"))
    assert debate.proposal is not None
    assert debate.proposal.drafted_by == other(merger), "nobody has both privileges"


async def test_over_the_seeds_both_sides_merge() -> None:
    merged = [(await without_agenda(seed=seed).debate()).merged_by for seed in range(12)]
    assert 3 <= merged.count("pro") <= 9


async def test_one_side_merges_the_refined_lists_and_the_other_reviews_the_merged_one() -> None:
    room = without_agenda()
    debate = await room.debate()
    shown = room.words("agenda/merge")
    assert "refine/pro for 1" in shown
    assert "refine/con against 5" in shown
    assert "exactly 2 balanced subtopics" in shown
    assert "1. rest vs. practice - rest and practice" in room.words("agenda/review")
    assert [topic.title for topic in debate.agenda] == ["rest vs. practice", "fairness vs. effort"]


async def test_an_agenda_of_one_topic_is_asked_for_in_the_singular() -> None:
    one = {"topics": MERGED["topics"][:1]}
    room = without_agenda(topics=1, merge_topics=one, review_agenda={"topics": AGREED["topics"][:1]})
    await room.debate()
    asked = room.words("agenda/merge")
    assert "exactly 1 balanced subtopic." in asked
    assert "keep only a subtopic about which" in asked


@pytest.mark.parametrize("second", [2, 9], ids=["without words", "of no topic"])
async def test_cons_amendment_of_a_topic_counts_and_an_empty_one_does_not(second: int) -> None:
    review = {
        "topics": [
            {"number": 1, "verdict": "amend", "pro_concern": "sleep", "con_concern": "skill", "scope": ""},
            {"number": second, "verdict": "amend", "pro_concern": " ", "con_concern": "zeal", "scope": "all"},
        ]
    }
    debate = await without_agenda(review_agenda=review).debate()
    assert debate.agenda == (
        Topic(pro_concern="sleep", con_concern="skill", scope="rest and practice"),
        Topic(pro_concern="fairness", con_concern="effort", scope="fairness and effort"),
    )


async def test_a_short_merge_is_filled_in_turn_from_both_sides_lists() -> None:
    short = await without_agenda(merge_topics={"topics": [idea("rest", "practice")]}).debate()
    assert [t.title for t in short.agenda] == ["rest vs. practice", "refine/pro for 1 vs. refine/pro against 1"]


async def test_of_a_merge_with_too_many_topics_the_first_are_taken() -> None:
    room = without_agenda(merge_topics={"topics": [idea(f"p{n}", f"c{n}") for n in range(7)]})
    assert [t.title for t in (await room.debate()).agenda] == ["p0 vs. c0", "p1 vs. c1"]
    assert room.counted["agenda/merge"] == 1


@pytest.mark.parametrize("again", [idea("rest", "practice"), idea("Rest.", " practice")], ids=["case", "marks"])
async def test_topics_of_one_title_are_debated_once(again: dict[str, str]) -> None:
    debate = await without_agenda(merge_topics={"topics": [idea("Rest", "Practice"), again]}).debate()
    assert [t.title for t in debate.agenda] == ["Rest vs. Practice", "refine/pro for 1 vs. refine/pro against 1"]


async def test_a_concern_that_both_sides_name_is_a_topic_that_reads_once() -> None:
    same = {"topics": [idea("Trust in experts", "trust  in experts."), idea("rest", "practice")]}
    room = without_agenda(merge_topics=same)
    debate = await room.debate()
    assert [t.title for t in debate.agenda] == ["Trust in experts", "rest vs. practice"]
    assert "1. Trust in experts - " in room.words("opening/pro")


async def test_an_amendment_that_makes_two_topics_the_same_leaves_one_of_them() -> None:
    amended = {"number": 2, "verdict": "amend", "pro_concern": "Rest", "con_concern": "practice ", "scope": "evenings"}
    debate = await without_agenda(review_agenda={"topics": [amended]}).debate()
    assert [t.title for t in debate.agenda] == ["rest vs. practice"]


async def test_an_unreadable_merge_and_review_leave_a_fair_agenda_of_both_lists() -> None:
    debate = await without_agenda(merge_topics=GARBLED, review_agenda=GARBLED).debate()
    assert [t.pro_concern for t in debate.agenda] == ["refine/pro for 1", "refine/con for 1"]


async def test_where_refining_cannot_be_read_the_first_proposals_count() -> None:
    debate = await without_agenda(refine_topics=GARBLED, merge_topics=GARBLED).debate()
    assert [t.pro_concern for t in debate.agenda] == ["propose/pro for 1", "propose/con for 1"]


async def test_the_list_of_one_side_is_enough_and_without_any_the_debate_ends_with_the_remedy() -> None:
    def only_con(call: Call) -> object:
        return proposals(call) if call.step.endswith("con") else GARBLED

    debate = await without_agenda(propose_topics=only_con, refine_topics=only_con, merge_topics=GARBLED).debate()
    assert [t.pro_concern for t in debate.agenda] == ["propose/con for 1", "propose/con for 2"]
    room = without_agenda(propose_topics=GARBLED, refine_topics=GARBLED)
    failed = await room.run()
    assert (failed.state, failed.error) == ("failed", "NoAgenda")
    assert failed.reason.startswith("neither side gave a readable list of topics")
    assert "--" not in failed.reason, "how an agenda is given is the front end's to say"


async def test_who_resumes_a_debate_that_ended_without_an_agenda_has_both_sides_asked_again() -> None:
    room = without_agenda(propose_topics=GARBLED)
    for times in (1, 2):
        assert (await room.run()).error == "NoAgenda"
        asked = Counter(call.step.removesuffix("/repair") for call in room.of("propose-topics"))
        assert len(asked) == 2 * times, "both sides, once more in each run"
    room.answers["socrasynth/propose-topics"] = proposals
    debate = await room.debate()
    assert [topic.title for topic in debate.agenda] == ["rest vs. practice", "fairness vs. effort"]
    again = without_agenda()
    again.log = MemoryLog()
    await again.log.restore("s", (await room.recorded())[:-1])
    assert await again.debate() == debate
    assert not again.steps, "what was asked once more is found again"


async def test_where_no_agenda_can_be_read_the_cause_is_told_for_each_side() -> None:
    def lists(call: Call) -> object:
        return {"topics": [{"pro_concern": "rest"}]} if call.step.endswith("pro") else Scripted(fault="refused")

    failed = await without_agenda(propose_topics=lists).run()
    assert failed.state == "failed"
    assert (
        "pro's list of topics could not be read: unreadable after one repair: topics[0] lacks con_concern, scope; "
        "con's list of topics could not be read: the model refused" in failed.reason
    )


async def test_ten_topics_are_proposed_for_an_agenda_of_ten() -> None:
    room = ScriptedDebate(NEGOTIATED, agenda=(), topics=10, max_rounds=1, judges=())
    debate = await room.debate()
    assert "Propose 10 subtopics" in room.words("agenda/propose/con")
    assert len(debate.agenda) == 10


async def test_an_agenda_by_hand_is_debated_as_it_is_and_everyone_hears_it() -> None:
    room = ScriptedDebate(judges=())
    debate = await room.debate()
    assert debate.agenda == TOPICS
    assert not [step for step in room.steps if step.startswith("agenda/")]
    (announced,) = [said for said in await room.said() if said.about == "agenda"]
    assert (announced.speaker, announced.to) == ("moderator", ("*",))
    assert announced.text.splitlines()[1] == "2. fairness vs. effort - Who can work at home."


@pytest.mark.parametrize(("keep", "kept"), [([2, 1], [1, 0]), ([2], [1]), ([2, 2], [1])])
async def test_the_moderator_reorders_and_strikes_but_adds_nothing(keep: list[int], kept: list[int]) -> None:
    room = ScriptedDebate(approve_agenda=True, judges=())
    await room.make()
    async with asyncio.TaskGroup() as group:
        debating = group.create_task(room.debate())
        async for r in room.log.follow("s"):
            if isinstance(r.event, TurnOpened):
                break
        answer = TurnAnswered(by="mia", seat="moderator", step="agenda/approve", answer={"keep": keep})
        await room.log.send("s", answer)
    assert debating.result().agenda == tuple(TOPICS[i] for i in kept)


async def test_a_moderator_who_names_a_topic_that_is_not_there_is_told() -> None:
    room = ScriptedDebate(approve_agenda=True, judges=())
    wrong = TurnAnswered(by="mia", seat="moderator", step="agenda/approve", answer={"keep": [2, 7]})
    await room.make()
    async with asyncio.TaskGroup() as group:
        debating = group.create_task(room.debate())
        async for r in room.log.follow("s"):
            match r.event:
                case TurnOpened():
                    await room.log.send("s", wrong)
                case AnswerRejected(reason=reason):
                    assert reason == "there is no topic 7; the numbers are 1, 2"
                    break
        await room.log.send("s", wrong.model_copy(update={"answer": {"keep": [2]}}))
    assert debating.result().agenda == (TOPICS[1],)
