"""A PostgreSQL database: how it is reached, whether it can be used, and its errors in our words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from elenchus.debate_engine.errors import DamagedLog, DiskFull, StorageError, UsageError
from elenchus.debate_engine.events import now
from elenchus.storage.database import Connection
from elenchus.storage.postgres_connection import PostgresConnection
from elenchus.storage.postgres_schema import migrate

SCHEMA = "elenchus"
"""Where our tables are, so that a database can be shared with other programs (a queue, for one)."""

SKEW = 30.0
"""Seconds by which this machine's clock may differ from the database's: events bear their writer's time."""

KEEPALIVES = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3}
USER_TIMEOUT = {"tcp_user_timeout": 25_000}
"""Milliseconds until what was sent must be acknowledged: before it is, nobody asks whether the other is there."""
WAITS: dict[str, Any] = {"connect_timeout": 10} | KEEPALIVES | USER_TIMEOUT
"""Seconds, unless the address says otherwise: a server that is gone is found out within half a minute."""

SETTINGS = (
    {f"tcp_{name}": str(value) for name, value in KEEPALIVES.items()}
    | {name: str(value) for name, value in USER_TIMEOUT.items()}
    | {
        "idle_in_transaction_session_timeout": "5s",
        "idle_session_timeout": "0",
        "default_transaction_isolation": "read committed",
        "plan_cache_mode": "force_generic_plan",
    }
)
"""The same the other way round: the server ends the connection, and so the holds, of a machine that is gone, and of a
process that was frozen amid a transaction, for whose locks others would wait. And what a database or a role may be set
to otherwise: connections that only hold are kept, and who waited for a row's lock goes on with what is there then.
Statements are planned once: to plan an append anew for the values of each takes longer than to run it.
"""

PLANS = {"enable_seqscan": "off", "jit": "off"}
"""A plan that was made while the tables were empty would go on to read them whole; what has no index still is, at a
cost that would have the server compile it.
"""

SET = """SELECT set_config(name, value, false)
FROM unnest(%s::text[], %s::text[]) AS given (name, value) JOIN pg_settings USING (name)"""
"""Settings, by names and values, as far as the server's version has them."""

CONNECT_REFUSALS = {
    r"password authentication failed|no password supplied": "28P01",
    r"role \".*\" (does not exist|is not permitted to log in)": "28000",
    r"database \".*\" does not exist": "3D000",
    r"permission denied for database": "42501",
    r"too many (clients|connections)|connection slots are reserved": "53300",
}
"""The codes of what a server says to one who would connect: psycopg hands on the words alone."""

_WRONG_NAME = "{database} refuses the name or the password: correct ELENCHUS_DATABASE_URL."
_LOCKED = "{database} is kept locked by another program: end it and try again."
SENTENCES = {
    "53100": "There is no room left for {database}: nothing of this was written; free some space on the server and try "
    "again.",
    "28P01": _WRONG_NAME,
    "28000": _WRONG_NAME,
    "3D000": "{database} is not there: create it (createdb), or correct ELENCHUS_DATABASE_URL.",
    "42501": "{database} does not allow this ({said}): grant the role the right to it.",
    "53300": "{database} has no connection left to give ({said}): raise max_connections or the role's limit, or run "
    "fewer processes; each has up to eleven.",
    "55P03": _LOCKED,
    "40P01": _LOCKED,
    "57014": "{database} broke off what it was asked ({said}): raise its statement_timeout.",
}
"""What is said of an error, by its code."""

LZ4 = """SELECT set_config(name, 'lz4', false) FROM pg_settings
WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)"""
"""Where the server can: long bodies are compressed in a fraction of the time that its default takes."""


@dataclass(frozen=True)
class PostgresDatabase:
    """The database at an address (`postgresql://…`); others' locks are waited for `patience` seconds."""

    url: str
    patience: float = 10.0
    schema: str = SCHEMA
    raw: tuple[type[Exception], ...] = (psycopg.Error, UnicodeError)

    def __str__(self) -> str:
        """Its name for messages, without the password."""
        parts = _parts(self.url)
        place = f"{parts.get('host', 'localhost')}:{parts.get('port', 5432)}"
        return f"the PostgreSQL database {parts.get('dbname', '')} at {place}"

    @property
    def parameters(self) -> dict[str, Any]:
        """What a connection is made with. Raises UsageError."""
        return WAITS | {"application_name": "elenchus"} | _parts(self.url)

    def connect(self, schema: str = "") -> psycopg.Connection[Any]:
        """A connection in autocommit mode, to the tables of a schema, by default its own. Raises psycopg.Error."""
        made = psycopg.connect(**self.parameters, autocommit=True)
        try:
            settings = (
                SETTINGS
                | PLANS
                | {
                    "search_path": schema or self.schema,
                    "lock_timeout": f"{int(self.patience * 1000)}ms",
                    "client_encoding": "UTF8",
                }
            )
            made.execute(SET, (list(settings), list(settings.values())))
            made.execute(LZ4)
        except BaseException:
            made.close()
            raise
        return made

    def prepared(self) -> StorageError | None:
        """See that it can be used, and bring its tables up to date; why nothing can be written, None where it can.

        Raises StorageError, NewerSchema, psycopg.Error.
        """
        with self.connect() as connection:
            self.check_pooler(connection)
            self.check_encoding(connection)
            row = connection.execute(
                "SELECT clock_timestamp(), pg_is_in_recovery(), current_setting('transaction_read_only') = 'on'"
            ).fetchone()
            assert row is not None
            at, replica, read_only = row
            self.check_clock(at)
            migrate(connection, self.schema, str(self), writable=not (replica or read_only))
        return self._read_only() if replica or read_only else None

    def seen(self) -> tuple[bool, int]:
        """Whether our tables are there, and the bytes of the whole database; nothing is made. Raises StorageError."""
        with self.explained(), self.connect() as connection:
            row = connection.execute(
                "SELECT to_regclass(format('%%I.sessions', %s::text)) IS NOT NULL, "
                "pg_database_size(current_database())", (self.schema,),
            ).fetchone()  # fmt: skip
            assert row is not None
            return row[0], row[1]

    def check_pooler(self, connection: psycopg.Connection[Any]) -> None:
        """Raises StorageError where connections that are open, this one and another, share one of the server's."""
        if _backend(connection) == connection.info.backend_pid:
            return  # the server itself
        with self.connect() as other:
            for _ in range(3):
                if _backend(connection) == _backend(other):
                    raise StorageError(
                        f"{self} is behind a pooler that lends connections by the transaction, which loses locks and "
                        "notices (PgBouncer's pool_mode = transaction): set ELENCHUS_DATABASE_URL to the server "
                        "itself, or have the pooler use pool_mode = session."
                    )

    def check_encoding(self, connection: psycopg.Connection[Any]) -> None:
        """Raises StorageError for a database that cannot keep every text."""
        kept = connection.info.parameter_status("server_encoding")
        if kept != "UTF8":
            raise StorageError(
                f"{self} keeps text in {kept}, which lacks letters that people and models write: give a database that "
                "was created with ENCODING 'UTF8' (createdb --encoding UTF8 --template template0)."
            )

    def check_clock(self, at: datetime) -> None:
        """`at` is the server's time, now. Raises StorageError where this machine's differs much."""
        ahead = (now() - at).total_seconds()
        if abs(ahead) > SKEW:
            raise StorageError(
                f"This machine's clock is {abs(ahead):.0f} s {'ahead of' if ahead > 0 else 'behind'} that of {self}: "
                "set both by the same time server (NTP)."
            )

    def _read_only(self) -> StorageError:
        return StorageError(
            f"{self} cannot be written, as it is a replica or read-only: set ELENCHUS_DATABASE_URL to the primary."
        )

    def begin(self, connection: Connection, *, single: bool = False) -> None:
        """Open a transaction; rows are locked one by one. A single append is a statement, and so one by itself.

        Not on a connection that seems to be broken, for that is found out, and mended, where nothing was asked yet.
        """
        assert isinstance(connection, PostgresConnection)
        if not (single and connection.is_quiet):
            connection.execute("BEGIN")

    def concerns_all(self, error: Exception) -> bool:
        """Whether the server is gone or full, rather than one change refused."""
        lost = isinstance(error, psycopg.OperationalError) and not error.sqlstate
        return lost or isinstance(error, psycopg.errors.AdminShutdown | psycopg.errors.ReadOnlySqlTransaction)

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Inside, errors of the server are put in our words."""
        try:
            yield
        except self.raw as error:
            raise self.explain(error) from error

    def explain(self, error: Exception) -> StorageError:
        """The error to raise for one of the server or of the way to it."""
        code = (error.sqlstate or "") if isinstance(error, psycopg.Error) else ""
        said = " ".join(str(error).split())
        code = code or next((code for words, code in CONNECT_REFUSALS.items() if re.search(words, said)), "")
        if code == "25006":
            return self._read_only()
        if code in ("XX001", "XX002"):
            return self.damaged(said)
        if sentence := SENTENCES.get(code):
            kind = DiskFull if code == "53100" else StorageError
            return kind(sentence.format(database=self, said=said))
        if isinstance(error, psycopg.OperationalError):
            return StorageError(
                f"{self} cannot be reached ({said}): see that the server runs, that ELENCHUS_DATABASE_URL is right, "
                "and try again."
            )
        return StorageError(f"{self} cannot be used ({said}): look at the server's log, then try again.")

    def damaged(self, detail: str) -> StorageError:
        """The error for rows that cannot be."""
        return DamagedLog(f"{self} is damaged ({detail}): restore it from a backup.")


def _backend(connection: psycopg.Connection[Any]) -> int:
    row = connection.execute("SELECT pg_backend_pid()").fetchone()
    assert row is not None
    return int(row[0])


def _parts(url: str) -> dict[str, Any]:
    """The parts of an address. Raises UsageError, which tells nothing of it: what is mistyped may be the password."""
    try:
        parts = dict(conninfo_to_dict(url))
    except psycopg.Error as error:
        raise _no_address() from error
    ports = str(parts.get("port", "")).split(",")
    if not all(port == "" or (port.isdecimal() and 0 < int(port) < 65536) for port in ports):
        raise _no_address()
    if not all(_PLAIN.fullmatch(str(parts.get(name, ""))) for name in ("host", "hostaddr", "dbname")):
        raise _no_address()
    return parts


_PLAIN = re.compile(r"[^@#\s\x00-\x1f]*")
"""A host, a folder of sockets, a database: where one seems to hold more, a password ended early."""


def _no_address() -> UsageError:
    return UsageError(
        "ELENCHUS_DATABASE_URL is no address of a database: write postgresql://HOST:PORT/NAME, with USER:PASSWORD@ "
        "before the host where it wants that, and in them %40 for @, %2F for / and %23 for #."
    )
