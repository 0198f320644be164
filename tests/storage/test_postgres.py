"""What PostgreSQL alone has: an address that may be wrong, a server that restarts, a notice that does not come."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator
from contextlib import aclosing
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest

from elenchus.debate_engine.errors import DiskFull, NewerSchema, StorageError, UsageError
from elenchus.debate_engine.events import Recorded, now
from elenchus.debate_engine.llm.client import Reply, Usage
from elenchus.storage.postgres_connection import channel_of
from elenchus.storage.postgres_database import PostgresDatabase
from elenchus.storage.postgres_log import PostgresLog, open_postgres
from elenchus.storage.postgres_pseudonyms import PostgresPseudonyms
from elenchus.storage.postgres_schema import MIGRATIONS, Steps, migrate, own
from tests.storage.logs import epoch_of, said, started
from tests.storage.postgres_server import PASSWORD, USER, postgres_url, temporary_server


@pytest.fixture
def schema(request: pytest.FixtureRequest) -> str:
    return f"t{abs(hash(request.node.nodeid)):x}"


@pytest.fixture
async def log(schema: str) -> AsyncIterator[PostgresLog]:
    made = await open_postgres(postgres_url(), schema=schema)
    yield made
    await made.aclose()


REPLY = Reply("They say so.", "stop", Usage(11, 5, 2), "m-2026", 0.25)


async def test_documents_and_answers_lie_beside_the_sessions(log: PostgresLog, schema: str) -> None:
    store, cache = log.key_value_store, log.reply_cache
    await store.put("lots", "b", {"n": 1, "é": None})
    await store.put("lots", "b", {"n": 2})
    assert await asyncio.gather(*(store.add("lots", "a", {"who": n}) for n in range(5))) == [True] + [False] * 4
    await cache.put("k", "openai:m", REPLY)
    other = await open_postgres(postgres_url(), schema=schema)
    assert list(await other.key_value_store.all("lots")) == ["a", "b"]
    assert await other.key_value_store.get("lots", "b") == {"n": 2}
    assert (await other.reply_cache.get("k")) == REPLY
    await other.reply_cache.put("l", "openai:m", REPLY)
    (kept,) = await other.reply_cache.overview()
    assert (kept.model, kept.answers, kept.hits) == ("openai:m", 2, 1)
    epoch = await epoch_of(log)
    await log.rewrite("s", (await log.read("s"))[:1], epoch)
    assert await other.reply_cache.get("k") is None, "any reply may quote whoever is forgotten"
    await other.aclose()


async def test_an_account_has_one_name_and_a_destroyed_key_none(log: PostgresLog, schema: str) -> None:
    keys = [PostgresPseudonyms(PostgresDatabase(postgres_url(), schema=schema)) for _ in range(3)]
    assert len({*await asyncio.gather(*(key.of("ada", "s") for key in keys))}) == 1
    ada = await keys[0].of("ada")
    bo = await keys[1].of("bo")
    assert [await keys[2].account_of(name) for name in (ada, bo)] == ["ada", "bo"]
    assert await keys[0].expected() == {"s": [ada]}
    assert await keys[0].forget("ada")
    assert await keys[0].find("ada") is None
    assert await keys[0].destroy() == 1
    assert await keys[0].everybody() == {}


async def test_a_follower_that_nobody_tells_looks_by_itself(log: PostgresLog, schema: str) -> None:
    await log.create("s", started())
    async with aclosing(log.follow("s")) as events:
        await anext(events)
        waiting = asyncio.create_task(anext(events))
        await asyncio.sleep(0.2)
        with PostgresDatabase(postgres_url(), schema=schema).connect() as silent:
            silent.execute(
                "INSERT INTO events SELECT session, 2, at, 'guidance', %s, 'x' FROM events WHERE seq = 1",
                (said("unannounced").model_dump_json(),),
            )
            silent.execute("UPDATE sessions SET head = 2")
        assert (await asyncio.wait_for(waiting, 20)).event == said("unannounced")


async def test_old_text_is_in_no_row_after_a_rewrite_not_even_in_a_dead_one(log: PostgresLog, schema: str) -> None:
    epoch = await epoch_of(log)
    (told,) = await log.append("s", [said("my secret")], epoch)
    await log.rewrite("s", [told.model_copy(update={"event": said("[redacted]")})], epoch)
    with PostgresDatabase(postgres_url(), schema=schema).connect() as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS pageinspect SCHEMA public")
        items = connection.execute(
            "SELECT t_data FROM public.heap_page_items(public.get_raw_page('events', 0))"
        ).fetchall()
    kept = [bytes(data) for (data,) in items if data]
    assert any(b"[redacted]" in data for data in kept)
    assert not any(b"my secret" in data for data in kept)


async def test_a_commit_over_many_sessions_is_told_on_the_channel_of_each(log: PostgresLog, schema: str) -> None:
    names = {f"{n:03}{'x' * 190}" for n in range(80)}
    for name in names:
        await log.create(name, started())
    with PostgresDatabase(postgres_url(), schema=schema).connect() as listener:
        for name in names:
            listener.execute(f'LISTEN "{channel_of(schema, name)}"')
        await asyncio.gather(*(log.send(name, said("hello")) for name in names))
        told = {(n.channel, n.payload.split(" ")[1]) for n in listener.notifies(timeout=5, stop_after=len(names))}
    assert told == {(channel_of(schema, name), name) for name in names}


async def test_what_was_committed_is_told_although_a_later_change_fails_before_it_is(
    log: PostgresLog, schema: str
) -> None:
    epoch = await epoch_of(log)

    def mistake(connection: object) -> None:
        raise ZeroDivisionError

    with PostgresDatabase(postgres_url(), schema=schema).connect() as listener:
        listener.execute(f'LISTEN "{channel_of(schema, "s")}"')
        found = await asyncio.gather(
            log.append("s", [said("hello")], epoch), log._writer.change(mistake), return_exceptions=True
        )
        assert isinstance(found[1], ZeroDivisionError)
        notices = [notice.payload.split(" ")[1:] for notice in listener.notifies(timeout=2, stop_after=1)]
    assert notices == [["s"]]


async def test_long_events_are_compressed_the_fast_way_where_the_server_can(log: PostgresLog, schema: str) -> None:
    epoch = await epoch_of(log)
    await log.append("s", [said("again and " * 1000)], epoch)
    with PostgresDatabase(postgres_url(), schema=schema).connect() as connection:
        (ways,) = connection.execute(
            "SELECT enumvals FROM pg_settings WHERE name = 'default_toast_compression'"
        ).fetchone() or ([],)
        (way,) = connection.execute("SELECT max(pg_column_compression(body)) FROM events").fetchone() or (None,)
    assert "lz4" in ways, "the tests' server is Debian's, which has it"
    assert way == "lz4"


# ── what can be wrong ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda url: url.replace(PASSWORD, "guessed"), "refuses the name or the password"),
        (lambda url: url.replace(USER, "nobody"), "refuses the name or the password"),
        (lambda url: url.replace("/postgres", "/none"), "is not there: create it"),
        (lambda url: "postgresql://elenchus@127.0.0.1:1/postgres", "cannot be reached"),
    ],
)
async def test_a_wrong_address_is_one_sentence_without_the_password(wrong: object, said: str) -> None:
    assert callable(wrong)
    with pytest.raises(StorageError, match=said) as raised:
        await open_postgres(wrong(postgres_url()))
    assert PASSWORD not in str(raised.value)
    assert "\n" not in str(raised.value)


async def test_what_is_no_address_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="ELENCHUS_DATABASE_URL is no address"):
        await open_postgres("postgresql://host:port:port/x?what")


async def test_an_older_schema_is_brought_up_to_date_and_a_newer_or_a_strange_one_refused(schema: str) -> None:
    log = await open_postgres(postgres_url(), schema=schema)
    await log.create("s", started())
    await log.aclose()
    database = PostgresDatabase(postgres_url(), schema=schema)
    with database.connect() as connection:
        connection.execute(f"DROP SCHEMA {schema}_people CASCADE")
        connection.execute("DELETE FROM migrations WHERE number = 2")
    log = await open_postgres(postgres_url(), schema=schema)
    assert [info.id for info in await log.sessions()] == ["s"]
    assert await PostgresPseudonyms(database).everybody() == {}
    await log.aclose()
    with database.connect() as connection:
        for number, (step, _) in enumerate((*MIGRATIONS, ("of tomorrow", None)), 1):
            connection.execute("INSERT INTO migrations VALUES (%s, %s) ON CONFLICT DO NOTHING", (number, step))
    with pytest.raises(NewerSchema, match="upgrade Elenchus"):
        await open_postgres(postgres_url(), schema=schema)
    with database.connect() as connection:
        connection.execute("UPDATE migrations SET name = 'elsewhere' WHERE number = 1")
    with pytest.raises(StorageError, match="tables of another program"):
        await open_postgres(postgres_url(), schema=schema)


async def test_a_step_of_the_next_release_is_known_to_this_one_which_runs_beside_it(schema: str) -> None:
    """The later release is this one with one step more, which the earlier one has been told of by its name."""
    known = MIGRATIONS[: (n := own(MIGRATIONS))]
    told: Steps = (*known, ("a column of tomorrow", None))
    later: Steps = (*known, ("a column of tomorrow", "ALTER TABLE notes ADD COLUMN of_tomorrow TEXT"))
    database = PostgresDatabase(postgres_url(), schema=schema)
    with database.connect() as connection:

        def opened_by(steps: Steps, *, writable: bool = True) -> int:
            migrate(connection, schema, "it", writable=writable, steps=steps)
            return len(connection.execute("SELECT name FROM migrations").fetchall())

        assert opened_by(told) == n
        assert [opened_by(later), opened_by(told), opened_by(told, writable=False)] == [n + 1] * 3
        with pytest.raises(NewerSchema, match=rf"schema {n + 1}, this version knows {n}\): upgrade Elenchus"):
            opened_by(known)


async def test_what_cannot_be_written_is_read_and_every_change_says_why(log: PostgresLog, schema: str) -> None:
    await log.create("s", started())
    only = postgres_url() + "?options=-c%20default_transaction_read_only%3Don"
    other = await open_postgres(only, schema=schema)
    assert len(await other.read("s")) == 1
    for change in (other.send("s", said("x")), other.claim("s"), other.delete("s")):
        with pytest.raises(StorageError, match="is a replica or read-only: set ELENCHUS_DATABASE_URL to the primary"):
            await change
    await other.aclose()
    with pytest.raises(StorageError, match="older schema"):
        await open_postgres(only, schema=f"{schema}_none")


def test_clocks_that_differ_and_a_full_disk_are_one_sentence() -> None:
    database = PostgresDatabase(postgres_url())
    database.check_clock(now() + timedelta(seconds=20))
    for seconds, words in ((100, "behind"), (-100, "ahead of")):
        with pytest.raises(StorageError, match=f"clock is (99|100) s {words}"):
            database.check_clock(now() + timedelta(seconds=seconds))
    assert isinstance(database.explain(psycopg.errors.DiskFull("no space left on device")), DiskFull)


@pytest.mark.slow
async def test_a_server_that_crashes_and_comes_back_has_lost_nothing_that_was_returned() -> None:
    server = await asyncio.to_thread(temporary_server)
    try:
        log = await open_postgres(server.url())
        epoch = await epoch_of(log)
        for n in range(20):
            await log.append("s", [said(str(n))], epoch)
        await log.read("s")
        await asyncio.to_thread(server.stop)
        for attempt in (log.append("s", [said("lost")], epoch), log.read("s")):
            with pytest.raises(StorageError, match="cannot be reached"):
                await attempt
        await asyncio.to_thread(server.start)
        assert len(await log.read("s")) == 22
        await log.append("s", [said("again")], epoch)
        assert (await log.info("s")).owner is not None, "the hold is had again with the connection"
        await log.aclose()
    finally:
        await asyncio.to_thread(server.remove)


@pytest.mark.slow
async def test_whoever_was_frozen_amid_a_transaction_keeps_others_waiting_for_seconds_alone(
    log: PostgresLog, schema: str
) -> None:
    epoch = await epoch_of(log)
    frozen = PostgresDatabase(postgres_url(), schema=schema).connect()
    frozen.execute("BEGIN")
    frozen.execute("SELECT * FROM sessions FOR UPDATE")
    await asyncio.wait_for(log.append("s", [said("x")], epoch), 9)
    with pytest.raises(psycopg.Error, match="idle-in-transaction"):
        frozen.execute("SELECT 1")


async def fill(log: PostgresLog, epoch: int, kept: list[Recorded]) -> None:
    while len(kept) < 200:
        kept += await log.append("s", [said(secrets.token_hex(25_000))], epoch)


@pytest.mark.slow
async def test_a_full_disk_of_the_server_is_a_sentence_and_nothing_is_lost() -> None:
    """A table space on a file system of its own, for others to read; a full write-ahead log ends the server instead."""
    place = Path(tempfile.mkdtemp(prefix="elenchus-full-", dir="/tmp"))
    made = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(place)]
    if os.getuid() != 0 or subprocess.run(made, check=False).returncode:
        pytest.skip("a file system of two megabytes can be made by root alone")
    server = await asyncio.to_thread(temporary_server)
    try:
        shutil.chown(place, "postgres", "postgres")
        with psycopg.connect(server.url(), autocommit=True) as connection:
            connection.execute(f"CREATE TABLESPACE small LOCATION '{place}'")
        log = await open_postgres(server.url() + "?options=-c%20default_tablespace%3Dsmall")
        epoch, kept = await epoch_of(log), list[Recorded]()
        with pytest.raises(DiskFull, match="nothing of this was written; free some space on the server") as raised:
            await fill(log, epoch, kept)
        assert "\n" not in str(raised.value)
        assert len(kept) > 5
        assert (await log.read("s"))[2:] == kept, "what was returned is there, and can be read"
        subprocess.run(["mount", "-o", "remount,size=20m", place], check=True)
        await log.append("s", [said("again")], epoch)
        assert len(await log.read("s")) == 3 + len(kept)
        await log.aclose()
    finally:
        await asyncio.to_thread(server.remove)
        subprocess.run(["umount", place], check=True)
        place.rmdir()
