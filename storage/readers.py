"""Reading beside the writer: a few threads, each with a connection of its own."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from elenchus.storage import failures

T = TypeVar("T")

THREADS = 4


class Readers:
    """Runs queries off the event loop. A query sees everything that was committed before it began."""

    def __init__(self, path: Path, connect: Callable[[], sqlite3.Connection]) -> None:
        self._path = path
        self._connect = connect
        self._own = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._pool = ThreadPoolExecutor(THREADS, "elenchus-log-reader")

    async def ask(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """The query's result. Raises what it raises; StorageError for errors of the database."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._run, query)

    async def aclose(self) -> None:
        """Finish what was asked for, then close the connections. Safe to call twice."""
        await asyncio.to_thread(self._pool.shutdown)
        while self._connections:
            self._connections.pop().close()

    def _run(self, query: Callable[[sqlite3.Connection], T]) -> T:
        with failures.explained(self._path):
            if not hasattr(self._own, "connection"):
                self._own.connection = self._connect()
                self._connections.append(self._own.connection)
            return query(self._own.connection)
