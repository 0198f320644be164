"""Retries, deadlines, concurrency and the cap on streams, with a client of our own protocol."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from textwrap import wrap

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.errors import ContentRefused, ContextTooLong, MissingKey, ProviderBusy, ProviderError
from elenchus.debate_engine.llm.client import Call, Message, OnText, Reply, Usage
from elenchus.debate_engine.llm.retrying import Limits, complete, retry_after

CALL = Call("m", (Message("user", "Speak."),), max_tokens=20)
FORM = replace(CALL, schema={"type": "object", "properties": {"words": {"type": "string"}}})
Act = Callable[[Call, OnText | None], Reply | Exception]


def said(text: str = "Done.") -> Reply:
    return Reply(text, "stop", Usage(1, 1), "m", 0.0)


@dataclass
class Acting:
    """A client that does one act after the other: raises errors, gives replies, or hangs for a number of seconds."""

    acts: list[Exception | Reply | float]
    in_flight: int = 0
    peak: int = 0
    calls: int = 0
    pieces: tuple[str, ...] = ()
    failures: list[tuple[int, str, float | None]] = field(default_factory=list)

    async def complete(self, call: Call, on_text: OnText | None = None) -> Reply:
        self.calls += 1
        self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)
        try:
            act = self.acts.pop(0) if len(self.acts) > 1 else self.acts[0]
            for piece in self.pieces if on_text else ():
                assert on_text is not None
                on_text(piece)
            if isinstance(act, float):
                await asyncio.sleep(act)
                act = said()
            if isinstance(act, Exception):
                raise act
            return act
        finally:
            self.in_flight -= 1

    async def aclose(self) -> None: ...

    async def failed(self, attempt: int, error: ProviderError, retry_in: float | None) -> None:
        self.failures.append((attempt, type(error).__name__, retry_in))


def quick(longest_wait: float = 90.0) -> Limits:
    return Limits(concurrency=4, attempts=3, deadline=5.0, first_wait=0.01, longest_wait=longest_wait)


async def test_a_busy_provider_is_tried_again_and_each_failure_is_reported() -> None:
    client = Acting([ProviderBusy("one"), ProviderBusy("two"), said("At last.")])
    reply = await complete(client, CALL, quick(), None, client.failed)
    assert reply.text == "At last."
    assert [(n, name) for n, name, _ in client.failures] == [(1, "ProviderBusy"), (2, "ProviderBusy")]
    assert all(wait is not None and wait > 0 for _, _, wait in client.failures)


async def test_after_the_last_attempt_the_error_is_raised_and_reported_without_a_next_time() -> None:
    client = Acting([ProviderBusy("still busy")])
    with pytest.raises(ProviderBusy, match="still busy"):
        await complete(client, CALL, quick(), None, client.failed)
    assert client.calls == 3
    assert client.failures[-1] == (3, "ProviderBusy", None)


@pytest.mark.parametrize("error", [MissingKey("k"), ContextTooLong("c"), ContentRefused("r"), ProviderError("p")])
async def test_what_would_fail_again_is_not_tried_again(error: ProviderError) -> None:
    client = Acting([error])
    with pytest.raises(type(error)):
        await complete(client, CALL, quick(), None, client.failed)
    assert client.calls == 1
    assert client.failures == [(1, type(error).__name__, None)]


async def test_a_wish_to_wait_is_honoured_with_jitter_but_never_undercut() -> None:
    client = Acting([ProviderBusy("wait", retry_after=0.2), said()])
    started = asyncio.get_running_loop().time()
    await complete(client, CALL, quick(), None, client.failed)
    assert asyncio.get_running_loop().time() - started >= 0.2
    waits = {quick().wait_after(1, ProviderBusy("wait", retry_after=0.2)) for _ in range(20)}
    assert len(waits) > 1
    assert all(wait is not None and 0.2 <= wait < 0.3 for wait in waits)


async def test_a_provider_that_wants_an_hour_is_given_up_at_once() -> None:
    client = Acting([ProviderBusy("tomorrow", retry_after=3600)])
    with pytest.raises(ProviderBusy) as caught:
        await complete(client, CALL, quick(longest_wait=60), None, client.failed)
    assert client.calls == 1
    assert caught.value.retry_after == 3600


async def test_pauses_grow_and_are_never_the_same() -> None:
    limits = Limits(attempts=20, first_wait=1.0)
    rows = [[limits.wait_after(n, ProviderBusy("b")) or 0.0 for _ in range(30)] for n in (1, 2, 3, 10)]
    assert [round(max(row)) <= bound for row, bound in zip(rows, (1, 2, 4, 30), strict=True)] == [True] * 4
    assert min(rows[2]) >= 2
    assert all(len(set(row)) > 20 for row in rows)


async def test_an_attempt_past_its_deadline_is_busy_and_tried_again() -> None:
    client = Acting([30.0, said("Second.")])
    limits = Limits(concurrency=1, attempts=2, deadline=0.05, first_wait=0.01)
    assert (await complete(client, CALL, limits, None, client.failed)).text == "Second."
    assert client.failures[0][1] == "ProviderBusy"


async def test_a_call_may_have_a_deadline_of_its_own() -> None:
    client = Acting([30.0])
    hasty = Call("m", CALL.messages, deadline=0.05)
    with pytest.raises(ProviderBusy, match=r"0\.05 s"):
        await complete(client, hasty, Limits(attempts=1, deadline=100.0))


async def test_no_more_calls_are_in_flight_than_allowed() -> None:
    client = Acting([0.01])
    limits = quick()
    async with asyncio.TaskGroup() as group:
        for _ in range(20):
            group.create_task(complete(client, CALL, limits))
    assert (client.peak, client.calls) == (4, 20)


async def test_a_call_that_waits_to_be_tried_again_holds_no_place() -> None:
    slow, other = Acting([ProviderBusy("b", retry_after=0.3), said()]), Acting([said()])
    limits = Limits(concurrency=1, attempts=2, first_wait=0.01)
    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(complete(slow, CALL, limits))
        await asyncio.sleep(0.05)
        async with asyncio.timeout(0.2):
            await complete(other, CALL, limits)
        assert not waiting.done()


async def test_cancellation_passes_through_and_gives_the_place_back() -> None:
    client = Acting([30.0, said()])
    limits = Limits(concurrency=1)
    task = asyncio.create_task(complete(client, CALL, limits, None, client.failed))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert client.failures == []
    assert (await complete(client, CALL, limits)).text == "Done."


async def test_a_stream_that_outgrows_its_limit_is_stopped_and_returned_as_cut_off() -> None:
    client = Acting([30.0], pieces=("and so on ",) * 10_000)
    got: list[str] = []
    reply = await complete(client, CALL, quick(), got.append)
    assert reply.finish == "length"
    assert reply.text == "".join(got)
    assert len(got) < 200
    assert reply.raw["usage"] == "estimated"
    assert reply.usage.output_tokens > 0


async def test_a_stream_is_measured_by_its_length_and_not_by_how_small_its_pieces_are() -> None:
    client = Acting([said()], pieces=tuple("a word " * 40))
    got: list[str] = []
    assert (await complete(client, CALL, quick(), got.append)).finish == "stop"
    assert "".join(got) == "a word " * 40


@pytest.mark.parametrize("streamed", [False, True])
async def test_a_form_filled_in_at_far_greater_length_than_asked_is_whole(streamed: bool) -> None:
    """Cut off in its midst it could not be read; its texts are cut where they are read."""
    text = json.dumps({"words": "and so on, " * 4_000})
    client = Acting([said(text)], pieces=tuple(wrap(text, 10, drop_whitespace=False)))
    reply = await complete(client, FORM, quick(), (lambda _: None) if streamed else None)
    assert (reply.text, reply.finish) == (text, "stop")


@pytest.mark.parametrize("streamed", [False, True])
async def test_an_endless_form_is_stopped(streamed: bool) -> None:
    client = Acting([30.0 if streamed else said("and so on " * 100_000)], pieces=("and so on ",) * 100_000)
    reply = await complete(client, FORM, quick(), (lambda _: None) if streamed else None)
    assert reply.finish == "length"
    assert reply.raw["stopped"] == "outgrown"
    assert len(reply.text) < 100_000


async def test_an_ordinary_stream_is_not_touched() -> None:
    client = Acting([said()], pieces=("word ",) * 20)
    got: list[str] = []
    assert (await complete(client, CALL, quick(), got.append)).text == "Done."
    assert len(got) == 20


async def test_a_failed_stream_starts_again_after_its_failure_was_reported() -> None:
    client = Acting([ProviderBusy("broke"), said("Whole.")], pieces=("Wh",))
    heard: list[str] = []

    async def failed(attempt: int, error: ProviderError, retry_in: float | None) -> None:
        heard.append("—restart—")

    await complete(client, CALL, quick(), heard.append, failed)
    assert heard == ["Wh", "—restart—", "Wh"]


# ── how long the server asks to wait ─────────────────────────────────────────────────────────────────────────────

NOW = datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "headers, seconds",
    [
        ({}, None),
        ({"Retry-After": "12"}, 12),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-3"}, 0),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"Retry-After": format_datetime(NOW + timedelta(seconds=90), usegmt=True)}, 90),
        ({"Retry-After": format_datetime(NOW - timedelta(hours=1), usegmt=True)}, 0),
        ({"Retry-After": "Sat, 21 Nov 2026 12:00:10"}, 10),
        ({"Retry-After": "soon"}, None),
        ({"retry-after-ms": "soon", "Retry-After": "5"}, 5),
        ({"retry-after-ms": "", "Retry-After": "5"}, 5),
        ({"retry-after-ms": "inf", "Retry-After": "Sat, 21 Nov 2026 12:00:10 GMT"}, 10),
        ({"Retry-After": "1e400"}, None),
        ({"Retry-After": "nan"}, None),
    ],
)
def test_a_wish_to_wait_is_read_in_all_its_forms(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds


@given(st.text(max_size=40))
def test_no_header_makes_it_fail(text: str) -> None:
    for name in ("Retry-After", "retry-after-ms"):
        got = retry_after({name: text}, NOW)
        assert got is None or 0 <= got < math.inf
