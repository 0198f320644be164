"""A class that this process runs: what each phase asks of its people's sessions, and of the clock.

What a phase asks is looked at again and again, and done where it is not done yet: so nothing is lost by a restart, and
who comes in between is not forgotten.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from time import monotonic
from typing import TYPE_CHECKING

from elenchus.debate_engine.errors import ElenchusError, UnknownSession
from elenchus.debate_engine.events import CloseAsked, DebriefAsked, Event, TurnAnswered
from elenchus.debate_engine.protocols.rulegen.people.person_progress import ACTIVE, ENDED
from elenchus.debate_engine.tasks import cancelled
from elenchus.service.lab import participation
from elenchus.service.lab.classes import reveal
from elenchus.service.lab.classes.classroom import GRACE, SHOWN, Phase, PhaseChange
from elenchus.service.lab.classes.person_tasks import PersonTasks, RunSession
from elenchus.service.lab.classes.publication import Publication
from elenchus.service.lab.classes.taking_part import join

if TYPE_CHECKING:
    from elenchus.debate_engine.owned_tasks import OwnedTasks
    from elenchus.service.lab.classes.class_progress import ClassProgress, Member
    from elenchus.service.lab.classes.class_store import ClassStore
    from elenchus.service.lab.classes.sessions import Parts

_log = logging.getLogger(__name__)

LOOKS_EVERY = 0.1
"""Seconds between two looks at what is to be done, at the least."""
OTHERS_EVERY = 1.0
"""Seconds between two looks at what other processes have written of the class."""
FRESH_FOR = 0.5
"""Seconds for which that is not looked at again."""
SETTLING = 20.0
"""Seconds for sessions to end before what was kept is counted."""
ENDING = 5.0
"""Seconds for sessions to end before the class is over."""

_BY_TIME: dict[Phase, tuple[Phase, ...]] = {
    "lobby": ("over",),
    "playing": ("closed", "debrief"),
    "closed": ("debrief",),
    "debrief": ("over",),
    "revealed": ("over",),
}
"""To which phases a class comes when the time of another is over."""


class LiveClass:
    """A class in this process. Its tasks are the `owner`'s; `run` runs a session, `clock` tells the time, robots take
    `pace` seconds for an answer. Whoever gives somebody a place holds `joining`.
    """

    def __init__(
        self, parts: Parts, store: ClassStore, progress: ClassProgress, owner: OwnedTasks, *,
        run: RunSession, clock: Callable[[], datetime], pace: float,
    ) -> None:  # fmt: skip
        self.parts, self.store, self.progress, self.clock = parts, store, progress, clock
        self.joining = asyncio.Lock()
        self.tasks = PersonTasks(parts, progress, owner, run, pace)
        self._owner = owner
        self._sent: set[tuple[str, str]] = set()
        self._tending: asyncio.Task[None] | None = None
        self._counting_since: datetime | None = None
        self._refreshed = 0.0
        self._removed = False

    async def refresh(self) -> None:
        """Take in what the store has of the class, as other processes write there, too; and how far everybody has come
        who is new here, before anybody is shown the class, or let into the seat they had. Raises StorageError.
        """
        progress, class_id = self.progress, self.progress.room.id
        self._refreshed = monotonic()
        phases, (places, until) = await self.store.phases(class_id), await self.store.changes(class_id)
        kept = await self.store.revealed(class_id) if progress.revealed is None else None
        known = progress.facts
        progress.phases = progress.phases | phases
        progress.places, progress.until = max(progress.places, places), max(progress.until, until or progress.until)
        if kept:
            progress.revealed = Publication.model_validate(kept)
        left = await self.store.left(class_id)
        for person in await self.store.people(class_id):
            if person.id not in progress.members:
                await self._read(progress.add(person))
            if person.id in left and not progress.members[person.id].left:
                progress.leave(person.id)
        if progress.facts != known:
            progress.touch()

    async def is_up_to_date(self) -> bool:
        """Refresh it, unless that was done just now; False where it is there no more."""
        if monotonic() - self._refreshed < FRESH_FOR:
            return True
        if not await self.store.is_there(self.progress.room.id):
            self._removed = True
            return False
        await self.refresh()
        return True

    def plays(self, person: str) -> bool:
        """Whether somebody is known here to have begun."""
        member = self.progress.members.get(person)
        return member is not None and bool(member.progress.by)

    async def _read(self, member: Member) -> None:
        try:
            await self.tasks.read(member)
        except UnknownSession:
            if self.progress.phase == "over":
                self.progress.gone(member)
        except ElenchusError:
            _log.exception("session %s of a class cannot be read", member.person.session)

    def begin(self) -> None:
        """See to it from now on, until it is over; one that is over is only looked at."""
        if self.progress.phase != "over":
            self._tending = self._owner.begin(self._tend(), f"class {self.progress.room.id}")

    async def aclose(self) -> None:
        """Pause what runs and look at nothing more."""
        tasks = [*self.tasks.cancel(), *([self._tending] if self._tending else [])]
        await cancelled(*tasks)

    async def try_again(self) -> None:
        """Go on with whatever stands still. Raises StorageError."""
        await self.tasks.try_again(list(self.progress.members.values()))

    async def press(self, phase: Phase, by: str) -> None:
        """Come to a phase. Raises StorageError."""
        await self.store.press(self.progress.room.id, phase, PhaseChange(at=self.clock(), by=by))
        await self.refresh()

    # ── again and again ──────────────────────────────────────────────────────────────────────────────────────────

    async def _tend(self) -> None:
        revision = 0
        while self.progress.phase != "over" and not self._removed:
            revision = await self.progress.changed.after(revision, self._until_next())
            try:
                if await self.is_up_to_date():
                    await self._look()
            except ElenchusError:
                _log.exception("class %s: something could not be done yet; it is tried again", self.progress.room.id)
                revision = 0
            await asyncio.sleep(LOOKS_EVERY)
        await self._end()

    def _until_next(self) -> float:
        """Seconds until the clock changes something, or another process may have."""
        left = (self._ends() - self.clock()).total_seconds()
        return min(0.5 if self._counting_since else OTHERS_EVERY, max(0.05, left))

    def _ends(self) -> datetime:
        progress = self.progress
        if progress.phase == "revealed":
            return max(progress.until, progress.phases["revealed"].at) + SHOWN
        return progress.until + GRACE if progress.phase == "debrief" else progress.until

    async def _look(self) -> None:
        progress = self.progress
        if self.clock() >= self._ends():
            for phase in _BY_TIME.get(progress.phase, ()):
                await self.press(phase, "")
        if not progress.is_at_least("closed"):
            await self._add_robots()
        if progress.phase in ("lobby", "over"):
            return
        for member in progress.members.values():
            if not (member.left and member.progress.stage == "here"):
                self.tasks.begin(member)
        if progress.is_at_least("closed"):
            await self._close()
        if progress.is_at_least("debrief"):
            await self._tell()
        if progress.phase == "revealed" and progress.revealed is None:
            await self._reveal()

    async def _add_robots(self) -> None:
        there = sum(one.person.robot for one in self.progress.members.values())
        for number in range(there, self.progress.room.bots):
            await join(self, person=f"robot-{number + 1}", robot=True)

    async def _close(self) -> None:
        for member in self._in_stage(*ACTIVE):
            await self._send(member, CloseAsked(by="class"))
            if member.progress.trouble and (member.person.id, "again") not in self._sent:
                self._sent.add((member.person.id, "again"))
                await self.tasks.try_again([member])

    async def _tell(self) -> None:
        for member in self._in_stage("waiting"):
            await self._send(member, DebriefAsked(by="class"))

    async def _take_silence_for_no(self) -> None:
        """Nobody is asked any more whether it may be kept: without a yes it is not."""
        for member in self._in_stage("debrief"):
            if member.progress.keep == "asked" and (turn := member.progress.asked_now):
                await self._send(member, participation.no_answer(turn, member.progress.by, "the class went on"))

    async def _reveal(self) -> None:
        """What was kept is counted, once and for good, when all have ended, or that takes too long."""
        self._counting_since = self._counting_since or self.clock()
        await self._take_silence_for_no()
        if self._under_way() and (self.clock() - self._counting_since).total_seconds() < SETTLING:
            return
        found = await reveal.published(self.parts, self.progress, self.clock())
        await self.store.reveal(self.progress.room.id, found.model_dump(mode="json"))
        kept = await self.store.revealed(self.progress.room.id)
        self.progress.revealed = Publication.model_validate(kept) if kept else found
        self._counting_since = None
        self.progress.touch()

    async def _end(self) -> None:
        """Let what is under way end as people were told it would, and follow nothing any more."""
        with suppress(TimeoutError):
            async with asyncio.timeout(ENDING):
                while self._under_way():
                    await self._close()
                    await self._tell()
                    await self._take_silence_for_no()
                    await asyncio.sleep(LOOKS_EVERY)
        await asyncio.gather(*self.tasks.cancel(), return_exceptions=True)
        self.progress.touch()

    # ── who ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def _in_stage(self, *stages: str) -> list[Member]:
        return [one for one in self.progress.members.values() if one.progress.stage in stages]

    def _under_way(self) -> list[Member]:
        return [one for one in self.progress.playing() if one.progress.stage not in ENDED and not one.progress.trouble]

    async def _send(self, member: Member, event: Event) -> None:
        """Send somebody's session something, once a run of this process; what the log has already is not sent."""
        about = event.step if isinstance(event, TurnAnswered) else event.kind
        if (member.person.id, about) in self._sent or about in member.progress.asked_to:
            return
        try:
            await self.parts.log.send(member.person.session, event)
            self._sent.add((member.person.id, about))
        except UnknownSession:
            self.progress.gone(member)
