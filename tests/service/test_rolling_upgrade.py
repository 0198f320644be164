"""An older Elenchus and this one run beside each other over one PostgreSQL: the older one is another checkout.

It is the last commit of which `storage/postgres_schema.py` is the same in its released steps: its code is taken from
git, and run by this environment's Python. Where there is no git history (a clone of depth one), this is skipped, and
says so.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest

from elenchus.debate_engine.steps import RELEASE, release_of
from elenchus.storage.postgres_log import open_postgres
from tests.storage.logs import started
from tests.storage.postgres_server import Server, temporary_server

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
NEXT = RELEASE.split(".")[0] + ".9999"
OLD = "4bb5e831"
"""The state before workers, Redis and shared classes: sessions in PostgreSQL, and no more. It is of 0.1, as this one
is: from 0.2 on it is the commit of the last 0.1, and goes on with what this one recorded only where both ask alike.
"""


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A checkout of the older state."""
    folder = tmp_path_factory.mktemp("old") / "checkout"
    made = subprocess.run(
        ["git", "worktree", "add", "--detach", str(folder), OLD], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if made.returncode:
        pytest.skip(f"the older state is not in this clone: {made.stderr.strip()[-200:]}")
    yield folder
    subprocess.run(["git", "worktree", "remove", "--force", str(folder)], cwd=ROOT, check=True, capture_output=True)


@pytest.fixture(scope="module")
def newer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The next release, in which every prompt of a debate is worded otherwise."""
    folder = tmp_path_factory.mktemp("newer") / "newer"
    for package in ("src", "bot", "config", "debate_engine", "detectors", "service", "storage"):
        unneeded = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / package, folder / package, symlinks=True, ignore=unneeded)
    steps = folder / "debate_engine/steps.py"
    text, named = re.subn(r"(?m)^RELEASE = .*", f'RELEASE = "{NEXT}"', steps.read_text())
    assert named == 1
    steps.write_text(text)
    for prompt in (folder / "debate_engine/protocols/socrasynth/prompts").glob("*.md"):
        text = prompt.read_text()
        prompt.write_text(text.replace("%% task\n", "%% task\nPlease do what follows.\n"))
        assert prompt.read_text() != text
    return folder


@pytest.fixture(scope="module")
def database() -> Iterator[Server]:
    made = temporary_server(fsync="off")
    yield made
    made.remove()


def begun(checkout: Path, database: Server, home: Path, *arguments: str) -> subprocess.Popen[str]:
    """A command of a checkout, at work."""
    source = (
        f"import sys; sys.path.insert(0, {str(checkout / 'src')!r}); sys.argv = ['elenchus', *sys.argv[1:]]; "
        "from elenchus.service.cli import main; main()"
    )
    known = {**os.environ, "ELENCHUS_HOME": str(home), "ELENCHUS_DATABASE_URL": database.url()}
    return subprocess.Popen(
        [sys.executable, "-P", "-c", source, *arguments], env=known, cwd=home, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def elenchus(checkout: Path, database: Server, home: Path, *arguments: str) -> Any:
    """What a command of a checkout prints as JSON. Raises AssertionError where it fails."""
    done = begun(checkout, database, home, *arguments)
    out, err = done.communicate(timeout=240)
    assert done.returncode == 0, err[-2000:] + out[-500:]
    return json.loads(out)


def killed_amid(checkout: Path, database: Server, home: Path) -> str:
    """A debate of a checkout that was killed after some of its steps; its id."""
    before = set(asked(database, "SELECT id FROM elenchus.sessions"))
    done = begun(checkout, database, home, "debate", "Homework should end", *seats("scripted:demo?latency=0.3"))
    until = time.monotonic() + 120
    while not (new := set(asked(database, "SELECT id FROM elenchus.sessions WHERE head > 14")) - before):
        assert time.monotonic() < until
        assert done.poll() is None, done.communicate()
        time.sleep(0.1)
    done.kill()
    done.communicate()
    return new.pop()


def asked(database: Server, sql: str) -> list[str]:
    """The first column of what a statement gives; nothing before there are tables."""
    with psycopg.connect(database.url(), autocommit=True) as connection, suppress(psycopg.errors.UndefinedTable):
        return [row[0] for row in connection.execute(sql.encode()).fetchall()]
    return []


FOLLOW = """
import asyncio, sys
sys.path.insert(0, sys.argv[1])
from elenchus.storage.postgres_log import open_postgres

async def main():
    log = await open_postgres(sys.argv[2])
    async for recorded in log.follow("followed"):
        print(recorded.seq, flush=True)

asyncio.run(main())
"""


async def following(checkout: Path, database: Server, folder: Path) -> asyncio.subprocess.Process:
    """A process of a checkout that prints the number of each event of the session `followed`."""
    return await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-c", FOLLOW, str(checkout / "src"), database.url(), cwd=folder,
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip


SEND = """
import asyncio, sys
sys.path.insert(0, sys.argv[1])
from elenchus.debate_engine.events import Guidance
from elenchus.storage.postgres_log import open_postgres

async def main():
    log = await open_postgres(sys.argv[2])
    await log.send("followed", Guidance(by="moderator", to=("pro",), text="hello"))
    await log.aclose()

asyncio.run(main())
"""


async def sent(checkout: Path, database: Server, folder: Path) -> None:
    """A process of a checkout says something in that session."""
    words = (sys.executable, "-P", "-c", SEND, str(checkout / "src"), database.url())
    process = await asyncio.create_subprocess_exec(*words, cwd=folder)
    assert await process.wait() == 0


def seats(spec: str) -> list[str]:
    """Options of a small debate whose seats this model takes."""
    named = [word for option in ("--pro", "--con", "--judge", "--crit") for word in (option, spec)]
    return [*named, "--max-rounds", "1", "--json"]


def test_each_version_goes_on_with_what_the_other_was_killed_at_and_both_read_all_of_it(
    old: Path, database: Server, tmp_path: Path
) -> None:
    """The code of the one runs through all recorded steps of the other: a changed hash of a step would be an error."""
    for first, then in ((old, ROOT), (ROOT, old)):
        session = killed_amid(first, database, tmp_path)
        elenchus(then, database, tmp_path, "sessions", "resume", session, "--json")
        assert asked(database, f"SELECT state FROM elenchus.sessions WHERE id = '{session}'") == ["finished"]
        for reader in (old, ROOT):
            shown = elenchus(reader, database, tmp_path, "sessions", "show", session, "--json")
            assert "Homework should end" in json.dumps(shown)
        twice = f"""SELECT body::json ->> 'step' FROM elenchus.events WHERE session = '{session}' AND kind = 'step_done'
            GROUP BY 1 HAVING count(*) > 1"""
        assert asked(database, twice) == []


async def test_each_version_follows_what_the_other_writes_beside_it(
    old: Path, database: Server, tmp_path: Path
) -> None:
    log = await open_postgres(database.url())
    await log.create("followed", started())
    await log.aclose()
    both = [await following(checkout, database, tmp_path) for checkout in (old, ROOT)]
    try:
        for head in range(1, 6):
            for process in both:
                assert process.stdout is not None
                assert int(await asyncio.wait_for(process.stdout.readline(), 60 if head == 1 else 5)) == head
            await sent((old, ROOT)[head % 2], database, tmp_path)
    finally:
        for process in both:
            process.kill()
            await process.wait()


# ── a release that asks otherwise ────────────────────────────────────────────────────────────────────────────────────


def recorded_by(database: Server, session: str) -> tuple[int, int]:
    """How many steps of a session this release has recorded, and how many the next one."""
    hashes = asked(
        database,
        f"SELECT body::json ->> 'input_hash' FROM elenchus.events WHERE session = '{session}' "
        "AND kind IN ('step_done', 'said')",
    )
    by_next = sum(release_of(found) == NEXT for found in hashes)
    return len(hashes) - by_next, by_next


def test_a_debate_goes_on_under_the_next_release_and_its_report_says_so(
    newer: Path, database: Server, tmp_path: Path
) -> None:
    session = killed_amid(ROOT, database, tmp_path)
    before, none = recorded_by(database, session)
    assert (before > 3, none) == (True, 0)
    elenchus(newer, database, tmp_path, "sessions", "resume", session, "--json")
    assert asked(database, f"SELECT state FROM elenchus.sessions WHERE id = '{session}'") == ["finished"]
    ours, theirs = recorded_by(database, session)
    assert (ours, theirs > 3) == (before, True)
    for reader in (ROOT, newer):
        out = tmp_path / f"by-{reader.name}"
        elenchus(reader, database, tmp_path, "sessions", "export", session, "--export", str(out), "--json")
        run = json.loads((out / "run.json").read_text())
        assert run["steps_recorded_by"] == {RELEASE: ours, NEXT: theirs}
        told = f"Steps were recorded by more than one release ({ours} by {RELEASE}, {theirs} by {NEXT})"
        assert told in (out / "report.md").read_text()


def test_somebody_is_forgotten_by_either_release_and_the_one_that_recorded_it_goes_on(
    newer: Path, database: Server, tmp_path: Path
) -> None:
    for recording, forgetting in ((ROOT, newer), (newer, ROOT)):
        session = killed_amid(recording, database, tmp_path)
        words = "Ferries at dawn carry nobody but gulls"
        elenchus(recording, database, tmp_path, "sessions", "guide", session, words, "--by", "Mo", "--json")
        before = recorded_by(database, session)
        elenchus(forgetting, database, tmp_path, "sessions", "forget", session, "Mo", "--yes", "--json")
        assert (
            asked(database, f"SELECT kind FROM elenchus.events WHERE session = '{session}' AND body::text ~ 'gulls'")
            == []
        )
        assert recorded_by(database, session) == before
        elenchus(recording, database, tmp_path, "sessions", "resume", session, "--json")
        assert asked(database, f"SELECT state FROM elenchus.sessions WHERE id = '{session}'") == ["finished"]


def test_what_the_next_release_has_recorded_is_left_to_it(newer: Path, database: Server, tmp_path: Path) -> None:
    """By hand with a sentence; and a worker leaves it to one of the next release, once there is one."""
    session = killed_amid(newer, database, tmp_path)
    steps = recorded_by(database, session)
    done = begun(ROOT, database, tmp_path, "sessions", "resume", session, "--json")
    out, err = done.communicate(timeout=240)
    assert (done.returncode, f"go on with {NEXT}" in err) == (5, True), err + out
    assert recorded_by(database, session) == steps

    workers = [begun(ROOT, database, tmp_path, "worker")]
    try:
        elenchus(ROOT, database, tmp_path, "sessions", "resume", session, "--detach", "--json")
        until = time.monotonic() + 120
        while f"go on with {NEXT}" not in paused_why(database, session):
            assert time.monotonic() < until
            time.sleep(0.2)
        assert "no worker can run it: Step" in paused_why(database, session)
        workers.append(begun(newer, database, tmp_path, "worker"))
        while len(asked(database, "SELECT DISTINCT origin FROM elenchus_queue.served")) < 2:
            assert workers[-1].poll() is None
            time.sleep(0.2)
        elenchus(ROOT, database, tmp_path, "sessions", "resume", session, "--detach", "--json")
        until = time.monotonic() + 120
        while asked(database, f"SELECT state FROM elenchus.sessions WHERE id = '{session}'") != ["finished"]:
            assert time.monotonic() < until
            time.sleep(0.2)
        assert recorded_by(database, session)[0] == 0
    finally:
        for worker in workers:
            worker.kill()
            worker.communicate()


def paused_why(database: Server, session: str) -> str:
    """The reason that a session's last pause names, "" for none."""
    found = asked(
        database,
        f"SELECT body::json ->> 'reason' FROM elenchus.events WHERE session = '{session}' "
        "AND kind = 'session_paused' ORDER BY seq",
    )
    return found[-1] if found else ""
