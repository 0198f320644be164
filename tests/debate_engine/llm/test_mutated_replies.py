"""Ten thousand replies of the three wire formats with something wrong in each: not one ends more than its own call."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from collections.abc import Iterator
from dataclasses import astuple, dataclass, field
from random import Random
from typing import Any

import pytest
from aiohttp import web
from pydantic import BaseModel

from elenchus.debate_engine.errors import ProviderError, UnreadableReply
from elenchus.debate_engine.events import EVENTS, StepDone
from elenchus.debate_engine.llm.client import FINISHES, Call, Reply
from elenchus.debate_engine.llm.reply_parsing import read_json
from elenchus.debate_engine.llm.retrying import Limits, complete
from elenchus.debate_engine.llm.schema import json_schema_of
from elenchus.debate_engine.llm.text import whole
from tests.debate_engine.llm.vendors import Vendor, a_call, every_vendor
from tests.fakes.llm.loopback import Fake, Plan, Say
from tests.fakes.llm.mutations import RAW, mutated

pytestmark = pytest.mark.slow

REPLIES = 10_000
EACH = REPLIES // 6 + 1
"""Of three vendors, whole and streamed."""
CALLERS = 8


class Score(BaseModel):
    """What is asked for."""

    score: int
    reasons: list[str]


SCHEMA = json_schema_of(Score)
GOOD = '{"score": 5, "reasons": ["a", "b"]}'
TEXTS = (
    GOOD, GOOD, GOOD, "Streets are for people.", f'{{"score": {RAW["@deep"]}, "reasons": []}}',
    f'{{"score": 5, "reasons": [], "more": {RAW["@objects"]}}}', RAW["@deeper"], f'{{"score": {RAW["@digits"]}}}', "",
)  # fmt: skip


@dataclass
class Mutating:
    """Turns a fake's plan into a mutated reply."""

    fake: Fake
    seed: str
    served: int = 0
    kinds: Counter[str] = field(default_factory=Counter)

    def plan(self, request: web.Request, body: dict[str, Any]) -> Plan:
        self.served += 1
        chance = Random(f"{self.seed}/{self.served}")
        say = Say(chance.choice(TEXTS), cached=5, written=2, thoughts=7)
        return mutated(self.fake, body, say, chance, streamed=self.fake.wants_stream(request, body))


def read(reply: Reply, call: Call) -> str:
    """What the engine does with a reply, up to the log; what became of it."""
    assert (type(reply.text), type(reply.model)) == (str, str)
    assert reply.finish in FINISHES
    used = reply.usage
    assert all(type(n) is int and n >= 0 for n in astuple(used))
    assert used.cached_tokens + used.written_tokens <= used.input_tokens <= 1_000_000
    assert used.output_tokens <= 2_000_000
    try:
        value, became = read_json(whole(reply.text), SCHEMA)[0], "read"
    except UnreadableReply:
        value, became = whole(reply.text), "unreadable"
    EVENTS.dump_json(StepDone(step="s", input_hash="", inputs={}, result={"value": value}))
    return f"{became}, usage {reply.raw.get('usage', 'counted')}"


@pytest.fixture
def collected_between() -> Iterator[None]:
    """Garbage is collected between replies alone.

    A reply of 600 objects within each other fills Python's stack, which ends its call. Where the collector happens to
    run just then, whatever it finalizes fails for want of a stack, and pytest takes that for a fault of the test.
    """
    gc.disable()
    gc.freeze()
    yield
    gc.unfreeze()
    gc.enable()
    gc.collect()


@every_vendor
@pytest.mark.usefixtures("collected_between")
@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
async def test_no_mutated_reply_raises_anything_but_the_failure_of_its_call(vendor: Vendor, streamed: bool) -> None:
    limits = Limits(concurrency=CALLERS, attempts=1, deadline=20.0)
    became: Counter[str] = Counter()
    async with vendor.served() as (client, server):
        server.plan = Mutating(server, vendor.name).plan

        async def caller() -> None:
            for done in range(EACH // CALLERS + 1):
                if done % 20 == 0:
                    gc.collect()
                call = a_call(schema=SCHEMA)
                try:
                    reply = await complete(client, call, limits, (lambda _: None) if streamed else None)
                except ProviderError as error:
                    became[type(error).__name__] += 1
                else:
                    became[read(reply, call)] += 1

        await asyncio.gather(*(caller() for _ in range(CALLERS)))
    print(f"{vendor.name}, {'streamed' if streamed else 'whole'}: {dict(became)}")
    assert became.total() >= EACH
    assert became["MalformedReply"] > 50
    assert became["read, usage counted"] > 0
    assert any(name.endswith("estimated") for name in became)
