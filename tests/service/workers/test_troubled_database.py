"""What a worker tells of a database that is full, or gone, while it works."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from elenchus.debate_engine.protocols.registry import register
from tests.foreign.turn_taking import SPEC
from tests.service.workers.fleet import until
from tests.service.workers.parts import opened, queue_in, turns, working
from tests.service.workers.test_foreign_jobs import a_worker
from tests.storage.postgres_server import temporary_server

FULL = """CREATE FUNCTION elenchus.full() RETURNS trigger LANGUAGE plpgsql AS
$$BEGIN RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END$$;
CREATE TRIGGER full_disk BEFORE INSERT ON elenchus.events EXECUTE FUNCTION elenchus.full()"""


@pytest.fixture(autouse=True)
def _a_protocol() -> None:
    register(SPEC)


async def test_a_worker_says_once_that_there_is_no_room_and_goes_on_when_there_is(
    database_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(database_url, tmp_path) as app, working(database_url, tmp_path):
        sessions = [await app.runner.create(turns()) for _ in range(3)]
        with psycopg.connect(database_url, autocommit=True) as connection:
            connection.execute(FULL)
            for session in sessions:
                await queue_in(app).put(session)
            await until(lambda: "There is no room left" in caplog.text)
            connection.execute("DROP TRIGGER full_disk ON elenchus.events")
        assert [(await app.runner.run(session)).state for session in sessions] == ["finished"] * 3
    assert caplog.text.count("There is no room left") == 1


@pytest.mark.slow
async def test_a_worker_that_loses_the_database_says_so_in_a_sentence_alone(tmp_path: Path) -> None:
    server = temporary_server(fsync="off")
    try:
        with a_worker(server.url(), tmp_path, said := tmp_path / "said") as worker:
            await until(lambda: "serves sessions" in said.read_text())
            server.stop()
            await until(lambda: worker.poll() is not None)
            assert worker.poll() == 1
    finally:
        server.remove()
    assert "the queue is lost" in said.read_text()
    assert "Traceback" not in said.read_text()
