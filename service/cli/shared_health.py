"""What `elenchus doctor` looks at where several processes work together: PostgreSQL, its queue, the workers, Redis."""

from __future__ import annotations

import asyncio
from time import perf_counter
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import ElenchusError, NewerSchema

if TYPE_CHECKING:
    from elenchus.config.settings import Settings

Row = tuple[str, str, bool | None]
"""What was looked at, what is to be said of it, and how it is: well, not, or neither."""


async def examined(settings: Settings) -> list[dict[str, Any]]:
    """What is shared, each with `what`, `said` and `well` (None: not in use). Nothing is made or changed."""
    rows = [*await _postgres(settings), await _redis(settings)]
    return [{"what": what, "said": said, "well": well} for what, said, well in rows]


async def _postgres(settings: Settings) -> list[Row]:
    if settings.database.url is None:
        return [("PostgreSQL", "not in use: sessions are in SQLite (ELENCHUS_DATABASE_URL)", None)]
    from elenchus.service.store import check_installed

    try:
        check_installed()
        return await _of_database(settings.database.url.get_secret_value()) + await _queue(settings)
    except ElenchusError as error:
        return [("PostgreSQL", str(error), False)]


async def _of_database(url: str) -> list[Row]:
    from elenchus.debate_engine.events import now
    from elenchus.storage.postgres_database import SKEW, PostgresDatabase
    from elenchus.storage.postgres_schema import MIGRATIONS, own

    database = PostgresDatabase(url)

    def looked() -> tuple[Any, ...]:
        with database.explained(), database.connect() as connection:
            database.check_pooler(connection)
            database.check_encoding(connection)
            row = connection.execute(
                "SELECT clock_timestamp(), current_setting('server_version'), pg_is_in_recovery(), "
                "current_setting('transaction_read_only') = 'on', to_regclass(%s) IS NOT NULL, "
                "(SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'), "
                "current_setting('max_connections')::int - "
                "current_setting('superuser_reserved_connections')::int", (f"{database.schema}.migrations",),
            ).fetchone()  # fmt: skip
            assert row is not None
            steps = connection.execute("SELECT count(*) FROM migrations").fetchone() if row[4] else (0,)
            assert steps is not None
            return (*row[1:4], steps[0], (now() - row[0]).total_seconds(), *row[5:])

    version, replica, read_only, steps, ahead, taken, most = await asyncio.to_thread(looked)
    kind = (
        "a replica, which takes no changes" if replica
        else "read-only (default_transaction_read_only), which takes no changes" if read_only
        else "the primary"
    )  # fmt: skip
    schema = f"{steps} of {own(MIGRATIONS)} steps" + ("" if steps >= own(MIGRATIONS) else ": made at the next start")
    return [
        ("PostgreSQL", f"version {version}, {kind}", not read_only),
        ("schema", schema if steps <= len(MIGRATIONS) else f"{schema}: of a newer Elenchus", steps <= len(MIGRATIONS)),
        ("clock", f"{abs(ahead):.1f} s from the database's, {SKEW:g} s are allowed", abs(ahead) <= SKEW),
        ("connections", f"{taken} of {most} are taken", taken < 0.9 * most),
    ]


async def _queue(settings: Settings) -> list[Row]:
    from elenchus.service.store import queue_of

    if (queue := queue_of(settings)) is None:
        return [("queue", "procrastinate is not installed: sessions run where they are begun", None)]
    try:
        serving = await queue.serving()
        depth, oldest = (await queue.depth(), await queue.oldest()) if await queue.is_there() else ({}, {})
        said = ", ".join(f"{name} {waiting} wait, {at_work} at work" for name, (waiting, at_work) in depth.items())
        if not serving:
            queued = [("queue", f"{said}; no worker is there: start `elenchus worker`", False)] if depth else []
            return [*queued, ("workers", "none: sessions run where they are begun", None)]
        served, longest = {one.queue for one in serving}, max(oldest.values(), default=0.0)
        if left := [name for name, (waiting, _) in depth.items() if waiting and name not in served]:
            said += f"; no worker takes {' and '.join(left)}: start `elenchus worker`"
        here = {(one.host, one.pid) for one in serving}
        versions = sorted({one.version for one in serving})
        ops = "ops" in served
        processes = "1 process" if len(here) == 1 else f"{len(here)} processes"
        return [
            (
                "queue",
                (said or "empty") + (f"; the oldest for {longest:.0f} s" if oldest else ""),
                longest < 60 and not left,
            ),
            ("workers", f"{processes}, version {', '.join(versions)}", True),
            (
                "ops",
                "a worker looks after the others"
                if ops
                else "no worker has --queue ops: nothing is taken over or woken",
                ops,
            ),
        ]
    except NewerSchema as error:
        return [("queue", str(error), False)]
    finally:
        await queue.aclose()


async def _redis(settings: Settings) -> Row:
    if (url := settings.redis.url) is None:
        return ("Redis", "not in use: each process has its own limits (ELENCHUS_REDIS_URL)", None)
    from elenchus.storage.redis_link import RedisGone, RedisLink

    link = RedisLink(url.get_secret_value())
    try:
        await link.check()
        began = perf_counter()
        server = await link.ask(lambda client: client.info())
        took = (perf_counter() - began) * 1000
        persistent = server.get("aof_enabled") or server.get("rdb_last_save_time_changes")
        note = ", writes to disk, which nothing here needs" if persistent else ""
        return ("Redis", f"version {server['redis_version']}, answers in {took:.1f} ms{note}", True)
    except RedisGone:
        said = f"cannot be used ({link.why_gone}): each process keeps to its own share of the limits; one that was "
        said += "started since then knows of no others and takes the whole, so several together may go beyond"
        return ("Redis", said, False)
    except ElenchusError as error:
        return ("Redis", str(error), False)
    finally:
        await link.aclose()
