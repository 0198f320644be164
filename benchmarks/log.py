"""Claim: the embedded log adds about half a millisecond to a step, shares one commit between those who wait at the same
time, tells other processes within 50 ms, and reads a session of 1,000 events in a fraction of the 100 ms for a resume.

The floor is Python's sqlite3 module alone with the same settings and bodies: one thread, one transaction an event.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from contextlib import aclosing, closing
from pathlib import Path

from elenchus.debate_engine.events import EVENTS, CallRecord, Guidance, SessionStarted, StepDone
from elenchus.debate_engine.log import EventLog
from elenchus.storage.schema import connect_writer
from elenchus.storage.sqlite_log import SqliteLog, open_log

STARTED = SessionStarted(protocol="bench", title="Bench", config={}, seats=(), seed=1, version="0")
ROUNDS = 5


def speech(n: int) -> StepDone:
    """Return a step as a debate records it: about 3 KB of prompt and speech."""
    call = CallRecord(model="scripted:bench", prompt_id="bench/speak", reply="a word " * 170, input_tokens=900)
    inputs = {"messages": [["system", "be brief " * 20], ["user", "hear this " * 60]]}
    return StepDone(step=f"{n}", input_hash="0" * 64, inputs=inputs, result={"text": "a word " * 60}, calls=(call,))


def floor(path: Path, count: int) -> float:
    """Return events a second by sqlite3 alone."""
    with closing(connect_writer(path, "normal")) as connection:
        connection.execute("INSERT INTO sessions VALUES ('s', '', '', '', '', 0, 0, NULL, NULL, NULL, NULL)")
        begun = time.perf_counter()
        for n in range(count):
            connection.execute("BEGIN IMMEDIATE")
            body = EVENTS.dump_json(speech(n)).decode()
            connection.execute("INSERT INTO events VALUES (NULL, 's', ?, '', '', ?, '')", (n, body))
            connection.execute("UPDATE sessions SET head = ? WHERE id = 's'", (n,))
            connection.execute("COMMIT")
        return count / (time.perf_counter() - begun)


async def appenders(log: EventLog, name: str, count: int, each: int) -> float:
    """Return events a second of `count` sessions that append side by side, each waiting for its own."""

    async def make(n: int) -> int:
        await log.create(f"{name}-{n}", STARTED)
        return (await log.claim(f"{name}-{n}")).epoch

    async def run(n: int, epoch: int) -> None:
        for k in range(each):
            await log.append(f"{name}-{n}", [speech(k)], epoch)

    epochs = await asyncio.gather(*(make(n) for n in range(count)))
    begun = time.perf_counter()
    await asyncio.gather(*(run(n, epoch) for n, epoch in enumerate(epochs)))
    return count * each / (time.perf_counter() - begun)


async def reading(path: Path) -> tuple[list[float], list[float]]:
    """Return seconds to open a log and read 1,000 events of it, and to read them once more."""
    cold, warm = [], []
    for _ in range(4 * ROUNDS):
        begun = time.perf_counter()
        log = await open_log(path)
        assert len(await log.read("long")) == 1000
        opened = time.perf_counter()
        await log.read("long")
        cold.append(opened - begun)
        warm.append(time.perf_counter() - opened)
        await log.aclose()
    return cold, warm


async def latencies(path: Path, log: SqliteLog, count: int) -> list[float]:
    """Return seconds from before a commit in another process until a follower here has the event, sorted."""
    await log.create("followed", STARTED)
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.log", "send", str(path), str(count), cwd=Path(__file__).parents[1]
    )
    waits: list[float] = []
    async with aclosing(log.follow("followed", after=1)) as events:
        async for recorded in events:
            assert isinstance(recorded.event, Guidance)
            waits.append(time.time() - float(recorded.event.text))
            if len(waits) == count:
                break
    await child.wait()
    return sorted(waits)


async def send(path: Path, count: int) -> None:
    """Be the other process: send the time of day, at odd intervals."""
    log = await open_log(path)
    for n in range(count):
        await log.send("followed", Guidance(by="bench", to=("pro",), text=repr(time.time())))
        await asyncio.sleep(0.013 + 0.001 * (n % 17))
    await log.aclose()


async def rates(folder: Path, log: SqliteLog) -> dict[str, list[float]]:
    """Return events a second of each way to append, all ways in turn, so that other load falls on all alike."""
    found: dict[str, list[float]] = {}
    for n in range(ROUNDS):
        found.setdefault("sqlite3 alone, one at a time", []).append(floor(folder / f"floor{n}.db", 500))
        for count, each in ((1, 500), (50, 20), (1000, 3)):
            rate = await appenders(log, f"{n}-{count}", count, each)
            found.setdefault(f"the log, {count:,} at once", []).append(rate)
    return found


async def main() -> None:
    """Measure, and print Markdown tables."""
    with tempfile.TemporaryDirectory(dir=Path(__file__).parent) as name:
        folder = Path(name)
        log = await open_log(folder / "bench.db")
        found = await rates(folder, log)
        base = statistics.median(next(iter(found.values())))
        print("| appending events of 3 KB | events/s, median | times sqlite3 alone |\n| --- | ---: | ---: |")
        for way, measured in found.items():
            median = statistics.median(measured)
            print(f"| {way} | {median:,.0f} | {median / base:.1f} |")
        await log.create("long", STARTED)
        await log.append("long", [speech(n) for n in range(999)], 0)
        cold, warm = await reading(folder / "bench.db")
        waits = await latencies(folder / "bench.db", log, 300)
        rows = {
            "open the log and read 1,000 events of 3 KB, median": statistics.median(cold),
            "read them again, median": statistics.median(warm),
            "follow across processes, median": statistics.median(waits),
            "follow across processes, 99 of 100": waits[int(len(waits) * 0.99)],
        }
        print("\n| | ms |\n| --- | ---: |")
        for row, value in rows.items():
            print(f"| {row} | {value * 1000:.1f} |")
        await log.aclose()


if __name__ == "__main__":
    if sys.argv[1:2] == ["send"]:
        asyncio.run(send(Path(sys.argv[2]), int(sys.argv[3])))
    else:
        asyncio.run(main())
