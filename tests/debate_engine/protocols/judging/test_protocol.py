from __future__ import annotations

import asyncio
import re
from contextlib import aclosing
from typing import Any

import pytest

from elenchus.debate_engine.errors import ProviderBusy, UsageError
from elenchus.debate_engine.events import Guidance, Seat
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.scripted import Scripted
from elenchus.debate_engine.protocols.judging.material import Case
from elenchus.debate_engine.protocols.judging.protocol import debating_judges, judge
from elenchus.debate_engine.protocols.judging.schemas import Judgement
from elenchus.debate_engine.session import Session
from tests.debate_engine.protocols.judging.debate import CLOSINGS, EXCHANGE, MOTION, TOPICS
from tests.debate_engine.protocols.judging.panel import FAIR, GARBLED, UNREADABLE, JudgingSession, seat_of, words_of

JUDGES = ("judge-1", "judge-2", "judge-3")


async def judging(s: Session) -> Judgement:
    return await judge(s, Case(MOTION, TOPICS, EXCHANGE, CLOSINGS), JUDGES)


async def judgement_with(reply: Any) -> tuple[Judgement, JudgingSession]:
    judged = JudgingSession(judging, reply)
    run = await judged.run()
    assert run.outcome is not None, run.reason
    return Judgement.model_validate(run.outcome), judged


async def test_every_ruling_of_every_judge_is_in_flight_at_once() -> None:
    _, judged = await judgement_with(lambda call: FAIR)
    assert judged.client.most_in_flight == len(JUDGES) * 2 * len(TOPICS) == len(judged.client.asked)


async def test_the_judgement_counts_what_the_judges_said() -> None:
    judgement, _ = await judgement_with(lambda call: FAIR)
    assert [(t.judge, t.first, t.a, t.b) for t in judgement.totals][:2] == [
        ("judge-1", "A", 15, 12),
        ("judge-1", "B", 15, 12),
    ]
    assert (judgement.winner, judgement.winning_side, judgement.a, judgement.b) == ("A", "pro", 90, 72)
    assert judgement.agreement.scores == 1.0
    assert judgement.agreement.winners is None
    assert judgement.swap.mean == 0
    assert judgement.failed == ()
    assert judgement.topics == tuple(t.title for t in TOPICS)


async def test_a_judge_who_always_favours_the_claimant_shows_in_the_swap_and_not_in_the_verdict() -> None:
    def first_wins(call: Call) -> dict[str, Any]:
        letter = "A" if "/A-claims/" in call.step else "B"
        low = {f"{x}_{what}": 5 for x in "ab" for what in ("validity", "credibility")}
        return {**low, f"{letter.lower()}_validity": 9, "rationale": "First.", "winner": letter}

    judgement, _ = await judgement_with(first_wins)
    assert judgement.winner == "tie"
    assert (judgement.swap.mean, judgement.swap.flipped, judgement.swap.pairs) == (4.0, 6, 6)


async def test_a_judge_that_cannot_be_read_or_reached_is_reported_and_left_out_and_ends_nothing() -> None:
    def reply(call: Call) -> Any:
        if seat_of(call) == "judge-2":
            return GARBLED
        if seat_of(call) == "judge-3" and "/topic/1" in call.step:
            raise ProviderBusy("429 after 5 attempts")
        return FAIR

    judgement, _ = await judgement_with(reply)
    assert [f.judge for f in judgement.failed] == ["judge-2"]
    assert judgement.failed[0].reason.startswith(f"4 × {UNREADABLE}: the reply is not valid JSON")
    assert (judgement.winner, judgement.a, judgement.b) == ("A", 6 * 7.5, 6 * 6)
    lost = [c for c in judgement.cells if c.judge == "judge-3" and c.ruling is None]
    assert [(c.topic, c.declined) for c in lost] == [(1, "429 after 5 attempts")] * 2


async def test_with_two_of_three_judges_lost_the_debate_is_undecided() -> None:
    judgement, _ = await judgement_with(lambda call: FAIR if seat_of(call) == "judge-1" else GARBLED)
    assert (judgement.winner, judgement.winning_side) == ("undecided", "undecided")
    assert len(judgement.failed) == 2


async def test_a_resume_asks_no_judge_a_second_time() -> None:
    reached = asyncio.Event()
    hold = True

    async def judging_then_waiting(s: Session) -> Judgement:
        judgement = await judging(s)
        reached.set()
        if hold:
            await asyncio.Event().wait()
        return judgement

    judged = JudgingSession(judging_then_waiting, lambda call: FAIR)
    first = asyncio.create_task(judged.run())
    await reached.wait()
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    hold = False
    run = await judged.run()
    assert run.state == "finished"
    assert set(judged.by_step.values()) == {1}


async def test_a_resume_in_the_middle_asks_only_for_the_rulings_that_are_missing() -> None:
    """Judge 3 does not answer; the run is cancelled when all other rulings are recorded."""
    silent = True
    judged = JudgingSession(
        judging, lambda call: Scripted(fault="timeout") if silent and seat_of(call) == "judge-3" else FAIR
    )
    await judged.start()
    first = asyncio.create_task(judged.run())
    recorded = 0
    async with aclosing(judged.log.follow("panel")) as events:
        async for r in events:
            recorded += r.event.kind == "step_done"
            if recorded == 8:
                break
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    silent = False
    run = await judged.run()
    assert run.state == "finished"
    assert {step: n for step, n in judged.by_step.items() if n == 2}.keys() == {
        step for step in judged.by_step if "/judge-3/" in step
    }


async def test_no_prompt_of_a_judge_holds_a_model_a_score_a_moderators_word_or_a_stance() -> None:
    async def guided_then_judged(s: Session) -> Judgement:
        await s.record("round/1/crit", {"gamma": 7.31, "weakest": "SCORED-BY-CRIT"})
        for side in ("pro", "con"):
            await s.words_to("round/1", side)
        return await judging(s)

    judged = JudgingSession(guided_then_judged, lambda call: FAIR)
    await judged.start()
    await judged.log.send("panel", Guidance(by="m", to=("pro", "con"), text="MODERATOR-NOTE"))
    assert (await judged.run()).state == "finished"
    said = [r.event for r in await judged.log.read("panel") if r.event.kind == "said"]
    assert len(said) == 2
    assert len(judged.client.asked) == 12
    for call in judged.client.asked:
        text = words_of(call)
        for hidden in ("secret-model", "openai", "7.31", "CRIT", "MODERATOR-NOTE", "judge-", "moderator"):
            assert hidden not in text
        assert not re.search(r"\b(pro|con)\b", text, re.IGNORECASE)
        assert call.temperature == 0


async def test_each_sides_own_conclusion_can_be_the_claim() -> None:
    async def open_question(s: Session) -> Judgement:
        claims = {"pro": "it is measles", "con": "it is rubella"}
        return await judge(s, Case(MOTION, TOPICS, EXCHANGE, CLOSINGS, claims, question=True), ["judge-1"])  # type: ignore[arg-type]

    judged = JudgingSession(open_question, lambda call: FAIR)
    await judged.run()
    texts = {call.step: words_of(call) for call in judged.client.asked}
    assert "Side A makes this claim: it is measles" in texts["judging/judge-1/A-claims/topic/1"]
    assert "Side B makes this claim: it is rubella" in texts["judging/judge-1/B-claims/topic/2"]


async def test_a_topic_on_which_nobody_spoke_is_asked_of_no_judge() -> None:
    async def silence(s: Session) -> Judgement:
        return await judge(s, Case(MOTION, TOPICS, [], {}), JUDGES)

    judged = JudgingSession(silence, lambda call: FAIR)
    run = await judged.run()
    assert run.outcome is not None
    assert (run.outcome["winner"], len(judged.client.asked)) == ("undecided", 0)


async def test_a_judgement_without_judges_is_refused_before_anything_is_asked() -> None:
    async def nobody(s: Session) -> Judgement:
        with pytest.raises(UsageError, match="at least one judge"):
            await judge(s, Case(MOTION, TOPICS, EXCHANGE, CLOSINGS), [])
        return await judging(s)

    assert (await JudgingSession(nobody, lambda call: FAIR).run()).state == "finished"


def test_judges_whose_model_debates_too_are_named() -> None:
    specs = {"pro": "openai:a", "con": "human", "answerer": "openai:b"}
    specs |= {"judge-1": "openai:b", "judge-2": "openai:a", "judge-3": "human"}
    seats = [Seat(name=name, spec=spec) for name, spec in specs.items()]
    assert debating_judges(seats) == ["judge-2"]


def test_a_named_person_who_debates_and_judges_is_named_too() -> None:
    seats = [Seat(name="con", spec="human:ada"), Seat(name="judge-1", spec="human:ada")]
    assert debating_judges(seats) == ["judge-1"]
