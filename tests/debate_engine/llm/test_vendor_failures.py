"""How all vendors' failures become our errors, with the real SDKs against servers on loopback."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from elenchus.debate_engine.errors import (
    ContentRefused,
    ContextTooLong,
    MissingKey,
    ProviderBusy,
    ProviderError,
)
from tests.debate_engine.llm.vendors import Vendor, a_call, every_vendor
from tests.fakes.llm.loopback import KEY, Break, Fail, Raw, Say, StreamError


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
    with pytest.raises(ProviderBusy, match="could not be reached") as caught:
        await client.complete(a_call())
    assert "ssl:" not in str(caught.value), "nothing of TLS is said of a server that is asked without"
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
