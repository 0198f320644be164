"""The queue of sessions that are to be run, by procrastinate in PostgreSQL: see docs/decisions/0290-workers.md.

What a job does stands in `jobs`; here is what whoever puts one there, follows one or serves the queue asks of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

import psycopg

from elenchus.debate_engine.errors import StorageError
from elenchus.service.workers import foreign_values, queue_sql
from elenchus.service.workers.queue_connector import queue_connector
from elenchus.service.workers.queue_rows import Job, Serving, job_of
from elenchus.service.workers.queue_schema import steps
from elenchus.storage.changes import QUEUE
from elenchus.storage.postgres_database import PLANS, SET, SETTINGS, PostgresDatabase
from elenchus.storage.postgres_schema import APPLIED, check_applied, migrate

if TYPE_CHECKING:
    from procrastinate import App as Procrastinate

SESSIONS, STUDIES, OPS = "sessions", "studies", "ops"
QUEUES = (SESSIONS, STUDIES, OPS)
"""Sessions; runs of many sessions, which wait for theirs and so may not take their places; what looks after both."""

RUN_SESSION, RUN_STUDY, RESCUE = "run_session", "run_study", "rescue"
"""What jobs are called. A name, once released, is never changed, nor what its arguments mean."""

HEARTBEAT, STALLED = 3.3, 10.0
"""Seconds between two signs of life of a worker, and after which it counts as gone: measured, docs/decisions/0290."""

WAITS = "waits"
"""The state of a session in the queue that waits for people, beside those of jobs (`todo`, `doing`)."""


@dataclass
class JobQueue:
    """The queue beside the log in `database`. It belongs to one event loop; nothing is connected before it is used.

    All methods raise StorageError where the database cannot be used.
    """

    database: PostgresDatabase
    most_connections: int = 4
    _app: Procrastinate | None = None
    _there: bool = False
    _made: bool = False
    _opening: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def schema(self) -> str:
        """Where its tables are."""
        return f"{self.database.schema}_queue"

    @property
    def _name(self) -> str:
        return f"the queue in {self.database}"

    # ── whoever starts sessions ──────────────────────────────────────────────────────────────────────────────────

    async def is_served(self, queue: str = SESSIONS) -> bool:
        """Whether a living worker takes jobs from this queue."""
        return any(one.queue == queue for one in await self.serving())

    async def is_there(self) -> bool:
        """Whether it was ever used: it has tables then. Raises NewerSchema."""
        if not self._there and (await self.ask(queue_sql.REGISTERED, schema=self.schema))[0]["there"]:
            found = [row["name"] for row in await self.ask(APPLIED)]
            check_applied(found, self.schema, self._name, steps())
            self._there = True
        return self._there

    async def serving(self) -> list[Serving]:
        """The workers that live."""
        if not await self.is_there():
            return []
        rows = await self.ask(queue_sql.SERVING, stalled=STALLED)
        return [Serving(*(row[name] for name in Serving.__slots__)) for row in rows]

    async def put(self, session: str, leave_on: Iterable[str] = ()) -> None:
        """Have a session run, unless that waits to be done already. `leave_on`: see `Runner`."""
        await self.prepare()
        await self.do(queue_sql.NOT_WAITING, session=session)  # who asks for it does not wake it: see `Runner.begun`
        await self._put(RUN_SESSION, SESSIONS, session, session=session, leave_on=sorted(leave_on))

    async def put_study(self, kind: str, id_: str) -> None:
        """Have a run of many sessions gone on with: `kind` is one of `studies.KINDS`."""
        await self._put(RUN_STUDY, STUDIES, f"{kind} {id_}", kind=kind, id_=id_)

    async def _put(self, name: str, queue: str, lock: str, **arguments: Any) -> None:
        await self.prepare()
        if await self.is_pending(lock, "todo"):
            return
        app = await self.opened()
        async with self.explained():
            # No `queueing_lock`: where one waits already, a running job of that lock could not be put back any more.
            await app.configure_task(name, allow_unknown=True, queue=queue, lock=lock).defer_async(**arguments)

    async def is_pending(self, lock: str, *states: str) -> bool:
        """Whether a job for this session waits (`todo`) or is at work (`doing`), or the session waits for people
        (`WAITS`); without `states`, any of these.
        """
        await self.prepare()
        wanted = list(states or ("todo", "doing", WAITS))
        return bool((await self.ask(queue_sql.IS_PENDING, lock=lock, status=wanted))[0]["pending"])

    async def jobs(self) -> list[Job]:
        """Everything that is to be done, is done now, or waits for people. Nothing where there is no queue yet."""
        if not await self.is_there():
            return []
        await self.prepare()
        found = await self.ask(queue_sql.JOBS, sessions=RUN_SESSION, studies=RUN_STUDY)
        return [job for row in found if (job := job_of(row["args"]))]

    async def depth(self) -> dict[str, tuple[int, int]]:
        """How many jobs wait in each queue, and how many are at work."""
        return {row["queue"]: (row["waiting"], row["running"]) for row in await self.ask(queue_sql.DEPTH)}

    async def oldest(self) -> dict[str, float]:
        """Seconds for which the oldest waiting job of each queue has waited."""
        return {row["queue"]: float(row["age"] or 0.0) for row in await self.ask(queue_sql.OLDEST)}

    async def busy(self) -> dict[tuple[str, str, int], int]:
        """How many jobs each living worker is at: by queue, host and process."""
        rows = await self.ask(queue_sql.BUSY, stalled=STALLED)
        return {(row["queue"], row["host"], row["pid"]): row["jobs"] for row in rows}

    async def takeovers(self) -> int:
        """How many jobs were ever taken over from workers that were gone."""
        return int((await self.ask(queue_sql.TAKEN_OVER))[0]["times"])

    async def waiting(self) -> int:
        """How many sessions wait for people, and have no job meanwhile."""
        return int((await self.ask(queue_sql.WAITING))[0]["sessions"])

    # ── whoever serves it ────────────────────────────────────────────────────────────────────────────────────────

    async def prepare(self) -> None:
        """Make the tables where they are missing. Raises NewerSchema."""
        if not self._made:
            await asyncio.to_thread(self._migrate)
            self._made = True

    def _migrate(self) -> None:
        with self.database.explained(), self.database.connect(self.schema) as connection:
            migrate(connection, self.schema, self._name, writable=True, steps=steps())

    async def rescue(self) -> list[str]:
        """Have done again what workers were at that are gone; whose those jobs are."""
        return [row["lock"] for row in await self.ask(queue_sql.RESCUED, stalled=STALLED, ops=OPS)]

    async def waiting_policy(
        self, session: str, epoch: int, seq: int, until: datetime | None, leave_on: Iterable[str]
    ) -> bool:
        """Hold a session for people, who are waited for, in place of its owner of this epoch; False where that is over.

        It is run again once there are events after `seq`, and at `until`. `leave_on`: see `Runner`.
        """
        sql = queue_sql.LET_GO.format(log=self.database.schema)
        given = {"session": session, "epoch": epoch, "seq": seq, "until": until, "leave_on": sorted(leave_on)}
        return bool(await self.ask(sql, origin=QUEUE.origin, host=QUEUE.host, **given))

    async def wake(self) -> list[str]:
        """Have sessions run that have waited for people, who did something, or whose time is over; which those are."""
        sql = queue_sql.WOKEN.format(log=self.database.schema)
        return [row["lock"] for row in await self.ask(sql, queue=SESSIONS, task=RUN_SESSION)]

    async def taken_up(self, session: str) -> float | None:
        """Note that a session runs which waited for people; seconds since it was due (0: it was not), None where it did
        not wait.
        """
        rows = await self.ask(queue_sql.TAKEN_UP, session=session)
        return max(0.0, rows[0]["late"]) if rows else None

    async def at_work(self, workers: Sequence[int]) -> set[str]:
        """Whose jobs these workers are at, as far as the queue knows."""
        return {row["lock"] for row in await self.ask(queue_sql.AT_WORK, workers=list(workers))}

    async def put_back(self, lock: str, workers: Sequence[int]) -> None:
        """Have one of these workers' jobs done again, by anybody."""
        await self.do(queue_sql.PUT_BACK, lock=lock, workers=list(workers))

    async def announce(self, **served: Any) -> None:
        """Tell that a worker serves a queue: the columns of the table `served`."""
        await self.do(queue_sql.FORGOTTEN)
        await self.do(queue_sql.SERVED, **served)

    async def lives(self, workers: Iterable[int]) -> bool:
        """Whether all these workers count as living."""
        there = {one.worker for one in await self.serving()}
        return there.issuperset(workers)

    async def is_holder_gone(self, session: str) -> bool:
        """Whether the session is held by a worker that counts as gone: a frozen one holds on to what it has."""
        sql = queue_sql.HOLDER_IS_GONE.format(log=self.database.schema)
        return bool((await self.ask(sql, session=session, stalled=STALLED))[0]["gone"])

    async def refuse(self, session: str, origin: str, why: str) -> bool:
        """Note that the worker of this origin cannot run it; whether another one is left that may."""
        await self.do(queue_sql.REFUSED, session=session, origin=origin, why=why)
        rows = await self.ask(queue_sql.OTHERS_MAY, queue=SESSIONS, session=session, stalled=STALLED)
        return bool(rows[0]["may"])

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
        from procrastinate import App as Procrastinate

        await asyncio.to_thread(self._reach)  # a pool would try again and again, for half a minute
        connector = queue_connector(
            kwargs=self.database.parameters, min_size=1, max_size=self.most_connections, timeout=5.0,
            configure=self._configure,
        )  # fmt: skip
        app = Procrastinate(connector=connector)
        async with self.explained():
            await app.open_async()
        return app

    def _reach(self) -> None:
        with self.database.explained():
            self.database.connect().close()

    async def _configure(self, connection: psycopg.AsyncConnection[Any]) -> None:
        settings = SETTINGS | PLANS | {"search_path": self.schema}
        await connection.execute(SET, (list(settings), list(settings.values())))
        await connection.commit()
        foreign_values.read_all(connection.adapters)

    async def ask(self, sql: str, **arguments: Any) -> list[dict[str, Any]]:
        """Run a statement of ours; its rows."""
        app = await self.opened()
        async with self.explained():
            return await app.connector.execute_query_all_async(sql, **arguments)

    async def do(self, sql: str, **arguments: Any) -> None:
        """Run a statement of ours that gives no rows."""
        app = await self.opened()
        async with self.explained():
            await app.connector.execute_query_async(sql, **arguments)

    @asynccontextmanager
    async def explained(self) -> AsyncIterator[None]:
        """Inside, errors of the database are StorageErrors that say what is wrong with it."""
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
                async with self.explained():
                    await app.close_async()
