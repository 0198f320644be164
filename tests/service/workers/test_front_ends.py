"""What the web and the bot start is run by a worker, and is shown by them. The worker is in this process."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest

from elenchus.service.app import App
from elenchus.storage.sql_log import SqlLog
from tests.bot.stage import finished, stage_at, texts
from tests.service.cli.program import Program
from tests.service.cli.served import Server, served
from tests.service.cli.test_class import held
from tests.service.workers.fleet import until
from tests.service.workers.parts import reached, settings_of, working

TOKEN = "a-token-of-the-tests-of-workers"


def ran_by(url: str, worker: App) -> bool:
    """Whether every step of every session was written by this worker."""
    assert isinstance(worker.log, SqlLog)
    with psycopg.connect(url) as connection:
        found = connection.execute("SELECT DISTINCT origin FROM elenchus.events WHERE kind = 'step_done'").fetchall()
    return found == [(worker.log.origin,)]


async def test_a_debate_of_a_slash_command_is_run_by_a_worker_and_unfolds_in_its_thread(
    database_url: str, tmp_path: Path
) -> None:
    async with working(database_url, tmp_path) as worker, stage_at(tmp_path) as stage:
        stage.database = settings_of(database_url, tmp_path).database
        async with stage.running():
            thread = await stage.debate()
            await finished(thread)
        assert "✔ Finished" in texts(thread)[0]
        assert "Joint proposal" in "\n".join(texts(thread))
        assert ran_by(database_url, worker)


async def test_a_session_of_the_web_outlives_its_server_and_is_gone_on_with_from_the_next(
    database_url: str, tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    program = Program(tmp_path / "home", tmp_path / "folder")
    env = {"ELENCHUS_DATABASE_URL": database_url, "ELENCHUS_API_TOKEN": TOKEN}
    async with working(database_url, program.home) as worker:
        with ExitStack() as stack:
            server = await asyncio.to_thread(entered, stack, program, env)
            session = await asyncio.to_thread(server.debate, con="human:ada")
            await reached(worker, session, "turn_opened")
            await asyncio.to_thread(server.end, signal.SIGKILL)
        assert (await worker.log.info(session)).state == "running"
        with ExitStack() as stack:
            server = await asyncio.to_thread(entered, stack, program, env)
            await asyncio.to_thread(server.until, f"/api/v1/sessions/{session}", state="running")
            stop = {"command": "stop", "text": "enough"}
            status, _, said = await asyncio.to_thread(server.ask, f"/api/v1/sessions/{session}/commands", stop)
            assert status < 300, said
            await asyncio.to_thread(server.until, f"/api/v1/sessions/{session}", state="stopped")
        assert ran_by(database_url, worker)


def entered(stack: ExitStack, program: Program, env: Mapping[str, str]) -> Server:
    server = stack.enter_context(served(program, env=env))
    server.token = TOKEN
    return server


@pytest.mark.slow
async def test_a_class_is_played_at_a_worker(database_url: str, tmp_path: Path) -> None:
    """By answering robots, over the server that the command starts."""
    (tmp_path / "folder").mkdir()
    program = Program(tmp_path / "home", tmp_path / "folder")
    program.home.mkdir()
    async with working(database_url, program.home) as worker:
        with ExitStack() as stack:
            env = {"ELENCHUS_DATABASE_URL": database_url}
            await asyncio.to_thread(lambda: stack.enter_context(held(program, "--people", "0", "--bots", "3", env=env)))

            async def over() -> bool:
                return [info.state for info in await worker.log.sessions()].count("finished") == 3

            await until(over)
        assert ran_by(database_url, worker)
