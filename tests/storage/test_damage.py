"""Damaged files: a clear error, and every event that is whole is saved, whatever happened to the rest."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from elenchus.debate_engine.errors import DamagedLog, ElenchusError, StorageError, UnknownSession
from elenchus.debate_engine.events import Recorded
from elenchus.storage.salvage import readable_events
from elenchus.storage.sqlite_log import SqliteLog, open_log
from tests.storage.logs import epoch_of, numbers, said, started, step
from tests.storage.processes import child

PAGE = 4096
ROOT = Path(__file__).parents[2]

History = dict[str, list[Recorded]]


@dataclass(frozen=True)
class Sound:
    """A closed database of three sessions with events of all sizes, what is in it, and what each page is worth."""

    path: Path
    history: History = field(repr=False)
    per_page: list[int] = field(repr=False)

    @property
    def total(self) -> int:
        return sum(map(len, self.history.values()))


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Sound:
    path = tmp_path_factory.mktemp("sound") / "elenchus.db"
    history = asyncio.run(_fill(path))
    return Sound(path, history, _events_a_page(path, history))


async def _fill(path: Path) -> History:
    log = await open_log(path)
    history: History = {}
    for name in ("a", "b", "c"):
        epoch = await epoch_of(log, name)
        for n in range(12):
            await log.append(name, [said(f"{name}{n} " * (n + 1)), step(f"{n}", "long " * 17 ** (n % 4))], epoch)
        history[name] = await log.read(name)
    await log.aclose()
    return history


@pytest.fixture
def copy(sound: Sound, tmp_path: Path) -> Path:
    return Path(shutil.copy(sound.path, tmp_path / "copy.db"))


def check(found: History, whole: History) -> int:
    """Every saved event is one that was there; how many were saved."""
    for name, events in found.items():
        assert [r.seq for r in events] == sorted({r.seq for r in events})
        by_number = {r.seq: r for r in whole[name]}
        assert all(r == by_number[r.seq] for r in events)
    return sum(map(len, found.values()))


def test_all_of_a_sound_file_is_readable_whole_or_by_session(sound: Sound) -> None:
    path, history = sound.path, sound.history
    assert readable_events(path) == history
    assert readable_events(path, "b") == {"b": history["b"]}
    assert readable_events(path, "nope") == {}


def test_nothing_is_readable_where_there_is_nothing(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    for name in ("empty", "missing", "."):
        assert readable_events(tmp_path / name) == {}


async def test_what_is_still_in_the_write_ahead_log_of_a_killed_process_is_readable(
    sqlite_log: SqliteLog, path: Path, tmp_path: Path
) -> None:
    await sqlite_log.create("s", started())
    async with child("run", path, "s") as other:
        for _ in range(30):
            await other.line()
        await other.kill()
    expected = {s.id: await sqlite_log.read(s.id) for s in await sqlite_log.sessions()}
    shutil.copytree(path.parent, tmp_path / "copy", ignore=shutil.ignore_patterns("*-locks"))
    copied = tmp_path / "copy" / path.name
    assert readable_events(copied) == expected
    copied.write_bytes(b"")
    assert readable_events(copied) == expected, "all of it was in the write-ahead log"


@pytest.mark.slow
async def test_pages_of_the_write_ahead_log_after_a_damaged_one_are_saved_and_the_newest_words_win(
    sqlite_log: SqliteLog, path: Path, tmp_path: Path
) -> None:
    """SQLite itself, which asks for checksums, ends at the first damaged frame."""
    epoch = await epoch_of(sqlite_log)
    for n in range(20):
        await sqlite_log.append("s", [said(f"{n} " * 900)], epoch)
    whole = {"s": await sqlite_log.read("s")}
    database, log = path.read_bytes(), bytearray(path.with_name(f"{path.name}-wal").read_bytes())
    frames = range(32, len(log), PAGE + 24)
    assert len(frames) > 60
    copied = tmp_path / "copy.db"
    copied.write_bytes(database)
    lost = 0
    for frame in frames:
        damaged = log[:]
        damaged[frame + 24 : frame + 24 + PAGE] = bytes(PAGE)
        copied.with_name("copy.db-wal").write_bytes(damaged)
        lost += len(whole["s"]) - check(readable_events(copied), whole)
    assert lost <= 20, "at most the event that is on the page"
    assert check(readable_events(copied, "s"), whole) >= 21


async def test_the_newest_words_are_saved_from_the_log_of_a_file_that_was_cut_off(tmp_path: Path) -> None:
    path, copied = tmp_path / "whole.db", tmp_path / "copy.db"
    log = await open_log(path)
    await log.append("s", [said("word " * 900) for _ in range(50)], await epoch_of(log))
    await log.aclose()
    assert not path.with_name("whole.db-wal").exists(), "all of it is in the database"
    log = await open_log(path)
    epoch = (await log.claim("s")).epoch
    newest = [recorded for n in range(5) for recorded in await log.append("s", [said(f"{n} words")], epoch)]
    copied.write_bytes(path.read_bytes()[:PAGE])
    copied.with_name("copy.db-wal").write_bytes(path.with_name("whole.db-wal").read_bytes())
    assert readable_events(copied)["s"][-5:] == newest
    await log.aclose()


async def test_what_was_deleted_is_not_saved_from_an_older_version_of_its_page(
    sqlite_log: SqliteLog, path: Path
) -> None:
    epoch = await epoch_of(sqlite_log)
    await sqlite_log.append("s", [said("a"), said("b"), said("c")], epoch)
    await sqlite_log._writer.change(lambda c: c.execute("DELETE FROM events WHERE seq = 4").fetchall())
    assert [r.seq for r in readable_events(path)["s"]] == [1, 2, 3, 5]


def saved_elsewhere(path: Path, temporary: Path, limit: str = "unlimited") -> str:
    """What is said of a damaged file by a process with this folder for temporary files and this limit on their KiB."""
    temporary.mkdir()
    program = (
        "import pathlib, sys; from elenchus.storage.sqlite_errors import damaged; "
        "print(damaged(pathlib.Path(sys.argv[1]), 'x'))"
    )
    command = ["bash", "-c", f'ulimit -f {limit}; exec "$0" -c "{program}" "$1"', sys.executable, str(path)]
    environment = {**os.environ, "TMPDIR": str(temporary)}
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT, env=environment).stdout


def test_a_folder_without_room_for_a_copy_is_named_instead_of_calling_the_file_unreadable(
    copy: Path, tmp_path: Path
) -> None:
    """A limit on the size of files stands for a full disk."""
    told = saved_elsewhere(copy, tmp_path / "full", limit="64")
    assert f"What is left of {copy} is read from a copy" in told
    assert "none can be made in the folder for temporary files (OSError: [Errno 27] File too large" in told
    assert "set TMPDIR to a folder with room for it" in told
    assert "nothing in it can be read" not in told


def test_saving_changes_nothing_and_leaves_no_copy_behind(sound: Sound, copy: Path, tmp_path: Path) -> None:
    before = copy.read_bytes()
    assert f"{sound.total} events of 3 sessions can still be read" in saved_elsewhere(copy, tmp_path / "temporary")
    assert copy.read_bytes() == before
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["copy.db", "temporary"]
    assert list((tmp_path / "temporary").iterdir()) == []


def test_a_file_cut_off_anywhere_gives_what_lies_before_the_cut(sound: Sound, copy: Path) -> None:
    history = sound.history
    size, saved = copy.stat().st_size, []
    for length in sorted({*range(size, 0, -3 * PAGE), *range(size, 0, -7777), 1, 16, 99, 100, 511, 512}, reverse=True):
        os.truncate(copy, length)
        saved.append(check(readable_events(copy), history))
    assert saved[0] == sum(map(len, history.values()))
    assert saved == sorted(saved, reverse=True), "a shorter file never gives more"
    assert saved[len(saved) // 2] > 0


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    damages=st.lists(
        st.tuples(
            st.integers(0, 999), st.integers(0, 999), st.sampled_from(["zeros", "noise", "a leaf of noise", "swap"])
        ),
        min_size=1,
        max_size=5,
    )
)
def test_events_on_pages_that_were_not_touched_are_all_saved(
    sound: Sound, copy: Path, damages: list[tuple[int, int, str]]
) -> None:
    """Damage by the page: zeros, noise or another page's content instead of it."""
    path, history = sound.path, sound.history
    whole = path.read_bytes()
    content, pages = bytearray(whole), len(whole) // PAGE
    for page, other, how in damages:
        noise = random.Random(other).randbytes(PAGE)
        instead = {
            "zeros": bytes(PAGE),
            "noise": noise,
            "a leaf of noise": b"\r" + noise[1:],
            "swap": whole[other % pages * PAGE :][:PAGE],
        }
        content[page % pages * PAGE : (page % pages + 1) * PAGE] = instead[how]
    copy.write_bytes(content)
    saved = check(readable_events(copy), history)
    assert saved >= sound.total - len(damages) * max(sound.per_page)


def _events_a_page(path: Path, history: History) -> list[int]:
    """How many events are lost with each page."""
    content, total, lost = path.read_bytes(), sum(map(len, history.values())), []
    copy = path.with_name("probe.db")
    for page in range(len(content) // PAGE):
        copy.write_bytes(content[: page * PAGE] + bytes(PAGE) + content[(page + 1) * PAGE :])
        lost.append(total - sum(map(len, readable_events(copy).values())))
    copy.unlink()
    return lost


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(flips=st.lists(st.tuples(st.integers(0), st.integers(1, 255)), min_size=1, max_size=40))
def test_flipped_bytes_never_raise_and_cost_few_events(sound: Sound, copy: Path, flips: list[tuple[int, int]]) -> None:
    path, history = sound.path, sound.history
    content = bytearray(path.read_bytes())
    for place, change in flips:
        content[place % len(content)] ^= change
    copy.write_bytes(content)
    found = readable_events(copy)
    known = {(name, r.seq): r for name, events in history.items() for r in events}
    altered = sum(r != known.get((name, r.seq)) for name, events in found.items() for r in events)
    assert altered <= len(flips), "a flipped letter within a text is not noticed"
    lost = sum(map(len, history.values())) - sum(map(len, found.values()))
    assert lost <= len(flips) * max(sound.per_page)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=3 * PAGE), st.sampled_from([b"", b"SQLite format 3\0", b"\r" * 8]))
def test_no_content_at_all_makes_salvage_raise(
    tmp_path_factory: pytest.TempPathFactory, noise: bytes, head: bytes
) -> None:
    path = tmp_path_factory.mktemp("noise") / "x.db"
    path.write_bytes(head + noise)
    path.with_name("x.db-wal").write_bytes(noise)
    assert readable_events(path) == {}


@pytest.mark.slow
async def test_every_cut_and_flip_gives_either_the_events_or_a_storage_error(sound: Sound, tmp_path: Path) -> None:
    content, errors = sound.path.read_bytes(), list[ElenchusError]()
    for n in range(60):
        chance = random.Random(n)
        copy = tmp_path / f"{n}.db"
        broken = bytearray(content[: chance.randrange(1, len(content))] if n % 2 else content)
        for _ in range(chance.randint(0, 40)):
            start = chance.randrange(len(broken))
            broken[start : start + 50] = chance.randbytes(min(50, len(broken) - start))
        copy.write_bytes(broken)
        errors += await _use(copy, sound)
    damaged = [str(error) for error in errors if isinstance(error, DamagedLog)]
    assert len(damaged) > 20
    for message in damaged:
        assert ".db is damaged" in message
        assert "can still be read" in message or "nothing in it can be read" in message
    assert any(f"of {len(sound.history)} sessions can still be read" in message for message in damaged)


async def _use(copy: Path, sound: Sound) -> list[ElenchusError]:
    """Do everything with a damaged copy; the errors of it. What is read is what was there."""
    errors: list[ElenchusError] = []
    try:
        log = await open_log(copy, patience=0.2)
    except StorageError as error:
        return [error]
    for name, events in sound.history.items():
        calls = (log.read(name), log.sessions(), log.info(name), log.claim(name), log.send(name, said("more")))
        for number, call in enumerate(calls):
            try:
                got = await call
                if isinstance(got, list) and got and isinstance(got[0], Recorded):
                    assert [r.seq for r in got] == [r.seq for r in events]
            except UnknownSession as error:
                assert number > 2 or name not in readable_events(copy), error
            except StorageError as error:
                errors.append(error)
    await log.aclose()
    return errors


async def test_a_damaged_event_is_named_while_the_rest_is_saved_and_writing_goes_on(
    sqlite_log: SqliteLog, path: Path
) -> None:
    epoch = await epoch_of(sqlite_log)
    await sqlite_log.append("s", [said("a"), said("b"), said("c")], epoch)
    await sqlite_log._writer.change(lambda c: c.execute("UPDATE events SET body = '{' WHERE seq = 4").fetchall())
    with pytest.raises(DamagedLog, match=r"event 4 of session s .*4 events of 1 sessions can still be read"):
        await sqlite_log.read("s")
    assert [r.seq for r in readable_events(path)["s"]] == [1, 2, 3, 5]
    assert (await sqlite_log.append("s", [said("d")], epoch))[0].seq == 6


async def test_looking_at_a_damaged_file_keeps_sqlites_locks_on_it(sqlite_log: SqliteLog, path: Path) -> None:
    """Closing a descriptor of the file would drop them; then the other program could take the file for itself."""
    await epoch_of(sqlite_log)
    for _ in range(3):
        assert len(readable_events(path)["s"]) == 2
    async with child("lock", path, "PRAGMA locking_mode = EXCLUSIVE") as other:
        assert await other.line() == "database is locked"
    assert numbers(await sqlite_log.read("s")) == [1, 2]
