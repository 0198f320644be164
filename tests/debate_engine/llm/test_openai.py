"""What only OpenAI and the servers compatible with it do."""

from __future__ import annotations

import json

import pytest
from pydantic import BaseModel, Field

from elenchus.debate_engine.errors import MissingKey, ProviderBusy, ProviderError
from elenchus.debate_engine.llm.client import Usage
from elenchus.debate_engine.llm.openai import OpenAIClient, request_body
from elenchus.debate_engine.llm.schema import json_schema_of
from tests.debate_engine.llm.vendors import OPENAI, a_call
from tests.fakes.llm.loopback import KEY, Fail, Raw, Say, StreamError
from tests.fakes.llm.openai import FakeOpenAI


class Score(BaseModel):
    why: str = Field(max_length=50)
    score: int = Field(ge=1, le=10)


async def test_a_server_of_ones_own_is_first_asked_with_max_tokens() -> None:
    async with OPENAI.served() as (client, server):
        await client.complete(a_call(max_tokens=77))
    assert server.requests[0]["max_tokens"] == 77


async def test_a_reasoning_model_behind_a_proxy_gets_max_completion_tokens_after_its_first_complaint() -> None:
    async with OPENAI.served() as (client, server):
        server.takes = frozenset({"max_completion_tokens"})
        for _ in range(2):
            assert (await client.complete(a_call(max_tokens=77, temperature=0.2))).text
    assert [("max_completion_tokens" in r, "temperature" in r) for r in server.requests] == [
        (False, True), (True, True), (True, False), (True, False),
    ]  # fmt: skip


def test_openai_itself_is_asked_with_max_completion_tokens() -> None:
    assert "max_completion_tokens" in request_body(a_call(), frozenset(), 0, stream=False)


@pytest.mark.parametrize("streamed", [False, True])
async def test_hidden_reasoning_that_a_compatible_server_counts_in_the_total_only_is_paid_too(streamed: bool) -> None:
    async with OPENAI.served(apart=True) as (client, server):
        server.will(Say("one two", thoughts=500))
        assert (await client.complete(a_call(), (lambda _: None) if streamed else None)).usage == Usage(20, 502, 0)


async def test_a_server_that_does_not_count_gets_its_usage_estimated() -> None:
    async with OPENAI.served(counts=False) as (client, _):
        whole = await client.complete(a_call())
        streamed = await client.complete(a_call(), lambda _: None)
    for reply in (whole, streamed):
        assert reply.raw["usage"] == "estimated"
        assert 10 < reply.usage.input_tokens < 60
        assert reply.usage.output_tokens >= 5


async def test_a_server_without_stream_options_still_streams() -> None:
    pieces: list[str] = []
    async with OPENAI.served() as (client, server):
        server.takes = server.takes - {"stream_options"}
        reply = await client.complete(a_call(), pieces.append)
    assert reply.text == "".join(pieces) == "Streets are for people."


async def test_a_server_that_refuses_constraints_gets_them_in_words() -> None:
    async with OPENAI.served(constraints=frozenset()) as (client, server):
        await client.complete(a_call(schema=json_schema_of(Score)))
    first, second = (r["response_format"]["json_schema"]["schema"]["properties"]["score"] for r in server.requests)
    assert first["minimum"] == 1
    assert "minimum 1" in second["description"]
    assert "minimum" not in second


@pytest.mark.parametrize("streamed", [False, True])
async def test_a_refusal_in_words_counts_as_refused(streamed: bool) -> None:
    async with OPENAI.served() as (client, server):
        server.will(Say(refusal="I cannot help with that."))
        reply = await client.complete(a_call(), (lambda _: None) if streamed else None)
    assert (reply.text, reply.finish, reply.raw["refused"]) == ("", "refused", "I cannot help with that.")


async def test_an_account_without_credit_is_no_reason_to_try_again() -> None:
    async with OPENAI.served() as (client, server):
        server.will(Fail(429, "You exceeded your current quota", "insufficient_quota"))
        with pytest.raises(ProviderError, match="no credit") as caught:
            await client.complete(a_call())
    assert not isinstance(caught.value, ProviderBusy)


async def test_a_rate_limit_that_mentions_billing_is_still_a_rate_limit() -> None:
    async with OPENAI.served() as (client, server):
        server.will(Fail(429, "Rate limit reached. Add a payment method at /account/billing.", "rate_limit_exceeded"))
        with pytest.raises(ProviderBusy):
            await client.complete(a_call())


async def test_a_vendor_that_repeats_the_key_does_not_get_it_into_the_message() -> None:
    async with OPENAI.served() as (client, server):
        server.will(Fail(403, f"Project of key {KEY} is archived"))
        with pytest.raises(ProviderError, match="archived") as caught:
            await client.complete(a_call())
    assert KEY not in str(caught.value)


async def test_a_status_inside_a_stream_is_read() -> None:
    async with OPENAI.served() as (client, server):
        server.will(StreamError("401", "key expired"))
        with pytest.raises(MissingKey):
            await client.complete(a_call(), lambda _: None)


@pytest.mark.parametrize("code, kind", [(429, ProviderBusy), (401, MissingKey), ("server_error", ProviderBusy)])
async def test_an_error_under_a_good_status_is_read(code: object, kind: type[ProviderError]) -> None:
    body = json.dumps({"error": {"message": "upstream is not well", "code": code}}).encode()
    async with OPENAI.served() as (client, server):
        server.will(Raw(body, content_type="application/json"))
        with pytest.raises(kind):
            await client.complete(a_call())


async def test_text_in_parts_is_joined() -> None:
    body = b'{"choices": [{"message": {"content": [{"type": "text", "text": "One "}, {"text": "two"}]}}]}'
    async with OPENAI.served() as (client, server):
        server.will(Raw(body, content_type="application/json"))
        reply = await client.complete(a_call())
    assert (reply.text, reply.finish, reply.model) == ("One two", "stop", "model-1")


async def test_what_a_call_is_for_is_never_sent() -> None:
    async with OPENAI.served() as (client, server):
        await client.complete(a_call(step="round/1/refute/con", prompt_id="socrasynth/refutation"))
    assert "refut" not in str(server.requests)


async def test_cached_tokens_are_part_of_the_input() -> None:
    async with OPENAI.served() as (client, server):
        server.will(Say("one two", cached=12, written=4))
        assert (await client.complete(a_call())).usage == Usage(20, 2, 12, 4)


async def test_closing_twice_and_before_the_first_call_is_safe() -> None:
    client = OpenAIClient(KEY, "http://127.0.0.1:9/v1", None)
    await client.aclose()
    await client.aclose()


def test_the_fake_refuses_what_the_api_would_refuse() -> None:
    loose = {"type": "object", "properties": {"a": {"type": "string"}}, "required": []}
    form = {"type": "json_schema", "json_schema": {"name": "a", "strict": True, "schema": loose}}
    assert FakeOpenAI()._format_problem(form)
