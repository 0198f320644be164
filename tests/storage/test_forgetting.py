"""Redaction and deletion leave no trace: not in the database, its log, freed pages or any other file beside it."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import subprocess
from collections import Counter
from contextlib import aclosing, closing
from pathlib import Path

import pytest

from elenchus.debate_engine.errors import StorageError
from elenchus.debate_engine.events import ForgetAsked, Recorded, SeatLeft, TurnAnswered, TurnOpened
from elenchus.storage.database import count, counted
from elenchus.storage.schema import connect_writer
from elenchus.storage.secure_erasure import ERASING, cut_write_ahead_log, erase
from elenchus.storage.sqlite_log import SqliteLog, open_log
from tests.debate_engine.toy import toy_runner, toy_started
from tests.storage.logs import connection_of, numbers, said, settle, started, step
from tests.storage.processes import child

SECRET = "Nobody must ever learn about the heron"


def traces(path: Path, needle: str = SECRET) -> list[str]:
    """The files under the log's folder that contain the needle.

    In a process of its own: opening and closing the database here would drop SQLite's locks on it.
    """
    found = subprocess.run(["grep", "-rlaF", needle, path.parent], capture_output=True, text=True, check=False)
    return sorted(Path(line).name for line in found.stdout.splitlines())


def redacted(events: list[Recorded]) -> list[Recorded]:
    lines = [Recorded.model_validate_json(r.model_dump_json().replace(SECRET, "[redacted]")) for r in events]
    return [new for new, old in zip(lines, events, strict=True) if new != old]


async def secretive(log: SqliteLog, session_id: str = "s") -> int:
    """A session with the secret in its title and in short and long events among others'; its epoch."""
    await log.create(session_id, started(f"Is it true? {SECRET}"))
    epoch = (await log.claim(session_id)).epoch
    for n in range(30):
        long = "quoted " * random.Random(n).randint(1, 3000)
        await log.append(session_id, [said(f"{n} {SECRET}"), step(f"round/{n}", {"text": long + SECRET + long})], epoch)
        await log.send(session_id, said("others' words " * 20))
    return epoch


async def test_redacted_words_are_nowhere_on_disk_while_others_have_the_log_open(
    sqlite_log: SqliteLog, path: Path
) -> None:
    epoch = await secretive(sqlite_log)
    assert traces(path)
    other = await open_log(path)
    async with aclosing(other.follow("s")) as following:
        await anext(following)
        before = await sqlite_log.read("s")
        await sqlite_log.rewrite("s", redacted(before), epoch)
        assert traces(path) == []
        after = await sqlite_log.read("s")
        assert [(r.seq, r.at) for r in after] == [(r.seq, r.at) for r in before]
        assert SECRET not in str(after)
        assert "[redacted]" in (await sqlite_log.info("s")).title
        await sqlite_log.append("s", [said("life goes on")], epoch)
        assert numbers(await other.read("s", after=92)) == [93]
    await other.aclose()
    assert traces(path) == []


async def test_a_deleted_session_is_nowhere_on_disk(sqlite_log: SqliteLog, path: Path) -> None:
    for name in ("s", "t"):
        await secretive(sqlite_log, name)
    other = await open_log(path)
    await sqlite_log.create("kept", started("kept words"))
    for name in ("s", "t"):
        await (await sqlite_log.claim(name, take_over=True)).release()
        await sqlite_log.delete(name)
    assert traces(path) == []
    assert traces(path, "kept words") != []
    assert [s.id for s in await other.sessions()] == ["kept"]
    await other.aclose()


async def test_words_in_pages_that_another_tool_freed_go_with_the_next_redaction(path: Path) -> None:
    log = await open_log(path)
    epoch = await secretive(log)
    await log.aclose()
    with closing(sqlite3.connect(path)) as tool, tool:
        tool.execute("PRAGMA secure_delete = OFF")
        tool.execute("DELETE FROM events WHERE seq > 20")
        tool.execute("UPDATE sessions SET head = 20")
    log = await open_log(path)
    await log.rewrite("s", redacted(await log.read("s")), epoch)
    assert traces(path) == []
    assert len(await log.read("s")) == 20
    await log.aclose()


async def test_many_deletions_at_once_rebuild_the_file_a_few_times_only(sqlite_log: SqliteLog, path: Path) -> None:
    for n in range(40):
        await sqlite_log.create(f"s{n}", started(f"{n} {SECRET}"))
    statements: list[str] = []
    connection_of(sqlite_log).set_trace_callback(statements.append)
    await asyncio.gather(*(sqlite_log.delete(f"s{n}") for n in range(40)))
    connection_of(sqlite_log).set_trace_callback(None)
    assert statements.count("VACUUM") <= 10
    assert traces(path) == []


@pytest.mark.slow
async def test_a_program_that_keeps_reading_is_named_and_the_next_opening_finishes_the_erasing(
    sqlite_log: SqliteLog, path: Path
) -> None:
    epoch = await secretive(sqlite_log)
    events = redacted(await sqlite_log.read("s"))
    async with child("lock", path, "BEGIN") as other:
        assert await other.line() == "locked"
        begun = asyncio.get_running_loop().time()
        rewriting = asyncio.create_task(sqlite_log.rewrite("s", events, epoch))
        await settle(rewriting)
        await sqlite_log.send("s", said("nobody else waits"))
        assert not rewriting.done()
        with pytest.raises(StorageError, match=f"still in .*process {other.pid} is reading it.*Opening Elenchus again"):
            await rewriting
        assert asyncio.get_running_loop().time() - begun < ERASING + 5
        assert SECRET not in str(await sqlite_log.read("s")), "the rewrite itself was made"
        assert traces(path)
        await other.end()
    await (await open_log(path)).aclose()
    assert traces(path) == []


async def test_a_crash_between_the_change_and_the_erasing_is_made_good_at_the_next_opening(path: Path) -> None:
    log = await open_log(path)
    epoch = await secretive(log)
    events = redacted(await log.read("s"))
    erasing = asyncio.create_task(log.rewrite("s", events, epoch))
    with closing(sqlite3.connect(path)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM events").fetchone()
        await settle(erasing)
        erasing.cancel()
        await asyncio.wait([erasing])
        await log.aclose()
        assert traces(path)
    await (await open_log(path)).aclose()
    assert traces(path) == []


def test_no_sequence_of_changes_leaves_a_copy_of_a_row_that_moved(tmp_path: Path) -> None:
    """Rows that grow, shrink and move between pages leave copies in the pages' unused middle; none may survive.

    Tried while writing: without the VACUUM in `erase`, secure_delete alone leaves traces for 5 of these seeds.
    """
    for seed in range(40):
        path = tmp_path / f"{seed}.db"
        with closing(connect_writer(path, "normal")) as connection:
            turmoil(connection, random.Random(seed))
            connection.execute("UPDATE events SET body = '[redacted]'")
            connection.execute("DELETE FROM sessions WHERE id <> 's'")
            count(connection, "traces")
            assert cut_write_ahead_log(connection, erase(connection, 1))
            assert counted(connection, "traces") == 0
    assert traces(tmp_path / "any") == []


def turmoil(connection: sqlite3.Connection, chance: random.Random) -> None:
    """Insert, change and delete rows with the secret in all sizes."""
    connection.execute("INSERT INTO sessions VALUES ('s', '', '', '', '', 0, 0, NULL, NULL, NULL, NULL)")
    for n in range(300):
        text = f"{SECRET} " * chance.randint(1, chance.choice([3, 10, 60, 200]))
        match chance.choices(["insert", "update", "delete", "session"], [50, 25, 10, 15])[0]:
            case "insert":
                connection.execute("INSERT INTO events VALUES (NULL, 's', ?, '', '', ?, '')", (n, text))
            case "update":
                connection.execute("UPDATE events SET body = ? WHERE seq = ?", (text, chance.randint(0, n)))
            case "delete":
                connection.execute("DELETE FROM events WHERE seq = ?", (chance.randint(0, n),))
            case _:
                session = f"{SECRET} {chance.randint(0, 50)}"
                connection.execute("DELETE FROM sessions WHERE id = ?", (session,))
                connection.execute(
                    "INSERT INTO sessions VALUES (?, ?, '', '', '', 0, 0, NULL, NULL, NULL, NULL)", (session, text)
                )


async def test_what_is_being_written_while_somebody_is_forgotten_is_rewritten_too(sqlite_log: SqliteLog) -> None:
    """Without the wait for the writer at the start of the rewriting, some sessions keep the words or break off."""
    runner = toy_runner(sqlite_log, Counter())
    for n in range(25):
        session_id = await runner.create(toy_started(rounds=3, specs={"b": "human:bo"}), f"s{n}")
        running = asyncio.create_task(runner.run(session_id))
        async with aclosing(sqlite_log.follow(session_id)) as events:
            async for r in events:
                if isinstance(r.event, TurnOpened):
                    break
        await sqlite_log.send(session_id, TurnAnswered(step="round/1/b", seat="b", by="bo", answer=SECRET))
        await asyncio.sleep(random.Random(n).random() * 0.01)
        await sqlite_log.send(session_id, ForgetAsked(by="bo", seat="b"))
        await sqlite_log.send(session_id, SeatLeft(by="bo", seat="b"))
        assert (await asyncio.wait_for(running, 30)).state == "finished"
        assert SECRET not in "\n".join(str(r.line()) for r in await sqlite_log.read(session_id))
