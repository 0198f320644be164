"""Classes: what a teacher and the people in the room do with them, and the process that runs them.

async with open_classes(parts, access) as classes:
    room = await classes.create(ClassOptions(scene="anchoring"))
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from elenchus.debate_engine.errors import ElenchusError, UsageError
from elenchus.debate_engine.events import now
from elenchus.debate_engine.owned_tasks import OwnedTasks
from elenchus.debate_engine.runner import new_id
from elenchus.service.lab.classes import entry_codes, new_class, reveal, taking_part
from elenchus.service.lab.classes.class_progress import ClassProgress, Member
from elenchus.service.lab.classes.class_store import NO_CLASS, ClassStore
from elenchus.service.lab.classes.classroom import MOST_PEOPLE, Classroom, Phase
from elenchus.service.lab.classes.entry_codes import JoinedPerson
from elenchus.service.lab.classes.live_class import LiveClass
from elenchus.service.lab.classes.person_tasks import RunSession
from elenchus.service.lab.classes.removing import finish_removals, remove_class
from elenchus.service.lab.classes.shown import coming, unfinished

if TYPE_CHECKING:
    from elenchus.service.lab.access import Access, Grant
    from elenchus.service.lab.classes.new_class import ClassEstimate, ClassOptions
    from elenchus.service.lab.classes.sessions import Parts
    from elenchus.service.lab.scene_results import SceneResults

_log = logging.getLogger(__name__)

PACE = 4.0
"""Seconds in which a robot answers, in the middle."""
KEPT = timedelta(hours=24)
"""How long after its end it is known who was in a class, by made-up names."""


@dataclass(frozen=True, slots=True)
class CreatedClass:
    """A new class; `slips` are codes, one for each person who is expected, where everybody has one of their own."""

    room: Classroom
    cautions: tuple[str, ...]
    slips: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Advanced:
    """Whether the class has come to the phase; else what is `unfinished`, which is to be agreed to first."""

    done: bool
    unfinished: tuple[str, ...] = ()


@dataclass
class Classes:
    """All classes that this process runs. Made by `open_classes`. Every method raises StorageError."""

    parts: Parts
    access: Access
    run: RunSession
    clock: Callable[[], datetime] = now
    pace: float = PACE
    live: dict[str, LiveClass] = field(default_factory=dict)
    _owner: OwnedTasks = field(default_factory=OwnedTasks)
    _opening: asyncio.Lock = field(default_factory=asyncio.Lock)
    _closed: bool = False
    _removing: set[str] = field(default_factory=set)

    @property
    def store(self) -> ClassStore:
        """Classes as they are kept."""
        return ClassStore(self.parts.store)

    # ── for the teacher ──────────────────────────────────────────────────────────────────────────────────────────

    async def create(self, options: ClassOptions, class_id: str = "") -> CreatedClass:
        """A new class, with its lobby open. Raises UsageError, ProviderError."""
        class_id, parts = class_id or new_id(), self.parts
        made = await new_class.new_class(
            options, parts.settings, parts.registry, parts.pictures, class_id=class_id, now=self.clock()
        )
        room = made.room.model_copy(update={"code": await entry_codes.class_code(self.access, class_id)})
        slips = await entry_codes.new_slips(self.access, room) if room.slips else ()
        await self.store.create(room, made.plan)
        await self.open(class_id)
        return CreatedClass(room, made.cautions, slips)

    async def is_there(self, class_id: str) -> bool:
        """Whether there is such a class, and it is not being removed."""
        return class_id not in self._removing and await self.store.is_there(class_id)

    async def estimate(self, options: ClassOptions) -> ClassEstimate:
        """What it takes at the most, and what to know beforehand. Raises UsageError, ProviderError."""
        return await new_class.estimated(options, self.parts.settings, self.parts.registry)

    async def advance(self, class_id: str, to: Phase, by: str, *, sure: bool = False) -> Advanced:
        """Come to the next phase, unless something is unfinished and nobody is `sure`. Once there, nothing changes.

        Raises UsageError for a phase that does not come next.
        """
        live = await self.open(class_id)
        async with self.parts.shared.alone(f"phase of {class_id}"):  # of opposite buttons one is pressed
            await live.refresh()
            return await self._advanced(live, to, by, sure=sure)

    async def _advanced(self, live: LiveClass, to: Phase, by: str, *, sure: bool) -> Advanced:
        progress = live.progress
        if to in progress.phases or (progress.is_at_least(to) and to == "lobby"):
            return Advanced(done=True)
        if to not in coming(progress.phase):
            following = " or ".join(coming(progress.phase)) or "nothing"
            raise UsageError(f"The class is in the phase {progress.phase}; {following} comes next, and not {to}.")
        if (told := unfinished(progress, to)) and not sure:
            return Advanced(done=False, unfinished=told)
        await live.press(to, by)
        return Advanced(done=True)

    async def open_places(self, class_id: str, places: int) -> int:
        """Let so many people take part, where it was fewer; how many it is now. Raises UsageError."""
        if not 1 <= places <= MOST_PEOPLE:
            raise UsageError(f"A class has 1 to {MOST_PEOPLE} places.")
        live = await self.open(class_id)
        await self.store.open_places(class_id, places)
        live.progress.places = max(live.progress.places, places)
        live.progress.touch()
        return live.progress.places

    async def extend(self, class_id: str, minutes: float) -> datetime:
        """Let it end so much later than now, where that was earlier; when it ends. Raises UsageError."""
        live = await self.open(class_id)
        if not 0 < minutes <= 48 * 60:
            raise UsageError("A class can be extended by up to 48 hours.")
        until = max(live.progress.until, self.clock() + timedelta(minutes=minutes))
        await self.store.extend(class_id, until)
        live.progress.until = until
        live.progress.touch()
        return until

    async def more_time(self, class_id: str, minutes: float, by: str, person: str = "") -> int:
        """Give who is asked something more time for it, one person or all; how many that are. Raises UsageError."""
        live = await self.open(class_id)
        chosen = [taking_part.member_of(live.progress, person)] if person else list(live.progress.members.values())
        asked = [one for one in chosen if (turn := one.progress.asked_now) and turn.due]
        for member in asked or chosen if person else asked:
            await taking_part.more_time(live, member, minutes, by)
        return len(asked)

    async def try_again(self, class_id: str) -> None:
        """Go on with sessions that stand still."""
        await (await self.open(class_id)).try_again()

    async def results(self, class_id: str) -> SceneResults:
        """All that there is to take home of its people, once it is shown.

        Raises UsageError before that, and where somebody could be told from it who took it back since.
        """
        live = await self.open(class_id)
        if (shown := live.progress.revealed) is None:
            raise UsageError("What came out is taken home once it is shown: until then it may be taken back.")
        found = await reveal.results(self.parts, live.progress)
        if not reveal.may_be_handed_out(shown, reveal.answers_of(found.study)):
            raise UsageError(reveal.TAKEN_BACK)
        return found

    # ── for people ───────────────────────────────────────────────────────────────────────────────────────────────

    async def join(self, class_id: str, name: str = "", slip: str = "", called: str = "") -> JoinedPerson:
        """Give somebody a place; `slip` is the person of a slip's grant, and logs call somebody `called` already who
        comes by another front end. Raises UsageError, ClassFull.
        """
        live = await self.open(class_id)
        if live.progress.room.slips and not slip:
            raise UsageError("Everybody has a code of their own here: type the one on your slip.")
        given = entry_codes.came_back if slip in live.progress.members else entry_codes.joined
        member = await taking_part.join(live, name=name, person=slip, called_there=called)
        return await given(self.access, live.progress.room, member)

    async def join_again(self, class_id: str, name: str, before: str) -> JoinedPerson:
        """A place anew for somebody who slept through the beginning; what they had `before` gives nothing any more.

        Raises UsageError, ClassFull.
        """
        live, old = await self.member(class_id, before)
        if not old.may_come_again:
            raise UsageError("Who has played, or declined, has had their turn.")
        found = await self.join(class_id, name)
        await self.store.leave(class_id, before, self.clock())
        live.progress.leave(before)
        for grant in await self.access.grants(classroom=class_id):
            if grant.person == before:
                await self.access.revoke(grant.id)
        return found

    async def come_back(self, class_id: str, person: str) -> JoinedPerson:
        """Somebody who is there comes from another device, or wants a new code for it. Raises UsageError."""
        live, member = await self.member(class_id, person)
        return await entry_codes.came_back(self.access, live.progress.room, member)

    async def seat_of(self, grant: Grant) -> Grant | None:
        """What a participant's grant is worth on the seat on which they play; None where they do not play here."""
        live = self.live.get(grant.classroom) if grant.role == "participant" else None
        if grant.role == "participant" and (live is None or not live.plays(grant.person)):
            with suppress(ElenchusError):  # it may have come by another process
                live = await self.open(grant.classroom)
        member = live.progress.members.get(grant.person) if live else None
        return entry_codes.seat_of(grant, live.progress.room, member) if live and member else None

    async def member(self, class_id: str, person: str) -> tuple[LiveClass, Member]:
        """Somebody in a class. Raises UsageError."""
        live = await self.open(class_id)
        return live, taking_part.member_of(live.progress, person)

    # ── running ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def open(self, class_id: str) -> LiveClass:
        """A class, gone on with where it stands. Raises UsageError."""
        if known := self.live.get(class_id):
            if await known.is_up_to_date():
                return known
            self.live.pop(class_id, None)
            known.progress.removed = True  # by another process
            known.progress.touch()
            raise UsageError(NO_CLASS)
        async with self._opening:
            if self._closed:
                raise UsageError("Classes are paused here: try again in a moment.")
            if class_id in self._removing:
                raise UsageError(NO_CLASS)
            if class_id not in self.live:
                progress = await self._progress(class_id)
                live = LiveClass(
                    self.parts, self.store, progress, self._owner, run=self.run, clock=self.clock, pace=self.pace
                )
                await live.refresh()
                self.live[class_id] = live
                live.begin()
            return self.live[class_id]

    async def _progress(self, class_id: str) -> ClassProgress:
        store = self.store
        room, plan = await store.get(class_id), await store.plan(class_id)
        return ClassProgress(room, plan, room.people, room.until)

    async def open_all(self) -> None:
        """Go on with every class that is not over; of others forget who was there when their time has come."""
        await finish_removals(self.parts, self.access, self.store)
        for room in await self.store.all():
            try:
                phases = await self.store.phases(room.id)
                if "over" not in phases:
                    await self.open(room.id)
                elif self.clock() - phases["over"].at >= KEPT:
                    await self.store.forget_people(room.id)
                    await self.access.revoke_session("", classroom=room.id)
            except ElenchusError:  # one that cannot be read hurts no other
                _log.exception("class %s cannot go on", room.id)

    async def remove(self, class_id: str) -> None:
        """Remove a class that is over, with what was said in it; a study's sessions keep their own promise.

        Raises UsageError while it goes on.
        """
        live = await self.open(class_id)
        if live.progress.phase != "over":
            raise UsageError("End the class first: then it can be removed.")
        self._removing.add(class_id)  # for good: nobody is shown meanwhile what goes
        await live.aclose()
        self.live.pop(class_id, None)
        live.progress.removed = True
        live.progress.touch()
        await remove_class(self.parts, self.access, self.store, class_id)

    async def aclose(self) -> None:
        """Pause all that runs: it goes on when the classes are opened again."""
        self._closed = True
        await self._owner.aclose()
        self.live.clear()


@asynccontextmanager
async def open_classes(
    parts: Parts,
    access: Access,
    *,
    run: RunSession | None = None,
    clock: Callable[[], datetime] = now,
    pace: float = PACE,
) -> AsyncIterator[Classes]:
    """The classes of this process, those gone on with that are not over; left, they pause. `run` runs a session."""
    classes = Classes(parts, access, run or parts.runner.run, clock, pace)
    try:
        await classes.open_all()
        yield classes
    finally:
        await classes.aclose()
