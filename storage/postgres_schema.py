"""The tables in PostgreSQL, in a schema of their own, and how an older one is brought up to date.

The table `migrations` has the name of each step that was applied; a step, once released, is never changed. Text is
compared byte by byte (collation C), as SQLite and Python do. The key to people's names has a schema of its own, so that
a dump can leave it out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import psycopg
from psycopg import sql

from elenchus.debate_engine.errors import NewerSchema, StorageError

FIRST_TABLES = """
CREATE TABLE sessions (
    id TEXT COLLATE "C" PRIMARY KEY, birth BIGINT GENERATED ALWAYS AS IDENTITY UNIQUE, title TEXT NOT NULL,
    protocol TEXT NOT NULL, state TEXT NOT NULL, created TEXT COLLATE "C" NOT NULL, head BIGINT NOT NULL,
    epoch BIGINT NOT NULL, owner TEXT, host TEXT, pid BIGINT, since TEXT);
CREATE TABLE events (
    session TEXT COLLATE "C" NOT NULL REFERENCES sessions (id) ON DELETE CASCADE, seq BIGINT NOT NULL,
    at TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, origin TEXT NOT NULL, PRIMARY KEY (session, seq));
CREATE INDEX first_events ON events (session) WHERE seq = 1;
CREATE TABLE notes (name TEXT PRIMARY KEY, value BIGINT NOT NULL);
CREATE TABLE shelf (
    drawer TEXT COLLATE "C", key TEXT COLLATE "C", body TEXT NOT NULL, PRIMARY KEY (drawer, key));
CREATE TABLE answers (
    key TEXT COLLATE "C" PRIMARY KEY, model TEXT COLLATE "C" NOT NULL, body TEXT NOT NULL,
    hits BIGINT NOT NULL DEFAULT 0);
"""

PEOPLE = """
CREATE SCHEMA IF NOT EXISTS {people};
CREATE TABLE {people}.people (account TEXT COLLATE "C" PRIMARY KEY, pseudonym TEXT COLLATE "C" NOT NULL UNIQUE);
CREATE TABLE {people}.expected (
    session TEXT COLLATE "C", account TEXT COLLATE "C", PRIMARY KEY (session, account));
"""

Steps = tuple[tuple[str, str | None], ...]
"""The steps of a schema by their names, oldest first: SQL, in which braces are for `psycopg.sql`. None, at the end
alone: a step of the next release, which this one works with and does not make, so that both run beside each other over
one database (docs/decisions/0392).
"""

MIGRATIONS: Steps = (("first tables", FIRST_TABLES), ("people's names", PEOPLE))

APPLIED = "SELECT name FROM migrations ORDER BY number"
"""The steps that were applied, in the schema that is first on the search path."""

LOCK = 0x456C656E
"""Of the steps: two processes that open a database at once make it once."""


def own(steps: Steps) -> int:
    """How many of the steps this version makes."""
    return sum(statements is not None for _, statements in steps)


def people_of(schema: str) -> str:
    """The schema that has the key to people's names."""
    return f"{schema}_people"


def migrate(
    connection: psycopg.Connection[Any], schema: str, name: str, *, writable: bool, steps: Steps = MIGRATIONS
) -> None:
    """Apply the steps that are missing, all in one transaction. `name` is the database's, for messages.

    Raises NewerSchema, StorageError for a database that has no tables and cannot get any, psycopg.Error.
    """
    if (applied := _applied(connection, schema, name, steps)) >= own(steps):
        return
    if not writable:
        raise StorageError(
            f"{name} has an older schema ({applied} of {own(steps)} steps) and cannot be written here, as it is a "
            "replica or read-only: open it once with this version where it can be written."
        )
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
        names = {"schema": sql.Identifier(schema), "people": sql.Identifier(people_of(schema))}
        connection.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {schema}").format(**names))
        connection.execute("CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)")
        for number in range(_applied(connection, schema, name, steps), own(steps)):
            step, statements = steps[number]
            assert statements is not None, "the steps of the next release come last"
            connection.execute(sql.SQL(statements).format(**names))
            connection.execute("INSERT INTO migrations VALUES (%s, %s)", (number + 1, step))


def _applied(connection: psycopg.Connection[Any], schema: str, name: str, steps: Steps) -> int:
    """How many steps were applied. Raises NewerSchema, StorageError for tables that are not ours."""
    row = connection.execute("SELECT to_regclass(format('%%I.migrations', %s::text))", (schema,)).fetchone()
    if row is None or row[0] is None:
        return 0
    found = [step for (step,) in connection.execute(APPLIED).fetchall()]
    check_applied(found, schema, name, steps)
    return len(found)


def check_applied(found: Sequence[str], schema: str, name: str, steps: Steps) -> None:
    """Raises NewerSchema for a step that was applied and that this version does not know, StorageError for tables that
    are not ours. `found`: the rows of `APPLIED`.
    """
    known = [step for step, _ in steps]
    if found[: len(known)] != known[: len(found)]:
        raise StorageError(f"{name} has tables of another program in its schema {schema}: give another database.")
    if len(found) > len(known):
        raise NewerSchema(
            f"{name} was written by a newer Elenchus (schema {len(found)}, this version knows {len(known)}): "
            "upgrade Elenchus."
        )
