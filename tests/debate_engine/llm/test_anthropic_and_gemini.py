"""What only Anthropic or only Gemini does."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, Field

from elenchus.config.models import ModelInfo, Price
from elenchus.debate_engine.errors import ContentRefused, MissingKey, ProviderBusy
from elenchus.debate_engine.llm.client import Message, Usage
from elenchus.debate_engine.llm.model import Model
from elenchus.debate_engine.llm.retrying import Limits
from elenchus.debate_engine.llm.schema import json_schema_of
from tests.debate_engine.llm.vendors import ANTHROPIC, GEMINI, a_call
from tests.fakes.llm.loopback import Fail, Say, StreamError


class Score(BaseModel):
    why: str = Field(max_length=50, description="in a sentence")
    score: int = Field(ge=1, le=10)


@pytest.mark.slow
async def test_anthropic_gets_no_temperature_above_one() -> None:
    async with ANTHROPIC.served() as (client, server):
        await client.complete(a_call(temperature=1.4))
    assert server.requests[0]["temperature"] == 1.0


@pytest.mark.slow
@pytest.mark.parametrize("streamed", [False, True])
async def test_what_anthropic_wrote_to_its_cache_and_read_from_it_is_part_of_the_input(streamed: bool) -> None:
    async with ANTHROPIC.served() as (client, server):
        server.will(Say("one two", cached=12, written=5))
        reply = await client.complete(a_call(), (lambda _: None) if streamed else None)
    assert reply.usage == Usage(20, 2, 12, 5)
    model = Model("anthropic:m", "m", client, Limits(), ModelInfo(usd=Price(input=4, cached=0.4, written=5, output=20)))
    assert model.cost(reply.usage) == pytest.approx((3 * 4 + 12 * 0.4 + 5 * 5 + 2 * 20) / 1_000_000)


REPEATED = Message("user", "What was said before. Speak.", repeated=(21,))


@pytest.mark.slow
@pytest.mark.parametrize("schema", [None, json_schema_of(Score)])
async def test_a_server_that_takes_no_cache_mark_is_sent_one_once(schema: dict[str, Any] | None) -> None:
    async with ANTHROPIC.served(takes=frozenset({"temperature"})) as (client, server):
        for _ in range(3):
            assert (await client.complete(a_call(messages=(REPEATED,), schema=schema))).text
    marked = ["cache_control" in str(request) for request in server.requests]
    assert marked.count(True) == 1 + (schema is not None), "each complaint costs a request"
    assert not any(marked[-3:])
    assert "What was said before. Speak." in str(server.requests[-1]["messages"])


async def test_a_server_that_takes_a_cache_mark_is_sent_it_each_time() -> None:
    async with ANTHROPIC.served() as (client, server):
        for _ in range(2):
            await client.complete(a_call(messages=(REPEATED,)))
    assert ["cache_control" in str(request) for request in server.requests] == [True, True]


async def test_anthropic_gets_constraints_in_words_and_no_seed() -> None:
    async with ANTHROPIC.served() as (client, server):
        await client.complete(a_call(schema=json_schema_of(Score), seed=3))
    properties = server.requests[0]["output_config"]["format"]["schema"]["properties"]
    assert properties["why"]["description"] == "in a sentence (maxLength 50)"
    assert properties["score"] == {"type": "integer", "description": "maximum 10, minimum 1"}
    assert "seed" not in server.requests[0]


@pytest.mark.parametrize(
    "kind, error",
    [
        ("rate_limit_error", ProviderBusy),
        ("api_error", ProviderBusy),
        ("authentication_error", MissingKey),
        ("something_new", ProviderBusy),
    ],
)
async def test_errors_inside_anthropics_stream_mean_what_their_status_would(kind: str, error: type[Exception]) -> None:
    async with ANTHROPIC.served() as (client, server):
        server.will(StreamError(kind, "no"))
        with pytest.raises(error):
            await client.complete(a_call(), lambda _: None)


async def test_a_full_context_at_anthropic_is_a_reply_that_was_cut_off() -> None:
    async with ANTHROPIC.served() as (client, server):
        server.will(Say("One two", finish="model_context_window_exceeded"))
        assert (await client.complete(a_call())).finish == "length"


async def test_gemini_gets_the_constraints_that_it_takes() -> None:
    async with GEMINI.served() as (client, server):
        await client.complete(a_call(schema=json_schema_of(Score), seed=3))
    settings = server.requests[0]["generationConfig"]
    assert settings["responseJsonSchema"]["properties"]["score"] == {"type": "integer", "maximum": 10, "minimum": 1}
    assert settings["seed"] == 3


async def test_geminis_wish_to_wait_stands_in_the_body() -> None:
    delay = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"}
    async with GEMINI.served() as (client, server):
        server.will(Fail(429, "You exceeded your current quota, please check your plan", details=[delay]))
        with pytest.raises(ProviderBusy) as caught:
            await client.complete(a_call())
    assert caught.value.retry_after == 34.5


@pytest.mark.parametrize("streamed", [False, True])
async def test_a_prompt_that_gemini_blocks_is_a_refused_reply(streamed: bool) -> None:
    async with GEMINI.served(blocks="PROHIBITED_CONTENT") as (client, _):
        reply = await client.complete(a_call(), (lambda _: None) if streamed else None)
    assert (reply.text, reply.finish, reply.raw["category"]) == ("", "refused", "PROHIBITED_CONTENT")


async def test_gemini_stopping_for_no_reason_is_tried_again() -> None:
    async with GEMINI.served() as (client, server):
        server.will(Say("", finish="OTHER"))
        with pytest.raises(ProviderBusy):
            await client.complete(a_call())


async def test_gemini_without_a_count_gets_an_estimate() -> None:
    async with GEMINI.served() as (client, server):
        server.will(Say("one two", usage=False))
        assert (await client.complete(a_call())).raw == {"usage": "estimated"}


async def test_a_policy_at_anthropic_refuses_before_anything_is_said() -> None:
    async with ANTHROPIC.served() as (client, server):
        server.will(Fail(400, "Output blocked by content filtering policy"))
        with pytest.raises(ContentRefused):
            await client.complete(a_call())
