"""An older Elenchus and this one run beside each other over one PostgreSQL: the older one is another checkout.

It is the last commit of which `storage/postgres_schema.py` is the same in its released steps: its code is taken from
git, and run by this environment's Python. Where there is no git history (a clone of depth one), this is skipped, and
says so.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.storage.postgres_server import Server, temporary_server

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
OLD = "4bb5e831"
"""The state before workers, Redis and shared classes: sessions in PostgreSQL, and no more."""


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
