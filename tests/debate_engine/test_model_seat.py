"""A model's chair: answers are read, an unreadable one is repaired once, what was spent is recorded in any case."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from elenchus.config.models import ModelInfo, Price
from elenchus.debate_engine.errors import ContextTooLong, ProviderBusy
from elenchus.debate_engine.events import CallFailed, StepDone
from elenchus.debate_engine.llm.budget import estimate_call
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.model import Model
from elenchus.debate_engine.llm.retrying import Limits
from elenchus.debate_engine.llm.scripted import Scripted, ScriptedClient
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.model_seat import ModelSeat, Persona, up_to_last_sentence
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.reports.failures import Failures
from elenchus.debate_engine.runner import Runner
from tests.debate_engine.toy import toy, toy_started

FIRST = "round/1/count/0"
Answerer = Callable[[Call], Any]


class Toy:
    """One round of the toy between models that answer by a function of the call."""

    def __init__(self, answerer: Answerer, context: int = 8_000, thinking: int = 0) -> None:
        self.log, self.client = MemoryLog(), ScriptedClient(answerer=answerer)
        info = ModelInfo(context=context, thinking=thinking, usd=Price(input=1.0, output=2.0))
        self.model = Model("scripted:toy", "toy", self.client, Limits(attempts=1), info)
        self.most: dict[str, tuple[int, float]] = {}

    async def run(self) -> None:
        def seat(_: Any, room: Any) -> ModelSeat:
            return ModelSeat(room, self.model, Persona("toy"))

        runner = Runner(self.log, {"toy": toy}, seat, frozenset({"provider"}))
        if not await self.log.sessions():
            await runner.create(toy_started(rounds=1), "s")
        await runner.run("s")

    def calls(self, step: str = FIRST) -> list[Call]:
        return [call for call in self.client.asked if call.step == step]

    async def done(self, step: str = FIRST) -> StepDone:
        (found,) = [r.event for r in await self.log.read("s") if isinstance(r.event, StepDone) and r.event.step == step]
        return found

    async def failed(self) -> list[CallFailed]:
        return [r.event for r in await self.log.read("s") if isinstance(r.event, CallFailed)]


def at_first(*answers: Any) -> Answerer:
    """These answers in turn at the step FIRST, sound ones elsewhere; an error is raised."""
    left = list(answers)

    def answer(call: Call) -> Any:
        if call.step != FIRST:
            return {"words": 1} if call.schema else "I speak."
        given = left.pop(0)
        if isinstance(given, Exception):
            raise given
        return given

    return answer


async def test_an_unreadable_answer_is_repaired_once_by_showing_the_model_its_error() -> None:
    played = Toy(at_first('{"words": "three"}', {"words": 3}))
    await played.run()
    _, repair = played.calls()
    reply, complaint = repair.messages[-2:]
    assert (reply.role, reply.content) == ("assistant", '{"words": "three"}')
    assert "could not be used: words must be of type integer" in complaint.content
    done = await played.done()
    assert done.result == {"value": {"words": 3}}
    assert [call.outcome for call in done.calls] == ["unreadable: words must be of type integer", "ok"]
    assert done.calls[0].sent is None, "it was asked as the step's input says"
    assert done.calls[1].sent is not None


async def test_an_answer_that_stays_unreadable_is_none_and_both_calls_are_paid_for() -> None:
    played = Toy(at_first("three", "perhaps three"))
    await played.run()
    done = await played.done()
    assert done.result["declined"].startswith("unreadable after one repair: the reply is not valid JSON")
    assert len(played.calls()) == len(done.calls) == 2
    assert all(call.cost_usd for call in done.calls)


@pytest.mark.parametrize(
    "two", ['{"words": 1, "words": 777}', '{"words": 1}\n{"words": 777}', '{"words": 1, "words": 77', "[1, 777]"]
)
async def test_of_two_numbers_neither_is_the_answer_it_is_asked_once_more_and_else_there_is_none(two: str) -> None:
    mended = Toy(at_first(two, {"words": 3}))
    await mended.run()
    assert (await mended.done()).result == {"value": {"words": 3}}
    lost = Toy(at_first(two, two))
    await lost.run()
    assert (await lost.done()).result["declined"].startswith("unreadable after one repair")


async def test_what_was_changed_in_an_answer_stands_with_its_call() -> None:
    played = Toy(at_first({"Words": "3", "mood": "good"}))
    await played.run()
    done = await played.done()
    assert done.result == {"value": {"words": 3}}
    assert done.calls[0].adjusted == ("the answer has 1 unknown field: left out",)
    assert done.calls[0].outcome == "ok"


async def test_what_is_whole_of_an_answer_that_breaks_off_is_taken_only_when_its_repair_breaks_off_too() -> None:
    cut = Scripted(text='{"words": 3, "mo')
    repaired = Toy(at_first(cut, {"words": 4}))
    await repaired.run()
    assert (await repaired.done()).result == {"value": {"words": 4}}
    broken = Toy(at_first(cut, cut))
    await broken.run()
    done = await broken.done()
    assert done.result == {"value": {"words": 3}}
    assert [bool(call.adjusted) for call in done.calls] == [False, True]


async def test_a_budget_keeps_the_price_of_writing_a_whole_prompt_to_the_cache() -> None:
    def most(price: Price) -> float:
        model = Model("scripted:toy", "toy", ScriptedClient(), Limits(), ModelInfo(usd=price))
        usd = ModelSeat(None, model, Persona("toy")).most(an_ask)[1]  # type: ignore[arg-type]
        assert usd is not None
        return usd

    an_ask = Ask(step="s", seat="a", prompt_id="p", prompt_hash="h", role="R", material=(), task="T", max_tokens=100)
    plain = most(Price(input=4, output=0))
    assert most(Price(input=4, output=0, cached=0.4)) == plain
    assert most(Price(input=4, output=0, cached=0.4, written=5)) == pytest.approx(1.25 * plain)


async def test_an_author_whose_answer_was_cut_off_for_its_length_is_told_so() -> None:
    played = Toy(at_first(Scripted(text='{"words": 3, "mo', fault="truncated"), {"words": 4}))
    await played.run()
    complaint = played.calls()[1].messages[-1].content
    assert "breaks off in the middle" in complaint
    assert "far fewer words" in complaint
    ended = Toy(at_first('{"words": 3, "mo', {"words": 4}))
    await ended.run()
    assert "far fewer words" not in ended.calls()[1].messages[-1].content


async def test_where_the_repair_is_refused_what_is_whole_of_the_first_answer_is_taken() -> None:
    played = Toy(at_first(Scripted(text='{"words": 3, "mo'), Scripted(fault="refused")))
    await played.run()
    assert (await played.done()).result == {"value": {"words": 3}}


@pytest.mark.parametrize(
    ("answer", "reason"),
    [(Scripted(fault="refused"), "the model refused"), (Scripted(fault="empty"), "unreadable after one repair")],
)
async def test_a_refusal_is_not_asked_again_and_nothing_is_asked_once_more(answer: Scripted, reason: str) -> None:
    played = Toy(at_first(answer, answer))
    await played.run()
    assert (await played.done()).result["declined"].startswith(reason)
    assert len(played.calls()) == (1 if answer.fault == "refused" else 2)


async def test_an_answer_whose_repair_would_be_too_long_is_unreadable() -> None:
    played = Toy(at_first("three", ContextTooLong("the prompt is too long")))
    await played.run()
    done = await played.done()
    assert done.result["declined"].startswith("unreadable, and too long to be repaired")
    assert len(done.calls) == 1


async def test_what_an_unreadable_answer_cost_is_in_the_log_also_when_its_repair_fails() -> None:
    played = Toy(at_first("three", ProviderBusy("the provider answers 503")))
    await played.run()
    spent = [failed.call for failed in await played.failed() if failed.call]
    assert [call.outcome[:10] for call in spent] == ["unreadable"]
    assert spent[0].cost_usd
    assert (await played.done()).result == {"declined": "the provider answers 503"}


async def test_a_speech_that_was_cut_off_ends_with_its_last_whole_sentence() -> None:
    played = Toy(
        lambda call: (
            {"words": 1} if call.schema else Scripted(text="Sleep matters. Pupils who sl" * 2, fault="truncated")
        )
    )
    await played.run()
    done = await played.done("round/1/a")
    assert done.result == {"value": "Sleep matters."}
    assert done.calls[0].outcome == "cut"
    assert up_to_last_sentence("no end in sight") == "no end in sight"


async def test_the_most_that_an_answer_may_use_covers_prompt_schema_and_reply_and_never_more_than_the_context() -> None:
    played = Toy(lambda call: {"words": 1} if call.schema else "I speak.")
    await played.run()
    ask = Ask.model_validate((await played.done()).inputs)
    seat = ModelSeat(None, played.model, Persona("toy"))  # type: ignore[arg-type]
    tokens, usd = seat.most(ask)
    (call,) = played.calls()
    assert tokens >= estimate_call(call) - 16 + ask.max_tokens, "the marks between two messages apart"
    assert usd == pytest.approx(((tokens - ask.max_tokens) * 1.0 + ask.max_tokens * 2.0) / 1e6)
    small = Toy(lambda _: None, context=900)
    long = ask.model_copy(update={"task": "Count. " * 5_000})
    assert ModelSeat(None, small.model, Persona("toy")).most(long)[0] == 900  # type: ignore[arg-type]


async def test_the_most_covers_all_the_hidden_reasoning_that_a_model_is_allowed() -> None:
    plain = Toy(lambda call: {"words": 1} if call.schema else "I speak.")
    await plain.run()
    ask = Ask.model_validate((await plain.done()).inputs)

    def most(played: Toy, ask: Ask) -> tuple[int, float | None]:
        return ModelSeat(None, played.model, Persona("toy")).most(ask)  # type: ignore[arg-type]

    tokens, usd = most(plain, ask)
    more, dearer = most(Toy(lambda _: None, context=16_000, thinking=8_000), ask)
    assert more == tokens + 8_000
    assert usd is not None
    assert dearer == pytest.approx(usd + 8_000 * 2.0 / 1e6)
    long = ask.model_copy(update={"task": "Count. " * 50_000})
    assert most(Toy(lambda _: None, context=16_000, thinking=8_000), long)[0] == 16_000, "and it takes its room"


async def test_a_prompt_leaves_room_for_hidden_reasoning() -> None:
    def words(call: Call) -> Any:
        return {"words": 1} if call.schema else "I speak and speak. " * 400

    plain, thinking = Toy(words, context=16_000), Toy(words, context=16_000, thinking=12_000)
    for played in (plain, thinking):
        await played.run()
    (whole,), (short,) = plain.calls(), thinking.calls()
    assert estimate_call(short) + short.max_tokens + 12_000 <= 16_000 < estimate_call(whole) + whole.max_tokens + 12_000


async def test_whatever_a_client_raises_ends_its_call_and_the_log_says_where_it_was_and_no_words() -> None:
    played = Toy(at_first(RecursionError("maximum recursion depth, sk-secret")))
    await played.run()
    (failed,) = await played.failed()
    assert (failed.error, failed.step) == ("MalformedReply", FIRST)
    assert failed.trace.startswith("RecursionError at debate_engine/test_model_seat.py:")
    assert "retrying.py" in failed.trace
    assert "secret" not in failed.model_dump_json()
    failures = Failures()
    for recorded in await played.log.read("s"):
        failures.apply(recorded)
    assert failed.trace in failures.failures[0].message
    assert (await played.done()).result == {"declined": "What came of toy could not be read (RecursionError)."}
    assert (await played.log.info("s")).state == "finished"


@pytest.mark.parametrize("depth", [100, 600, 100_000])
async def test_brackets_within_brackets_are_an_unreadable_answer(depth: int) -> None:
    nested = '{"words": ' + "[" * depth + "]" * depth + "}"
    played = Toy(at_first(nested, {"words": 3}))
    await played.run()
    done = await played.done()
    assert done.result == {"value": {"words": 3}}
    assert [call.outcome.partition(":")[0] for call in done.calls] == ["unreadable", "ok"]
