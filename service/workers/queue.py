"""The queue of sessions that are to be run, by procrastinate in PostgreSQL: see docs/decisions/0290-workers.md.

What a job does stands in `jobs`; here is what whoever puts one there, follows one or serves the queue asks of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import psycopg

from elenchus.debate_engine.errors import StorageError
from elenchus.service.workers.queue_schema import steps
from elenchus.storage.postgres_database import SETTINGS, PostgresDatabase
from elenchus.storage.postgres_schema import migrate

if TYPE_CHECKING:
    from procrastinate import App as Procrastinate

SESSIONS, STUDIES, OPS = "sessions", "studies", "ops"
QUEUES = (SESSIONS, STUDIES, OPS)
"""Sessions; runs of many sessions, which wait for theirs and so may not take their places; what looks after both."""

RUN_SESSION, RUN_STUDY, RESCUE = "run_session", "run_study", "rescue"
"""What jobs are called. A name, once released, is never changed, nor what its arguments mean."""

HEARTBEAT, STALLED = 3.3, 10.0
"""Seconds between two signs of life of a worker, and after which it counts as gone: measured, docs/decisions/0290."""

REGISTERED = """SELECT to_regclass(format('%%I.served', %(schema)s::text)) IS NOT NULL AS there"""

SERVING = """SELECT served.* FROM served JOIN procrastinate_workers AS living ON living.id = served.worker
WHERE living.last_heartbeat > now() - make_interval(secs => %(stalled)s) ORDER BY served.worker"""

IS_PENDING = """SELECT EXISTS (SELECT 1 FROM procrastinate_jobs
WHERE lock = %(lock)s AND status::text = ANY (%(status)s)) AS pending"""

# One statement, so that of two that rescue at once one does, and no job is taken from a worker that got it since it was
# looked at. (procrastinate's own way is a query for stalled jobs, and then a call for each that asks nothing.)
RESCUED = """WITH stalled AS (
    SELECT job.id FROM procrastinate_jobs AS job LEFT JOIN procrastinate_workers AS worker ON worker.id = job.worker_id
    WHERE job.status = 'doing' AND (
        worker.id IS NULL OR worker.last_heartbeat < now() - make_interval(secs => %(stalled)s))
    FOR UPDATE OF job SKIP LOCKED
), gone AS (
    DELETE FROM procrastinate_jobs AS job USING stalled WHERE job.id = stalled.id AND job.queue_name = %(ops)s
), again AS (
    UPDATE procrastinate_jobs AS job
    SET status = 'todo', attempts = attempts + 1, abort_requested = false, worker_id = NULL
    FROM stalled WHERE job.id = stalled.id AND job.queue_name <> %(ops)s RETURNING job.id, job.lock, job.queue_name
) SELECT lock, pg_notify('procrastinate_queue_v1#' || queue_name,
    json_build_object('type', 'job_inserted', 'job_id', id)::text) FROM again"""

AT_WORK = """SELECT lock FROM procrastinate_jobs
WHERE status = 'doing' AND lock IS NOT NULL AND worker_id = ANY (%(workers)s)"""

PUT_BACK = """UPDATE procrastinate_jobs SET status = 'todo', attempts = attempts + 1, worker_id = NULL
WHERE status = 'doing' AND lock = %(lock)s AND worker_id = ANY (%(workers)s)"""

HOLDER_IS_GONE = """SELECT count(*) > 0 AND bool_and(
    living.id IS NULL OR living.last_heartbeat < now() - make_interval(secs => %(stalled)s)) AS gone
FROM {log}.sessions JOIN served ON served.origin = sessions.owner
LEFT JOIN procrastinate_workers AS living ON living.id = served.worker WHERE sessions.id = %(session)s"""

REFUSED = """INSERT INTO refusals VALUES (%(session)s, %(origin)s, %(why)s)
ON CONFLICT (session, origin) DO UPDATE SET why = excluded.why"""

OTHERS_MAY = """SELECT EXISTS (
    SELECT 1 FROM served JOIN procrastinate_workers AS living ON living.id = served.worker
    WHERE served.queue = %(queue)s AND living.last_heartbeat > now() - make_interval(secs => %(stalled)s)
    AND NOT EXISTS (SELECT 1 FROM refusals WHERE session = %(session)s AND refusals.origin = served.origin)) AS may"""

SERVED = """INSERT INTO served (worker, queue, slots, origin, host, pid, version)
VALUES (%(worker)s, %(queue)s, %(slots)s, %(origin)s, %(host)s, %(pid)s, %(version)s)"""

FORGOTTEN = """DELETE FROM served WHERE since < now() - interval '1 day'
AND NOT EXISTS (SELECT 1 FROM procrastinate_workers AS living WHERE living.id = served.worker)"""

DEPTH = """SELECT queue_name AS queue, count(*) FILTER (WHERE status = 'todo') AS waiting,
count(*) FILTER (WHERE status = 'doing') AS running FROM procrastinate_jobs
WHERE status IN ('todo', 'doing') GROUP BY queue_name"""


OLDEST = """SELECT job.queue_name AS queue, extract(epoch FROM now() - min(
    (SELECT max(at) FROM procrastinate_events AS event WHERE event.job_id = job.id)))::float AS age
FROM procrastinate_jobs AS job WHERE job.status = 'todo' GROUP BY job.queue_name"""

BUSY = """SELECT served.queue, served.host, served.pid, count(job.id) AS jobs FROM served
JOIN procrastinate_workers AS living ON living.id = served.worker
LEFT JOIN procrastinate_jobs AS job ON job.worker_id = served.worker AND job.status = 'doing'
WHERE living.last_heartbeat > now() - make_interval(secs => %(stalled)s) GROUP BY 1, 2, 3"""

TAKEN_OVER = """SELECT coalesce(sum(attempts), 0) AS times FROM procrastinate_jobs WHERE status IN ('todo', 'doing')"""


@dataclass(frozen=True, slots=True)
class Serving:
    """A worker that lives: a process may serve several queues, each under a number of its own."""

    worker: int
    queue: str
    slots: int
    host: str
    pid: int
    version: str


@dataclass
class JobQueue:
    """The queue beside the log in `database`. It belongs to one event loop; nothing is connected before it is used.

    All methods raise StorageError where the database cannot be used.
    """

    database: PostgresDatabase
    most_connections: int = 4
    _app: Procrastinate | None = None
    _made: bool = False
    _opening: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def schema(self) -> str:
        """Where its tables are."""
        return f"{self.database.schema}_queue"

    # ── whoever starts sessions ──────────────────────────────────────────────────────────────────────────────────

    async def is_served(self, queue: str = SESSIONS) -> bool:
        """Whether a living worker takes jobs from this queue."""
        return any(one.queue == queue for one in await self.serving())

    async def serving(self) -> list[Serving]:
        """The workers that live."""
        if not self._made:
            self._made = (await self.ask(REGISTERED, schema=self.schema))[0]["there"]
        if not self._made:
            return []
        rows = await self.ask(SERVING, stalled=STALLED)
        return [Serving(*(row[name] for name in Serving.__slots__)) for row in rows]

    async def put(self, session: str, leave_on: Iterable[str] = ()) -> None:
        """Have a session run, unless that waits to be done already. `leave_on`: see `Runner`."""
        await self._put(RUN_SESSION, SESSIONS, session, session=session, leave_on=sorted(leave_on))

    async def put_study(self, kind: str, id_: str) -> None:
        """Have a run of many sessions gone on with: `kind` is one of `studies.KINDS`."""
        await self._put(RUN_STUDY, STUDIES, f"{kind} {id_}", kind=kind, id_=id_)

    async def _put(self, name: str, queue: str, lock: str, **arguments: Any) -> None:
        await self.prepare()
        if await self.is_pending(lock, "todo"):
            return
        app = await self.opened()
        async with self._explained():
            # No `queueing_lock`: where one waits already, a running job of that lock could not be put back any more.
            await app.configure_task(name, allow_unknown=True, queue=queue, lock=lock).defer_async(**arguments)

    async def is_pending(self, lock: str, *states: str) -> bool:
        """Whether a job for this session waits (`todo`) or is at work (`doing`); without `states`, either."""
        return bool((await self.ask(IS_PENDING, lock=lock, status=list(states or ("todo", "doing"))))[0]["pending"])

    async def depth(self) -> dict[str, tuple[int, int]]:
        """How many jobs wait in each queue, and how many are at work."""
        return {row["queue"]: (row["waiting"], row["running"]) for row in await self.ask(DEPTH)}

    async def oldest(self) -> dict[str, float]:
        """Seconds for which the oldest waiting job of each queue has waited."""
        return {row["queue"]: float(row["age"] or 0.0) for row in await self.ask(OLDEST)}

    async def busy(self) -> dict[tuple[str, str, int], int]:
        """How many jobs each living worker is at: by queue, host and process."""
        return {(row["queue"], row["host"], row["pid"]): row["jobs"] for row in await self.ask(BUSY, stalled=STALLED)}

    async def tried_again(self) -> int:
        """How often jobs that are not done yet were begun again: taken over, put back, or tried after an error."""
        return int((await self.ask(TAKEN_OVER))[0]["times"])

    # ── whoever serves it ────────────────────────────────────────────────────────────────────────────────────────

    async def prepare(self) -> None:
        """Make the tables where they are missing. Raises NewerSchema."""
        if not self._made:
            await asyncio.to_thread(self._migrate)
            self._made = True

    def _migrate(self) -> None:
        with self.database.explained(), self.database.connect(self.schema) as connection:
            migrate(connection, self.schema, f"the queue in {self.database}", writable=True, steps=steps())

    async def rescue(self) -> list[str]:
        """Have done again what workers were at that are gone; whose those jobs are."""
        return [row["lock"] for row in await self.ask(RESCUED, stalled=STALLED, ops=OPS)]

    async def at_work(self, workers: Sequence[int]) -> set[str]:
        """Whose jobs these workers are at, as far as the queue knows."""
        return {row["lock"] for row in await self.ask(AT_WORK, workers=list(workers))}

    async def put_back(self, lock: str, workers: Sequence[int]) -> None:
        """Have one of these workers' jobs done again, by anybody."""
        await self.do(PUT_BACK, lock=lock, workers=list(workers))

    async def announce(self, **served: Any) -> None:
        """Tell that a worker serves a queue: the columns of the table `served`."""
        await self.do(FORGOTTEN)
        await self.do(SERVED, **served)

    async def lives(self, workers: Iterable[int]) -> bool:
        """Whether all these workers count as living."""
        there = {one.worker for one in await self.serving()}
        return there.issuperset(workers)

    async def is_holder_gone(self, session: str) -> bool:
        """Whether the session is held by a worker that counts as gone: a frozen one holds on to what it has."""
        sql = HOLDER_IS_GONE.format(log=self.database.schema)
        return bool((await self.ask(sql, session=session, stalled=STALLED))[0]["gone"])

    async def refuse(self, session: str, origin: str, why: str) -> bool:
        """Note that the worker of this origin cannot run it; whether another one is left that may."""
        await self.do(REFUSED, session=session, origin=origin, why=why)
        return bool((await self.ask(OTHERS_MAY, queue=SESSIONS, session=session, stalled=STALLED))[0]["may"])

    async def accept(self, session: str) -> None:
        """Nobody's refusal counts any more."""
        await self.do("DELETE FROM refusals WHERE session = %(session)s", session=session)

    # ── the connections ──────────────────────────────────────────────────────────────────────────────────────────

    async def opened(self) -> Procrastinate:
        """Procrastinate's own object, connected."""
        async with self._opening:
            if self._app is None:
                self._app = await self._connected()
        return self._app

    async def _connected(self) -> Procrastinate:
        from procrastinate import App as Procrastinate, PsycopgConnector

        await asyncio.to_thread(self._reach)  # a pool would try again and again, for half a minute
        connector = PsycopgConnector(
            kwargs=self.database.parameters,
            min_size=1,
            max_size=self.most_connections,
            timeout=5.0,
            configure=self._configure,
        )
        app = Procrastinate(connector=connector)
        async with self._explained():
            await app.open_async()
        return app

    def _reach(self) -> None:
        with self.database.explained():
            self.database.connect().close()

    async def _configure(self, connection: psycopg.AsyncConnection[Any]) -> None:
        settings = SETTINGS | {"search_path": self.schema}
        await connection.execute(
            "SELECT set_config(name, value, false) FROM unnest(%s::text[], %s::text[]) AS given (name, value)",
            (list(settings), list(settings.values())),
        )
        await connection.commit()

    async def ask(self, sql: str, **arguments: Any) -> list[dict[str, Any]]:
        """Run a statement of ours; its rows."""
        app = await self.opened()
        async with self._explained():
            return await app.connector.execute_query_all_async(sql, **arguments)

    async def do(self, sql: str, **arguments: Any) -> None:
        """Run a statement of ours that gives no rows."""
        app = await self.opened()
        async with self._explained():
            await app.connector.execute_query_async(sql, **arguments)

    @asynccontextmanager
    async def _explained(self) -> AsyncIterator[None]:
        from procrastinate.exceptions import ConnectorException

        try:
            yield
        except (ConnectorException, psycopg.Error) as error:
            cause = error.__cause__ if isinstance(error.__cause__, psycopg.Error) else error
            raise self.database.explain(cause) from error

    async def aclose(self) -> None:
        """Let go of the connections. Safe to call twice."""
        app, self._app = self._app, None
        if app is not None:
            with suppress(StorageError):
                async with self._explained():
                    await app.close_async()
