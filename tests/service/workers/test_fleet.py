"""Workers that are processes, killed, frozen and started again, over a PostgreSQL of their own."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest

from elenchus.debate_engine.events import OwnerStarted
from tests.service.workers import chaos
from tests.service.workers.fleet import ONE_DEBATE, fleet_of_its_own, look, until

pytestmark = [pytest.mark.slow, pytest.mark.kill]


async def test_debates_end_once_whatever_happens_to_workers_and_the_database() -> None:
    """The chaos script, shortened: `make chaos` runs all of it."""
    found, done, asked, slow, said = await chaos.chaos(40, 60.0, 3)
    print(chaos.shown(found, done, asked, slow))
    assert chaos.wrong(found, done, asked) == [], said
    assert found.states == {"finished": 40}
    cut = {"cut"} if done.network else set()  # where this account may make a network
    ways = {"kill", "freeze", "end", "restart", "restart_redis", "flush_redis", "kill_bot", "freeze_bot"}
    assert ways | cut == {*+done.done}
    assert done.posts, "no bot posted anything"


async def test_a_worker_that_was_frozen_writes_nothing_more_and_ends(tmp_path: Path) -> None:
    async with fleet_of_its_own(tmp_path, 1.0) as (fleet, app):
        frozen = fleet.start()
        await fleet.ready(app, 1)
        ids = [await app.runner.create(ONE_DEBATE) for _ in range(4)]
        runs = [asyncio.create_task(app.runner.run(session)) for session in ids]
        await until(lambda: fleet.vendor.came >= 12)
        frozen.signal(signal.SIGSTOP)
        other = fleet.start("sessions", "ops")
        ended = [await run for run in runs]
        assert {run.state for run in ended} == {"finished"}
        frozen.signal(signal.SIGCONT)
        await until(lambda: not frozen.lives)
        assert frozen.process.returncode == 1
        assert "Its supervisor starts it again" in frozen.said.read_text()
        found = await look(app, ids)
        assert found.wrong == []
        for session in ids:
            owners = [r.event for r in await app.log.read(session) if isinstance(r.event, OwnerStarted)]
            assert [(one.epoch, one.pid) for one in owners] == [(1, frozen.pid), (2, other.pid)]


async def test_a_worker_without_its_database_ends_and_says_so(tmp_path: Path) -> None:
    async with fleet_of_its_own(tmp_path, 5.0) as (fleet, app):
        worker = fleet.start()
        await fleet.ready(app, 1)
        session = await app.runner.create(ONE_DEBATE)
        run = asyncio.create_task(app.runner.run(session))
        await until(lambda: fleet.vendor.came > 0)
        await asyncio.to_thread(fleet.server.stop)
        await until(lambda: not worker.lives)
        assert worker.process.returncode == 1
        assert "the queue is lost" in worker.said.read_text()
        run.cancel()
        await asyncio.gather(run, return_exceptions=True)
        again = fleet.start()
        await until(lambda: not again.lives)
        assert again.process.returncode == 5
        said = again.said.read_text().strip()
        assert "cannot be reached" in said
        assert len(said.splitlines()) == 1, said
