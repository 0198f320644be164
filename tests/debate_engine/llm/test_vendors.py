"""What all vendors' clients do alike, with the real SDKs against servers on loopback."""

from __future__ import annotations

import asyncio
import logging
import sys
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from pydantic import BaseModel, Field

from debate_engine.errors import (
    ContentRefused,
    ContextTooLong,
    MissingKey,
    ProviderBusy,
    ProviderError,
)
from debate_engine.llm.client import Message, Usage
from debate_engine.llm.schema import json_schema_of, parse
from tests.debate_engine.llm.vendors import VENDORS, Vendor, a_call
from tests.fakes.llm.loopback import KEY, Break, Fail, Hang, Raw, Say, StreamError

every_vendor = pytest.mark.parametrize("vendor", VENDORS, ids=lambda vendor: vendor.name)


class Verdict(BaseModel):
    """A judge's ruling."""

    rationale: str = Field(description="why, in at most 20 words", max_length=200)
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
    assert "JSON schema" in str(server.requests[-1])


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
@pytest.mark.parametrize("status", [408, 429, 500, 503, 529])
async def test_a_busy_vendor_is_named_and_its_wish_to_wait_is_kept(vendor: Vendor, status: int) -> None:
    async with vendor.served() as (client, server):
        server.will(Fail(status, "slow down", headers={"retry-after": "7"}))
        with pytest.raises(ProviderBusy, match="slow down") as caught:
            await client.complete(a_call())
        assert len(server.requests) == 1, "the SDK's own retries are off"
    assert caught.value.retry_after == 7


@every_vendor
async def test_a_wish_to_wait_may_be_a_date(vendor: Vendor) -> None:
    until = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    async with vendor.served() as (client, server):
        server.will(Fail(429, headers={"Retry-After": until}))
        with pytest.raises(ProviderBusy) as caught:
            await client.complete(a_call(), lambda _: None)
    assert caught.value.retry_after is not None
    assert 25 < caught.value.retry_after <= 30


@every_vendor
async def test_a_wrong_key_is_refused_in_one_sentence_without_the_key(
    vendor: Vendor, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with vendor.served(key="sk-wrong-9876543210") as (client, _):
        with pytest.raises(MissingKey, match=f"{vendor.name.upper()}_API_KEY") as caught:
            await client.complete(a_call())
    assert "9876543210" not in str(caught.value) + repr(caught.value) + caplog.text
    assert "9876543210" not in repr(client) + repr(vars(client).get("_vendor"))


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
async def test_a_prompt_beyond_the_context_is_named_so(vendor: Vendor) -> None:
    messages = [
        "This model's maximum context length is 128000 tokens, however you requested 200000 tokens",
        "prompt is too long: 205000 tokens > 200000 maximum",
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    ]
    async with vendor.served() as (client, server):
        for message in messages:
            server.will(Fail(400, message))
            with pytest.raises(ContextTooLong):
                await client.complete(a_call())


@every_vendor
async def test_content_that_the_vendor_will_not_read_is_refused(vendor: Vendor) -> None:
    async with vendor.served() as (client, server):
        server.will(Fail(400, "Your request was rejected by our content filter", "content_filter"))
        with pytest.raises(ContentRefused):
            await client.complete(a_call())


@every_vendor
async def test_a_model_that_the_vendor_does_not_know_is_no_reason_to_try_again(vendor: Vendor) -> None:
    async with vendor.served() as (client, server):
        server.will(Fail(404, "The model `model-1` does not exist"))
        with pytest.raises(ProviderError, match="model-1") as caught:
            await client.complete(a_call())
    assert not isinstance(caught.value, ProviderBusy)


@every_vendor
async def test_a_server_that_cannot_be_reached_is_busy(vendor: Vendor) -> None:
    async with vendor.served() as (_, server):
        pass
    client = vendor.make(KEY, server.url, None, lambda _: 0)
    with pytest.raises(ProviderBusy, match="could not be reached"):
        await client.complete(a_call())
    await client.aclose()


@every_vendor
@pytest.mark.parametrize("streamed", [False, True])
async def test_a_connection_that_breaks_in_the_middle_is_busy(vendor: Vendor, streamed: bool) -> None:
    async with vendor.served() as (client, server):
        server.will(Break(pieces=3))
        with pytest.raises(ProviderBusy):
            await client.complete(a_call(), (lambda _: None) if streamed else None)


@every_vendor
async def test_a_stream_that_ends_without_saying_so_was_broken_off(vendor: Vendor) -> None:
    async with vendor.served() as (client, server):
        server.will(Say("One two three", ends=False))
        with pytest.raises(ProviderBusy, match="broke the reply off"):
            await client.complete(a_call(), lambda _: None)


@every_vendor
async def test_an_overload_inside_a_stream_is_busy(vendor: Vendor) -> None:
    async with vendor.served() as (client, server):
        server.will(StreamError("overloaded_error"))
        with pytest.raises(ProviderBusy, match="Overloaded"):
            await client.complete(a_call(), lambda _: None)


@every_vendor
@pytest.mark.parametrize("streamed", [False, True])
async def test_a_page_instead_of_an_answer_points_to_the_address(vendor: Vendor, streamed: bool) -> None:
    async with vendor.served() as (client, server):
        server.will(Raw(b"<html>Welcome to the hotel's network</html>"))
        with pytest.raises(ProviderError):
            await client.complete(a_call(), (lambda _: None) if streamed else None)


@every_vendor
@pytest.mark.parametrize("noise", [b"event: x\ndata: {never\n\n", b"event: x\ndata: \xff\xfe\n\n", b"\x00" * 50, b""])
async def test_noise_instead_of_a_stream_is_an_error_of_the_provider(vendor: Vendor, noise: bytes) -> None:
    async with vendor.served() as (client, server):
        server.will(Raw(noise, content_type="text/event-stream"))
        with pytest.raises(ProviderError):
            await client.complete(a_call(), lambda _: None)


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
