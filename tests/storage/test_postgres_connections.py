"""The connections to PostgreSQL: settings of others, a pooler in between, none left, and a hold that outlives one."""

from __future__ import annotations

import asyncio
import os
import resource
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, aclosing, asynccontextmanager
from pathlib import Path

import psycopg
import pytest

from elenchus.debate_engine.errors import StorageError
from elenchus.storage.postgres_connection import channel_of
from elenchus.storage.postgres_database import PostgresDatabase
from elenchus.storage.postgres_log import PostgresLog, open_postgres
from tests.storage.logs import epoch_of, said, started
from tests.storage.postgres_server import PASSWORD, USER, as_nobody_special, new_database, postgres_url


@asynccontextmanager
async def two_logs(url: str) -> AsyncIterator[tuple[PostgresLog, PostgresLog]]:
    one, other = await open_postgres(url), await open_postgres(url)
    yield one, other
    await one.aclose()
    await other.aclose()


def administer(url: str, *statements: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


async def test_a_database_whose_transactions_are_serializable_is_written_by_many() -> None:
    async with two_logs(new_database("default_transaction_isolation = 'serializable'")) as logs:
        await logs[0].create("s", started())

        async def write(log: PostgresLog) -> None:
            for n in range(30):
                await log.send("s", said(str(n)))

        await asyncio.gather(*(write(log) for log in logs))
        assert len(await logs[0].read("s")) == 61


async def test_where_idle_connections_are_ended_who_waits_for_people_keeps_its_session() -> None:
    async with two_logs(new_database("idle_session_timeout = '200ms'")) as (one, other):
        await epoch_of(one)
        await asyncio.sleep(0.5)
        assert (await other.info("s")).owner is not None


async def test_a_session_is_held_again_soon_after_its_connection_broke_though_nothing_is_written() -> None:
    url = new_database()
    async with two_logs(url) as (one, other):
        await epoch_of(one)
        administer(url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'elenchus'")
        until = time.monotonic() + 5
        while (await other.info("s")).owner is None:
            assert time.monotonic() < until
            await asyncio.sleep(0.05)


async def test_whose_connection_broke_meanwhile_claims_a_session_all_the_same() -> None:
    url = new_database()
    async with two_logs(url) as (one, _):
        await one.create("s", started())
        administer(url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'elenchus'")
        assert (await one.claim("s")).epoch == 1


READ = "SELECT sum(seq_tup_read)::int FROM pg_stat_user_tables WHERE relname IN ('sessions', 'events')"
"""Rows that were read by going through a table from its beginning; a connection tells of them as it ends."""


async def test_what_was_planned_over_empty_tables_does_not_read_them_whole_once_they_have_grown() -> None:
    url = new_database()
    async with two_logs(url):
        administer(url, "VACUUM elenchus.sessions, elenchus.events")  # known to be empty: so were the plans
    async with two_logs(url) as (one, other):
        epochs = [await epoch_of(one, f"s{n}") for n in range(10)]
        for _ in range(8):  # psycopg prepares what comes often
            await one.append("s0", [said("x")], epochs[0])
            await other.read("s0")
        administer(url, f"INSERT INTO elenchus.sessions {MANY}")
        for n, epoch in enumerate(epochs):
            await one.append(f"s{n}", [said("x")], epoch)
            await other.read(f"s{n}")
    with psycopg.connect(url) as connection:
        read = connection.execute(READ).fetchone()
    assert read is not None
    assert read[0] < 2_000


MANY = """(id, title, protocol, state, created, head, epoch)
SELECT 'm' || n, '', '', 'running', '', 0, 0 FROM generate_series(1, 2000) AS n"""


async def test_a_process_with_thousands_of_open_files_writes_and_follows() -> None:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(most[0], 4096), most[1]))
    with ExitStack() as files:
        files.callback(resource.setrlimit, resource.RLIMIT_NOFILE, most)
        for _ in range(1100):  # what `select` can wait for has a number below 1,024
            files.callback(os.close, os.open(os.devnull, os.O_RDONLY))
        async with two_logs(new_database()) as (one, other), asyncio.timeout(20):
            epoch = await epoch_of(one)
            async with aclosing(other.follow("s", after=2)) as events:
                waiting = asyncio.create_task(anext(events))
                await one.append("s", [said("x")], epoch)
                assert (await waiting).event == said("x")


async def test_a_writer_that_is_never_idle_tells_others_all_the_same() -> None:
    url = new_database()
    async with two_logs(url) as (log, _):
        writer, enough = log._writer, threading.Event()

        def go_on(_: object) -> None:
            if not enough.is_set():
                writer.post(go_on)  # so that one always waits

        await log.create("s", started())
        with PostgresDatabase(url).connect() as listener:
            listener.execute(f'LISTEN "{channel_of("elenchus", "s")}"')
            writer.post(go_on)
            try:
                await log.send("s", said("x"))
                told = [n.payload.split(" ")[1:] for n in listener.notifies(timeout=3, stop_after=1)]
            finally:
                enough.set()
        assert told == [["s"]]


async def test_of_a_hundred_that_append_half_are_at_the_server_while_the_others_are_answered_here() -> None:
    url = new_database()
    async with two_logs(url) as (log, _):
        names = [f"s{n}" for n in range(100)]
        for name in names:
            await log.create(name, started())
        busy = asyncio.create_task(log._writer.outside(lambda _: time.sleep(0.5)))
        await asyncio.sleep(0.1)
        await asyncio.gather(busy, *(log.send(name, said("x")) for name in names))
        with psycopg.connect(url) as connection:
            found = connection.execute("SELECT count(*) FROM elenchus.events WHERE seq = 2 GROUP BY xmin::text")
            assert found.fetchall() == [(50,), (50,)]


def login(url: str, *, limit: int) -> str:
    """The address for a role of its own."""
    name = f"r{secrets.token_hex(6)}"
    administer(url, f"CREATE ROLE {name} LOGIN PASSWORD '{PASSWORD}' CONNECTION LIMIT {limit}")
    return url.replace(USER, name)


async def test_no_connection_left_and_no_right_to_connect_are_told_as_what_they_are() -> None:
    url = new_database()
    database = url.rpartition("/")[2]
    few, closed = login(url, limit=0), login(url, limit=9)
    administer(url, f"REVOKE CONNECT ON DATABASE {database} FROM public")
    with pytest.raises(StorageError, match=r"does not allow this .*: grant the role the right to it"):
        await open_postgres(closed)
    administer(url, f"GRANT CONNECT ON DATABASE {database} TO public")
    no_more = "has no connection left to give .*: raise max_connections or the role's limit"
    with pytest.raises(StorageError, match=no_more):
        await open_postgres(few)
    administer(url, f"ALTER DATABASE {database} CONNECTION LIMIT 0")
    with pytest.raises(StorageError, match=no_more):
        await open_postgres(closed)
    for said_by_others in (
        "FATAL:  sorry, too many clients already",
        "FATAL:  remaining connection slots are reserved for roles with the SUPERUSER attribute",
    ):
        assert "no connection left" in str(PostgresDatabase(url).explain(psycopg.OperationalError(said_by_others)))


def test_a_statement_that_took_too_long_is_told_as_that() -> None:
    database = PostgresDatabase(postgres_url())
    with database.connect() as connection:
        connection.execute("SET statement_timeout = '10ms'")
        with pytest.raises(StorageError, match=r"broke off .*: raise its statement_timeout"), database.explained():
            connection.execute("SELECT pg_sleep(1)")


# ── a pooler ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def pooled(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a database behind PgBouncer, in this mode."""
    program = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
    assert program is not None, "pgbouncer is missing, which this test needs: apt-get install pgbouncer"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = new_database()
    at, _, database = url.rpartition("/")
    given = {"listen_addr": "127.0.0.1", "listen_port": port, "auth_type": "any", "unix_socket_dir": "",
             "pool_mode": request.param}  # fmt: skip
    behind = f"host=127.0.0.1 port={at.rpartition(':')[2]} user={USER} password={PASSWORD}"
    lines = [f"{name} = {value}" for name, value in given.items()]
    url = f"postgresql://{USER}@127.0.0.1:{port}/{database}"
    with tempfile.TemporaryDirectory() as folder:  # pytest's own is closed to the account that PgBouncer runs as
        Path(folder).chmod(0o755)
        ini = Path(folder, "ini")
        ini.write_text("\n".join([f"[databases]\n{database} = {behind}\n[pgbouncer]", *lines]))
        pooler = subprocess.Popen([program, str(ini)], stderr=subprocess.DEVNULL, **as_nobody_special())  # type: ignore[call-overload]
        try:
            _wait_for(url)
            yield url
        finally:
            os.kill(pooler.pid, signal.SIGKILL)
            pooler.wait()


def _wait_for(url: str) -> None:
    for _ in range(100):
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            time.sleep(0.05)
        else:
            return
    pytest.fail("PgBouncer did not answer within five seconds")


@pytest.mark.parametrize("pooled", ["transaction"], indirect=True)
async def test_a_pooler_that_lends_by_the_transaction_is_refused_in_a_sentence(pooled: str) -> None:
    with pytest.raises(
        StorageError, match=r"pool_mode = transaction\): set ELENCHUS_DATABASE_URL to the server"
    ) as told:
        await open_postgres(pooled)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("pooled", ["session"], indirect=True)
async def test_a_pooler_that_lends_by_the_session_can_be_used(pooled: str) -> None:
    async with two_logs(pooled) as (one, other):
        await epoch_of(one)
        assert (await other.info("s")).owner is not None
