"""What a server does not take: found out from its words, in few requests, and remembered only where that helped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from aiohttp import web

from elenchus.debate_engine.errors import ContentRefused, ContextTooLong, ProviderBusy, ProviderError
from elenchus.debate_engine.llm.schema import json_schema_of
from tests.debate_engine.llm.test_openai import Score
from tests.debate_engine.llm.vendors import ANTHROPIC, GEMINI, OPENAI, Vendor, a_call, every_vendor
from tests.fakes.llm.anthropic import FakeAnthropic
from tests.fakes.llm.gemini import FakeGemini
from tests.fakes.llm.loopback import Fail, Fake, Plan
from tests.fakes.llm.openai import FakeOpenAI

LIMITS = ("max_completion_tokens", "max_tokens", "maxOutputTokens")


def settings(body: dict[str, Any]) -> dict[str, Any]:
    """A request's parameters, wherever the vendor has them."""
    return {**body, **body.get("generationConfig", {})}


def refusing(fake: type[Fake], refusal: Callable[[dict[str, Any]], str], status: int = 400) -> Callable[..., Fake]:
    """A vendor that refuses requests in words of its own; "" takes one."""

    @dataclass
    class Refusing(fake):  # type: ignore[misc, valid-type]
        def plan(self, request: web.Request, body: dict[str, Any]) -> Plan:
            said = refusal(settings(body))
            return Fail(status, said) if said else super().plan(request, body)

    return Refusing


def served(vendor: Vendor, refusal: Callable[[dict[str, Any]], str], status: int = 400) -> Any:
    fakes: dict[str, type[Fake]] = {"openai": FakeOpenAI, "anthropic": FakeAnthropic, "gemini": FakeGemini}
    fake = refusing(fakes[vendor.name], refusal, status)
    return Vendor(vendor.name, fake, vendor.make, vendor.length, vendor.refused).served()


def sent(server: Fake, name: str) -> list[bool]:
    return [name in settings(body) for body in server.requests]


# ── a parameter that is not taken ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("status", [400, 422])
@pytest.mark.parametrize(
    "said",
    [
        "Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) is supported.",
        "invalid temperature: only 1 is allowed for this model",
        "temperature must be 1.0 for this model",
        "Invalid value for 'temperature': expected 1",
        "`temperature` is not available for reasoning models",
        "temperature: not accepted",
        "TEMPERATURE: Extra inputs are not permitted",
        "Sampling parameters (top_p, temperature) have no meaning here.",
        "[{'type': 'extra_forbidden', 'loc': ('body', 'temperature'), 'msg': 'Extra inputs are not permitted'}]",
    ],
)
async def test_a_refused_temperature_is_learnt_from_any_wording(said: str, status: int) -> None:
    async with served(OPENAI, lambda body: said if "temperature" in body else "", status) as (client, server):
        for _ in range(2):
            assert (await client.complete(a_call(temperature=0.7))).text
    assert sent(server, "temperature") == [True, False, False]


@every_vendor
async def test_a_vendor_that_names_a_parameter_gets_the_request_without_it(vendor: Vendor) -> None:
    async with served(vendor, lambda b: "No `temperature` here, please." if "temperature" in b else "") as (
        client,
        server,
    ):
        for _ in range(2):
            await client.complete(a_call(temperature=0.7))
    assert sent(server, "temperature") == [True, False, False]


async def test_a_server_of_many_quirks_is_learnt_call_by_call_in_at_most_four_requests_each() -> None:
    takes = {"max_completion_tokens"}

    def refusal(body: dict[str, Any]) -> str:
        refused = sorted(set(body) & {"max_tokens", "temperature", "seed", "stream_options", "response_format"} - takes)
        return f"{refused[0]}: we do not know this." if refused else ""

    call = a_call(temperature=0.7, seed=3, schema=json_schema_of(Score))
    async with served(OPENAI, refusal) as (client, server):
        with pytest.raises(ProviderError, match="stream_options"):
            await client.complete(call, lambda _: None)
        assert len(server.requests) == 4
        await client.complete(call, lambda _: None)
        assert len(server.requests) == 7
        await client.complete(call, lambda _: None)
    assert len(server.requests) == 8, "what helped on the way is known to later calls"


# ── what is no quirk ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "said",
    [
        "Unsupported content: the word 'seeding' is on our list",
        "temperatures are not allowed in a weather report",
        "We do not support this conversation.",
    ],
)
async def test_a_word_that_only_contains_a_parameters_name_is_no_complaint_about_it(said: str) -> None:
    async with served(OPENAI, lambda _: said) as (client, server):
        with pytest.raises(ProviderError, match="did not accept"):
            await client.complete(a_call(temperature=0.7, seed=7))
    assert len(server.requests) == 1


async def test_a_parameter_is_sent_again_where_leaving_it_out_did_not_help() -> None:
    said = "The seed of doubt is not allowed here, whatever the temperature."
    async with served(OPENAI, lambda _: said) as (client, server):
        for _ in range(2):
            with pytest.raises(ProviderError, match="seed of doubt"):
                await client.complete(a_call(temperature=0.7, seed=7))
    assert len(server.requests) <= 8
    first = server.requests[len(server.requests) // 2]
    assert {"seed", "temperature"} <= first.keys(), "nothing was kept of what did not help"


async def test_nothing_is_learnt_where_the_server_is_busy_when_asked_again() -> None:
    async with OPENAI.served() as (client, server):
        server.will(Fail(400, "seed: not now"), Fail(503, "overloaded"))
        with pytest.raises(ProviderBusy):
            await client.complete(a_call(seed=7))
        await client.complete(a_call(seed=7))
    assert sent(server, "seed") == [True, False, True]


async def test_a_parameter_that_was_not_sent_is_not_left_out() -> None:
    async with served(OPENAI, lambda _: "the seed is missing") as (client, server):
        with pytest.raises(ProviderError):
            await client.complete(a_call())
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "said, error",
    [
        ("maximum context length is 4096 tokens: shorten the messages or max_tokens", ContextTooLong),
        ("flagged by our content filter, temperature 0.7", ContentRefused),
    ],
)
async def test_a_prompt_that_is_too_long_or_refused_is_said_so_at_once(said: str, error: type[Exception]) -> None:
    async with served(OPENAI, lambda _: said) as (client, server):
        with pytest.raises(error):
            await client.complete(a_call(temperature=0.7))
    assert len(server.requests) == 1


async def test_a_value_that_is_too_large_is_left_out_of_this_call_alone() -> None:
    said = "Invalid 'temperature': decimal above maximum value. Expected a value <= 1, but got 1.5 instead."
    async with served(OPENAI, lambda body: said if body.get("temperature", 0) > 1 else "") as (client, server):
        await client.complete(a_call(temperature=1.5))
        await client.complete(a_call(temperature=0.7))
    assert sent(server, "temperature") == [True, False, True]


# ── the limit of tokens ──────────────────────────────────────────────────────────────────────────────────────────


def limits(server: Fake) -> list[int]:
    return [next(value for name, value in settings(b).items() if name in LIMITS) for b in server.requests]


@pytest.mark.parametrize(
    "vendor, said",
    [
        (OPENAI, "{name} is too large: {sent}. This model supports at most 512 completion tokens; you gave {sent}."),
        (OPENAI, "Invalid {name} value, the valid range of {name} is [1, 512]"),
        (OPENAI, "`{name}` must be less than or equal to `512`, the maximum value is less than the `context_window`"),
        (OPENAI, "{name} must not exceed 512 for gpt-4o-2024-08-06"),
        (ANTHROPIC, "max_tokens: {sent} > 512, the maximum allowed number of output tokens for claude-3-20240307"),
        (GEMINI, "maxOutputTokens is {sent} but the supported range is from 1 (inclusive) to 513 (exclusive)."),
        (GEMINI, "max_output_tokens: {sent} exceeds the maximum of 512."),
    ],
)  # fmt: skip
async def test_a_limit_that_is_too_large_is_cut_to_what_the_server_names_once(vendor: Vendor, said: str) -> None:
    def refusal(body: dict[str, Any]) -> str:
        name = next(name for name in LIMITS if name in body)
        return said.format(name=name, sent=body[name]) if body[name] > 512 else ""

    async with served(vendor, refusal) as (client, server):
        assert (await client.complete(a_call(max_tokens=4096))).text
        await client.complete(a_call(max_tokens=100))
    assert limits(server) == [4096, 512, 100]


@pytest.mark.parametrize("counts_down", [False, True])
async def test_a_server_that_refuses_every_limit_is_asked_twice(counts_down: bool) -> None:
    def refusal(body: dict[str, Any]) -> str:
        name = next(name for name in LIMITS if name in body)
        most = body[name] // 2 if counts_down else 512
        return f"{name} is too large: {body[name]}. This model supports at most {most} completion tokens."

    async with served(OPENAI, refusal) as (client, server):
        with pytest.raises(ProviderError, match="too large"):
            await client.complete(a_call(max_tokens=1024))
    assert limits(server) == [1024, 512]


async def test_a_server_that_takes_neither_name_of_the_limit_is_asked_twice() -> None:
    async with OPENAI.served(takes=frozenset()) as (client, server):
        with pytest.raises(ProviderError, match="max_"):
            await client.complete(a_call())
    assert len(server.requests) == 2
