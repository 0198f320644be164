"""Claim: in PostgreSQL an append takes at most three times as long as in SQLite, where both wait for the disk alike.

A hundred at once are as many a second as in SQLite, and others are told within 50 ms (p99).
Like is compared with like: commits that wait for the disk (SQLite `full`, PostgreSQL's default), and commits that are
written later (`normal`, `synchronous_commit=off`). The server is one of the tests', with Debian's settings otherwise.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from contextlib import aclosing
from pathlib import Path

from benchmarks.log import STARTED, appenders
from elenchus.debate_engine.events import Guidance
from elenchus.storage.postgres_log import PostgresLog, open_postgres
from elenchus.storage.sqlite_log import open_log
from tests.storage.postgres_server import temporary_server

ROUNDS = 5
LATER = "?options=-c%20synchronous_commit%3Doff"


async def rates(folder: Path, url: str) -> dict[tuple[str, int], float]:
    """Return events a second by way and by how many append at once, medians of rounds in which all take turns."""
    found: dict[tuple[str, int], list[float]] = {}
    logs = {
        "SQLite, disk at each commit": await open_log(folder / "full.db", sync="full"),
        "PostgreSQL, disk at each commit": await open_postgres(url),
        "SQLite, disk later": await open_log(folder / "normal.db"),
        "PostgreSQL, disk later": await open_postgres(url + LATER, schema="later"),
    }
    for n in range(ROUNDS):
        for name, log in logs.items():
            for count, each in ((1, 200), (100, 50)):
                rate = await appenders(log, f"{n}-{count}", count, each)
                found.setdefault((name, count), []).append(rate)
    for log in logs.values():
        await log.aclose()
    return {way: statistics.median(measured) for way, measured in found.items()}


async def latencies(log: PostgresLog, url: str, count: int) -> list[float]:
    """Return seconds from before a commit in another process until a follower here has the event, sorted."""
    await log.create("followed", STARTED)
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.postgres", "send", url, str(count), cwd=Path(__file__).parents[1]
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


async def send(url: str, count: int) -> None:
    """Be the other process: send the time of day, at odd intervals."""
    log = await open_postgres(url)
    for n in range(count):
        await log.send("followed", Guidance(by="bench", to=("pro",), text=repr(time.time())))
        await asyncio.sleep(0.013 + 0.001 * (n % 17))
    await log.aclose()


async def main() -> None:
    """Measure, and print Markdown tables."""
    server = await asyncio.to_thread(temporary_server)
    try:
        with tempfile.TemporaryDirectory(dir=Path(__file__).parent) as name:
            found = await rates(Path(name), server.url())
        print("| appending events of 3 KB | at once | events/s, median | times SQLite |\n| --- | ---: | ---: | ---: |")
        for (way, count), rate in found.items():
            same = found[way.replace("PostgreSQL", "SQLite"), count]
            print(f"| {way} | {count} | {rate:,.0f} | {rate / same:.2f} |")
        log = await open_postgres(server.url())
        waits = await latencies(log, server.url(), 300)
        await log.aclose()
        print("\n| follow across processes | ms |\n| --- | ---: |")
        print(f"| median | {statistics.median(waits) * 1000:.1f} |\n| 99 of 100 | {waits[296] * 1000:.1f} |")
    finally:
        await asyncio.to_thread(server.remove)


if __name__ == "__main__":
    if sys.argv[1:2] == ["send"]:
        asyncio.run(send(sys.argv[2], int(sys.argv[3])))
    else:
        asyncio.run(main())
