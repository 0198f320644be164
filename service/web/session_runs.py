"""The sessions that this service runs: begun here, paused when it stops, gone on with when it starts again."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from elenchus.debate_engine.errors import (
    DamagedLog,
    ElenchusError,
    LostOwnership,
    NewerSchema,
    SessionHeld,
    StorageError,
    UnknownSession,
)
from elenchus.debate_engine.runner import new_id
from elenchus.debate_engine.tasks import cancelled
from elenchus.service.lab import moderation
from elenchus.service.lab.session_status import SessionStatus
from elenchus.service.web.problems import Problem

if TYPE_CHECKING:
    from elenchus.debate_engine.events import SessionStarted
    from elenchus.debate_engine.key_value_store import KeyValueStore
    from elenchus.debate_engine.run_context import Draft
    from elenchus.debate_engine.run_ends import Run
    from elenchus.debate_engine.runner import Runner

_log = logging.getLogger(__name__)

NAMESPACE = "served-sessions"
"""In the store: the sessions that the service runs. Whoever starts it again goes on with them."""

ADOPT_EVERY = 5.0
"""Seconds, about, between two looks for sessions that another process has left."""

LOOKS_AGAIN = 3.0
"""Seconds after which such a session is looked at once more: a database that was restarted has forgotten who has which,
and is told so again within a second or two.
"""

RETRY_AFTER = 10
"""Seconds after which a client may ask again what a stopping server refused."""


@dataclass
class SessionRuns:
    """Runs sessions in tasks of this process, of which it is the owner. `drafted` is told of what is being written, and
    `run_ended` when nothing more of a session is.
    """

    runner: Runner
    store: KeyValueStore
    drafted: Callable[[str, Draft], None]
    run_ended: Callable[[str], None]
    stopping: bool = False
    _tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    _tried: set[str] = field(default_factory=set)

    @property
    def running(self) -> list[str]:
        """Sessions with a task here, also those that are paused."""
        return list(self._tasks)

    def check_open(self) -> None:
        """Raises Problem where the server is stopping: it begins nothing new."""
        if self.stopping:
            detail = "The server is stopping and begins nothing new: try again in a moment."
            raise Problem(503, "stopping", detail, {"Retry-After": str(RETRY_AFTER)})

    async def start(self, started: SessionStarted, session: str = "") -> str:
        """Make a session and run it; its id. Raises UsageError, StorageError, Problem."""
        self.check_open()
        session = session or new_id()
        await self.store.put(NAMESPACE, session, {})
        await self.runner.create(started, session)
        await self.go_on(session)
        return session

    async def go_on(self, session: str) -> None:
        """Run a session from where it stands, unless it is run here already; returns once it is ours.

        What is asked of a session that nobody has claimed yet would not count for it.
        """
        if session in self._tasks or self.stopping:
            return
        self._tried.add(session)
        claimed = asyncio.Event()
        task = asyncio.create_task(self._run(session, claimed.set), name=f"session {session}")
        self._tasks[session] = task
        task.add_done_callback(lambda _: self._tasks.pop(session, None))
        task.add_done_callback(lambda _: claimed.set())
        await claimed.wait()

    async def run(self, session: str, on_claim: Callable[[], None] = lambda: None) -> Run:
        """Run a session for whoever owns it, and tell of it. Raises what `Runner.run` raises."""

        def begun() -> None:
            _log.info("session %s runs", session, extra={"fields": {"session": session}})
            on_claim()

        try:
            run = await self.runner.run(session, on_draft=lambda draft: self.drafted(session, draft), on_claim=begun)
        finally:
            self.run_ended(session)
        _log.info("session %s is %s", session, run.state, extra={"fields": {"session": session}})
        return run

    async def _run(self, session: str, on_claim: Callable[[], None]) -> None:
        try:
            await self.run(session, on_claim)
        except UnknownSession:
            await self.store.remove(NAMESPACE, session)
        except (SessionHeld, LostOwnership) as held:
            self._tried.discard(session)  # it may be left by whoever has it
            _log.warning("session %s is run elsewhere: %s", session, held)
        except ElenchusError as error:
            if isinstance(error, StorageError) and not isinstance(error, DamagedLog | NewerSchema):
                self._tried.discard(session)  # time may mend it
            _log.error("session %s cannot go on: %s", session, error)
        except Exception:  # noqa: BLE001 - a mistake of ours ends the run of one session, and is told
            _log.exception("session %s cannot go on", session)

    async def adopt(self) -> None:
        """Until it is cancelled: go on with what another process of the service has left, which ended or was killed."""
        while True:
            await asyncio.sleep(ADOPT_EVERY * random.uniform(0.7, 1.3))  # not all processes at once
            with suppress(ElenchusError):
                if left := await self._left():
                    await asyncio.sleep(LOOKS_AGAIN)
                    await self.resume_all(left)

    async def _left(self) -> list[str]:
        """What nobody runs, and nobody tried here before, as what could not go on would not now, either."""
        untried = [one for one in await self.store.all(NAMESPACE) if one not in self._tried and one not in self._tasks]
        return [one for one in untried if not await self._is_run(one)]

    async def _is_run(self, session: str) -> bool:
        with suppress(ElenchusError):  # `resume_all` tells of it
            return (await self.runner.log.info(session)).owner is not None
        return False

    async def resume_all(self, among: Collection[str] | None = None) -> None:
        """Go on with what was running when the service ended, however it ended, or with these. Raises StorageError."""
        for session in await self.store.all(NAMESPACE) if among is None else among:
            if self.stopping or session in self._tasks:
                continue
            try:
                info = await self.runner.log.info(session)
                if info.owner is None and await self._is_to_go_on(session):
                    await self.go_on(session)
            except UnknownSession:
                await self.store.remove(NAMESPACE, session)
            except ElenchusError as error:  # one that cannot be read hurts no other
                _log.error("session %s cannot go on: %s", session, error)

    async def _is_to_go_on(self, session: str) -> bool:
        status = SessionStatus.of(session, await self.runner.log.read(session))
        if status.over:
            await self.store.remove(NAMESPACE, session)
        return not status.waits_for_moderator

    async def resume(self, session: str) -> bool:
        """Go on with a session that nobody runs, where it is not over; whether that was so."""
        info = await self.runner.log.info(session)
        if info.owner is not None or session in self._tasks:
            return False
        self.check_open()
        await moderation.open_session(self.runner.log, session)
        await self.store.put(NAMESPACE, session, {})
        await self.go_on(session)
        return True

    async def aclose(self) -> None:
        """Begin nothing new, and pause what runs: it says so in its log, and goes on when the service starts again."""
        self.stopping = True
        await cancelled(*self._tasks.values())
