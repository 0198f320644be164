"""The thread that notices what others commit goes on whatever it meets: followers would wait for ever without it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest

from elenchus.debate_engine.errors import DamagedLog
from elenchus.debate_engine.log.followers import Followers
from elenchus.storage.database import Connection
from elenchus.storage.postgres_database import PostgresDatabase
from elenchus.storage.postgres_watcher import PostgresWatch
from elenchus.storage.schema import connect_reader
from elenchus.storage.sql_log import SqlLog
from elenchus.storage.sqlite_connection import SqliteDatabase
from elenchus.storage.watcher import SqliteWatch, Watch, Watcher
from tests.storage.logs import SHARED, said, started
from tests.storage.postgres_server import postgres_url

Two = tuple[SqlLog, SqlLog]

DEEP = f'{{"kind": "guidance", "text": {"[" * 100_000}{"]" * 100_000}}}'
"""An event as no program of ours writes one: reading it goes deeper than Python does."""


@pytest.fixture(params=["sqlite", "postgres"])
async def logs(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Two]:
    """Two log objects on one store, as two processes have them, and the sessions s and t in it."""
    one, other = [await SHARED[request.param](tmp_path) for _ in range(2)]
    assert isinstance(one, SqlLog)
    assert isinstance(other, SqlLog)
    for session in ("s", "t"):
        await one.create(session, started())
    yield one, other
    await one.aclose()
    await other.aclose()


def _put_deep(connection: Connection) -> None:
    connection.execute(
        "INSERT INTO events (session, seq, at, kind, body, origin) "
        "SELECT session, 2, at, 'guidance', ?, 'x' FROM events WHERE session = 's' AND seq = 1",
        (DEEP,),
    )
    connection.execute("UPDATE sessions SET head = 2 WHERE id = 's'")


async def test_followers_of_other_sessions_go_on_behind_an_event_that_cannot_be_read(logs: Two) -> None:
    one, other = logs
    async with aclosing(one.follow("s", after=1)) as damaged, aclosing(one.follow("t", after=1)) as sound:
        waiting = [asyncio.ensure_future(anext(events)) for events in (damaged, sound)]
        await asyncio.sleep(0.3)
        await other._writer.change(_put_deep)
        async with asyncio.timeout(20):
            with pytest.raises(DamagedLog, match="event 2 of session s is unreadable"):
                await waiting[0]
            await other.send("t", said("after it"))
            assert (await waiting[1]).event == said("after it")


Faults = list[Exception]
NewWatch = Callable[[Faults, Followers], Watch]


class FaultyPostgres(PostgresDatabase):
    """One whose first connection meets a mistake of ours."""

    faults: Faults = []  # noqa: RUF012 - the test's

    def connect(self, schema: str = "") -> psycopg.Connection[Any]:
        if self.faults:
            raise self.faults.pop()
        return super().connect(schema)


def _sqlite(path: Path, faults: Faults, followers: Followers) -> Watch:
    def connect() -> Any:
        if faults:
            raise faults.pop()
        return connect_reader(path, 1.0)

    return SqliteWatch(SqliteDatabase(path, 1.0), "me", connect, followers)


def _postgres(schema: str, faults: Faults, followers: Followers) -> Watch:
    database = FaultyPostgres(postgres_url(), schema=schema)
    database.faults.extend(faults)
    return PostgresWatch(database, "me", followers)


async def test_a_mistake_that_nobody_foresaw_is_told_and_the_look_is_begun_anew(
    logs: Two, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    _, other = logs
    database, followers = other._writer._database, Followers()
    faults: Faults = [ZeroDivisionError("a mistake")]
    new: NewWatch = (
        partial(_postgres, database.schema)
        if isinstance(database, PostgresDatabase)
        else partial(_sqlite, tmp_path / "elenchus.db")
    )
    watcher = Watcher(lambda: new(faults, followers))
    with followers.subscription("t") as subscription:
        async with asyncio.timeout(20), watcher.watching():
            assert await subscription.take(0, None) is None, "the log is to be read: something may have been missed"
            await other.send("t", said("after it"))
            assert await subscription.take(0, None) is None, "of a session of another birth than none"
    await watcher.aclose()
    assert "ZeroDivisionError: a mistake" in caplog.text
