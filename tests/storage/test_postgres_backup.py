"""The backup that docs/scaling.md tells: a base backup and the write-ahead log, restored to before a mishap."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from elenchus.debate_engine.events import Guidance, SessionStarted
from elenchus.storage.postgres_log import open_postgres
from tests.storage.postgres_server import PASSWORD, USER, Server, as_nobody_special, program

pytestmark = pytest.mark.slow
STARTED = SessionStarted(protocol="debate", title="t", config={}, seats=(), seed=1, version="0")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder of PostgreSQL's own account."""
    made = Path(tempfile.mkdtemp(prefix="elenchus-pitr-"))
    made.chmod(0o777)
    yield made
    shutil.rmtree(made, ignore_errors=True)


async def test_a_database_is_restored_to_the_moment_before_a_session_was_deleted(folder: Path) -> None:
    archive, base = folder / "archive", folder / "restored" / "data"
    archive.mkdir(mode=0o777)
    archive.chmod(0o777)
    settings = {"archive_mode": "on", "archive_command": f"cp %p {archive}/%f", "wal_level": "replica"}
    server = Server(folder / "first", settings)
    try:
        await asyncio.to_thread(server.make)
        await asyncio.to_thread(server.start)
        log = await open_postgres(server.url())
        await log.create("before", STARTED)
        await asyncio.to_thread(backed_up, server, base)
        await log.create("after", STARTED)
        await log.send("after", Guidance(by="ada", to=("pro",), text="kept"))
        moment = await now_of(server)
        time.sleep(1.1)  # noqa: ASYNC251 - times of a restore are in seconds
        await log.delete("after")  # the mishap
        await log.aclose()
        await asyncio.to_thread(psql, server, "SELECT pg_switch_wal()")
        await asyncio.to_thread(wait_for_archive, archive)
    finally:
        await asyncio.to_thread(server.stop)
    recovery = {"restore_command": f"cp {archive}/%f %p", "recovery_target_time": moment,
                "recovery_target_action": "promote"}  # fmt: skip
    restored = Server(base.parent, recovery)
    (base / "recovery.signal").touch()
    try:
        await asyncio.to_thread(restored.start)
        await asyncio.to_thread(until_promoted, restored)
        log = await open_postgres(restored.url())
        assert {info.id for info in await log.sessions()} == {"before", "after"}
        assert [r.event.text for r in await log.read("after") if isinstance(r.event, Guidance)] == ["kept"]
        await log.send("after", Guidance(by="ada", to=("pro",), text="and it goes on"))
        await log.aclose()
    finally:
        await asyncio.to_thread(restored.stop)


def backed_up(server: Server, to: Path) -> None:
    """Take a base backup, as an operator would."""
    to.parent.mkdir(mode=0o777)
    to.parent.chmod(0o777)
    connection = f"host=127.0.0.1 port={server.port} user={USER} password={PASSWORD}"
    done = subprocess.run(
        [program("pg_basebackup"), "-D", str(to), "-d", connection, "--checkpoint=fast", "-X", "none", "--no-sync"],
        capture_output=True, text=True, check=False, cwd="/", **as_nobody_special(),  # type: ignore[call-overload]
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def psql(server: Server, sql: str) -> str:
    """What a statement gives."""
    done = subprocess.run(
        [program("psql"), "-AtX", "-c", sql, server.url()], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


async def now_of(server: Server) -> str:
    """The server's time."""
    return await asyncio.to_thread(psql, server, "SELECT clock_timestamp()")


def wait_for_archive(archive: Path) -> None:
    """Wait until the log's last part is archived, and no other comes for a second."""
    known, until = -1, time.monotonic() + 30
    while (count := len(list(archive.iterdir()))) != known:
        assert time.monotonic() < until
        known = count
        time.sleep(1)


def until_promoted(server: Server) -> None:
    """Wait until it takes changes."""
    until = time.monotonic() + 60
    while psql(server, "SELECT pg_is_in_recovery()") != "f":
        assert time.monotonic() < until, (server.folder / "log").read_text()[-2000:]
        time.sleep(0.2)
