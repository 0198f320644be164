"""Plays a scene whose person withdraws, and dies by SIGKILL around the withdrawal's writes.

Started by `test_withdrawal_killed.py` as a process of its own. Arguments: the home folder, and behind which write after
the withdrawal the process dies (0: behind the withdrawal itself). It ends by itself where there are fewer writes.
"""

from __future__ import annotations

import asyncio
import dataclasses
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from elenchus.debate_engine.events import Event, Recorded, Withdrawn
from elenchus.debate_engine.log import EventLog
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.runner import Runner
from tests.debate_engine.protocols.rulegen.people.scripted_people import AGREED, WORDS, StartedScene, started_scene
from tests.debate_engine.protocols.rulegen.stage import ASKS, NAMES, TELLS, scene


class FatalLog:
    """A log whose process is killed behind the `nth` write since the withdrawal."""

    def __init__(self, log: EventLog, nth: int) -> None:
        self._log, self._left, self._armed = log, nth, False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    async def send(self, session_id: str, event: Event) -> Recorded:
        sent = await self._log.send(session_id, event)
        if isinstance(event, Withdrawn):
            self._armed = True
            self._written()
        return sent

    async def append(self, session_id: str, events: Sequence[Event], epoch: int) -> list[Recorded]:
        recorded = await self._log.append(session_id, events, epoch)
        if self._armed and events:
            self._left -= 1
            self._written()
        return recorded

    async def rewrite(self, session_id: str, events: Sequence[Recorded], epoch: int) -> None:
        await self._log.rewrite(session_id, events, epoch)
        self._left -= 1
        self._written()

    def _written(self) -> None:
        if not self._left:
            os.kill(os.getpid(), signal.SIGKILL)


async def main(home: Path, nth: int) -> None:
    """Speak once, withdraw at the second turn, and die."""
    spoken = 0

    async def person(ask: Ask, where: StartedScene) -> Any:
        nonlocal spoken
        if ask.schema_name == "Agreement":
            return AGREED
        spoken += 1
        if spoken == 1:
            return WORDS
        await where.send(Withdrawn(by="bo", seat="Ada"))
        return None

    async with started_scene(home, {"Ada": person}, scene(NAMES, ASKS, NAMES, TELLS)) as started:
        log: Any = FatalLog(started.app.log, nth)
        runner = Runner(log, started.app.runner.protocols, started.app.runner.make_seat)
        started.app = dataclasses.replace(started.app, log=log, runner=runner)
        await started.played()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
