"""Codes that pages show again as long as they are remembered: of what is kept in the store nobody can make them again.

A room's is the code by which it joins as audience; slips are a class's to print; own codes lead people of a class back.
All are remembered where processes share what may be lost (`Shared.remember`), and by the process that made them.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from elenchus.service.web.pages.frame import Visit

LASTS = timedelta(days=2)
LETTERS = 6


async def code_for(visit: Visit, session: str) -> str:
    """The code, made where there is none that is still good; of a debate of a class the class's own."""
    if of_class := visit.service.debates.of_session(session):
        return of_class.room.code
    grant, _, code = (await recalled(visit, f"room {session}")).partition(" ")
    if code and await visit.service.access.by_id(grant):
        return code
    given = await visit.service.access.give("audience", session=session, label="room", lasts=LASTS, short=LETTERS)
    await noted(visit, f"room {session}", f"{given.grant.id} {given.secret}")
    return given.secret


async def note_slips(visit: Visit, class_id: str, codes: tuple[str, ...]) -> None:
    """Remember a code for each person who is expected."""
    await noted(visit, f"slips {class_id}", " ".join(codes))


async def slips_of(visit: Visit, class_id: str) -> tuple[str, ...]:
    """Those codes, none where they were forgotten."""
    return tuple((await recalled(visit, f"slips {class_id}")).split())


async def note_own_code(visit: Visit, class_id: str, person: str, code: str) -> None:
    """Remember the code that somebody was given last."""
    await noted(visit, f"own {class_id} {person}", code)


async def own_code_of(visit: Visit, class_id: str, person: str) -> str:
    """That code, "" where it was forgotten."""
    return await recalled(visit, f"own {class_id} {person}")


async def noted(visit: Visit, place: str, text: str) -> None:
    """Remember something."""
    await visit.service.app.shared.remember(f"code {place}", text, LASTS.total_seconds())


async def recalled(visit: Visit, place: str) -> str:
    """What was remembered there."""
    return await visit.service.app.shared.remembered(f"code {place}")
