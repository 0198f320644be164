"""What is told of a queue that works: its numbers, texts that are being written at a worker, and where it moves to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import psycopg
import pytest
from aiohttp import web
from pydantic import SecretStr

from elenchus.config.settings import VendorSettings
from elenchus.config.shared_settings import RedisSettings
from elenchus.debate_engine.protocols.registry import register
from elenchus.debate_engine.shared import Texts, Written
from elenchus.service.app import App, open_app
from elenchus.service.cli.shared_health import examined
from elenchus.service.store_copy import copy, opened as place
from elenchus.service.web.operations.shared_metrics import SharedMetrics
from elenchus.service.workers.queue import WAITS
from tests.foreign.turn_taking import SPEC
from tests.service.workers.fleet import until
from tests.service.workers.parts import opened, queue_in, settings_of, turns, working
from tests.storage.redis_server import RedisServer, redis_server


@pytest.fixture(autouse=True)
def _a_protocol() -> None:
    register(SPEC)


@pytest.fixture(scope="module")
def redis() -> Iterator[RedisServer]:
    with redis_server() as made:
        yield made


async def numbers(app: App) -> dict[str, dict[tuple[str, ...], float]]:
    """What /metrics would tell, by name and the values of labels."""
    metrics = SharedMetrics(app)
    looking = asyncio.create_task(metrics.watch())
    try:
        await until(lambda: bool(metrics._seen))
    finally:
        looking.cancel()
        with suppress(asyncio.CancelledError):
            await looking
    return {
        family.name: {tuple(one.labels.values()): one.value for one in family.samples} for family in metrics.collect()
    }


@pytest.mark.slow
async def test_the_numbers_are_those_of_a_queue_that_works(
    database_url: str, tmp_path: Path, redis: RedisServer
) -> None:
    settings = settings_of(database_url, tmp_path).model_copy(update={"redis": RedisSettings(url=SecretStr(redis.url))})
    async with (
        open_app(settings) as app,
        working(database_url, tmp_path, slots=2, lets_go_after=60.0) as worker,
    ):
        queue = queue_in(app)
        held = [await app.runner.create(turns("human:ada")) for _ in range(3)]
        for session in held:
            await queue.put(session)

        async def two_at_work() -> bool:
            return (await queue.depth()).get("sessions") == (1, 2)

        await until(two_at_work)
        await asyncio.sleep(1.1)
        app.registry.model("scripted:demo")
        found = await numbers(app)
        assert found["elenchus_queue_waiting"] == {("sessions",): 1.0, **others(found, "elenchus_queue_waiting")}
        assert 1 < found["elenchus_queue_oldest_seconds"]["sessions",] < 30
        assert [jobs for (name, _), jobs in found["elenchus_worker_jobs"].items() if name == "sessions"] == [2.0]
        assert found["elenchus_queue_takeovers"] == {(): 0.0}
        assert found["elenchus_sessions_waiting"] == {(): 0.0}
        assert found["elenchus_redis_up"] == {(): 1.0}
        assert set(found["elenchus_provider_limit"]) == set(found["elenchus_provider_calls"]) != set()
        await queue.do("UPDATE procrastinate_jobs SET attempts = attempts + 7")
        assert (await numbers(app))["elenchus_queue_takeovers"] == {(): 0.0}, "what was tried again was not taken over"
        del worker


def others(found: dict[str, dict[tuple[str, ...], float]], name: str) -> dict[tuple[str, ...], float]:
    """The other queues, of which nothing is said here."""
    return {labels: value for labels, value in found[name].items() if labels != ("sessions",)}


async def test_what_waits_is_told_where_no_worker_is_there_and_what_is_tried_again_later_does_not_wait(
    database_url: str, tmp_path: Path
) -> None:
    async with opened(database_url, tmp_path) as app:
        queue = queue_in(app)
        await queue.put("s")
        found = await numbers(app)
        assert found["elenchus_queue_waiting"] == {("sessions",): 1.0, ("studies",): 0.0, ("ops",): 0.0}
        assert found["elenchus_queue_oldest_seconds"][("studies",)] == 0.0
        rows = await examined(app.settings)
        assert {row["what"]: (row["said"], row["well"]) for row in rows}["queue"] == (
            "sessions 1 wait, 0 at work; no worker is there: start `elenchus worker`", False
        )  # fmt: skip
        async with working(database_url, tmp_path, "ops"):
            told = {row["what"]: (row["said"], row["well"]) for row in await examined(app.settings)}
            said, well = told["queue"]
            assert "sessions 1 wait, 0 at work" in said, "beside it a job of `ops` may wait for a moment"
            assert "; no worker takes sessions: start `elenchus worker`" in said
            assert well is False
            assert told["workers"][0].startswith("1 process, version")
        await queue.do("UPDATE procrastinate_jobs SET scheduled_at = now() + interval '9 s'")
        assert await queue.oldest() == {}
        await queue.do("UPDATE procrastinate_jobs SET scheduled_at = now() - interval '9 s'")
        assert 9 <= (await queue.oldest())["sessions"] < 20


FOREIGN = ["[1]", '"x"', "{}", '{"session": 5, "leave_on": []}', '{"session": "s", "leave_on": "x"}', '{"kind": "k"}']


async def test_jobs_that_nobody_can_do_hinder_no_copy_and_no_worker(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path) as app, working(database_url, tmp_path):
        queue = queue_in(app)
        for arguments in FOREIGN:
            await queue.do(
                "INSERT INTO procrastinate_jobs (queue_name, task_name, args) VALUES ('sessions', %(task)s, %(args)s)",
                task="run_session",
                args=arguments,
            )
        assert await queue.jobs() == []
        session = await app.runner.create(turns())
        assert (await app.runner.run(session)).state == "finished"


async def test_what_is_taken_over_is_counted_and_stays_counted(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path) as app:
        queue = queue_in(app)
        await queue.put("s")
        await queue.do("INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() - interval '11 s')")
        await queue.do("UPDATE procrastinate_jobs SET status = 'doing', worker_id = 1")
        assert await queue.rescue() == ["s"]
        assert await queue.rescue() == []
        await queue.do("DELETE FROM procrastinate_jobs")
        assert await queue.takeovers() == 1


@asynccontextmanager
async def slow_server(go_on: asyncio.Event) -> AsyncIterator[str]:
    """Streams the beginning of a speech, and the rest when it may; its address."""

    async def speak(request: web.Request) -> web.StreamResponse:
        reply = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await reply.prepare(request)
        for words, finish in (("It is the beginning", None), (" and the end.", "stop")):
            delta = {"index": 0, "delta": {"role": "assistant", "content": words}, "finish_reason": finish}
            chunk = {"id": "1", "created": 1, "model": "m", "object": "chat.completion.chunk", "choices": [delta]}
            await reply.write(f"data: {json.dumps(chunk)}\n\n".encode())
            await go_on.wait()
        await reply.write(b"data: [DONE]\n\n")
        return reply

    app = web.Application()
    app.router.add_post("/{path:.*}", speak)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    finally:
        await runner.cleanup()


@pytest.mark.slow
async def test_a_text_that_a_worker_writes_is_seen_in_another_process_while_it_is_written(
    database_url: str, tmp_path: Path, redis: RedisServer
) -> None:
    """The reader is another application, which hears of it over Redis alone."""
    heard, go_on = list[Written](), asyncio.Event()
    async with slow_server(go_on) as url:
        settings = settings_of(database_url, tmp_path).model_copy(
            update={
                "redis": RedisSettings(url=SecretStr(redis.url)),
                "openai": VendorSettings(base_url=url, key=SecretStr("a-key")),
            }
        )
        async with (
            open_app(settings) as reader,
            open_app(settings) as writer,
            working(database_url, tmp_path, settings=settings, texts=Texts(writer.shared)),
        ):
            session = await reader.runner.create(turns("openai:m"))
            async with reader.shared.reading(session, heard.append):
                run = asyncio.create_task(reader.runner.run(session))
                await until(lambda: {"turn/1/first": ("first", "It is the beginning")} in heard)
                assert not [r for r in await reader.log.read(session) if r.event.kind == "said"], (
                    "it is not written yet"
                )
                go_on.set()
                assert (await run).state == "finished"
                await until(lambda: heard[-1] == {})


async def test_a_copy_takes_the_queue_along_and_what_is_paused_waits_for_somebody(
    database_url: str, tmp_path: Path
) -> None:
    other = database_url + "c"
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {other.rpartition('/')[2]}".encode())
    try:
        async with opened(database_url, tmp_path) as app:
            async with working(database_url, tmp_path, lets_go_after=0.3):
                waiting = await app.runner.create(turns("human:ada"))
                await queue_in(app).put(waiting, ("budget",))

                async def waits() -> bool:
                    return await queue_in(app).is_pending(waiting, WAITS)

                await until(waits)
            queued, interrupted = [await app.runner.create(turns()) for _ in range(2)]
            await queue_in(app).put(queued)
            await queue_in(app).put_study("scene", "none")
        async with place(database_url, make=False) as here, place(other, make=True) as there:
            copied = await copy(here, there)
            assert (copied.sessions, copied.jobs, copied.without_job) == (3, 3, 1)
            assert there.queue is not None
            jobs = await there.queue.jobs()
            assert {(job.session, job.leave_on, job.study) for job in jobs} == {
                (waiting, ("budget",), None), (queued, (), None), ("", (), ("scene", "none")),
            }  # fmt: skip
        async with place(database_url, make=False) as here, place(str(tmp_path / "sqlite"), make=True) as there:
            copied = await copy(here, there)
            assert (copied.jobs, copied.without_job) == (0, 3), "no workers are there: it is said"
        async with opened(other, tmp_path) as app, working(other, tmp_path):

            async def done() -> bool:
                return (await app.log.info(queued)).state == "finished"

            await until(done)
            assert not (await app.log.info(interrupted)).begun, "nobody has asked for it"
    finally:
        with psycopg.connect(database_url, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {other.rpartition('/')[2]} WITH (FORCE)".encode())
