"""A real process, a real database, a real `kill -9` at 200 random moments."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from elenchus.debate_engine.events import StepDone
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.run_ends import end_of
from elenchus.storage.sqlite_log import open_log
from tests.debate_engine.kill_driver import ROUNDS
from tests.debate_engine.toy import toy_runner, toy_started

DRIVERS = 2
"""Side by side, as each sleeps most of the time; each with a database of its own."""
KILLS = 200 // DRIVERS


@pytest.mark.kill
@pytest.mark.slow
async def test_no_event_is_lost_or_doubled_over_200_kills_and_every_session_ends_as_an_undisturbed_one(
    tmp_path: Path,
) -> None:
    folders = [tmp_path / str(n) for n in range(DRIVERS)]
    await asyncio.gather(*(asyncio.to_thread(killed, folder, seed) for seed, folder in enumerate(folders, 11)))
    for folder in folders:
        await checked(folder)


def killed(folder: Path, seed: int) -> None:
    """Let a driver kill and resume sessions in a folder."""
    folder.mkdir()
    given = (str(folder / "elenchus.db"), str(folder / "calls"), str(KILLS), str(seed))
    command = [sys.executable, "-m", "tests.debate_engine.kill_driver", *given]
    root = Path(__file__).parents[2]
    driver = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=250, check=False)
    assert driver.returncode == 0, driver.stderr
    (folder / "ids").write_text(driver.stdout)


async def checked(folder: Path) -> None:
    """Nothing is lost or doubled in a driver's sessions, and each ended as one that nobody disturbed."""
    database, calls = folder / "elenchus.db", folder / "calls"
    ids = json.loads((folder / "ids").read_text())
    undisturbed, asked = MemoryLog(), Counter[str]()
    runner = toy_runner(undisturbed, asked)
    expected = await runner.run(await runner.create(toy_started(rounds=ROUNDS), "s"))
    made = Counter(tuple(line.split(" ", 1)) for line in calls.read_text().splitlines())
    log = await open_log(database)
    for session_id in ids:
        events = await log.read(session_id)
        assert [r.seq for r in events] == list(range(1, len(events) + 1))
        end = end_of(session_id, events)
        assert end is not None
        assert end.outcome == expected.outcome
        steps = Counter(r.event.step for r in events if isinstance(r.event, StepDone))
        assert set(steps.values()) == {1}
        assert {step for s, step in made if s == session_id} == set(asked)
    await log.aclose()
    repeated = made.total() - len(ids) * len(asked)
    print(f"{KILLS} kills, {len(ids)} sessions, {made.total()} calls, {repeated} of them repeated")
    assert repeated <= KILLS * 3, "at most the three calls in flight are repeated at a kill"
