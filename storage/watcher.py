"""Notices what other processes commit, for `follow`: one thread a log, however many followers, none without any."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from typing import Protocol

from elenchus.debate_engine.errors import StorageError
from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.log.followers import Followers
from elenchus.storage import sqlite_errors
from elenchus.storage.database import OUTDATED, counted
from elenchus.storage.event_rows import Row, from_rows
from elenchus.storage.sqlite_connection import SqliteDatabase, birth_of

_log = logging.getLogger(__name__)

POLL_SECONDS = 0.02
"""Seconds between two looks at the database; a look costs some microseconds while nothing was committed."""

RETRY_SECONDS = 1.0
"""Seconds before a database that could not be read is looked at again."""

MOST = 500
"""Rows that are read at a time."""


class Watch(Protocol):
    """One run of the thread, from the first follower to the last. `ready` is set once no commit can be missed."""

    ready: asyncio.Event

    def run(self) -> None:
        """The thread: look until told to stop; where the database fails, start over a second later."""
        ...

    def followed(self) -> None:
        """Who is followed has changed."""
        ...

    def stop(self) -> None:
        """End the thread soon."""
        ...


class Watcher:
    """Publishes the events that other log objects commit. Methods belong to the event loop's thread."""

    def __init__(self, new_watch: Callable[[], Watch]) -> None:
        self._new_watch = new_watch
        self._followers = 0
        self._watch: Watch | None = None
        self._threads: list[threading.Thread] = []

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Inside, whatever others commit is published to the subscriptions that were made before."""
        self._followers += 1
        try:
            if self._watch is None:
                self._watch = self._start()
            self._watch.followed()
            await self._watch.ready.wait()
            yield
        finally:
            self._followers -= 1
            if not self._followers:
                self._stop()

    async def aclose(self) -> None:
        """End the thread. Safe to call twice."""
        self._stop()
        for thread in self._threads:
            await asyncio.to_thread(thread.join)

    def _start(self) -> Watch:
        watch = self._new_watch()
        thread = threading.Thread(target=watch.run, name="elenchus-log-watcher", daemon=True)
        self._threads = [*filter(threading.Thread.is_alive, self._threads), thread]
        thread.start()
        return watch

    def _stop(self) -> None:
        if self._watch is not None:
            self._watch.stop()
            self._watch = None


@contextmanager
def look(*expected: type[Exception]) -> Iterator[None]:
    """Inside, `expected` errors end a look and no more; a mistake does, too, and is told in the program's log."""
    try:
        with suppress(*expected):
            yield
    except Exception:  # noqa: BLE001 - whatever it is, followers would wait for ever without the thread
        _log.exception("a mistake in looking for what others commit: the look is begun anew")


class SqliteWatch:
    """A `Watch` of one file, for `followers`."""

    def __init__(
        self, database: SqliteDatabase, origin: str, connect: Callable[[], sqlite3.Connection], followers: Followers
    ) -> None:
        self._database = database
        self._origin = origin
        self._connect = connect
        self._followers = followers
        self._loop = asyncio.get_running_loop()
        self.ready = asyncio.Event()
        self._stopped = threading.Event()

    def followed(self) -> None:
        """See `Watch`: it reads whatever is new, and asks then who follows it."""

    def stop(self) -> None:
        """See `Watch`."""
        self._stopped.set()

    def run(self) -> None:
        """See `Watch`."""
        while not self._stopped.is_set():
            with look(*sqlite_errors.RAW), closing(self._connect()) as connection:
                self._look(connection)
            self._call(self.ready.set)  # followers need not wait for a database that fails: they read the error
            self._stopped.wait(RETRY_SECONDS)

    def _look(self, connection: sqlite3.Connection) -> None:
        """Publish what is new at each tick. Only ids above the cursor are read, so a look's cost is what is new."""
        version, cursor, outdated = _version(connection), _last_id(connection), counted(connection, OUTDATED)
        self._call(self._followers.reread)  # what was committed before the cursor was set
        self._call(self.ready.set)
        while not self._stopped.wait(POLL_SECONDS):
            if (now := _version(connection)) == version:
                continue
            version = now
            cursor = self._publish_beyond(cursor, connection)
            if (count := counted(connection, OUTDATED)) != outdated:
                outdated = count
                self._call(self._followers.reread)  # a deleted session's followers meet UnknownSession

    def _publish_beyond(self, cursor: int, connection: sqlite3.Connection) -> int:
        """Publish others' events with an id above the cursor; the new cursor."""
        last = _last_id(connection)
        while cursor < last:
            rows = connection.execute(
                "SELECT id, session, seq, at, kind, body FROM events "
                "WHERE id > ? AND id <= ? AND origin <> ? ORDER BY id LIMIT ?",
                (cursor, last, self._origin, MOST),
            ).fetchall()
            cursor = rows[-1][0] if len(rows) == MOST else last
            self._publish([row[1:] for row in rows if self._followers.has(row[1])], connection)
        return cursor

    def _publish(self, rows: Sequence[tuple[str, int, str, str, str]], connection: sqlite3.Connection) -> None:
        news: dict[str, list[Row]] = {}
        for session_id, seq, at, kind, body in rows:
            news.setdefault(session_id, []).append((seq, at, kind, body))
        for session_id, fresh in news.items():
            birth = birth_of(connection, session_id)
            try:
                self._call(self._followers.publish, session_id, from_rows(self._database, session_id, fresh), birth)
            except StorageError:  # the followers meet it when they read
                self._call(self._followers.reread, session_id)

    def _call(self, function: Callable[..., None], *arguments: str | list[Recorded] | int | None) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody follows any more
            self._loop.call_soon_threadsafe(function, *arguments)


def _version(connection: sqlite3.Connection) -> int:
    """A number that changes with every commit of another connection, whatever process it belongs to."""
    version: int = connection.execute("PRAGMA data_version").fetchone()[0]
    return version


def _last_id(connection: sqlite3.Connection) -> int:
    last: int | None = connection.execute("SELECT max(id) FROM events").fetchone()[0]
    return last or 0
