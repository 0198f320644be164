"""A fleet for tests and benchmarks: a PostgreSQL server, workers that are real processes, and a vendor that counts.

The debates are those of `benchmarks.thousand`: one topic given by hand, one round, one judge, every step there is.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
from aiohttp import web
from pydantic import SecretStr

from benchmarks.thousand import STARTED, answers
from elenchus.config.settings import Settings, VendorSettings
from elenchus.config.shared_settings import DatabaseSettings
from elenchus.debate_engine.events import CallRecord, OwnerStarted, Recorded, StepDone
from elenchus.debate_engine.log import calls_of
from elenchus.service.app import App, open_app
from elenchus.service.workers.worker import EXIT
from tests.service.cli.program import ELENCHUS, environment
from tests.service.workers.network import Network
from tests.storage.postgres_server import Server, temporary_server
from tests.storage.redis_server import RedisServer

ROOT = Path(__file__).parents[3]
FULL_STOP = ("finished", "stopped", "paused", "failed")
ONE_DEBATE = STARTED
_SCHEMA = re.compile(r'"json_schema": ?\{"name": ?"(\w+)"')
_STREAM = re.compile(r'"stream": ?true')


async def until(condition: Callable[[], bool | Awaitable[bool]], seconds: float = 60.0) -> None:
    """Look again and again until it is so. Raises TimeoutError."""
    async with asyncio.timeout(seconds):
        while True:
            found = condition()
            if found if isinstance(found, bool) else await found:
                return
            await asyncio.sleep(0.03)


@dataclass
class Vendor:
    """An OpenAI-compatible server. `came` counts requests, `answered` those whose answer was sent whole."""

    latency: float
    url: str = ""
    came: int = 0
    answered: int = 0
    in_flight: int = 0
    says: dict[str, str] = field(default_factory=answers)
    at_work: Counter[str] = field(default_factory=Counter)
    """Requests in flight, by the key that they bear: each worker of a fleet has its own."""
    came_from: Counter[str] = field(default_factory=Counter)
    """All requests, by the key."""
    lately: deque[tuple[float, str]] = field(default_factory=lambda: deque(maxlen=1000))
    """When answers were sent, and to whom."""

    def unsure(self, key: str = "") -> int:
        """Calls of one worker, or of all, that it may not have written down now: in flight, or just answered."""
        since = time.monotonic() - 1
        just = sum(1 for at, whose in self.lately if at > since and key in ("", whose))
        return just + (self.at_work[key] if key else self.in_flight)

    async def handle(self, request: web.Request) -> web.Response:
        """Answer after a while."""
        asked = await request.text()
        key = request.headers.get("authorization", "").removeprefix("Bearer ")
        self.came += 1
        self.in_flight += 1
        self.at_work[key] += 1
        self.came_from[key] += 1
        try:
            await asyncio.sleep(self.latency)
        finally:
            self.in_flight -= 1
            self.at_work[key] -= 1
            self.lately.append((time.monotonic(), key))
        schema = _SCHEMA.search(asked)
        text = self.says[schema[1] if schema else ""]
        self.answered += 1
        choice = {
            "index": 0, "finish_reason": "stop", "logprobs": None,
            "message": {"role": "assistant", "content": text, "refusal": None},
        }  # fmt: skip
        usage = {"prompt_tokens": 400, "completion_tokens": 100, "total_tokens": 500}
        whole = {"id": "chatcmpl-1", "created": 1, "model": "bench", "object": "chat.completion",
                 "choices": [choice], "usage": usage}  # fmt: skip
        return _streamed(whole) if _STREAM.search(asked) else web.json_response(whole)


def _streamed(whole: dict[str, Any]) -> web.Response:
    """The same as server-sent events, in one piece: so a worker asks where others may see what is being written."""
    (choice,) = whole["choices"]
    delta = {"index": 0, "delta": choice["message"], "finish_reason": "stop"}
    chunk = {**whole, "object": "chat.completion.chunk", "choices": [delta]}
    text = f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n"
    return web.Response(text=text, content_type="text/event-stream")


@asynccontextmanager
async def vendor(latency: float, *hosts: str) -> AsyncIterator[Vendor]:
    """A vendor on a free port of loopback, and on the same of these addresses."""
    made = Vendor(latency)
    app = web.Application(client_max_size=1 << 26)
    app.router.add_post("/{path:.*}", made.handle)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, backlog=1000)
    await site.start()
    assert site._server is not None
    port = site._server.sockets[0].getsockname()[1]  # type: ignore[attr-defined]
    made.url = f"http://127.0.0.1:{port}/v1"
    try:
        for host in hosts:
            await web.TCPSite(runner, host, port, backlog=1000).start()
        yield made
    finally:
        await runner.cleanup()


@dataclass
class Worker:
    """A worker process."""

    process: subprocess.Popen[bytes]
    said: Path
    key: str
    behind: Network | None = None
    """The network by which it reaches everything, where that is not this machine's own."""

    @property
    def pid(self) -> int:
        """Its number."""
        return self.process.pid

    @property
    def lives(self) -> bool:
        """Whether it has not ended."""
        return self.process.poll() is None

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        if self.lives:
            os.kill(self.pid, number)

    def end(self) -> None:
        """Kill it, unless it has ended."""
        if self.lives:
            os.kill(self.pid, signal.SIGKILL)
            os.kill(self.pid, signal.SIGCONT)
        self.process.wait(30)

    @property
    def cpu(self) -> float:
        """Seconds of the processor that it has used."""
        stat = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")


@dataclass
class Fleet:
    """Workers over one server and one vendor; a supervisor (`keep`) starts again those that ended by themselves."""

    server: Server
    vendor: Vendor
    folder: Path
    workers: list[Worker] = field(default_factory=list)
    unsure: int = 0
    """Calls that workers may not have written down that ended by themselves, as they had lost the database."""
    started: int = 0
    concurrency: int = 200
    redis: RedisServer | None = None

    @property
    def environment(self) -> dict[str, str]:
        """What a process of the program needs to be one of this fleet."""
        more = {
            "ELENCHUS_DATABASE_URL": self.server.url(),
            "OPENAI_BASE_URL": self.vendor.url,
            "ELENCHUS_OPENAI_CONCURRENCY": "100",
            "PYTHONPATH": str(ROOT),
        } | ({"ELENCHUS_REDIS_URL": self.redis.url} if self.redis else {})
        return environment(self.folder / "home", more)

    def start(self, *queues: str, behind: Network | None = None) -> Worker:
        """Start a worker; of all queues where none is named. `behind`: in this network."""
        self.started += 1
        said = self.folder / f"worker-{self.started}.log"
        named = [word for queue in queues for word in ("--queue", queue)]
        known = {**self.environment, "OPENAI_API_KEY": said.stem}
        if behind:
            known |= {name: value.replace("127.0.0.1", behind.host) for name, value in known.items()}
        with said.open("wb") as file:
            process = subprocess.Popen(
                [*(behind.command if behind else ()), *ELENCHUS, "worker", *named, "--concurrency",
                 str(self.concurrency)],
                stdin=subprocess.DEVNULL, stdout=file, stderr=file, cwd=self.folder, env=known,
            )  # fmt: skip
        self.workers.append(Worker(process, said, said.stem, behind))
        return self.workers[-1]

    async def keep(self, *queues: str, behind: Network | None = None) -> None:
        """Be a worker's supervisor, for ever: one that has ended is started again, as with `Restart=always`."""
        while True:
            worker = self.start(*queues, behind=behind)
            await until(lambda worker=worker: not worker.lives, seconds=1e9)  # type: ignore[misc] # at once
            if worker.process.returncode == EXIT:
                self.unsure += self.vendor.unsure(worker.key)
            await asyncio.sleep(0.5)

    @property
    def living(self) -> list[Worker]:
        """Those that have not ended."""
        return [worker for worker in self.workers if worker.lives]

    async def ready(self, app: App, count: int) -> None:
        """Wait until so many workers serve sessions."""

        async def there() -> bool:
            return (await serving(app)).count("sessions") == count

        try:
            await until(there)
        except TimeoutError as error:
            raise AssertionError(f"not {count} workers: {self.said()}") from error

    def said(self) -> str:
        """What the workers said on standard error."""
        return "\n".join(f"[{w.said.name}]\n{w.said.read_text()[-3000:]}" for w in self.workers)

    def end(self) -> None:
        """Kill all of it."""
        for worker in self.workers:
            worker.end()

    @asynccontextmanager
    async def app(self, leave_on: Iterable[str] = ("budget", "provider")) -> AsyncIterator[App]:
        """The application of another process of the fleet: here."""
        settings = Settings(
            home=self.folder / "home",
            database=DatabaseSettings(url=SecretStr(self.server.url())),
            openai=VendorSettings(base_url=self.vendor.url, concurrency=100),
        )
        async with open_app(settings, leave_on=frozenset(leave_on)) as app:
            yield app


@asynccontextmanager
async def fleet_of_its_own(folder: Path, latency: float, kind: type[Fleet] = Fleet) -> AsyncIterator[tuple[Fleet, App]]:
    """A fleet over a database and a vendor of its own, and the application; nothing is left, however it ends."""
    async with AsyncExitStack() as stack:
        server = await asyncio.to_thread(temporary_server)
        stack.callback(server.remove)
        fleet = kind(server, await stack.enter_async_context(vendor(latency)), folder)
        stack.callback(fleet.end)
        yield fleet, await stack.enter_async_context(fleet.app())


async def serving(app: App) -> list[str]:
    """The queues that living workers serve, one for each."""
    from elenchus.service.workers.queued_runner import QueuedRunner

    assert isinstance(app.runner, QueuedRunner)
    return [one.queue for one in await app.runner.queue.serving()]


@dataclass
class Found:
    """What stands in the log of all sessions, and what is wrong with it."""

    states: Counter[str] = field(default_factory=Counter)
    calls: int = 0
    owners: int = 0
    wrong: list[str] = field(default_factory=list)

    def take(self, session: str, state: str, recorded: list[Recorded]) -> None:
        """Look at one session."""
        self.states[state] += 1
        if state not in FULL_STOP:
            self.wrong.append(f"{session} is {state}: neither ended nor paused")
        if [r.seq for r in recorded] != list(range(1, len(recorded) + 1)):
            self.wrong.append(f"{session} has gaps")
        calls: list[CallRecord] = list(calls_of(recorded))
        self.calls += len(calls)
        epoch, steps = 0, Counter[str]()
        for r in recorded:
            if isinstance(r.event, OwnerStarted):
                epoch = r.event.epoch
                self.owners += 1
            elif isinstance(r.event, StepDone):
                steps[r.event.step] += 1
        self.wrong += [f"{session} has the step {step} {n} times (epoch {epoch})" for step, n in steps.items() if n > 1]


async def look(app: App, sessions: Iterable[str] | None = None) -> Found:
    """Read every session, or these."""
    found = Found()
    states = {info.id: info.state for info in await app.log.sessions()}
    for session in sessions if sessions is not None else states:
        found.take(session, states[session], await app.log.read(session))
    return found


def ask(server: Server, sql: str) -> list[tuple[object, ...]]:
    """What the database says."""
    with psycopg.connect(server.url(), autocommit=True) as connection:
        return connection.execute(sql).fetchall()


def shown(found: Found) -> str:
    """For people."""
    return json.dumps({"states": found.states, "calls": found.calls, "owners": found.owners, "wrong": found.wrong[:5]})
