"""Claim: n workers are n times as fast (≥ 0.9) until the cores are used up; who is killed is replaced within 15 s.

The debates are those of `thousand`, the model answers after 200 ms; each worker takes one, two or four at once, so that
it waits most of its time. *CPU a debate* is that of the workers, *of the database* that of all its processes, and
*cores in use* what all of the machine used meanwhile, the model's server included: at the last rows it says why they
are no faster. The second table is the control for that: deployments side by side, each of one worker (four at once)
with a database, a queue and a vendor of its own, which share nothing but the machine. The third asks whether a long
queue costs more: so many jobs wait behind the debates that are measured, and nothing else differs; 10⁵ debates are not
run, their time is reckoned from the rate. The fourth kills workers with SIGKILL, amid debates, and tells how long it
took until another one had them.

It takes some twelve minutes; `python -m benchmarks.workers small` runs a quarter of it.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from elenchus.debate_engine.events import now
from elenchus.debate_engine.run_ends import Run
from elenchus.service.app import App
from elenchus.service.workers.queue import RUN_SESSION, SESSIONS, JobQueue
from elenchus.service.workers.queued_runner import QueuedRunner
from tests.service.workers.chaos import takeovers
from tests.service.workers.fleet import ONE_DEBATE, Fleet, until, vendor
from tests.storage.postgres_server import temporary_server

SMALL = sys.argv[1:] == ["small"]
ALONE = sys.argv[1:] == ["alone"]
LATENCY, AT_ONCE = 0.2, 4
WORKERS = {1: (1, 2), 2: (1, 2, 4), 4: (1, 2, 4)} if SMALL else {1: (1, 2, 4, 8), 2: (1, 2, 4, 6, 8), 4: (1, 2, 4, 8)}
"""How many of them, by the debates that each takes at once."""
DEPLOYMENTS = (1, 2, 4)
"""Deployments side by side."""
EACH = 8 if SMALL else 24
"""Debates a worker."""
WAITING = (0, 1_000, 100_000)
MEASURED = 24 if SMALL else 60
KILLS = 3 if SMALL else 10
APART = 16.0
"""Seconds between two kills: the first one's sessions are elsewhere by then, or the claim is wrong."""


@dataclass(frozen=True)
class Cost:
    """Of a run: seconds, and seconds of processors, of the workers, the database and the machine."""

    seconds: float
    workers: float
    database: float
    machine: float

    @classmethod
    def of(cls, before: Spent, after: Spent, seconds: float) -> Cost:
        """Between two looks."""
        return cls(seconds, *(late - early for early, late in zip(before, after, strict=True)))


Spent = tuple[float, float, float]
"""Seconds of processors that workers, database and machine have used."""


def spent_by_the_machine() -> float:
    """Seconds of its processors that were not idle."""
    user, nice, system, _, _, irq, soft, *_ = map(int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:])
    return (user + nice + system + irq + soft) / os.sysconf("SC_CLK_TCK")


def spent_by_the_family(parent: int) -> float:
    """Seconds of the processors of a process and its children, those that have ended included."""
    total = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            pid, _, rest = stat.read_text().partition(" ")
        except OSError:
            continue
        fields = rest.rpartition(")")[2].split()
        if int(pid) == parent or int(fields[1]) == parent:
            total += (
                int(fields[11]) + int(fields[12]) + (int(fields[13]) + int(fields[14]) if int(pid) == parent else 0)
            )
    return total / os.sysconf("SC_CLK_TCK")


@asynccontextmanager
async def fleet(latency: float, at_once: int = AT_ONCE) -> AsyncIterator[tuple[Fleet, App]]:
    """Workers to be, with a server and a vendor of their own, and the application that starts the debates."""
    server = await asyncio.to_thread(temporary_server)
    try:
        with tempfile.TemporaryDirectory() as folder:
            async with vendor(latency) as asked:
                made = Fleet(server, asked, Path(folder), concurrency=at_once)
                (made.folder / "home").mkdir()
                async with made.app() as app:
                    try:
                        yield made, app
                    finally:
                        made.end()
    finally:
        await asyncio.to_thread(server.remove)


async def held(made: Fleet, app: App, count: int) -> Cost:
    """So many debates, and what they cost."""
    ids = [await app.runner.create(ONE_DEBATE) for _ in range(count)]
    before, began = spent(made), time.perf_counter()
    runs = await asyncio.gather(*(app.runner.run(session) for session in ids))
    seconds = time.perf_counter() - began
    assert {run.state for run in runs} == {"finished"}, made.said()
    return Cost.of(before, spent(made), seconds)


def spent(made: Fleet) -> Spent:
    """Now."""
    assert made.server.process is not None
    workers = sum(worker.cpu for worker in made.living)
    return workers, spent_by_the_family(made.server.process.pid), spent_by_the_machine()


async def throughput() -> None:
    """By how many debates a worker takes at once, and by how many workers."""
    print("| at once | workers | debates/s | of linear | CPU a debate | of the database | cores in use |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for at_once, workers in WORKERS.items():
        await by_workers(at_once, workers)


async def apart() -> None:
    """The same in deployments that share the machine alone, each a process with all that it starts."""
    print("\n| deployments of one worker | debates/s of all | of linear | CPU a debate | cores in use |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    first = 0.0
    for count in DEPLOYMENTS:
        rows = await asyncio.gather(*(alone() for _ in range(count)))
        rate = sum(float(row[2]) for row in rows)
        first = first or rate
        cpu = sum(int(row[4].removesuffix(" ms")) for row in rows) / count
        print(f"| {count} | {rate:.2f} | {rate / first / count:.2f} | {cpu:.0f} ms | {rows[0][6]} |", flush=True)


async def alone() -> list[str]:
    """The cells of the row that a deployment of its own prints."""
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.workers", "alone", stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    said, _ = await child.communicate()
    assert child.returncode == 0, said
    return [cell.strip() for cell in said.decode().strip().strip("|").split("|")]


async def by_workers(at_once: int, workers: Sequence[int]) -> None:
    """The rows of a number of debates at once."""
    async with fleet(LATENCY, at_once) as (made, app):
        first = 0.0
        for count in workers:
            while len(made.living) < count:
                made.start()
            await made.ready(app, count)
            await held(made, app, at_once * count)  # imports what a debate needs, connections
            each = EACH * count
            cost = await held(made, app, each)
            rate = each / cost.seconds
            first = first or rate
            print(
                f"| {at_once} | {count} | {rate:.2f} | {rate / first / count:.2f} | "
                f"{cost.workers / each * 1000:.0f} ms | {cost.database / each * 1000:.0f} ms | "
                f"{cost.machine / cost.seconds:.1f} of {os.cpu_count()} |",
                flush=True,
            )


async def long_queue() -> None:
    """By how many jobs wait behind. Some more debates are there, so that those that are measured have company."""
    print("\n| waiting behind | debates/s | CPU a debate | of the database | 10⁵ debates at this rate, one worker |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    for waiting in WAITING:
        async with fleet(LATENCY) as (made, app):
            made.start()
            await made.ready(app, 1)
            await held(made, app, AT_ONCE)
            queue = queue_of(app)
            ids = [await app.runner.create(ONE_DEBATE) for _ in range(MEASURED + 4 * AT_ONCE)]
            await queue.do(LATER, queue=SESSIONS, task=RUN_SESSION, first=1, last=waiting)
            await queue.do("ANALYZE procrastinate_jobs")
            for session in ids:
                await queue.put(session)
            await ended(app, AT_ONCE * 2)
            before, began = spent(made), time.perf_counter()
            await ended(app, AT_ONCE * 2 + MEASURED)
            cost = Cost.of(before, spent(made), time.perf_counter() - began)
        rate = MEASURED / cost.seconds
        print(
            f"| {waiting:,} | {rate:.2f} | {cost.workers / MEASURED * 1000:.0f} ms | "
            f"{cost.database / MEASURED * 1000:.0f} ms | {1e5 / rate / 3600:.1f} h |",
            flush=True,
        )


LATER = """INSERT INTO procrastinate_jobs (queue_name, task_name, lock, priority, args)
SELECT %(queue)s, %(task)s, 'later-' || n, -1, json_build_object('session', 'later-' || n, 'leave_on', '{}'::text[])
FROM generate_series(%(first)s::bigint, %(last)s::bigint) AS n"""


def queue_of(app: App) -> JobQueue:
    """The queue of an application."""
    assert isinstance(app.runner, QueuedRunner)
    return app.runner.queue


async def ended(app: App, count: int) -> None:
    """Wait until so many debates have ended."""

    async def there() -> bool:
        rows = await queue_of(app).ask("SELECT count(*) AS n FROM elenchus.sessions WHERE state = 'finished'")
        return int(rows[0]["n"]) >= count

    await until(there, 600)


async def taken_over() -> None:
    """After how long."""
    async with fleet(1.0) as (made, app):
        made.concurrency = 40
        chance, gone, ids = random.Random(1), list[tuple[float, int]](), list[str]()
        runs: list[asyncio.Task[Run]] = []
        for _ in range(3):
            made.start()
        for _ in range(KILLS):
            await made.ready(app, 3)
            new = [await app.runner.create(ONE_DEBATE) for _ in range(12)]
            ids += new
            runs += [asyncio.create_task(app.runner.run(session)) for session in new]
            await asyncio.sleep(chance.uniform(3, 6))
            victim = chance.choice(made.living)
            gone.append((now().timestamp(), victim.pid))
            victim.signal(signal.SIGKILL)
            await until(lambda: not victim.lives)  # noqa: B023 - awaited within this turn
            made.start()
            await asyncio.sleep(APART)
        assert {run.state for run in await asyncio.gather(*runs)} == {"finished"}, made.said()
        waits = await takeovers(app, ids, gone)
        median, most = waits[len(waits) // 2], waits[int(0.99 * (len(waits) - 1))]
        print("\n| killed | sessions taken over | after, median | 99 of 100 | at the most |")
        print("| ---: | ---: | ---: | ---: | ---: |")
        print(f"| {KILLS} | {len(waits)} | {median:.1f} s | {most:.1f} s | {waits[-1]:.1f} s |", flush=True)


async def main() -> None:
    """Measure, and print Markdown tables."""
    if ALONE:
        await by_workers(AT_ONCE, (1,))
    else:
        await throughput()
        await apart()
        await long_queue()
        await taken_over()


if __name__ == "__main__":
    asyncio.run(main())
