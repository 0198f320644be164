"""Opening: new, older, newer, foreign and unusable files; folders that cannot be written; disks that are full."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack, closing
from pathlib import Path

import pytest

from elenchus.debate_engine.errors import DamagedLog, DiskFull, NewerSchema, StorageError
from elenchus.storage.schema import MIGRATIONS, Sync
from elenchus.storage.sqlite_log import SqliteLog, open_log
from tests.storage.logs import epoch_of, said, started
from tests.storage.processes import ROOT, child


async def test_opening_makes_the_folder_for_its_user_alone_and_the_tables(path: Path) -> None:
    await (await open_log(path)).aclose()
    assert path.parent.stat().st_mode & 0o777 == 0o700
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.parametrize("sync, level", [("normal", 1), ("full", 2)])
async def test_a_log_can_be_asked_to_wait_for_the_disk(path: Path, sync: Sync, level: int) -> None:
    log = await open_log(path, sync=sync)
    assert await log._writer.outside(lambda c: c.execute("PRAGMA synchronous").fetchone()) == (level,)
    await log.aclose()


async def test_processes_that_open_a_new_log_at_once_all_succeed(path: Path) -> None:
    async with AsyncExitStack() as stack:
        others = [await stack.enter_async_context(child("opened", path)) for _ in range(4)]
        assert [await other.line() for other in others] == ["open 0"] * 4


async def test_a_newer_schema_is_refused_with_a_clear_error_and_left_alone(path: Path) -> None:
    await (await open_log(path)).aclose()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    before = path.read_bytes()
    with pytest.raises(NewerSchema, match=r"elenchus\.db was written by a newer Elenchus .* upgrade Elenchus\."):
        await open_log(path)
    assert path.read_bytes() == before


async def test_another_programs_database_is_refused_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(StorageError, match="another program"):
        await open_log(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"Dear diary, " * 100, b"xx", b"SQLite format 3\0" + bytes(4000)])
async def test_a_file_that_is_no_database_is_called_damaged(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(DamagedLog, match=r"elenchus\.db is damaged .*nothing in it can be read"):
        await open_log(path)
    assert path.read_bytes() == content


async def test_an_event_of_a_newer_version_asks_for_the_upgrade(sqlite_log: SqliteLog, path: Path) -> None:
    epoch = await epoch_of(sqlite_log)
    await sqlite_log.append("s", [said("a"), said("b")], epoch)
    changes = {3: ("telepathy", '{"kind": "telepathy"}'), 4: ("guidance", None)}
    for seq, (kind, body) in changes.items():
        with closing(sqlite3.connect(path)) as tool, tool:
            new = "json_set(body, '$.mood', 'new')" if body is None else f"'{body}'"
            tool.execute(f"UPDATE events SET kind = ?, body = {new} WHERE seq = ?", (kind, seq))
        with pytest.raises(NewerSchema, match=rf"Event {seq} of session s .*\(kind {kind}\).*upgrade"):
            await sqlite_log.read("s", after=seq - 1)


@pytest.mark.parametrize("user", ["root", "nobody"])
async def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, user: str) -> None:
    """As root the folder is a file; as nobody (or whoever runs this) it may not be written."""
    if user == "root":
        (tmp_path / "home").write_text("a file")
        with pytest.raises(StorageError, match=r"used \(file exists: \S+home\): make the folder writable or set"):
            await open_log(tmp_path / "home" / "elenchus.db")
        return
    tmp_path.chmod(0o555)
    code = (
        "import asyncio, os, sys; from pathlib import Path; from elenchus.storage.sqlite_log import open_log; "
        "os.getuid() or os.setuid(65534)\n"
        "try: asyncio.run(open_log(Path(sys.argv[1])))\n"
        "except Exception as error: print(type(error).__name__, error)"
    )
    for path in (tmp_path / "elenchus.db", tmp_path / "new" / "elenchus.db"):
        command, environment = [sys.executable, "-c", code, str(path)], {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        assert done.stdout.startswith("StorageError"), done
        assert "writable or set ELENCHUS_HOME" in done.stdout
    tmp_path.chmod(0o755)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("mounting a small disk needs root")
    yield disk
    subprocess.run(["umount", "--lazy", disk], check=True)


async def test_a_full_disk_refuses_each_append_on_its_own_and_is_usable_again_when_there_is_room(
    small_disk: Path,
) -> None:
    log = await open_log(small_disk / "elenchus.db")
    epoch = await epoch_of(log)
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(500_000))
    done, errors = [2], list[BaseException]()
    for _ in range(100):
        tasks = [asyncio.create_task(log.append("s", [said("x" * 3000)], epoch)) for _ in range(10)]
        await asyncio.wait(tasks)
        done += [r.seq for task in tasks if not task.exception() for r in task.result()]
        errors = [error for task in tasks if (error := task.exception())]
        if errors:
            break
    assert errors
    assert {type(error) for error in errors} == {DiskFull}
    assert "There is no room left to write" in str(errors[0])
    assert "free some space" in str(errors[0])
    assert [r.seq for r in await log.read("s")] == list(range(1, len(done) + 2)), "what was acknowledged, no more"
    with pytest.raises(StorageError, match="no room"):
        await log.create("new", started("y" * 50_000))
    ballast.unlink()
    (recorded,) = await log.append("s", [said("again")], epoch)
    assert recorded.seq == len(done) + 2
    await log.aclose()
    with closing(sqlite3.connect(small_disk / "elenchus.db")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
