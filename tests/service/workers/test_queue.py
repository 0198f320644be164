"""Sessions go to the queue where a worker serves it, and else run in the process. The worker is in this one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psycopg
import pytest

from elenchus.config.settings import Settings
from elenchus.debate_engine.errors import NewerSchema, StorageError, UsageError
from elenchus.debate_engine.events import OwnerStarted, PauseAsked, ResumeAsked, StopAsked
from elenchus.debate_engine.protocols.registry import register
from elenchus.service.store import needed_queue
from elenchus.service.workers.queue import JobQueue
from elenchus.storage.postgres_database import PostgresDatabase
from elenchus.storage.postgres_log import open_postgres
from elenchus.storage.sql_log import SqlLog
from tests.foreign.turn_taking import SPEC
from tests.service.workers.fleet import until
from tests.service.workers.parts import nothing_left, opened, queue_in, reached, turns, working
from tests.storage.logs import started


@pytest.fixture(autouse=True)
def _a_protocol() -> None:
    register(SPEC)


async def test_without_a_worker_a_session_runs_in_the_process(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path) as app:
        session = await app.runner.create(turns())
        run = await app.runner.run(session)
        assert run.state == "finished"
        assert not await app.runner.is_elsewhere()
        async with queue_schema(database_url) as there:
            assert not there, "looking for workers makes no tables"


@asynccontextmanager
async def queue_schema(url: str) -> AsyncIterator[bool]:
    with psycopg.connect(url) as connection:
        found = connection.execute("SELECT 1 FROM pg_namespace WHERE nspname = 'elenchus_queue'").fetchone()
        yield found is not None


async def test_a_worker_runs_it_and_whoever_asked_follows(database_url: str, tmp_path: Path) -> None:
    claimed = asyncio.Event()
    async with opened(database_url, tmp_path) as app, working(database_url, tmp_path) as worker:
        session = await app.runner.create(turns())
        run = await app.runner.run(session, on_claim=claimed.set)
        assert (run.state, run.outcome) == ("finished", (await app.runner.run(session)).outcome)
        assert claimed.is_set()
        await nothing_left(queue_in(app))
        assert isinstance(worker.log, SqlLog)
        with psycopg.connect(database_url) as connection:
            owners = connection.execute("SELECT DISTINCT origin FROM elenchus.events WHERE kind = 'step_done'")
            assert owners.fetchall() == [(worker.log.origin,)]


async def test_a_session_that_a_worker_runs_is_paused_resumed_and_stopped_from_elsewhere(
    database_url: str, tmp_path: Path
) -> None:
    """The seats are people's, who do not answer."""
    async with opened(database_url, tmp_path) as app, working(database_url, tmp_path):
        session = await app.runner.create(turns("human:ada"))
        run = asyncio.create_task(app.runner.run(session))
        await reached(app, session, "turn_opened")
        await app.log.send(session, PauseAsked(by="teacher"))
        await reached(app, session, "session_paused")
        assert await queue_in(app).is_pending(session, "doing"), "it waits at its worker, as it would have waited here"
        await app.log.send(session, ResumeAsked(by="teacher"))
        await reached(app, session, "session_resumed")
        await app.log.send(session, StopAsked(by="teacher", reason="enough"))
        assert (await run).reason == "enough"


async def test_whoever_looks_away_leaves_it_running_and_a_budget_is_waited_for_or_left(
    database_url: str, tmp_path: Path
) -> None:
    async with opened(database_url, tmp_path, "budget") as app, working(database_url, tmp_path):
        session = await app.runner.create(turns("human:ada"))
        run = asyncio.create_task(app.runner.run(session))
        await reached(app, session, "turn_opened")
        run.cancel()
        await asyncio.gather(run, return_exceptions=True)
        assert (await app.log.info(session)).state == "running"
        assert await queue_in(app).is_pending(session, "doing")
        await app.log.send(session, StopAsked(by="x", reason="enough"))

        poor = await app.runner.create(turns(budget_tokens=1))
        left = await app.runner.run(poor)
        assert (left.state, left.exit_code) == ("paused", 4)
        assert not await queue_in(app).is_pending(poor)


async def test_what_a_worker_cannot_run_is_left_to_others_and_said_where_none_is_left(
    database_url: str, tmp_path: Path
) -> None:
    """As one of another version meets it: settings that it cannot read, a protocol that it does not know, no key."""
    async with opened(database_url, tmp_path, "provider") as app, working(database_url, tmp_path) as first:
        for odd, why in (
            (turns("openai:gpt-5-mini"), "needs a key"),
            (turns(config={"motion": "m"}, protocol="of-tomorrow"), "of-tomorrow"),
        ):
            session = f"odd-{odd.protocol}"
            await app.log.create(session, odd)
            run = await app.runner.run(session)
            assert (run.state, run.exit_code) == ("paused", 3)
            assert run.reason.startswith("no worker can run it: ")
            assert why in run.reason
            assert "\n" not in run.reason
        assert await queue_in(first).ask("SELECT * FROM refusals") == [], "it may be tried again"

        async with working(database_url, tmp_path, "sessions"):
            other = await queue_in(app).ask("SELECT origin FROM served ORDER BY worker DESC LIMIT 1")
            await queue_in(app).do("DELETE FROM refusals")
            assert await queue_in(app).refuse("s", "somebody", "why"), "two others may"
            assert isinstance(first.log, SqlLog)
            assert await queue_in(app).refuse("s", first.log.origin, "why")
            assert not await queue_in(app).refuse("s", other[0]["origin"], "why")


@pytest.mark.slow
async def test_a_job_whose_end_could_not_be_written_is_done_again(database_url: str, tmp_path: Path) -> None:
    """The database was away at that very moment, and back before the worker's next heartbeat."""
    async with working(database_url, tmp_path, "sessions") as worker:
        queue = queue_in(worker)
        (number,) = [one.worker for one in await queue.serving()]
        session = await worker.runner.create(turns())
        await queue.do(
            "INSERT INTO procrastinate_jobs (queue_name, task_name, lock, args, status, worker_id) VALUES "
            "('sessions', 'run_session', %(s)s, jsonb_build_object('session', %(s)s::text, 'leave_on', '{}'::text[]),"
            " 'doing', %(w)s)",
            s=session,
            w=number,
        )
        await nothing_left(queue)
        assert (await worker.log.info(session)).state == "finished"


async def test_runs_of_a_kind_of_tomorrow_wait_for_a_worker_that_knows_them(database_url: str, tmp_path: Path) -> None:
    """Whoever has tried a job so often for a mistake of ours gives it up."""
    async with opened(database_url, tmp_path) as app, working(database_url, tmp_path):
        queue = queue_in(app)
        await queue.put_study("of tomorrow", "x")
        await queue.do("UPDATE procrastinate_jobs SET attempts = 7, scheduled_at = NULL WHERE status = 'todo'")

        async def tried() -> bool:
            rows = await queue.ask("SELECT status::text, attempts FROM procrastinate_jobs WHERE queue_name = 'studies'")
            return [(row["status"], row["attempts"] > 7) for row in rows] == [("todo", True)]

        await until(tried)


async def test_only_the_jobs_of_workers_that_are_gone_are_done_again(database_url: str) -> None:
    queue = JobQueue(PostgresDatabase(database_url))
    await queue.put("living")
    await queue.put("stalled")
    await queue.put("stalled")
    assert (await queue.depth()) == {"sessions": (2, 0)}, "once waiting is enough"
    await queue.do("INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now()), (now() - interval '11 s')")
    await queue.do(
        "UPDATE procrastinate_jobs SET status = 'doing', worker_id = CASE lock WHEN 'living' THEN 1 ELSE 2 END"
    )
    await queue.put("stalled")  # somebody asks for it meanwhile
    found = await asyncio.gather(*(queue.rescue() for _ in range(3)))
    assert sorted(lock for locks in found for lock in locks) == ["stalled"], "of several that rescue one does"
    assert (await queue.depth()) == {"sessions": (2, 1)}
    await queue.aclose()


@pytest.mark.parametrize("made", ["log", "queue"])
async def test_a_queue_of_tomorrow_is_refused_in_a_sentence(database_url: str, made: str) -> None:
    log = await open_postgres(database_url)
    await log.create("s", started())
    queue = JobQueue(PostgresDatabase(database_url))
    await queue.prepare()
    schema = {"log": "elenchus", "queue": "elenchus_queue"}[made]
    await queue.do(f"INSERT INTO {schema}.migrations VALUES (9, 'of tomorrow')")
    await queue.aclose()
    await log.aclose()
    opened = open_postgres(database_url) if made == "log" else JobQueue(PostgresDatabase(database_url)).prepare()
    with pytest.raises(NewerSchema, match=r"newer Elenchus .*: upgrade Elenchus"):
        await opened


async def test_a_database_that_is_gone_is_a_storage_error_in_a_sentence(tmp_path: Path) -> None:
    queue = JobQueue(PostgresDatabase("postgresql://elenchus@127.0.0.1:1/x"))
    with pytest.raises(StorageError, match="cannot be reached") as raised:
        await queue.is_served()
    assert "\n" not in str(raised.value)


async def test_a_queue_that_cannot_be_written_is_a_sentence(database_url: str) -> None:
    only = database_url + "?options=-c%20default_transaction_read_only%3Don"
    with pytest.raises(StorageError, match="is a replica or read-only: set ELENCHUS_DATABASE_URL to the primary"):
        await JobQueue(PostgresDatabase(only)).put("s")


def test_a_worker_without_a_database_is_told_what_it_needs(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="set ELENCHUS_DATABASE_URL"):
        needed_queue(Settings(home=tmp_path), "A worker")


@pytest.mark.slow
async def test_the_epoch_of_a_worker_that_is_gone_is_ended_although_its_connection_holds_on(
    database_url: str, tmp_path: Path
) -> None:
    """As of a process that is frozen: its lock is there, and its heartbeat is old."""
    async with working(database_url, tmp_path, "sessions", "ops") as worker:
        frozen = await open_postgres(database_url)
        session = await worker.runner.create(turns())
        own = await frozen.claim(session)
        queue = queue_in(worker)
        await queue.put(session)
        await asyncio.sleep(0.3)
        assert (await worker.log.info(session)).owner, "who is no worker is not taken over from"
        await queue.do("INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() - interval '11 s')")
        await queue.do(
            "INSERT INTO served SELECT max(id), 'sessions', 1, %(o)s, 'h', 1, '0' FROM procrastinate_workers",
            o=frozen.origin,
        )

        async def finished() -> bool:
            return (await worker.log.info(session)).state == "finished"

        await until(finished)
        epochs = [r.event.epoch for r in await worker.log.read(session) if isinstance(r.event, OwnerStarted)]
        assert epochs == [own.epoch, own.epoch + 1]
        await frozen.aclose()


async def test_a_process_is_given_up_at_its_first_old_heartbeat(database_url: str, tmp_path: Path) -> None:
    """It serves three queues, each with a heartbeat of its own: one that was frozen wrote the last at other moments."""
    async with opened(database_url, tmp_path) as app:
        assert isinstance(app.log, SqlLog)
        queue, session = queue_in(app), await app.runner.create(turns())
        own = await app.log.claim(session)
        await queue.prepare()
        for name, ago in (("sessions", 10.5), ("studies", 9.5), ("ops", 7.5)):
            (row,) = await queue.ask(
                "INSERT INTO procrastinate_workers (last_heartbeat) "
                "VALUES (now() - make_interval(secs => %(ago)s)) RETURNING id",
                ago=ago,
            )
            await queue.announce(
                worker=row["id"], queue=name, slots=1, origin=app.log.origin, host="vm", pid=1, version="0"
            )
            assert await queue.is_holder_gone(session)
        await queue.do("UPDATE procrastinate_workers SET last_heartbeat = now()")
        assert not await queue.is_holder_gone(session)
        await own.release()


READ = "SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = 'procrastinate_jobs'"
"""Rows that were read by going through the table from its beginning; a connection tells of them as it ends."""


async def test_a_queue_that_was_empty_for_a_while_is_not_read_whole_once_many_jobs_wait(database_url: str) -> None:
    queue = JobQueue(PostgresDatabase(database_url), most_connections=1)
    await queue.prepare()
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("VACUUM elenchus_queue.procrastinate_jobs")  # as the server does by itself
        jobs = (await queue.opened()).job_manager
        for _ in range(3):
            assert await jobs.fetch_job(queues=["sessions"], worker_id=1) is None
        await queue.do(
            "INSERT INTO procrastinate_jobs (queue_name, task_name, lock) "
            "SELECT 'sessions', 'run_session', 's' || n FROM generate_series(1, 300) AS n"
        )
        await queue.do("INSERT INTO procrastinate_workers (id) OVERRIDING SYSTEM VALUE VALUES (1)")
        for _ in range(3):
            assert await jobs.fetch_job(queues=["sessions"], worker_id=1) is not None
        await queue.aclose()
        read = connection.execute(READ).fetchone()
        assert read is not None
        assert read[0] < 1_000
