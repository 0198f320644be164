"""Commands that leave what they start to a worker, or watch it there. The worker is in this process."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from typing import Any

import pytest

from elenchus.service.app import App
from tests.service.cli.program import Program, Result
from tests.service.workers.fleet import until
from tests.service.workers.parts import nothing_left, opened, queue_in, reached, working


async def ran(program: Program, url: str, *arguments: str | Path, **more: Any) -> Result:
    env = {"ELENCHUS_DATABASE_URL": url, "ELENCHUS_SCRIPTED_CONCURRENCY": "20"}
    return await asyncio.to_thread(program, *arguments, env=env, **more)


@pytest.fixture
def program(tmp_path: Path) -> Program:
    (tmp_path / "folder").mkdir()
    return Program(tmp_path / "home", tmp_path / "folder")


async def ended(app: App, session: str) -> str:
    async def over() -> bool:
        return (await app.log.info(session)).state in ("finished", "failed", "stopped")

    await until(over)
    return (await app.log.info(session)).state


DEBATE = ("debate", "A motion", "--model", "scripted:demo", "--max-rounds", "1", "--topics", "1")


async def test_a_debate_is_left_to_a_worker_and_its_id_is_all_that_is_said(
    database_url: str, program: Program, tmp_path: Path
) -> None:
    async with opened(database_url, program.home) as app:
        left = await ran(program, database_url, *DEBATE, "--detach", "--json")
        assert left.code == 0, left.err
        assert list(left.json) == ["id"]
        assert "no worker serves the queue now" in left.err
        async with working(database_url, program.home):
            assert await ended(app, left.json["id"]) == "finished", "it has waited for a worker"
            plain = await ran(program, database_url, *DEBATE, "--detach")
            assert plain.out.strip() in {info.id for info in await app.log.sessions()}
            assert await ended(app, plain.out.strip()) == "finished"


async def test_a_debate_at_a_worker_is_shown_here_and_exported_here(database_url: str, program: Program) -> None:
    async with working(database_url, program.home) as worker:
        shown = await ran(program, database_url, *DEBATE, "--json", "--export", "out")
        assert shown.code == 0, shown.err
        assert shown.json["state"] == "finished"
        assert (program.folder / "out" / "report.html").is_file()
        await nothing_left(queue_in(worker))


async def test_an_interruption_looks_away_and_the_session_goes_on(database_url: str, program: Program) -> None:
    async with working(database_url, program.home) as worker:
        env = {"ELENCHUS_DATABASE_URL": database_url}
        asked = ("debate", "A motion", "--model", "scripted:demo", "--con", "human:ada", "--topics", "1")
        started = await asyncio.to_thread(program.start, *asked, env=env)
        session = await only_one(worker)
        await reached(worker, session, "turn_opened")
        started.send_signal(signal.SIGINT)
        _, said = await asyncio.to_thread(started.communicate, timeout=60)
        assert "leaving; it goes on at its worker" in said
        assert f"{session} goes on at its worker" in said
        assert started.returncode == 130
        assert (await worker.log.info(session)).state == "running"
        stopped = await ran(program, database_url, "sessions", "stop", session, "enough")
        assert stopped.code == 0, stopped.err
        assert await ended(worker, session) == "stopped"


async def only_one(app: App) -> str:
    async def there() -> bool:
        return bool(await app.log.sessions())

    await until(there)
    return (await app.log.sessions())[0].id


@pytest.mark.slow
async def test_runs_of_a_scene_are_left_to_workers_and_counted_by_resume(database_url: str, program: Program) -> None:
    async with working(database_url, program.home) as worker:
        asked = (
            "scene",
            "run",
            "anchoring-effect",
            "--subject",
            "scripted:demo",
            "-n",
            "2",
            "--others",
            "scripted:demo",
        )
        left = await ran(program, database_url, *asked, "--judge", "scripted:demo", "--detach", "--json")
        assert left.code == 0, left.err
        assert list(left.json) == ["id"]
        await nothing_left(queue_in(worker))
        sessions = await worker.log.sessions()
        assert len(sessions) >= 2
        assert {info.state for info in sessions} == {"finished"}
        counted = await ran(program, database_url, "scene", "resume", left.json["id"], "--json")
        assert counted.code == 0, counted.err
        assert counted.json["ended"] == counted.json["runs"] == len(sessions)


@pytest.mark.parametrize(
    ("more", "said"),
    [(("--dry-run",), "nothing to --detach from"), (("--export", "out"), "does not wait for it")],
)
async def test_what_needs_somebody_who_waits_is_refused(
    database_url: str, program: Program, more: tuple[str, ...], said: str
) -> None:
    refused = await ran(program, database_url, *DEBATE, "--detach", *more)
    assert (refused.code, refused.out) == (2, "")
    assert said in refused.err


def test_without_a_shared_database_nothing_is_left_to_anybody(program: Program) -> None:
    refused = program(*DEBATE, "--detach")
    assert refused.code == 2
    assert "set ELENCHUS_DATABASE_URL" in refused.err
    assert not program.home.exists(), "nothing was made"


async def test_a_mind_is_made_and_fed_by_a_worker(database_url: str, program: Program) -> None:
    async with working(database_url, program.home) as worker:
        asked = ("mind", "create", "greta", "--person", "invented", "--character", "a cook", "--model", "scripted:demo")
        made = await ran(program, database_url, *asked, "--detach", "--json")
        assert made.code == 0, made.err
        await nothing_left(queue_in(worker))
        (info,) = await worker.log.sessions()
        assert info.id == made.json["id"]
        assert info.state in ("paused", "failed"), "at rest, or no profile could be read of what a script says"
