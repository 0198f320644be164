"""Vendors that answer as they should, by schema, but fail in a share of the requests, in every way that was ever seen.

One failure in six is a reply that no client expects: brackets within brackets, counts and parts of other types, noise.

Which request fails is drawn from its words and how often they came, so that it does not matter what runs beside. In
which way it fails is a draw among those that have come up least, so that a few dozen failures show them all.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from aiohttp import web

from elenchus.debate_engine.llm import filler
from elenchus.debate_engine.llm.client import Call, Message
from tests.fakes.llm.anthropic import FakeAnthropic
from tests.fakes.llm.gemini import FakeGemini
from tests.fakes.llm.loopback import Break, Endless, Fail, Fake, Hang, Plan, Raw, Say, StreamError
from tests.fakes.llm.openai import FakeOpenAI

SOON = {"retry-after-ms": "20", "retry-after": "0"}


@dataclass
class Unreliable(Fake):
    """`share` of the requests fails. `came` counts what became of requests by the name of the fault; "well" is none.

    Good answers take `thinks` seconds.
    """

    share: float = 0.3
    thinks: float = 0.0
    seed: int = 0
    came: Counter[str] = field(default_factory=Counter)
    _again: Counter[str] = field(default_factory=Counter)
    length = ""
    refused = ""
    broken = ""
    """The vendor's words for a reply that was cut off or declined, and for being overloaded."""

    def plan(self, request: web.Request, body: dict[str, Any]) -> Plan:
        asked = json.dumps(body, sort_keys=True)
        self._again[asked] += 1
        chance = Random(f"{self.seed}/{self._again[asked]}/{asked}")
        text = self._answer(body)
        if chance.random() >= self.share:
            self.came["well"] += 1
            return Say(text, after=self.thinks)
        names = list(_ODD if chance.random() < 1 / 6 else FAULTS)
        name = min(chance.sample(names, len(names)), key=self.came.__getitem__)
        self.came[name] += 1
        if name in _ODD:
            return self._odd(name, text, body, streamed=self.wants_stream(request, body))
        return FAULTS[name](self, text)

    def _odd(self, name: str, text: str, body: dict[str, Any], *, streamed: bool) -> Plan:
        if name == "nested text":
            return Say(_ODD[name])
        good = Say(text)
        events = list(self.stream(good, body)) if streamed else [json.dumps(self.whole(good, body)).encode()]
        data = (
            b"".join(re.sub(*_ODD_BYTES[name], event) for event in events)
            if name in _ODD_BYTES
            else _ODD[name].encode()
        )
        return Raw(data, content_type="text/event-stream" if streamed else "application/json")

    def asked(self, body: dict[str, Any]) -> tuple[str, dict[str, Any] | None]:
        """What was asked last, and the schema of the answer."""
        raise NotImplementedError

    def _answer(self, body: dict[str, Any]) -> str:
        prompt, schema = self.asked(body)
        call = Call("unreliable", (Message("user", prompt),), schema)
        return filler.answer(call, schema) if schema else filler.speech(call)


FAULTS: Mapping[str, Callable[[Unreliable, str], Plan]] = {
    "429": lambda fake, text: Fail(429, "Slow down.", headers=SOON),
    "503": lambda fake, text: Fail(503, "Overloaded.", headers=SOON),
    "500": lambda fake, text: Fail(500, "Something broke.", headers=SOON),
    "time-out": lambda fake, text: Hang(60),
    "declined": lambda fake, text: Fail(400, "Your request was flagged by our content policy."),
    "refused": lambda fake, text: Say(text[: len(text) // 2], finish=fake.refused),
    "empty": lambda fake, text: Say(""),
    "truncated": lambda fake, text: Say(text[: len(text) // 2], finish=fake.length),
    "cut without a word": lambda fake, text: Say(text[: len(text) // 2], ends=False),
    "garbled": lambda fake, text: Say(text[::-1].replace('"', "'")),
    "half a character": lambda fake, text: Say(text[:-3] + '\\ud83d"}' if text.startswith("{") else text + " \ud83d."),
    "endless": lambda fake, text: Endless("andsoon" * 20),
    "connection lost": lambda fake, text: Break(3),
    "error in the stream": lambda fake, text: StreamError(fake.broken),
    "another protocol": lambda fake, text: Raw(b"<html><body>Welcome to the hotel's network</body></html>"),
}


_NESTED = "[" * 600 + "]" * 600
_ODD: Mapping[str, str] = {
    "nested text": f'{{"score": {_NESTED}}}',
    "nested reply": f"data: {_NESTED}\n\n",
    "noise": "data: \x00\x01{]\n\n" * 5,
    "nothing but null": "data: null\n\n",
    "counts as text": "",
    "counts below nothing": "",
    "absurd counts": "",
    "parts of other types": "",
}
_ODD_BYTES: Mapping[str, tuple[bytes, bytes]] = {
    "counts as text": (rb'((?:[tT]oken\w*|Count)": )(\d+)', rb'\1"\2"'),
    "counts below nothing": (rb'((?:[tT]oken\w*|Count)": )(\d+)', rb"\1-\2"),
    "absurd counts": (rb'((?:[tT]oken\w*|Count)": )(\d+)', rb"\g<1>9\g<2>00000000000"),
    "parts of other types": (rb'("(?:content|text|delta|parts)": )', rb'\g<1>5, "was": '),
}
"""What is put in the place of what in a good reply."""


class UnreliableOpenAI(Unreliable, FakeOpenAI):
    """OpenAI on a bad day."""

    length, refused, broken = "length", "content_filter", "server_error"

    def asked(self, body: dict[str, Any]) -> tuple[str, dict[str, Any] | None]:
        schema = body.get("response_format", {}).get("json_schema", {}).get("schema")
        return body["messages"][-1]["content"], schema


class UnreliableAnthropic(Unreliable, FakeAnthropic):
    """Anthropic on a bad day."""

    length, refused, broken = "max_tokens", "refusal", "overloaded_error"

    def asked(self, body: dict[str, Any]) -> tuple[str, dict[str, Any] | None]:
        schema = body.get("output_config", {}).get("format", {}).get("schema")
        return _text(body["messages"][-1]["content"]), schema


class UnreliableGemini(Unreliable, FakeGemini):
    """Gemini on a bad day."""

    length, refused, broken = "MAX_TOKENS", "SAFETY", "UNAVAILABLE"

    def asked(self, body: dict[str, Any]) -> tuple[str, dict[str, Any] | None]:
        return _text(body["contents"][-1]["parts"]), body.get("generationConfig", {}).get("responseJsonSchema")


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(_parts(content))


def _parts(content: Any) -> Iterator[str]:
    for part in content:
        yield part.get("text", "")
