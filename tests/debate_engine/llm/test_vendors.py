"""What all vendors' clients do alike, with the real SDKs against servers on loopback."""

from __future__ import annotations

import asyncio
import logging
import re
import sys
from pathlib import Path

import pytest
from pydantic import BaseModel, Field

from elenchus.debate_engine.llm.client import Message, Usage
from elenchus.debate_engine.llm.schema import at_most, json_schema_of
from tests.debate_engine.llm.replies import parse
from tests.debate_engine.llm.vendors import Vendor, a_call, every_vendor
from tests.fakes.llm.loopback import KEY, Hang, Say


class Verdict(BaseModel):
    """A judge's ruling."""

    rationale: str = Field(description="why, in at most 20 words", json_schema_extra=at_most(60, characters=600))
    score: int = Field(ge=1, le=10)
    tags: list[str] = Field(max_length=3)


@every_vendor
async def test_a_call_is_answered_with_text_usage_and_the_reported_model(vendor: Vendor) -> None:
    async with vendor.served() as (client, server):
        server.will(Say("Wide streets invite walking.", cached=12))
        reply = await client.complete(a_call())
    assert (reply.text, reply.finish) == ("Wide streets invite walking.", "stop")
    assert reply.usage == Usage(20, 4, 12)
    assert reply.model not in ("", "model-1")
    assert reply.seconds > 0


@every_vendor
async def test_a_streamed_call_gives_its_pieces_and_the_same_reply(vendor: Vendor) -> None:
    pieces: list[str] = []
    async with vendor.served() as (client, server):
        server.will(Say("Wide streets invite walking.", cached=12))
        reply = await client.complete(a_call(), pieces.append)
    assert pieces == ["Wide", " streets", " invite", " walking."]
    assert (reply.text, reply.finish, reply.usage) == ("Wide streets invite walking.", "stop", Usage(20, 4, 12))


@every_vendor
async def test_a_schema_goes_through_the_vendors_own_feature(vendor: Vendor) -> None:
    async with vendor.served() as (client, server):
        server.will(Say('{"rationale": "Clearer.", "score": 7, "tags": []}'))
        reply = await client.complete(a_call(schema=json_schema_of(Verdict), schema_name="Verdict"))
    assert parse(reply.text, Verdict) == Verdict(rationale="Clearer.", score=7, tags=[])
    assert "why, in at most 20 words" in str(server.requests)
    assert "A judge's ruling" not in str(server.requests), "our docstrings stay out"


@every_vendor
async def test_a_model_without_the_schema_feature_gets_the_schema_in_words(vendor: Vendor) -> None:
    async with vendor.served() as (client, server):
        server.takes = server.takes - {"response_format", "output_config", "responseJsonSchema"}
        for _ in range(2):
            await client.complete(a_call(schema=json_schema_of(Verdict)))
    assert len(server.requests) == 3, "the complaint is remembered"
    last = str(server.requests[-1])
    assert "JSON schema" in last
    assert "why, in at most 20 words" in last
    assert "minimum 1" in last
    assert not re.search("maxWords|maxLength", last), "a bound for grammars is told to nobody"


@every_vendor
async def test_a_temperature_that_the_model_does_not_take_is_left_out_and_remembered(vendor: Vendor) -> None:
    async with vendor.served() as (client, server):
        server.takes = server.takes - {"temperature"}
        for _ in range(3):
            assert (await client.complete(a_call(temperature=0.7))).text
    sent = ["temperature" in str(request) for request in server.requests]
    assert sent == [True, False, False, False]


@every_vendor
async def test_many_calls_that_meet_the_same_complaint_all_get_their_answer(vendor: Vendor) -> None:
    async with vendor.served() as (client, server):
        server.takes = server.takes - {"temperature", "seed"}
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(client.complete(a_call(temperature=0.7, seed=3))) for _ in range(10)]
    assert all(task.result().text for task in tasks)


@every_vendor
async def test_hidden_reasoning_gets_room_on_top_of_the_reply(vendor: Vendor) -> None:
    async with vendor.served(thinking=8000) as (client, server):
        await client.complete(a_call(max_tokens=200))
    assert "8200" in str(server.requests[0])


@every_vendor
@pytest.mark.parametrize("streamed", [False, True])
async def test_hidden_reasoning_is_paid_as_output_and_no_part_of_what_is_said(vendor: Vendor, streamed: bool) -> None:
    async with vendor.served() as (client, server):
        server.will(Say("one two", thoughts=500))
        reply = await client.complete(a_call(), (lambda _: None) if streamed else None)
    assert (reply.text, reply.usage) == ("one two", Usage(20, 502, 0))


@every_vendor
@pytest.mark.parametrize("streamed", [False, True])
async def test_a_reply_that_was_cut_off_says_so(vendor: Vendor, streamed: bool) -> None:
    async with vendor.served() as (client, server):
        server.will(Say("One two", finish=vendor.length))
        reply = await client.complete(a_call(), (lambda _: None) if streamed else None)
    assert (reply.text, reply.finish) == ("One two", "length")


@every_vendor
@pytest.mark.parametrize("streamed", [False, True])
async def test_a_declined_reply_has_no_text_but_its_price(vendor: Vendor, streamed: bool) -> None:
    async with vendor.served() as (client, server):
        server.will(Say("I can not", finish=vendor.refused))
        reply = await client.complete(a_call(), (lambda _: None) if streamed else None)
    assert (reply.text, reply.finish) == ("", "refused")
    assert reply.usage.input_tokens == 20
    assert reply.raw["refused"] == "I can not"


@every_vendor
async def test_the_key_never_reaches_a_log(vendor: Vendor, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with vendor.served() as (client, _):
        await client.complete(a_call())
    assert KEY not in caplog.text


@every_vendor
async def test_a_server_of_ones_own_needs_no_key(vendor: Vendor) -> None:
    async with vendor.served(key=None) as (client, server):
        server.key = "no-key"
        assert (await client.complete(a_call())).text


@every_vendor
async def test_a_cancelled_call_hangs_up(vendor: Vendor) -> None:
    async with vendor.served() as (client, server):
        server.will(Hang())
        task = asyncio.create_task(client.complete(a_call()))
        await server.until(in_flight=1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await server.until(in_flight=0)
    assert server.hung_up == 1


@every_vendor
async def test_connections_are_used_again(vendor: Vendor) -> None:
    async with vendor.served() as (client, server):
        for streamed in (False, True, False, True):
            await client.complete(a_call(), (lambda _: None) if streamed else None)
        assert len(server.requests) == 4
        assert len(server.peers) == 1


LAG = """
import asyncio, sys
from tests.debate_engine.llm.vendors import VENDORS, a_call

async def main(vendor):
    loop, worst = asyncio.get_running_loop(), 0.0

    async def tick():
        nonlocal worst
        while True:
            before = loop.time()
            await asyncio.sleep(0.005)
            worst = max(worst, loop.time() - before)

    async with vendor.served() as (client, _):
        ticking, started = asyncio.create_task(tick()), loop.time()
        await client.complete(a_call())
        ticking.cancel()
        print(worst / (loop.time() - started))

asyncio.run(main(next(v for v in VENDORS if v.name == sys.argv[1])))
"""


async def test_the_loop_goes_on_while_the_sdk_is_imported_for_the_first_call() -> None:
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-c", LAG, "openai", stdout=asyncio.subprocess.PIPE, cwd=Path(__file__).parents[3]
    )
    output, _ = await child.communicate()
    assert float(output) < 0.5, "the longest pause is a small part of the first call, not all of it"


@every_vendor
async def test_a_conversation_keeps_its_order_and_its_system_message(vendor: Vendor) -> None:
    call = a_call(
        messages=(
            Message("system", "You judge."),
            Message("user", "Score it."),
            Message("assistant", "Nine"),
            Message("user", "That was no number."),
        )
    )
    async with vendor.served() as (client, server):
        await client.complete(call)
    sent = str(server.requests[0])
    places = [sent.index(words) for words in ("Score it.", "Nine", "That was no number.")]
    assert places == sorted(places)
    assert "You judge." in sent
