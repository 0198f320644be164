"""A class whose process is killed again and again loses no answer that it has taken, and counts nobody twice."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

import pytest

from elenchus.debate_engine.events import StepDone
from tests.service.lab.classes.room import a_class, agreeing, come, in_stage, opened, playing, press, until


async def killed_after(home: Path, class_id: str, answers: int) -> list[str]:
    """Run the class in a process of its own, and kill it when it has named so many answers; all that it has named."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.service.lab.classes.dying_class", str(home), class_id,
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    found: list[str] = []
    async with asyncio.timeout(60):
        while len(found) < answers and (line := await process.stdout.readline()):
            found.append(line.decode().strip())
        process.send_signal(signal.SIGKILL)
        rest = await process.stdout.read()
        await process.wait()
    return [*found, *rest.decode().splitlines()]


@pytest.mark.slow
async def test_killed_after_every_few_answers_a_class_of_eight_has_each_answer_once(tmp_path: Path) -> None:
    async with a_class(tmp_path, people=8) as (classes, live):
        room = live.progress.room.id
        await come(classes, live, 8)
        await press(classes, live, "playing")
        sessions = {one.person.id: one.person.session for one in live.progress.members.values()}
    taken: list[str] = []
    for answers in (3, 4, 2):
        taken += await killed_after(tmp_path, room, answers)
    assert len(taken) == len(set(taken)) >= 9, "nobody is asked once more what was taken"
    async with opened(tmp_path) as (_, classes):
        live = await classes.open(room)
        people = [*live.progress.members.values()]
        assert {one.person.id: one.person.session for one in people} == sessions
        async with playing(live, {one.person.id: agreeing(10.0 + one.person.number) for one in people}):
            await in_stage(live, people, "waiting")
            await press(classes, live, "closed", "debrief")
            await in_stage(live, people, "played")
        for one in people:
            events = [r.event for r in await live.parts.log.read(one.person.session)]
            done = [event.step for event in events if isinstance(event, StepDone)]
            assert len(done) == len(set(done))
            assert one.progress.outcome == {"": 10.0 + one.person.number}
            assert {step for person, step in map(str.split, taken) if person == one.person.id} <= set(done)
        await press(classes, live, "revealed")
        await until(live, lambda: live.progress.revealed)
        assert live.progress.revealed
        assert live.progress.revealed.analysed == 8
