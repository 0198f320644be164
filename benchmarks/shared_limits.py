"""Claim: eight processes share a provider's limit over Redis without ever exceeding it, and use at least 0.95 of it.

A call takes 200 ms at a vendor on loopback, which counts calls in flight itself; each process has more to do than it
may. What the limit adds to a call that need not wait is measured beside a limit in memory, in the same run: at most 1
ms (p99).
"""

from __future__ import annotations

import asyncio
import statistics
import time

from elenchus.debate_engine.llm.gate import Allowed, Gate, LocalGate
from elenchus.storage.redis_gate import GRACE
from elenchus.storage.redis_shared import RedisShared, open_shared
from tests.storage.gate_child import Work
from tests.storage.redis_server import redis_server
from tests.storage.test_shared_limits import children, vendor

PROCESSES, LIMIT, LATENCY = 8, 40, 0.2
SECONDS, ROUNDS, CALLS = 10.0, 3, 600
A_MINUTE = 1200


async def used(url: str) -> tuple[float, int]:
    """Return which part of the limit was used while all had work, and the most calls that were in flight at once.

    Without a Redis each process has its share of the limit for itself, and no less to do.
    """
    async with vendor(LATENCY) as (seen, port):
        own = LIMIT if url else LIMIT // PROCESSES
        work = Work(url, port, 2 * LIMIT // PROCESSES, GRACE + SECONDS + 3, own)
        async with children(work, PROCESSES):
            await asyncio.sleep(GRACE + 1.5)
            seen.busy, began = 0.0, time.monotonic()
            await asyncio.sleep(SECONDS)
            return seen.busy / (time.monotonic() - began) / LIMIT, seen.most


async def begun(url: str) -> float:
    """Return how many calls began in comparison with those that a minute allows, after the first moments."""
    async with vendor(0.01) as (seen, port):
        work = Work(url, port, 4, GRACE + SECONDS + 3, 1000, A_MINUTE)
        async with children(work, PROCESSES):
            await asyncio.sleep(GRACE + 1.5)
            before, began = len(seen.begun), time.monotonic()
            await asyncio.sleep(SECONDS)
            return (len(seen.begun) - before) / (time.monotonic() - began) / (A_MINUTE / 60)


async def added(gate: Gate) -> list[float]:
    """Return milliseconds until a call that need not wait may begin, sorted."""
    found = []
    for _ in range(CALLS):
        began = time.perf_counter()
        async with gate.passed():
            found.append((time.perf_counter() - began) * 1000)
        await asyncio.sleep(0.002)
    return sorted(found)


async def pings(shared: RedisShared) -> list[float]:
    """Return milliseconds of a question and an answer, sorted: no limit over Redis can take less."""
    found = []
    for _ in range(CALLS):
        began = time.perf_counter()
        await shared.link.ask(lambda client: client.ping())
        found.append((time.perf_counter() - began) * 1000)
        await asyncio.sleep(0.002)
    return sorted(found)


async def main() -> None:
    """Measure, and print Markdown tables."""
    with redis_server() as server:
        parts, alone = [], []
        for _ in range(ROUNDS):  # in turns: the machine is shared
            parts.append(await used(server.url))
            alone.append((await used(""))[0])
        rates = [await begun(server.url) for _ in range(ROUNDS)]
        shared = await open_shared(server.url)
        gates = {"in memory": LocalGate(Allowed(LIMIT)), "over Redis": shared.gate("openai", Allowed(LIMIT))}
        await added(gates["over Redis"])
        waits = {name: await added(gate) for name, gate in gates.items()}
        waits["one PING, nothing else"] = await pings(shared)
        await shared.aclose()
    ratios = [part / own for (part, _), own in zip(parts, alone, strict=True)]
    print(f"| {PROCESSES} processes, rounds | worst | median |\n| --- | ---: | ---: |")
    told = {
        f"part of {LIMIT} calls at once that was used": [part for part, _ in parts],
        "the same, each process with its share in memory": alone,
        "the first by the second": ratios,
    }
    for name, found in told.items():
        print(f"| {name} | {min(found):.3f} | {statistics.median(found):.3f} |")
    print(f"| most calls at once | {max(most for _, most in parts)} | {statistics.median(m for _, m in parts):.0f} |")
    print(f"| part of {A_MINUTE} calls a minute that was used | {min(rates):.3f} | {statistics.median(rates):.3f} |")
    print("\n| until a call may begin, nobody waiting | median, ms | p99, ms |\n| --- | ---: | ---: |")
    for name, ms in waits.items():
        print(f"| {name} | {statistics.median(ms):.3f} | {ms[int(len(ms) * 0.99)]:.3f} |")


if __name__ == "__main__":
    asyncio.run(main())
