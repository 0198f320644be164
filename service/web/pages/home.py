"""The first page: what runs and has ended, the classes, and what can be begun."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from elenchus.service.web.documents import session_row
from elenchus.service.web.mind_tasks import is_mind
from elenchus.service.web.pages.foreign_forms import foreign_forms
from elenchus.service.web.pages.frame import STARTS, Visit, to
from elenchus.service.web.pages.kind_forms import KINDS

if TYPE_CHECKING:
    from aiohttp import web

ENDED = ("finished", "stopped", "failed", "rescued")
MOST = 40
"""Ended sessions on one page."""


async def show_home(visit: Visit) -> web.StreamResponse:
    """A moderator's list; who has one class, one seat, or one session, is led there."""
    classes = {grant.classroom for grant in visit.asking.grants if grant.classroom}
    mine = {grant.session for grant in visit.asking.grants if grant.session}
    if not visit.asking.moderates() and (len(classes) == 1 or len(mine) == 1):
        debating = [one for one in classes if await visit.service.debates.is_there(one)]
        kind = "class-debates" if debating else "classes"
        return to(f"/{kind}/{classes.pop()}" if len(classes) == 1 else f"/sessions/{mine.pop()}")
    rooms, of_classes = await _classes(visit)
    moderates = visit.asking.moderates()
    minds = await visit.service.app.minds.all() if moderates else ()
    debates = await visit.service.debates.all() if moderates else ()
    of_classes |= {one.session for one in debates}
    sessions = [one for one in await visit.service.app.log.sessions() if visit.asking.may_look(one.id)]
    found = [session_row(one) for one in sessions if one.id not in of_classes and not is_mind(one.protocol)]
    ended = [row for row in found if row.state in ENDED]
    start = next((n for n, row in enumerate(ended, 1) if row.id == visit.request.query.get("after")), 0)
    part = ended[start : start + MOST]
    more = part[-1].id if part and start + MOST < len(ended) else ""
    running = [row for row in found if row.state not in ENDED]
    return visit.show(
        "home.html", minds=minds, running=running, ended=part, more=more, classes=rooms, moderates=moderates,
        starts=list(dict.fromkeys((*STARTS, *KINDS))), debates=debates,
        foreign=await asyncio.to_thread(foreign_forms) if moderates else [],
    )  # fmt: skip


async def _classes(visit: Visit) -> tuple[list[dict[str, Any]], set[str]]:
    """The visitor's classes, and the sessions of their people, which are shown on the classes' own pages."""
    store = visit.service.classes.store
    rows, sessions = list[dict[str, Any]](), set[str]()
    for room in await store.all():
        if visit.asking.moderates_class(room.id):
            people = await store.people(room.id)
            sessions |= {person.session for person in people}
            rows.append({
                "id": room.id, "title": room.title, "created": room.created, "phase": await store.phase(room.id),
                "people": sum(not person.robot for person in people),
            })  # fmt: skip
    return rows, sessions
