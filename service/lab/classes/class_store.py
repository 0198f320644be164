"""A class in the store: settings written once, and facts that are only ever added, so that two who press at once, and a
restart at any moment, leave what one press leaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import UsageError
from elenchus.service.lab.classes.classroom import PHASES, ClassPlan, Classroom, Person, Phase, PhaseChange
from elenchus.service.lab.stored_documents import readable, stored

if TYPE_CHECKING:
    from elenchus.debate_engine.key_value_store import KeyValueStore

CLASSES, PLANS, REVEALS, REMOVALS = "classes", "class-plans", "class-reveals", "class-removals"
"""Namespaces: settings, plans, what was revealed, and of which class the removal has begun, by class."""
OF_ONE = PEOPLE, NAMES, LEFT, PHASES_OF, CHANGES, NUMBERS = (
    "class-people", "class-names", "class-left", "class-phases", "class-changes", "class-numbers"
)  # fmt: skip
"""Beginnings of the namespaces of one class: people; who has which name; who has left; phases; later settings."""

NO_CLASS = "There is no such class (any more)."


@dataclass(frozen=True, slots=True)
class ClassStore:
    """All classes in a store. Every method raises StorageError."""

    store: KeyValueStore

    # ── settings ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def create(self, room: Classroom, plan: ClassPlan) -> None:
        """Keep a new class; last of all what makes it one."""
        await self.store.put(PLANS, room.id, plan.model_dump(mode="json"))
        await self.store.put(CLASSES, room.id, room.model_dump(mode="json"))

    async def get(self, class_id: str) -> Classroom:
        """A class. Raises UsageError for none, NewerSchema."""
        if (known := await self.store.get(CLASSES, class_id)) is None:
            raise UsageError(NO_CLASS)
        return stored(Classroom, class_id, known)

    async def is_there(self, class_id: str) -> bool:
        """Whether there is such a class."""
        return await self.store.get(CLASSES, class_id) is not None

    async def plan(self, class_id: str) -> ClassPlan:
        """What it plays. Raises UsageError for none, NewerSchema."""
        if (known := await self.store.get(PLANS, class_id)) is None:
            raise UsageError(NO_CLASS)
        return stored(ClassPlan, class_id, known)

    async def all(self) -> list[Classroom]:
        """All classes that this release reads, newest first."""
        found = readable(Classroom, await self.store.all(CLASSES))
        return sorted(found, key=lambda room: room.created, reverse=True)

    # ── phases ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def press(self, class_id: str, phase: Phase, pressed: PhaseChange) -> bool:
        """The class comes to a phase; of several who press at once one has done it."""
        return await self.store.add(f"{PHASES_OF}/{class_id}", phase, pressed.model_dump(mode="json"))

    async def phases(self, class_id: str) -> dict[Phase, PhaseChange]:
        """The phases that it has come to, in their order."""
        known = await self.store.all(f"{PHASES_OF}/{class_id}")
        return {phase: PhaseChange.model_validate(known[phase]) for phase in PHASES if phase in known}

    async def phase(self, class_id: str) -> Phase:
        """The last phase that it has come to."""
        return next(reversed(await self.phases(class_id)), "lobby")

    # ── later settings: the greatest counts ──────────────────────────────────────────────────────────────────────

    async def open_places(self, class_id: str, places: int) -> None:
        """So many people may take part, at least."""
        await self.store.add(f"{CHANGES}/{class_id}", f"places/{places:06}", {"places": places})

    async def extend(self, class_id: str, until: datetime) -> None:
        """It lasts until then, at least."""
        await self.store.add(f"{CHANGES}/{class_id}", f"until/{until.isoformat()}", {"until": until.isoformat()})

    async def changes(self, class_id: str) -> tuple[int, datetime | None]:
        """The most places and the latest end that were set since."""
        known = (await self.store.all(f"{CHANGES}/{class_id}")).values()
        ends = [datetime.fromisoformat(one["until"]) for one in known if "until" in one]
        return max((int(one["places"]) for one in known if "places" in one), default=0), max(ends, default=None)

    # ── people ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def take_name(self, class_id: str, name: str, person: str) -> bool:
        """Give a made-up name to a person; of several who take it at once one has it."""
        return await self.store.add(f"{NAMES}/{class_id}", name, {"person": person})

    async def take_number(self, class_id: str, above: int) -> int:
        """A number beyond those that are known, which nobody else has, in no process."""
        number = above + 1
        while not await self.store.add(f"{NUMBERS}/{class_id}", f"{number:06}", {}):
            number += 1
        return number

    async def add_person(self, class_id: str, person: Person) -> bool:
        """Somebody has come; False where they are there already."""
        return await self.store.add(f"{PEOPLE}/{class_id}", person.id, person.model_dump(mode="json"))

    async def people(self, class_id: str) -> list[Person]:
        """Everybody who has come, in order."""
        found = map(Person.model_validate, (await self.store.all(f"{PEOPLE}/{class_id}")).values())
        return sorted(found, key=lambda person: (person.number, person.id))

    async def leave(self, class_id: str, person: str, at: datetime) -> bool:
        """Somebody has left for good: whether that is new."""
        return await self.store.add(f"{LEFT}/{class_id}", person, {"at": at.isoformat()})

    async def left(self, class_id: str) -> set[str]:
        """Who has left."""
        return {*await self.store.all(f"{LEFT}/{class_id}")}

    # ── what was revealed ────────────────────────────────────────────────────────────────────────────────────────

    async def reveal(self, class_id: str, document: dict[str, Any]) -> bool:
        """Keep what is revealed; the first stands for good, so that nobody can be told from the difference of two."""
        return await self.store.add(REVEALS, class_id, document)

    async def revealed(self, class_id: str) -> dict[str, Any] | None:
        """What was revealed, None before that."""
        return await self.store.get(REVEALS, class_id)

    # ── removing ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def forget_people(self, class_id: str) -> None:
        """Remove who was there, with their made-up names; what was revealed stays, in which nobody is to be told."""
        for begins in (PEOPLE, NAMES, LEFT):
            await self._empty(f"{begins}/{class_id}")

    async def begin_removal(self, class_id: str) -> None:
        """Note that a class is to be removed, whatever dies."""
        await self.store.put(REMOVALS, class_id, {})

    async def removals(self) -> list[str]:
        """Classes whose removal has begun."""
        return [*await self.store.all(REMOVALS)]

    async def remove(self, class_id: str) -> None:
        """Remove a class and all that is kept of it, first what makes it one, last that it is to be done."""
        for namespace in (CLASSES, PLANS, REVEALS):
            await self.store.remove(namespace, class_id)
        for begins in OF_ONE:
            await self._empty(f"{begins}/{class_id}")
        await self.store.remove(REMOVALS, class_id)

    async def _empty(self, namespace: str) -> None:
        keys: Sequence[str] = [*await self.store.all(namespace)]
        for key in keys:
            await self.store.remove(namespace, key)
