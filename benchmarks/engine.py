"""A call costs with the engine and its log no more than 1.1 times the wall time of the raw OpenAI SDK, and at most half
its CPU.

*The engine* is `Session.ask` in a running session: prompt rendered and fitted, budget and pause looked at, the model
called through the provider's limits, the step and its prompt committed to the SQLite log and followed. *The SDK* is
`chat.completions.create` on its default transport, as its guide shows it. Both ask the same server, a process of its
own, for 400 tokens of prompt and 100 of reply, in one piece (nobody watches) and streamed in 100 pieces (somebody
does). CPU is that of the client's process, the log's thread included. Both take turns round by round, and the figures
are medians of the rounds, so that other load falls on both alike.
"""

from __future__ import annotations

import asyncio
import gc
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from openai import AsyncOpenAI

from benchmarks._loopback import running
from elenchus.config.settings import Settings, VendorSettings
from elenchus.debate_engine.events import Seat, SessionStarted
from elenchus.debate_engine.prompts import Prompt
from elenchus.debate_engine.run_context import Draft
from elenchus.debate_engine.runner import Runner
from elenchus.debate_engine.session import Session
from elenchus.service.app import App, open_app, seat_maker
from elenchus.service.cli.context import GARBAGE

ROUNDS = 9
CALLS = {1: 12, 50: 150}
"""Calls a round, by how many are in flight at once."""
SYSTEM, USER = "You are a debater. " * 20, "Argue for wider pavements in the centre. " * 30
PROMPT = Prompt.parse(f"---\nid: bench/speak\nvariables: [text]\n---\n%% role\n{SYSTEM}\n%% task\n{{{{ text }}}}\n")
LIMIT = 300
Way = Callable[[int], Awaitable[object]]
"""Makes the call with this number."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds a call."""

    wall: float
    cpu: float


def raw(client: AsyncOpenAI, streamed: bool) -> Way:
    """The SDK as its guide shows it."""

    def asked(number: int) -> dict[str, Any]:
        user = f"{number}. {USER}"
        messages = [{"role": "system", "content": SYSTEM.strip()}, {"role": "user", "content": user.strip()}]
        return {"model": "bench", "messages": messages, "max_completion_tokens": LIMIT, "temperature": 0.7}

    async def whole(number: int) -> object:
        return (await client.chat.completions.create(**asked(number))).choices[0].message.content

    async def pieces(number: int) -> object:
        stream = await client.chat.completions.create(
            **asked(number), stream=True, stream_options={"include_usage": True}
        )
        return [chunk.choices[0].delta.content async for chunk in stream if chunk.choices]

    return pieces if streamed else whole


def ours(session: Session) -> Way:
    """A seat asked as a protocol does it."""

    async def call(number: int) -> object:
        return await session.ask(str(number), "speaker", PROMPT, max_tokens=LIMIT, text=f"{number}. {USER}")

    return call


async def cost_of(way: Way, at_once: int, first: int) -> Cost:
    """What a call costs, numbered from `first`."""
    calls, places = CALLS[at_once], asyncio.Semaphore(at_once)

    async def one(number: int) -> None:
        async with places:
            assert await way(number)

    wall, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(one(first + n) for n in range(calls)))
    return Cost((time.perf_counter() - wall) / calls * 1000, (time.process_time() - cpu) / calls * 1000)


async def rows(app: App, url: str, delay: float, streamed: bool) -> None:
    """Print the rows of one way to answer at one latency: the measuring is done from inside a session."""

    async def bench(session: Session, config: dict[str, Any]) -> dict[str, Any]:
        async with AsyncOpenAI(api_key="x", base_url=url) as client:
            await measured(raw(client, streamed), ours(session), streamed, delay)
        return config

    seats = (Seat(name="speaker", spec="openai:bench"),)
    started = SessionStarted(
        protocol="bench", title="Bench", config={}, seats=seats, seed=1, version="0", temperature=0.7
    )
    runner = Runner(app.log, {"bench": bench}, seat_maker(app.registry))
    run = await runner.run(await runner.create(started), on_draft=watch if streamed else None)
    assert run.state == "finished", run.reason


def watch(_: Draft) -> None:
    """Whoever watches a speech being written."""


async def measured(sdk: Way, engine: Way, streamed: bool, delay: float) -> None:
    """Print the rows: one call at a time, and 50 at once."""
    for at_once, calls in CALLS.items():
        how = "100 pieces" if streamed else "one piece"
        print(f"  {how}, {delay * 1000:.0f} ms, {at_once} at once", file=sys.stderr)
        found: list[tuple[Cost, Cost]] = []
        for number in range(ROUNDS + 1):
            first = (at_once * 1000 + number) * calls
            found.append((await cost_of(sdk, at_once, first), await cost_of(engine, at_once, first)))
        print(f"| {how} | {delay * 1000:.0f} | {at_once} | {cells(found[1:])} |")  # the first opens connections


def cells(found: Sequence[tuple[Cost, Cost]]) -> str:
    """The medians of both, and of the rounds' ratios: wall, then CPU."""
    parts: list[str] = []
    for pairs in ([(a.wall, b.wall) for a, b in found], [(a.cpu, b.cpu) for a, b in found]):
        parts += [f"{statistics.median(column):.2f}" for column in zip(*pairs, strict=True)]
        parts.append(f"**{statistics.median(b / a for a, b in pairs):.2f}**")
    return " | ".join(parts)


async def main() -> None:
    """Measure as the program runs, and print a Markdown table."""
    gc.set_threshold(*GARBAGE)
    print(
        "| reply in | latency, ms | at once | wall a call, ms: SDK | engine | ratio | CPU, ms: SDK | engine | ratio |"
    )
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for delay in (0.0, 0.05):
        with running(delay) as url, tempfile.TemporaryDirectory() as home:
            server = VendorSettings(base_url=url, concurrency=max(CALLS))
            async with open_app(Settings(home=Path(home), openai=server)) as app:
                for streamed in (False, True):
                    await rows(app, url, delay, streamed)


if __name__ == "__main__":
    asyncio.run(main())
