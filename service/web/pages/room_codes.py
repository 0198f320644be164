"""Codes that pages show again as long as this process runs: of what is kept in the store nobody can make them again.

A room's is the code by which it joins as audience; slips are a class's to print; own codes lead people of a class back.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from aiohttp import web

if TYPE_CHECKING:
    from elenchus.service.web.pages.frame import Visit

CODES: web.AppKey[dict[str, tuple[str, str]]] = web.AppKey("room-codes", dict)
"""By session: the grant's id and its code."""
SLIPS: web.AppKey[dict[str, tuple[str, ...]]] = web.AppKey("slips", dict)
"""By class: a code for each person who is expected."""
OWN_CODES: web.AppKey[dict[tuple[str, str], str]] = web.AppKey("own-codes", dict)
"""By class and person: the code that they were given last."""
LASTS = timedelta(days=2)
LETTERS = 6


async def code_for(visit: Visit, session: str) -> str:
    """The code, made where there is none that is still good; of a debate of a class the class's own."""
    if of_class := visit.service.debates.of_session(session):
        return of_class.room.code
    codes = visit.request.app[CODES]
    known = codes.get(session)
    if known and await visit.service.access.by_id(known[0]):
        return known[1]
    given = await visit.service.access.give("audience", session=session, label="room", lasts=LASTS, short=LETTERS)
    codes[session] = (given.grant.id, given.secret)
    return given.secret
