from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from elenchus.debate_engine.errors import ProviderBusy, UsageError
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.scripted import Scripted
from elenchus.debate_engine.protocols.judging.compare import compare_with_plain_answer
from elenchus.debate_engine.protocols.judging.material import plain_text
from elenchus.debate_engine.protocols.judging.schemas import LENGTH_WARNING, Comparison
from elenchus.debate_engine.session import Session
from tests.debate_engine.protocols.judging.debate import CLOSINGS, EXCHANGE, MOTION, TOPICS
from tests.debate_engine.protocols.judging.panel import GARBLED, JudgingSession, seat_of, words_of

JUDGES = ("judge-1", "judge-2")
DEBATE = [plain_text(n, [*EXCHANGE, *CLOSINGS.values()]) for n in (1, 2)]
ANSWER = "## 1. Clean air vs. Shops' income\nFumes are known to harm.\n\n## 2. Safe streets vs. Free choice\nSlow cars."


def likes_debate(call: Call) -> Any:
    if seat_of(call) == "answerer":
        return ANSWER
    best = "first" if "/debate-first/" in call.step else "second"
    return preference(best, 8, 5)


def preference(best: str, high: int, low: int) -> dict[str, Any]:
    points = {
        f"{place}_{what}": high if place == best else low
        for place in ("first", "second")
        for what in ("depth", "balance", "accuracy")
    }
    return {"rationale": "It says more.", **points, "preferred": best}


async def comparing(s: Session) -> Comparison:
    return await compare_with_plain_answer(s, MOTION, TOPICS, DEBATE, JUDGES)


async def comparison_with(reply: Any) -> tuple[Comparison, JudgingSession]:
    judged = JudgingSession(comparing, reply, JUDGES)
    run = await judged.run()
    assert run.outcome is not None, run.reason
    return Comparison.model_validate(run.outcome), judged


async def test_each_judge_compares_each_topic_in_both_orders_all_in_flight_together() -> None:
    _, judged = await comparison_with(likes_debate)
    assert judged.client.most_in_flight == len(JUDGES) * 2 * len(TOPICS)
    assert len(judged.client.asked) == 1 + judged.client.most_in_flight


async def test_the_preferred_text_wins_whichever_order_it_was_shown_in() -> None:
    comparison, _ = await comparison_with(likes_debate)
    assert (comparison.better, comparison.winner) == ("debate", "A")
    assert (comparison.a, comparison.b) == (64, 40)
    assert (comparison.swap.mean, comparison.swap.flipped) == (0, 0)


async def test_a_judge_who_always_prefers_the_first_text_makes_a_tie_and_shows_as_effect_of_the_order() -> None:
    comparison, _ = await comparison_with(
        lambda call: ANSWER if seat_of(call) == "answerer" else preference("first", 8, 5)
    )
    assert comparison.better == "tie"
    assert (comparison.swap.mean, comparison.swap.flipped, comparison.swap.pairs) == (6.0, 4, 4)


async def test_the_words_of_both_texts_are_reported_with_a_warning() -> None:
    comparison, _ = await comparison_with(likes_debate)
    assert comparison.debate_words == tuple(len(text.split()) for text in DEBATE)
    assert comparison.plain_words == (5, 2)
    assert comparison.length_warning == LENGTH_WARNING


async def test_the_judges_see_the_two_texts_without_a_word_on_where_they_come_from() -> None:
    _, judged = await comparison_with(likes_debate)
    texts = {call.step: words_of(call) for call in judged.client.asked if seat_of(call) != "answerer"}
    one = texts["comparison/judge-1/debate-first/topic/1"]
    two = texts["comparison/judge-1/answer-first/topic/1"]
    assert one.index("Fumes harm lungs.") < one.index("Fumes are known to harm.")
    assert two.index("Fumes harm lungs.") > two.index("Fumes are known to harm.")
    for text in texts.values():
        assert not re.search(
            r"\b(pro|con|debate|side|opening|round|closing|secret-model|answerer)\b", text, re.IGNORECASE
        )


async def test_the_answerer_sees_the_agenda_and_nothing_of_the_debate() -> None:
    _, judged = await comparison_with(likes_debate)
    (asked,) = [call for call in judged.client.asked if seat_of(call) == "answerer"]
    assert "1. Clean air vs. Shops' income" in words_of(asked)
    assert "Fumes harm lungs." not in words_of(asked)


@pytest.mark.parametrize(
    "debate, words",
    [
        ("one two", 80),
        ("word " * 155, 150),
        ("word " * 900, 300),
        ("街应该留给行人。" * 50, 170),
        ("ครูตีเด็ก" * 80, 180),
    ],
)
async def test_the_answer_is_asked_to_be_as_long_as_the_debate_within_bounds(debate: str, words: int) -> None:
    async def work(s: Session) -> Comparison:
        return await compare_with_plain_answer(s, MOTION, TOPICS, [debate, debate], JUDGES)

    judged = JudgingSession(work, likes_debate, JUDGES)
    assert (await judged.run()).outcome is not None
    (asked,) = [call for call in judged.client.asked if seat_of(call) == "answerer"]
    assert f"about {words} words under each heading" in words_of(asked)
    assert asked.max_tokens >= words * len(TOPICS)


@pytest.mark.parametrize("failure, why", [("refused", "the model refused"), ("unreachable", "no answer")])
async def test_without_a_plain_answer_nothing_is_compared_and_the_result_says_why(failure: str, why: str) -> None:
    def reply(call: Call) -> Any:
        assert seat_of(call) == "answerer"
        if failure == "unreachable":
            raise ProviderBusy("no answer")
        return Scripted(fault="refused")

    comparison, judged = await comparison_with(reply)
    assert (comparison.better, comparison.no_answer) == ("undecided", why)
    assert {seat_of(call) for call in judged.client.asked} == {"answerer"}


async def test_a_topic_that_the_plain_answer_passed_over_is_not_compared() -> None:
    def reply(call: Call) -> Any:
        return "## 1. Clean air vs. Shops' income\nFumes harm." if seat_of(call) == "answerer" else likes_debate(call)

    comparison, judged = await comparison_with(reply)
    assert not [call for call in judged.client.asked if call.step.endswith("topic/2")]
    assert {c.declined for c in comparison.cells if c.topic == 2} == {
        "nothing to compare: no text from the plain answer on this topic"
    }
    assert comparison.better == "debate"


async def test_a_judge_that_cannot_be_read_is_left_out_of_the_comparison() -> None:
    comparison, _ = await comparison_with(lambda call: GARBLED if seat_of(call) == "judge-2" else likes_debate(call))
    assert [f.judge for f in comparison.failed] == ["judge-2"]
    assert comparison.better == "undecided"


async def test_a_resume_of_a_comparison_asks_nobody_a_second_time() -> None:
    reached, hold = asyncio.Event(), True

    async def comparing_then_waiting(s: Session) -> Comparison:
        comparison = await comparing(s)
        reached.set()
        if hold:
            await asyncio.Event().wait()
        return comparison

    judged = JudgingSession(comparing_then_waiting, likes_debate, JUDGES)
    first = asyncio.create_task(judged.run())
    await reached.wait()
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    hold = False
    assert (await judged.run()).state == "finished"
    assert set(judged.by_step.values()) == {1}


async def test_a_comparison_without_judges_is_refused() -> None:
    async def nobody(s: Session) -> Comparison:
        with pytest.raises(UsageError):
            await compare_with_plain_answer(s, MOTION, TOPICS, DEBATE, [])
        return await comparing(s)

    assert (await JudgingSession(nobody, likes_debate, JUDGES).run()).state == "finished"
