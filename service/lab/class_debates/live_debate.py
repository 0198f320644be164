"""A class debate in this process: who is in it, and how it stands by the log of its session, which is followed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from elenchus.debate_engine.errors import ElenchusError, UnknownSession
from elenchus.debate_engine.events import Recorded, Redacted, SeatNamed, StepDone
from elenchus.debate_engine.protocols.judging.votes import Choice, When, last_votes
from elenchus.debate_engine.protocols.socrasynth.halves import Halves
from elenchus.debate_engine.protocols.speech import SIDES, Side
from elenchus.service.lab.class_debates.views import DebatePhase
from elenchus.service.lab.classes.change_signal import Signal
from elenchus.service.lab.session_status import SessionStatus

if TYPE_CHECKING:
    from elenchus.debate_engine.events import Event
    from elenchus.service.lab.class_debates.room import DebateRoom
    from elenchus.service.lab.classes.class_store import ClassStore
    from elenchus.service.lab.classes.classroom import Person
    from elenchus.service.lab.classes.sessions import Parts

_log = logging.getLogger(__name__)

AGAIN_AFTER = 1.0
"""Seconds after which a log is followed again that could not be."""


@dataclass(slots=True)
class DebateMember:
    """Somebody in a class debate. The log calls them `called`, and `ballot` where they vote: no log joins both."""

    person: Person
    called: str
    ballot: str
    left: bool = False


@dataclass(slots=True)
class DebateState:
    """What the log says, read up to some event."""

    status: SessionStatus
    halves: Halves = field(default_factory=Halves)
    speakers: dict[Side, str] = field(default_factory=dict)
    begun: bool = False

    @property
    def votes(self) -> list[Recorded]:
        """The votes and their ends."""
        return self.status.view.moderation.votes

    def take(self, r: Recorded) -> bool:
        """Take in the next event; False where it is known."""
        if not self.status.take(r):
            return False
        self.halves.take(r)
        match r.event:
            case StepDone():
                self.begun = True
            case SeatNamed(seat="pro", by=by):
                self.speakers.setdefault("pro", by)
            case SeatNamed(seat="con", by=by):
                self.speakers.setdefault("con", by)
        return True


class LiveDebate:
    """A class debate. Who changes something holds `acting`; `changed` tells of everything that is new."""

    def __init__(self, parts: Parts, store: ClassStore, room: DebateRoom, clock: Callable[[], datetime]) -> None:
        self.parts, self.store, self.room, self.clock = parts, store, room, clock
        self.members: dict[str, DebateMember] = {}
        self.acting = asyncio.Lock()
        self.changed = Signal()
        self.gone = self.removed = False
        self.refreshed = clock()
        self.stands = DebateState(SessionStatus.of(room.session, ()))
        self._reading = asyncio.Lock()
        self._rewrites = parts.log.rewrites(room.session)

    # ── by the log ───────────────────────────────────────────────────────────────────────────────────────────────

    async def follow(self) -> None:
        """Keep up with the log until the session is deleted, or there is nothing more to come of the class."""
        while not self.gone:
            try:
                async for r in self.parts.log.follow(self.room.session, after=self.stands.status.view.last_seq):
                    await self._taken(r)
            except UnknownSession:
                self.gone = True
            except ElenchusError:
                _log.exception("class debate %s is not followed for a moment", self.room.id)
            self.changed.touch()
            await asyncio.sleep(AGAIN_AFTER)

    async def read_up(self) -> None:
        """Take in what is in the log by now. Raises UnknownSession, StorageError."""
        if self.stale:
            await self._read_anew()
        for r in await self.parts.log.read(self.room.session, after=self.stands.status.view.last_seq):
            await self._taken(r)

    async def _taken(self, r: Recorded) -> None:
        if isinstance(r.event, Redacted) and r.seq > self.stands.status.view.last_seq:
            await self._read_anew()
        elif self.stands.take(r):
            self.changed.touch()

    @property
    def stale(self) -> bool:
        """Whether what was read may hold words that were removed since."""
        return self.parts.log.rewrites(self.room.session) != self._rewrites

    async def _read_anew(self) -> None:
        """Words were removed: what was read before may hold them."""
        async with self._reading:
            rewrites = self.parts.log.rewrites(self.room.session)
            stands = DebateState(SessionStatus.of(self.room.session, ()))
            while not (last := stands.status.view.last_seq) or last < self.stands.status.view.last_seq:
                for r in await self.parts.log.read(self.room.session, after=last):
                    stands.take(r)
            self.stands, self._rewrites = stands, rewrites
        self.changed.touch()

    async def send(self, event: Event) -> int:
        """Append what somebody does, and take it in; its number. Raises UnknownSession, StorageError."""
        sent = await self.parts.log.send(self.room.session, event)
        await self.read_up()
        return sent.seq

    # ── read from it ─────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def halves(self) -> Halves:
        """Both halves as they stand."""
        return self.stands.halves

    @property
    def phase(self) -> DebatePhase:
        """Where the class is."""
        if self.stands.status.over or self.gone:
            return "over"
        if not self.stands.begun:
            return "lobby"
        return "running" if self.stands.status.state == "running" else "paused"

    @property
    def there(self) -> list[DebateMember]:
        """Who has come and not left."""
        return [one for one in self.members.values() if not one.left]

    def speaker_of(self, side: Side) -> DebateMember | None:
        """The person of the class who speaks for a side."""
        called = self.stands.speakers.get(side)
        return next((one for one in self.members.values() if called and one.called == called), None)

    def is_speaker(self, member: DebateMember) -> bool:
        """Whether somebody speaks for a side."""
        return any(self.speaker_of(side) is member for side in SIDES)

    def votes_of(self, member: DebateMember) -> dict[When, Choice]:
        """Somebody's own votes."""
        before, after = last_votes(self.stands.votes)
        found: dict[When, Choice] = {}
        if member.ballot in before:
            found["before"] = before[member.ballot]
        if member.ballot in after:
            found["after"] = after[member.ballot]
        return found
