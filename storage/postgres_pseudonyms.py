"""The key from people's accounts to their made-up names in PostgreSQL: in a schema that a dump can leave out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import closing
from typing import TypeVar

from elenchus.storage.database import SqlExecutor
from elenchus.storage.postgres_connection import PostgresConnection
from elenchus.storage.postgres_database import PostgresDatabase
from elenchus.storage.postgres_schema import people_of
from elenchus.storage.pseudonyms import SqlPseudonyms

T = TypeVar("T")


class PostgresPseudonyms(SqlPseudonyms):
    """The key in the database whose tables `open_postgres` made. Each call has a connection of its own."""

    def __init__(self, database: PostgresDatabase) -> None:
        self._database = database

    async def destroy(self) -> int:
        """Empty the tables, whose files the server removes; how many accounts they held. Raises StorageError."""

        def empty(connection: SqlExecutor) -> int:
            held = int(connection.execute("SELECT count(*) FROM people").fetchone()[0])
            connection.execute("TRUNCATE people, expected")
            return held

        return await self._do(empty)

    async def forget(self, account: str) -> bool:
        """Take one account out, its dead row too. Raises StorageError."""
        gone = await super().forget(account)
        await asyncio.to_thread(self._vacuum)
        return gone

    async def _do(self, work: Callable[[SqlExecutor], T]) -> T:
        return await asyncio.to_thread(self._connected, work)

    def _connected(self, work: Callable[[SqlExecutor], T]) -> T:
        with self._database.explained(), closing(self._connection()) as connection, connection.raw.transaction():
            return work(connection)

    def _vacuum(self) -> None:
        with self._database.explained(), closing(self._connection()) as connection:
            connection.execute("VACUUM people, expected")

    def _connection(self) -> PostgresConnection:
        return PostgresConnection(lambda: self._database.connect(people_of(self._database.schema)))
