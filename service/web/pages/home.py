"""The first page: what runs and has ended, and what can be begun."""

from __future__ import annotations

from typing import TYPE_CHECKING

from elenchus.service.web.documents import session_row
from elenchus.service.web.pages.frame import Visit, to

if TYPE_CHECKING:
    from aiohttp import web

ENDED = ("finished", "stopped", "failed", "rescued")
MOST = 40
"""Ended sessions on one page."""
STARTS = ("debate", "scene")


async def show_home(visit: Visit) -> web.StreamResponse:
    """A moderator's list; who has one seat, or one session, is led there."""
    mine = {grant.session for grant in visit.asking.grants if grant.session}
    if not visit.asking.moderates() and len(mine) == 1:
        return to(f"/sessions/{mine.pop()}")
    found = [session_row(one) for one in await visit.service.app.log.sessions() if visit.asking.may_look(one.id)]
    ended = [row for row in found if row.state in ENDED]
    start = next((n for n, row in enumerate(ended, 1) if row.id == visit.request.query.get("after")), 0)
    part = ended[start : start + MOST]
    more = part[-1].id if part and start + MOST < len(ended) else ""
    running = [row for row in found if row.state not in ENDED]
    return visit.show(
        "home.html", running=running, ended=part, more=more, moderates=visit.asking.moderates(), starts=STARTS
    )
