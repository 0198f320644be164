"""Which database keeps the sessions and what lies beside them: PostgreSQL where the settings name one, else SQLite."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from elenchus.config.settings import Settings
from elenchus.debate_engine.errors import UsageError
from elenchus.storage.pseudonyms import SqlitePseudonyms
from elenchus.storage.sql_log import SqlLog
from elenchus.storage.sqlite_log import open_log

if TYPE_CHECKING:
    from elenchus.service.workers.queue import JobQueue
    from elenchus.storage.postgres_pseudonyms import PostgresPseudonyms


def database_path(settings: Settings) -> Path:
    """The SQLite file of the data folder."""
    return settings.home / "elenchus.db"


def may_hold_sessions(settings: Settings) -> bool:
    """Whether there is a database, so that looking for sessions makes none."""
    return settings.database.url is not None or database_path(settings).is_file()


def seen(settings: Settings) -> tuple[bool, int]:
    """Whether there is a database with our tables, and its bytes; nothing is made. Raises StorageError, UsageError."""
    if (url := settings.database.url) is None:
        path = database_path(settings)  # with its write-ahead log
        return path.is_file(), sum(p.stat().st_size for p in path.parent.glob(path.name + "*") if p.is_file())
    check_installed()
    from elenchus.storage.postgres_database import PostgresDatabase

    return PostgresDatabase(url.get_secret_value()).seen()


async def open_store(settings: Settings) -> SqlLog:
    """The log, with the small documents and the cache of answers beside it. Raises StorageError, UsageError."""
    if (url := settings.database.url) is None:
        return await open_log(database_path(settings))
    check_installed()
    from elenchus.storage.postgres_log import open_postgres

    return await open_postgres(url.get_secret_value())


def pseudonyms_of(settings: Settings) -> SqlitePseudonyms | PostgresPseudonyms:
    """The key to people's made-up names, apart from the sessions: a file of its own, or a schema of its own."""
    if (url := settings.database.url) is None:
        return SqlitePseudonyms(settings.home / "people.db")
    from elenchus.storage.postgres_database import PostgresDatabase
    from elenchus.storage.postgres_pseudonyms import PostgresPseudonyms

    return PostgresPseudonyms(PostgresDatabase(url.get_secret_value()))


def queue_of(settings: Settings) -> JobQueue | None:
    """The queue from which workers take sessions; None where there is no PostgreSQL, or procrastinate is missing."""
    if (url := settings.database.url) is None or find_spec("procrastinate") is None:
        return None
    from elenchus.service.workers.queue import JobQueue
    from elenchus.storage.postgres_database import PostgresDatabase

    return JobQueue(PostgresDatabase(url.get_secret_value()))


def needed_queue(settings: Settings, who: str) -> JobQueue:
    """The queue. Raises UsageError, saying what `who` needs, where there is none."""
    if settings.database.url is None:
        raise UsageError(
            f"{who} needs a database that workers share: set ELENCHUS_DATABASE_URL to postgresql://…, and start "
            "`elenchus worker` with the same."
        )
    if settings.sessions.log:
        raise UsageError(f"{who} takes sessions from ELENCHUS_DATABASE_URL alone: unset ELENCHUS_SESSIONS_LOG.")
    if (queue := queue_of(settings)) is None:
        raise UsageError(f"{who} needs procrastinate, which is not installed: pip install 'elenchus[scale]'.")
    return queue


def check_installed() -> None:
    """Raises UsageError where PostgreSQL is asked for and psycopg is not installed."""
    if find_spec("psycopg") is None:
        raise UsageError(
            "ELENCHUS_DATABASE_URL needs psycopg, which is not installed: pip install 'elenchus[scale]', or unset it."
        )
