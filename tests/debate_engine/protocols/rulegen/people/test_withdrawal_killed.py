"""A real `kill -9` in the middle of a withdrawal, behind each of its writes: what was asked for is carried out."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from elenchus.config.settings import Settings
from elenchus.debate_engine.events import Said
from elenchus.debate_engine.protocols.rulegen.played import Played
from elenchus.service.app import open_app

ROOT = Path(__file__).parents[5]
MOST = 40


def killed(home: Path, nth: int) -> bool:
    """Let a process play and withdraw; whether it was killed, as there was an `nth` write."""
    command = [sys.executable, "-m", "tests.debate_engine.protocols.rulegen.people.dying", str(home), str(nth)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    return done.returncode == -signal.SIGKILL


async def gone_on(home: Path) -> None:
    """Another process goes on: the person is thanked and told once, and the words are nowhere on the disk."""
    async with open_app(Settings(home=home)) as app, asyncio.timeout(60):
        (info,) = await app.log.sessions()
        run = await app.runner.run(info.id)
        assert run.state == "finished", run.reason
        assert Played.model_validate(run.outcome).ended == "withdrawn"
        said = [r.event for r in await app.log.read(info.id) if isinstance(r.event, Said)]
        told = Counter(one.step for one in said if one.about in ("ending", "debrief"))
        assert told == {"ending/Ada": 1, "debrief/Ada": 1}
    left = [path for path in home.rglob("*") if path.is_file() and b"Mathilda" in path.read_bytes()]
    assert left == []


@pytest.mark.kill
@pytest.mark.slow
async def test_a_withdrawal_survives_a_kill_behind_each_of_its_writes(tmp_path: Path) -> None:
    for nth in range(MOST):
        home = tmp_path / str(nth)
        home.mkdir()
        cut = await asyncio.to_thread(killed, home, nth)
        await gone_on(home)
        if not cut:
            break
    assert nth > 4, "redacted, noted, thanked, debriefed, finished: each is a write"
    print(f"killed behind {nth} writes of a withdrawal")
