"""What another program, or a hand, has put into the queue's table: no worker ends for it, and sessions go on."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from elenchus.service.cli.shared_health import examined
from elenchus.service.workers.queue import QUEUES
from elenchus.storage.postgres_connection import ALL, channel_of
from tests.service.cli.program import ELENCHUS, environment
from tests.service.workers.fleet import until
from tests.service.workers.parts import settings_of
from tests.storage.postgres_server import PASSWORD, USER

pytestmark = pytest.mark.slow


def asked(url: str, sql: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url, autocommit=True, options="-c search_path=elenchus_queue") as connection:
        found = connection.execute(sql.encode())
        return found.fetchall() if found.description else []


@contextmanager
def a_worker(url: str, home: Path, said: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A worker process; what it says is in a file."""
    known = environment(home, {"ELENCHUS_DATABASE_URL": url})
    with said.open("wb") as file:
        process = subprocess.Popen([*ELENCHUS, "worker"], stdout=file, stderr=file, cwd=home, env=known)
    try:
        yield process
    finally:
        process.kill()
        process.wait(30)


DEBATE = ["debate", "A motion", "--model", "scripted:demo", "--max-rounds", "1", "--topics", "1", "--detach", "--json"]


def begun(url: str, home: Path) -> str:
    """A debate that waits for a worker; its id."""
    known = environment(home, {"ELENCHUS_DATABASE_URL": url})
    done = subprocess.run([*ELENCHUS, *DEBATE], capture_output=True, check=True, cwd=home, env=known)
    return str(json.loads(done.stdout)["id"])


@pytest.mark.parametrize("at", ["-infinity", "4000-01-01 BC"])
async def test_workers_outlive_a_job_with_a_time_that_is_no_date_and_run_the_others(
    at: str, database_url: str, tmp_path: Path
) -> None:
    odd, good = begun(database_url, tmp_path), begun(database_url, tmp_path)
    asked(database_url, f"UPDATE procrastinate_jobs SET scheduled_at = '{at}' WHERE lock = '{odd}'")
    (row,) = [row for row in await examined(settings_of(database_url, tmp_path)) if row["what"] == "queue"]
    assert "sessions 2 wait" in row["said"]

    def ended() -> bool:
        return asked(database_url, f"SELECT state FROM elenchus.sessions WHERE id = '{good}'") == [("finished",)]

    with a_worker(database_url, tmp_path, said := tmp_path / "said") as worker:
        await until(lambda: ended() or worker.poll() is not None)
        told = said.read_text()
        assert worker.poll() is None, told
    assert "has a time that is no date" in told


DEEP = "(repeat('[', 3000) || repeat(']', 3000))::jsonb"
"""Deeper than Python reads JSON, and not than PostgreSQL does."""


@pytest.mark.parametrize("arguments", ["'[1, 2]'", f"jsonb_build_object('session', {DEEP})"])
async def test_a_job_whose_arguments_cannot_be_read_is_given_up_and_its_session_can_be_asked_for_again(
    arguments: str, database_url: str, tmp_path: Path
) -> None:
    odd, good = begun(database_url, tmp_path), begun(database_url, tmp_path)
    asked(database_url, f"UPDATE procrastinate_jobs SET args = {arguments} WHERE lock = '{odd}'")

    def state(session: str) -> object:
        return asked(database_url, f"SELECT state FROM elenchus.sessions WHERE id = '{session}'")[0][0]

    def given_up() -> bool:
        return asked(database_url, f"SELECT status::text FROM procrastinate_jobs WHERE lock = '{odd}'") == [("failed",)]

    with a_worker(database_url, tmp_path, said := tmp_path / "said") as worker:
        await until(lambda: (state(good) == "finished" and given_up()) or worker.poll() is not None)
        assert worker.poll() is None, said.read_text()
        assert "has arguments that cannot be read" in said.read_text()
        known = environment(tmp_path, {"ELENCHUS_DATABASE_URL": database_url})
        resume = [*ELENCHUS, "sessions", "resume", odd, "--detach"]
        subprocess.run(resume, capture_output=True, check=True, cwd=tmp_path, env=known)
        await until(lambda: state(odd) == "finished")


ABORTED = [f'{{"type": "abort_job_requested", "job_id": {job}}}' for job in range(1, 9)]
NOTICES = ("garbage", "", "[]", '{"type": "of tomorrow"}', "[" * 4000, *ABORTED)


async def test_a_role_that_may_only_connect_ends_no_worker_and_breaks_off_no_run(
    database_url: str, tmp_path: Path
) -> None:
    """PostgreSQL lets every role tell anything on every channel."""
    poor = f"poor_{database_url.rpartition('/')[2]}"
    asked(database_url, f"CREATE ROLE {poor} LOGIN PASSWORD 'p'")
    address = database_url.replace(f"{USER}:{PASSWORD}", f"{poor}:p")
    try:
        with (
            a_worker(database_url, tmp_path, said := tmp_path / "said") as worker,
            psycopg.connect(address, autocommit=True) as connection,
        ):
            await until(lambda: "serves sessions" in said.read_text())
            sessions = [begun(database_url, tmp_path) for _ in range(3)]
            channels = [f"procrastinate_queue_v1#{queue}" for queue in QUEUES]
            channels += [channel_of("elenchus", session) for session in (*sessions, ALL)]

            def ended() -> bool:
                for channel in channels:
                    for notice in NOTICES:
                        connection.execute("SELECT pg_notify(%s, %s)", (channel, notice))
                states = asked(database_url, "SELECT DISTINCT state FROM elenchus.sessions")
                return states == [("finished",)] or worker.poll() is not None

            await until(ended)
            assert worker.poll() is None, said.read_text()
        assert "Traceback" not in said.read_text()
        owners = asked(database_url, "SELECT count(*) FROM elenchus.events WHERE kind = 'owner_started'")
        assert owners == [(3,)], "none was broken off"
    finally:
        asked(database_url, f"DROP ROLE {poor}")
