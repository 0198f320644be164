"""The tasks of the people in a class: everybody's session is made, followed and run; robots answer.

A session that stands still is tried again, a few times by itself, then when somebody asks for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import ElenchusError, SessionHeld, UnknownSession
from elenchus.debate_engine.events import ResumeAsked
from elenchus.debate_engine.protocols.rulegen.people.person_progress import ENDED, Progress
from elenchus.service.lab.classes import robots
from elenchus.service.lab.classes.sessions import made
from elenchus.service.lab.classes.taking_part import answer, decline

if TYPE_CHECKING:
    from elenchus.debate_engine.owned_tasks import OwnedTasks
    from elenchus.debate_engine.run_ends import Run
    from elenchus.service.lab.classes.class_progress import ClassProgress, Member
    from elenchus.service.lab.classes.sessions import Parts

_log = logging.getLogger(__name__)

AT_ONCE = 4
"""Sessions that are begun, or seen to at their end, at the same time: others have their turn on the event loop."""
TRIES = 3
"""How often a session that stands still is tried again by itself."""
TRY_AGAIN = 2.0
"""Seconds before that."""

RunSession = Callable[[str], Awaitable["Run"]]


@dataclass
class PersonTasks:
    """The tasks of each person; `owner` has them all. `run` runs a session; robots take `pace` seconds, in the middle,
    for an answer.
    """

    parts: Parts
    progress: ClassProgress
    owner: OwnedTasks
    run: RunSession
    pace: float
    _tasks: dict[str, list[asyncio.Task[None]]] = field(default_factory=dict)
    _running: set[str] = field(default_factory=set)
    _again: asyncio.Event = field(default_factory=asyncio.Event)
    _beginning: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    def begin(self, member: Member) -> None:
        """Run somebody's session, unless that was begun."""
        if member.person.id not in self._tasks:
            own = self._tasks[member.person.id] = list[asyncio.Task[None]]()
            self._own(own, self._played(member), member)
            if member.person.robot:
                self._own(own, self._answers(member), member)

    def _own(self, own: list[asyncio.Task[None]], work: Coroutine[Any, Any, None], member: Member) -> None:
        own.append(self.owner.begin(work, f"class {self.progress.room.id}, session {member.person.session}"))

    def cancel(self) -> Iterable[asyncio.Task[None]]:
        """End all tasks: what runs pauses. Those that are to be waited for."""
        found = [task for own in self._tasks.values() for task in own]
        for task in found:
            task.cancel()
        return found

    async def try_again(self, members: Iterable[Member]) -> None:
        """Go on with what stands still. Raises StorageError."""
        for member in members:
            if member.progress.trouble:
                with suppress(UnknownSession):
                    await self.parts.log.send(member.person.session, ResumeAsked(by="class"))
        waiting, self._again = self._again, asyncio.Event()
        waiting.set()

    # ── one person ───────────────────────────────────────────────────────────────────────────────────────────────

    async def _played(self, member: Member) -> None:
        """Make the session where it is not there, follow it, and run it to its end."""
        last = await self._made(member)
        self._own(self._tasks[member.person.id], self._follow(member, last), member)
        await self._run(member)

    async def _made(self, member: Member) -> int:
        """Make the session; the number of its last event."""
        while True:
            try:
                async with self._beginning:
                    await made(self.parts, self.progress.room, self.progress.plan, member.person)
                    return await self.read(member)
            except ElenchusError:
                _log.exception("the session %s of a class could not be made", member.person.session)
            await asyncio.sleep(TRY_AGAIN)

    async def read(self, member: Member) -> int:
        """Read somebody's progress from the log; the last event's number. Raises UnknownSession, StorageError."""
        found, last = Progress(self.progress.room.subject), 0
        for r in await self.parts.log.read(member.person.session):
            found.take(r)
            last = r.seq
        found.stale = False
        self.progress.replace(member, found)
        return last

    async def _follow(self, member: Member, last: int) -> None:
        while True:
            try:
                async for r in self.parts.log.follow(member.person.session, after=last):
                    self.progress.take(member, r)
                    last = await self.read(member) if member.progress.stale else r.seq
                break  # the log is closed
            except UnknownSession:
                self.progress.gone(member)
                break
            except ElenchusError:
                _log.exception("the session %s of a class is followed again", member.person.session)
            await asyncio.sleep(TRY_AGAIN)

    async def _run(self, member: Member) -> None:
        tries = 0
        while member.progress.stage not in ENDED:
            again = self._again
            self._running.add(member.person.id)
            outcome = await self._tried(member.person.session)
            self._running.discard(member.person.id)
            if outcome == "over":
                break
            tries = tries + 1 if outcome == "stands still" else 0
            with suppress(TimeoutError):
                async with asyncio.timeout(TRY_AGAIN if tries < TRIES else None):
                    await again.wait()
        async with self._beginning:
            await self._settled(member.person.session)

    async def _tried(self, session: str) -> str:
        """Run a session: over, standing still, or somebody else's."""
        try:
            run = await self.run(session)
        except UnknownSession:
            return "over"
        except SessionHeld:
            return "somebody else's"
        except ElenchusError:
            _log.exception("the session %s of a class stands still", session)
            return "stands still"
        return "over" if run.state in ("finished", "stopped") else "stands still"

    async def _settled(self, session: str) -> None:
        try:
            await self.parts.retention.settle(session)
        except ElenchusError:
            _log.warning("session %s: the key is looked at again later", session, exc_info=True)

    async def _answers(self, member: Member) -> None:
        """A robot answers whatever it is asked, and passes what it has no answer to."""
        chance, revision = Random(f"{self.progress.room.seed}/{member.person.number}"), 0
        while member.progress.stage not in ENDED:
            if (turn := member.progress.asked_now) is None:
                revision = await member.changed.after(revision)
                continue
            await asyncio.sleep(robots.thinking(chance, self.pace))
            if member.person.id not in self._running:  # whoever runs the session has the robot, too
                revision = await member.changed.after(revision, TRY_AGAIN)
                continue
            with suppress(ElenchusError):
                try:
                    await answer(self.parts, member, turn.step, robots.answer_to(turn, chance), robots.VIA)
                except ElenchusError:
                    _log.info("a robot passes %s", turn.step, exc_info=True)
                    await decline(self.parts, member, turn.step, robots.VIA)
