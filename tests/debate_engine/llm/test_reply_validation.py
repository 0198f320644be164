"""What a client gives or raises: checked and told in one place."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from elenchus.debate_engine.errors import MalformedReply, UnreadableReply, UsageError
from elenchus.debate_engine.llm.budget import estimated
from elenchus.debate_engine.llm.client import Call, OnText, Reply, Usage
from elenchus.debate_engine.llm.reply_parsing import read_json
from elenchus.debate_engine.llm.retrying import Limits, complete
from elenchus.debate_engine.llm.text import json_of
from tests.debate_engine.llm.vendors import OPENAI, Vendor, a_call, every_vendor
from tests.fakes.llm.loopback import Raw, Say

REPLY = Reply("Streets are for people.", "stop", Usage(20, 5, 3), "m", 0.1)


class Giving:
    """A client that gives a reply, or raises."""

    def __init__(self, gives: Any) -> None:
        self.gives = gives

    async def complete(self, call: Call, on_text: OnText | None = None) -> Reply:
        if isinstance(self.gives, Exception):
            raise self.gives
        return self.gives  # type: ignore[no-any-return]

    async def aclose(self) -> None: ...


async def given(gives: Any) -> Reply:
    return await complete(Giving(gives), a_call(), Limits(attempts=1))


async def test_a_good_reply_is_passed_on_as_it_is() -> None:
    assert await given(REPLY) is REPLY


@pytest.mark.parametrize(
    "counts",
    [
        (-1, 5), (5, -1), (5, 5, -1), (5, 5, 6), (10**9, 5), (5, 10**9), (10**30, 5), ("20", 5), (20.0, 5), (True, 5),
        (None, 5), (5, 5, []),
    ],
    ids=str,
)  # fmt: skip
async def test_counts_that_cannot_be_true_are_replaced_by_our_estimate(counts: tuple[Any, ...]) -> None:
    reply = await given(replace(REPLY, usage=Usage(*counts)))
    assert reply.usage == estimated(a_call(), REPLY.text)
    assert reply.raw["usage"] == "estimated"
    assert reply.text == REPLY.text


async def test_much_hidden_reasoning_is_counted_as_it_was() -> None:
    assert (await given(replace(REPLY, usage=Usage(20, 120_000)))).usage.output_tokens == 120_000


@pytest.mark.parametrize("changes", [{"text": None}, {"text": b"x"}, {"finish": "well"}, {"text": ["x"]}], ids=str)
async def test_a_reply_that_is_no_text_is_the_failure_of_its_call(changes: dict[str, Any]) -> None:
    with pytest.raises(MalformedReply):
        await given(replace(REPLY, **changes))


@pytest.mark.parametrize("model", [None, 5, {"a": 1}, ""], ids=str)
async def test_a_name_that_is_none_is_the_one_that_was_asked_for(model: Any) -> None:
    assert (await given(replace(REPLY, model=model))).model == a_call().model


async def test_a_whole_reply_far_beyond_what_was_asked_for_is_cut() -> None:
    reply = await given(replace(REPLY, text="x" * 1_000_000, usage=Usage(20, 200)))
    assert (len(reply.text), reply.finish) == (16 * 200 + 1024, "length")


@pytest.mark.parametrize(
    "error", [RecursionError(), KeyError("sk-secret"), TypeError("x"), ValueError(), MemoryError()]
)
async def test_whatever_a_client_raises_is_a_failure_whose_trace_has_places_and_no_words(error: Exception) -> None:
    with pytest.raises(MalformedReply, match=type(error).__name__) as caught:
        await given(error)
    trace = caught.value.trace
    assert trace.startswith(f"{type(error).__name__} at llm/test_reply_validation.py:")
    assert "complete < llm/retrying.py:" in trace
    assert "secret" not in trace + str(caught.value)
    assert caught.value.__cause__ is error


async def test_an_error_of_ours_that_says_what_to_do_stays_what_it_is() -> None:
    with pytest.raises(UsageError):
        await given(UsageError("Change it."))


async def test_a_malformed_reply_is_asked_for_again() -> None:
    async with OPENAI.served() as (client, server):
        server.will(Raw(b"[" * 600 + b"]" * 600, content_type="application/json"), Raw(b"5"), Raw(b'{"error": 5}'))
        reply = await complete(client, a_call(), Limits(attempts=4, first_wait=0.01))
    assert (reply.text, len(server.requests)) == ("Streets are for people.", 4)


@every_vendor
async def test_counts_as_text_cost_no_reply(vendor: Vendor) -> None:
    """Google's SDK reads digits as a number, and refuses other words."""
    async with vendor.served() as (client, server):
        answer = server.whole(Say(), {"model": "m"})
        text = json.dumps(answer).replace(": 20", ': "20"')
        server.will(Raw(text.encode(), content_type="application/json"))
        reply = await complete(client, a_call(), Limits(attempts=1))
    assert reply.text == "Streets are for people."
    assert (reply.raw.get("usage") == "estimated") is (vendor.name != "gemini")


@pytest.mark.parametrize("depth", [65, 600, 900, 100_000])
@pytest.mark.parametrize("pair", ["[]", "{}"])
def test_json_nested_beyond_all_use_is_unreadable(depth: int, pair: str) -> None:
    opening = "[" if pair == "[]" else '{"a":'
    text = opening * depth + "1" + pair[1] * depth
    with pytest.raises(ValueError, match="nested"):
        json_of(text)
    with pytest.raises(UnreadableReply, match=r"nested|recursion"):
        read_json(text, {"type": "object"})
    with pytest.raises(UnreadableReply, match=r"nested|recursion"):
        read_json(f'{{"score": {text}}}', {"type": "object", "properties": {"score": {}}, "required": ["score"]})


def test_json_of_an_ordinary_depth_is_read() -> None:
    text = "[" * 60 + "]" * 60
    assert json_of(text) == json.loads(text)


@pytest.mark.parametrize("text", ["NaN", "-Infinity", "9" * 5000, '{"a": Infinity}'])
def test_numbers_that_no_vendor_may_send_are_no_json(text: str) -> None:
    with pytest.raises(ValueError, match=r"no JSON number|digits"):
        json_of(text)
