"""How somebody comes in and goes: a link that is shown before it is used up, a code that is typed, and signing out."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from aiohttp import web

from elenchus.debate_engine.errors import UnknownSession
from elenchus.service.web.pages.frame import Visit, to
from elenchus.service.web.problems import NotSignedIn
from elenchus.service.web.sign_in import COOKIE, enter, set_cookie

if TYPE_CHECKING:
    from elenchus.service.lab.access import Grant

LONGEST = 200
"""Characters of what is typed as a code."""


async def show_sign_in(visit: Visit) -> web.StreamResponse:
    """Whoever opens a link presses a button first: a preview in a chat must not use it up."""
    link = visit.request.query.get("link", "")[:LONGEST]
    return visit.show("sign-in.html", link=link, problem="", back="/")


async def sign_in(visit: Visit) -> web.StreamResponse:
    """Use the link, and go where it leads."""
    given = await visit.form()
    grant, cookie = await enter(visit.request, str(given.get("link", "")).strip()[:LONGEST])
    return _entered(visit, grant, cookie)


async def show_join(visit: Visit) -> web.StreamResponse:
    """A field for a code; with one, what it is for."""
    code = (visit.request.match_info.get("code") or visit.request.query.get("code", "")).strip()[:LONGEST]
    if not code:
        return visit.show("join.html", code="", grant=None, title="", problem="")
    if (grant := await visit.service.granted(visit.request, code)) is None:
        return visit.show("join.html", status=404, code=code, grant=None, title="", problem=visit.t("join-unknown"))
    return visit.show("join.html", code=code, grant=grant, title=await _title(visit, grant), problem="")


async def join(visit: Visit) -> web.StreamResponse:
    """Use the code, and go where it leads."""
    given = await visit.form()
    code = str(given.get("code", "")).strip()[:LONGEST]
    try:
        grant, cookie = await enter(visit.request, code)
    except NotSignedIn:
        return visit.show("join.html", status=404, code=code, grant=None, title="", problem=visit.t("join-unknown"))
    return _entered(visit, grant, cookie)


async def _title(visit: Visit, grant: Grant) -> str:
    """What the session is about; of one with subjects nothing, as that would tell what it looks for."""
    if not grant.session:
        return ""
    try:
        async with visit.service.live.looking(grant.session) as live:
            return "" if live.status.view.spec.has_subjects else live.status.view.title
    except UnknownSession:
        return ""


def _entered(visit: Visit, grant: Grant, cookie: str) -> web.Response:
    """Lead there, with the cookie."""
    response = web.Response(status=303, headers={"Location": place_of(grant)})
    set_cookie(visit.request, response, cookie)
    return response


def place_of(grant: Grant) -> str:
    """Where somebody with this grant belongs."""
    if grant.session and grant.seat:
        return f"/sessions/{grant.session}/seats/{quote(grant.seat, safe='')}"
    if grant.session:
        return f"/sessions/{grant.session}"
    return f"/classes/{grant.classroom}" if grant.classroom else "/"


async def show_sign_out(visit: Visit) -> web.StreamResponse:
    """Asks first: a seat is found again by its link or code alone."""
    return visit.show("signed-out.html")


async def sign_out(visit: Visit) -> web.StreamResponse:
    """Forget this browser."""
    await visit.form()
    await visit.service.sign_ins.end(visit.asking.cookie)
    response = to("/sign-in")
    response.del_cookie(COOKIE, path="/")
    return response
