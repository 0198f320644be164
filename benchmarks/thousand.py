"""A thousand debates run at once in one process at 200 ms latency, with at least the throughput of the raw client.

A debate is small, so that all end in a minute or two: one topic given by hand, one round, one reason a speech, one
judge; every step of the protocol is there, and all of it goes to the SQLite log. The model is an OpenAI-compatible
server, a process of its own. *The raw client* is the OpenAI SDK on its default transport asking the same server,
with as many calls in flight, before and after the debates. There are 100 in flight, which at 200 ms allows 500 calls a
second: more than either side has the processor for, so that more in flight would only queue. Memory is what the process
grows by at its largest, for each debate. Lag is how late a timer is served that wants its turn every 10 ms.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from openai import AsyncOpenAI

from benchmarks._loopback import running
from elenchus.config.settings import Settings, VendorSettings
from elenchus.debate_engine.dry_run.stubs import SchemaFiller
from elenchus.debate_engine.events import Seat, SessionStarted
from elenchus.debate_engine.llm.schema import json_schema_of
from elenchus.debate_engine.log import calls_of
from elenchus.debate_engine.protocols.crit.schemas import Analysis, Validation
from elenchus.debate_engine.protocols.judging.schemas import Ruling
from elenchus.debate_engine.protocols.socrasynth.schemas import DebateConfig
from elenchus.debate_engine.protocols.speech import Topic
from elenchus.service.app import App, open_app
from elenchus.service.cli.context import GARBAGE

DEBATES, LATENCY = 1000, 0.2
IN_FLIGHT, RAW_CALLS = 100, 1500
TICK = 0.01
TOPIC = Topic(pro_concern="walking", con_concern="parking", scope="What a street is for.")
CFG = DebateConfig(
    motion="Wide pavements are worth it", agenda=(TOPIC,), max_rounds=1, reasons_per_topic=1, judges=("judge-1",)
)
SPEECH = f"## 1. {TOPIC.title}\n" + "Wide streets invite walking and trade. " * 16
STARTED = SessionStarted(
    protocol="socrasynth",
    title=CFG.motion,
    config=CFG.model_dump(mode="json"),
    seats=tuple(Seat(name=name, spec="openai:bench") for name in ("pro", "con", "crit", *CFG.judges)),
    seed=1,
    version="0",
)


def answers() -> dict[str, str]:
    """What the model says, by the name of the schema; free text under ""."""
    given: dict[str, object] = {
        "FoundReasons": {"reasons": [{"topic": 1, "quote": "", "reason": "People walk more.", "source": ""}]},
        "FurtherArguments": {"more": True, "what": "the cost"},
        "ProposalDraft": {"items": [{"number": 1, "proposal": "Widen one street and count."}]},
        "ProposalReviews": {"items": [{"number": 1, "decision": "sign", "proposal": ""}]},
    }
    filled = {form.__name__: SchemaFiller().fill(json_schema_of(form), 1) for form in (Analysis, Validation, Ruling)}
    return {"": SPEECH} | {name: json.dumps(value) for name, value in (given | filled).items()}


@dataclass
class Watch:
    """What a ticker saw: how late it was each time, and the most memory of the process."""

    lags: list[float] = field(default_factory=list)
    most: int = 0
    began: float = field(default_factory=time.perf_counter)
    seconds: float = 0.0

    def lag(self, share: float) -> float:
        """So many of the lags (0 to 1) are shorter; milliseconds."""
        return sorted(self.lags)[int(share * (len(self.lags) - 1))] * 1000

    async def tick(self) -> None:
        """Look until cancelled."""
        while True:
            due = time.perf_counter() + TICK
            await asyncio.sleep(TICK)
            self.lags.append(time.perf_counter() - due)
            self.most = max(self.most, memory())


def memory() -> int:
    """Bytes of the process in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@asynccontextmanager
async def watched() -> AsyncIterator[Watch]:
    """Watch the event loop for as long as this is open."""
    watch = Watch()
    ticker = asyncio.create_task(watch.tick())
    try:
        yield watch
    finally:
        watch.seconds = time.perf_counter() - watch.began
        ticker.cancel()
        await asyncio.gather(ticker, return_exceptions=True)


async def raw(client: AsyncOpenAI) -> Watch:
    """As many calls in flight as the debates may have, by the SDK as its guide shows it."""
    places = asyncio.Semaphore(IN_FLIGHT)

    async def call(number: int) -> None:
        async with places:
            prompt = f"{number}. " + "Argue for wider pavements in the centre. " * 40
            reply = await client.chat.completions.create(model="bench", messages=[{"role": "user", "content": prompt}])
            assert reply.choices[0].message.content

    async with watched() as watch:
        await asyncio.gather(*(call(number) for number in range(RAW_CALLS)))
    return watch


async def debates(app: App, count: int) -> tuple[Watch, int]:
    """Hold so many at once; what was seen, and how many calls were made."""
    ids = [await app.runner.create(STARTED) for _ in range(count)]
    async with watched() as watch:
        runs = await asyncio.gather(*(app.runner.run(session_id) for session_id in ids))
    assert {run.state for run in runs} == {"finished"}, next(run for run in runs if run.state != "finished")
    made = [sum(1 for _ in calls_of(await app.log.read(session_id))) for session_id in ids]
    return watch, sum(made)


async def main() -> None:
    """Measure as the program runs, and print a Markdown table."""
    gc.set_threshold(*GARBAGE)
    with running(LATENCY, answers()) as url, tempfile.TemporaryDirectory() as home:
        server = VendorSettings(base_url=url, concurrency=IN_FLIGHT)
        async with (
            open_app(Settings(home=Path(home), openai=server)) as app,
            AsyncOpenAI(api_key="x", base_url=url) as sdk,
        ):
            await debates(app, 1)
            print(f"  the raw client, {RAW_CALLS} calls", file=sys.stderr)
            first = await raw(sdk)
            print(f"  {DEBATES} debates", file=sys.stderr)
            before = memory()
            watch, calls = await debates(app, DEBATES)
            print("  the raw client again", file=sys.stderr)
            second = await raw(sdk)
    base = 2 * RAW_CALLS / (first.seconds + second.seconds)
    both = Watch([*first.lags, *second.lags])
    print("| | calls | calls/s | ratio | lag of the loop, median, ms | p99 | memory a debate, KiB |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    print(f"| the raw client | {2 * RAW_CALLS:,} | {base:.0f} | 1.00 | {both.lag(0.5):.0f} | {both.lag(0.99):.0f} | |")
    rate, grown = calls / watch.seconds, (watch.most - before) / DEBATES / 1024
    print(
        f"| {DEBATES:,} debates of {calls / DEBATES:g} calls, {watch.seconds:.0f} s | {calls:,} | {rate:.0f} "
        f"| **{rate / base:.2f}** | {watch.lag(0.5):.0f} | **{watch.lag(0.99):.0f}** | **{grown:.0f}** |"
    )


if __name__ == "__main__":
    asyncio.run(main())
