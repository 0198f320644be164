"""Runs a session for a terminal: shows it, listens to the people there, and leaves it well on Ctrl-C."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from elenchus.debate_engine.errors import SessionPaused
from elenchus.debate_engine.log import EventLog
from elenchus.debate_engine.run_ends import Run
from elenchus.debate_engine.runner import INTERRUPTED, Runner
from elenchus.debate_engine.tasks import cancelled
from elenchus.service.cli import signals
from elenchus.service.cli.displays import SessionDisplay
from elenchus.service.cli.failures import OK, PAUSED

T = TypeVar("T")

_log = logging.getLogger(__name__)

PAUSING = "pausing: what is in flight is dropped, what is done is kept"
LOOKING_AWAY = "leaving; it goes on at its worker"
PATIENCE = "still pausing; nothing is lost (once more ends the program at once)"


async def run_shown(
    log: EventLog, runner: Runner, session_id: str, display: SessionDisplay, *, take_over: bool = False
) -> Run:
    """Run a session to its end, or until it is paused, and show it meanwhile.

    Ctrl-C (also SIGTERM and SIGHUP) pauses, or looks away where a worker runs it. Raises what `Runner.run` raises.
    """
    display.begin(await log.read(session_id))
    elsewhere = not take_over and await runner.is_elsewhere()
    leaving = Leaving(display, LOOKING_AWAY) if elsewhere else Leaving(display)
    with display.opened():
        async with _beside(leaving, _follow(log, session_id, display), display.serve(_sender(log, session_id))):
            run = await leaving.or_result(runner.run(session_id, take_over=take_over, on_draft=display.draft))
        for r in await log.read(session_id, after=display.terminal.view.last_seq):
            display.take(r)
    if run is None and elsewhere:
        return Run(session_id, "running", exit_code=SessionPaused(leaving.why, "").exit_code)
    return run or Run(session_id, "paused", reason=INTERRUPTED, exit_code=SessionPaused(leaving.why, "").exit_code)


async def follow_shown(log: EventLog, session_id: str, display: SessionDisplay, *, until: Callable[[], bool]) -> int:
    """Follow a session that another process runs, and let the people here answer, until `until` says so.

    The exit code: Ctrl-C leaves, and hurts nobody.
    """
    display.begin(await log.read(session_id))
    if until():
        return OK
    if display.terminal.paused:
        display.say(f"paused: {display.terminal.view.pause_reason.removeprefix('paused ')}")
    leaving = Leaving(display, "leaving; the turn stays open")

    async def served() -> None:
        await display.serve(_sender(log, session_id))
        if display.open_turns.waiting:
            display.say(f"the input has ended: {leaving.word}")
            leaving.leave()

    with display.opened():
        async with _beside(leaving, served()):
            await leaving.or_result(_watched(log, session_id, display, until))
    return PAUSED if leaving.interrupted else OK


async def _watched(log: EventLog, session_id: str, display: SessionDisplay, until: Callable[[], bool]) -> None:
    async with aclosing(log.follow(session_id, after=display.terminal.view.last_seq)) as events:
        async for r in events:
            display.take(r)
            if until():
                return


def _sender(log: EventLog, session_id: str) -> Callable[[Any], Awaitable[Any]]:
    async def send(event: Any) -> Any:
        return await log.send(session_id, event)

    return send


async def _follow(log: EventLog, session_id: str, display: SessionDisplay) -> None:
    async with aclosing(log.follow(session_id, after=display.terminal.view.last_seq)) as events:
        async for r in events:
            display.take(r)


@asynccontextmanager
async def _beside(leaving: Leaving, *work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Inside, the given work is done on the side; what fails of it is told, and never hurts the session.

    Only when nobody reads any more what is written the session is left.
    """

    async def unhurt(one: Coroutine[Any, Any, None]) -> None:
        try:
            await one
        except BrokenPipeError:
            leaving.leave()
        except Exception:  # noqa: BLE001 - whatever fails in the view, the session goes on
            _log.exception("the view of the session failed")
            seen = f"elenchus sessions show {leaving.display.terminal.session_id}"
            leaving.display.say(f"this view is broken, but the session goes on; see it with: {seen}")

    tasks = [asyncio.create_task(unhurt(one)) for one in work]
    try:
        yield
    finally:
        await cancelled(*tasks)


@dataclass
class Leaving:
    """What Ctrl-C does: the first cancels the work, the third ends the program on the spot.

    `why` is the reason for which the session is left: that of the pause in which it stood, else `interrupt`.
    """

    display: SessionDisplay
    word: str = PAUSING
    why: str = "interrupt"
    _times: int = 0
    _task: asyncio.Task[Any] | None = None

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C was pressed."""
        return self._times > 0

    async def or_result(self, work: Coroutine[Any, Any, T]) -> T | None:
        """The result of `work`, or None where it was interrupted."""
        self._task = task = asyncio.create_task(work)
        with signals.heard_by(signals.on_loop(self._interrupt, self.display.abandon)):
            try:
                return await task
            except asyncio.CancelledError:
                if self._times:
                    return None
                task.cancel()  # we were cancelled ourselves
                await asyncio.gather(task, return_exceptions=True)
                raise

    def leave(self) -> None:
        """Have the work end, as Ctrl-C does."""
        self._times += 1
        if self._times == 1 and self._task is not None:
            view = self.display.terminal.view
            if self.display.terminal.paused and view.failures.pauses:
                self.why = view.failures.pauses[-1].why
            self._task.cancel()

    def _interrupt(self, times: int) -> None:
        self.leave()
        self.display.say(self.word if times == 1 else PATIENCE)
