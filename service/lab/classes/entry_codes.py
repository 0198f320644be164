"""By which codes people come into a class: the class's own, slips, and the one by which somebody comes back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from elenchus.service.lab.access import Access, Grant, NewGrant
    from elenchus.service.lab.classes.class_progress import Member
    from elenchus.service.lab.classes.classroom import Classroom

CODE_LETTERS, OWN_LETTERS = 6, 8
LAST = timedelta(days=3)
"""How long codes and seats of a class can be used."""
AT_ONCE = 5
"""Codes by which one person may come back that are good at the same time."""
REJOIN = "rejoin"
CLASS_CODE = "class code"
"""Labels of the grants of a code by which somebody comes back, and of the class's own."""


@dataclass(frozen=True, slots=True)
class JoinedPerson:
    """Somebody who has a place. `own` is their grant, for this browser or program; by `code` they come back from
    another device. Both are nowhere else.
    """

    member: Member
    own: NewGrant
    code: str


async def class_code(access: Access, class_id: str) -> str:
    """The code by which whoever is in the room comes in, and sees totals. Raises StorageError."""
    given = await access.give("audience", classroom=class_id, label=CLASS_CODE, short=CODE_LETTERS, lasts=LAST)
    return given.secret


async def new_slips(access: Access, room: Classroom) -> tuple[str, ...]:
    """Codes to print, one for each person who is expected: whoever has one comes in by it, and comes back by it."""
    found = []
    for number in range(1, room.people + 1):
        given = await access.give(
            "participant", classroom=room.id, person=f"slip-{number}", label=f"slip {number}", short=OWN_LETTERS,
            lasts=LAST,
        )  # fmt: skip
        found.append(given.secret)
    return tuple(found)


async def joined(access: Access, room: Classroom, member: Member) -> JoinedPerson:
    """What is given to somebody who has just come. Raises StorageError."""
    return JoinedPerson(member, *await own_way_in(access, room.id, member.person.id))


async def came_back(access: Access, room: Classroom, member: Member) -> JoinedPerson:
    """The same for somebody who is there already. Raises StorageError."""
    return JoinedPerson(member, *await another_way_in(access, room.id, member.person.id))


async def own_way_in(access: Access, class_id: str, person: str) -> tuple[NewGrant, str]:
    """A person's grant, and a code to come back by. Raises StorageError."""
    own = await access.give("participant", classroom=class_id, person=person, label="device", lasts=LAST)
    code = await access.give(
        "participant", classroom=class_id, person=person, label=REJOIN, short=OWN_LETTERS, lasts=LAST
    )
    return own, code.secret


async def another_way_in(access: Access, class_id: str, person: str) -> tuple[NewGrant, str]:
    """The same once more; of many codes the oldest is good no more. Raises StorageError."""
    grants = await access.grants(classroom=class_id)
    own = [grant for grant in grants if grant.person == person and grant.label == REJOIN]
    for grant in own[: max(0, len(own) - AT_ONCE + 1)]:
        await access.revoke(grant.id)
    return await own_way_in(access, class_id, person)


def seat_of(grant: Grant, room: Classroom, member: Member) -> Grant | None:
    """What a participant's grant is worth on the seat on which they play: as long as it is good, so is this one.

    None before their session has begun. Pure.
    """
    if not member.progress.by:
        return None
    seat = {"role": "seat", "classroom": "", "session": member.person.session, "seat": room.subject}
    return grant.model_copy(update=seat | {"person": member.progress.by})
