"""The health check of a machine that runs the bot: `elenchus doctor --alive SECONDS`."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from elenchus.service.cli.health import heartbeat_file
from tests.bot.child import ROOT, bot
from tests.bot.stage import Stage

pytestmark = pytest.mark.kill


@pytest.fixture
def stage(stage: Stage) -> Stage:
    """The program itself, as from a shell."""
    stage.quick = False
    stage.home.mkdir(parents=True, exist_ok=True)
    return stage


async def looked(home: Path, within: float) -> tuple[int, dict[str, object]]:
    """Look from another process; the exit code and what it tells."""
    command = [sys.executable, "-m", "elenchus.service.cli", "doctor", "--alive", str(within), "--json"]
    environment = {**os.environ, "ELENCHUS_HOME": str(home)}
    done = await asyncio.to_thread(
        subprocess.run, command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, json.loads(done.stdout)


async def test_a_machine_without_a_server_has_nothing_to_be_ill(stage: Stage) -> None:
    assert await looked(stage.home, 60) == (0, {"server": False, "silent_seconds": None})


@pytest.mark.slow
async def test_the_bot_is_alive_while_it_is_connected_and_gone_when_it_has_ended(stage: Stage) -> None:
    async with bot(stage) as child:
        code, told = await looked(stage.home, 60)
        assert (code, told["server"]) == (0, True)
        await child.end()
    assert (await looked(stage.home, 60))[1]["server"] is False
    assert not heartbeat_file(stage.home).exists()


@pytest.mark.slow
async def test_a_bot_that_hangs_is_found_out(stage: Stage) -> None:
    async with bot(stage) as child:
        child.process.send_signal(signal.SIGSTOP)
        await asyncio.sleep(1.5)
        assert (await looked(stage.home, 1))[0] == 5
        child.process.send_signal(signal.SIGCONT)
