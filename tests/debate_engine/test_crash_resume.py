"""Crash and resume, exhaustively: the process dies before and after every single append of a session.

Tried while writing: with the lookup in `Steps.run` removed (`self._done.get(key)` → `None`), both tests fail: recorded
steps are repeated, and a session that dies at each append never gets on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from elenchus.debate_engine.events import Event, Recorded, StepDone
from elenchus.debate_engine.log import transcript
from elenchus.debate_engine.log.memory import MemoryLog
from tests.debate_engine.toy import toy_runner, toy_started


class Killed(BaseException):
    """The process is gone."""


class DyingLog:
    """A log whose process dies around the `nth` append; nothing is appended by the dead."""

    def __init__(self, log: MemoryLog, nth: int, *, after: bool) -> None:
        self._log, self._nth, self._after, self._count, self._dead = log, nth, after, 0, False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    async def append(self, session_id: str, events: Sequence[Event], epoch: int) -> list[Recorded]:
        if self._dead:
            raise Killed
        self._count += 1
        if self._count == self._nth and not self._after:
            self._dead = True
            raise Killed
        done = await self._log.append(session_id, events, epoch)
        if self._count == self._nth:
            self._dead = True
            raise Killed
        return done


async def _undisturbed() -> tuple[dict[str, Any] | None, list[Recorded], Counter[str]]:
    log, asked = MemoryLog(), Counter[str]()
    runner = toy_runner(log, asked)
    run = await runner.run(await runner.create(toy_started(), "s"))
    return run.outcome, await log.read("s"), asked


def _steps(events: Sequence[Recorded]) -> dict[str, Any]:
    return {r.event.step: r.event.result for r in events if isinstance(r.event, StepDone)}


async def test_a_session_killed_before_or_after_any_append_ends_as_an_undisturbed_one() -> None:
    outcome, events, asked = await _undisturbed()
    appends = len(events) - 2  # the start and the first owner are not the run's own appends
    assert appends > 20
    for nth in range(1, appends + 1):
        for after in (False, True):
            log, repeated = MemoryLog(), Counter[str]()
            await toy_runner(log, repeated).create(toy_started(), "s")
            with pytest.raises(BaseException) as death:  # noqa: PT011 - Killed, alone or in a group
                await toy_runner(DyingLog(log, nth, after=after), repeated).run("s")
            assert death.group_contains(Killed) if isinstance(death.value, BaseExceptionGroup) else death.type is Killed
            resumed = await toy_runner(log, repeated).run("s")
            again = await log.read("s")
            assert resumed.outcome == outcome
            assert _steps(again) == _steps(events)
            assert [said.text for said in transcript(again)] == [said.text for said in transcript(events)]
            assert Counter(r.event.step for r in again if isinstance(r.event, StepDone)).most_common(1)[0][1] == 1
            extra = repeated - asked
            assert extra.total() <= 3, f"more than the calls in flight were repeated: {extra}"
            assert not asked - repeated


async def test_a_session_killed_at_every_append_in_turn_still_ends_the_same() -> None:
    outcome, events, _ = await _undisturbed()
    log, asked = MemoryLog(), Counter[str]()
    await toy_runner(log, asked).create(toy_started(), "s")
    deaths = 0
    run = None
    while run is None:
        assert deaths <= len(events), "a resumed session does not get on"
        try:
            run = await toy_runner(DyingLog(log, 1, after=True), asked).run("s")
        except BaseException as death:  # noqa: BLE001 - Killed, alone or in a group
            assert "Killed" in repr(death)
            deaths += 1
    assert run.outcome == outcome
    assert deaths >= len(_steps(events))
    assert asked.total() <= len(events) * 3
