"""How somebody comes in and goes: a link that is shown before it is used up, a code that is typed, and signing out."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from aiohttp import web

from elenchus.debate_engine.errors import UnknownSession, UsageError
from elenchus.service.lab.classes import taking_part
from elenchus.service.lab.classes.shown import person_view
from elenchus.service.lab.mind_options import is_id_in
from elenchus.service.web.api.class_people import came
from elenchus.service.web.pages import class_debates
from elenchus.service.web.pages.frame import Visit, to
from elenchus.service.web.pages.remembered_codes import note_own_code
from elenchus.service.web.sign_in import COOKIE, enter, held, set_cookie

if TYPE_CHECKING:
    from elenchus.service.lab.access import Grant
    from elenchus.service.lab.classes.live_class import LiveClass

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
    return _entered(visit, cookie, place_of(grant))


async def show_join(visit: Visit) -> web.StreamResponse:
    """A field for a code; with one, what it is for."""
    code = (visit.request.match_info.get("code") or visit.request.query.get("code", "")).strip()[:LONGEST]
    if not code:
        return _asked(visit, "")
    if (grant := await visit.service.granted(visit.request, code)) is None:
        return _asked(visit, code, problem=visit.t("join-unknown"), status=404)
    if await _is_for_people_of_a_class(visit, grant):
        return await _asked_for_a_name(visit, code, grant)
    if await class_debates.is_for_debaters(visit, grant):
        return await class_debates.asked_for_a_name(visit, code, grant)
    return _asked(visit, code, grant=grant, title=await _title(visit, grant))


def _asked(
    visit: Visit, code: str, *, grant: Grant | None = None, title: str = "", problem: str = "", status: int = 200
) -> web.Response:
    rates = grant is not None and grant.role == "audience" and is_id_in("", grant.session)
    what_for = "" if grant is None else "persona" if rates else grant.role
    return visit.show(
        "join.html", status=status, code=code, grant=grant, what_for=what_for, title=title, problem=problem
    )


async def join(visit: Visit) -> web.StreamResponse:
    """Use the code, and go where it leads."""
    given = await visit.form()
    code = str(given.get("code", "")).strip()[:LONGEST]
    if (grant := await visit.service.granted(visit.request, code, take=True)) is None:
        return _asked(visit, code, problem=visit.t("join-unknown"), status=404)
    if await _is_for_people_of_a_class(visit, grant):
        return await _join_class(visit, code, grant, str(given.get("name", ""))[:LONGEST])
    if await class_debates.is_for_debaters(visit, grant):
        return await class_debates.join(visit, code, grant, str(given.get("name", ""))[:LONGEST])
    return _entered(visit, await held(visit.request, grant), place_of(grant))


# ── into a class ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def _is_for_people_of_a_class(visit: Visit, grant: Grant) -> bool:
    """Whether somebody has a place of their own by it, in a class that plays a scene."""
    own = bool(grant.classroom) and grant.role in ("audience", "participant")
    return own and await visit.service.classes.is_there(grant.classroom)


async def _asked_for_a_name(
    visit: Visit, code: str, grant: Grant, problem: str = "", status: int = 200
) -> web.StreamResponse:
    """Names to choose from, for who has none yet; meanwhile the page tries whether this device will do."""
    live = await visit.service.classes.open(grant.classroom)
    own = grant.person if grant.role == "participant" else visit.asking.person_of(grant.classroom)
    known = live.progress.members.get(own)
    if known and known.left and known.progress.stage == "here":
        problem, known = problem or visit.t("join-left"), None
    elif known and "come again" in person_view(live.progress, known).may:
        known = None
    problem = problem or ("" if known else _refusal(visit, live, grant))
    return visit.show(
        "join-class.html", status=status, code=code, problem=problem, full=problem == visit.t("join-full"),
        title=live.progress.room.title, name=known.person.name if known else "",
        names=[] if known else taking_part.offered_names(live.progress), minutes=live.progress.room.minutes,
        debates=False, data={"check": True},
    )  # fmt: skip


def _refusal(visit: Visit, live: LiveClass, grant: Grant) -> str:
    """Why nobody can come in now, "" where somebody can."""
    if live.progress.is_at_least("closed"):
        return visit.t("join-late")
    if live.progress.room.slips and grant.role == "audience":
        return visit.t("join-slip")
    return "" if live.progress.free else visit.t("join-full")


async def _join_class(visit: Visit, code: str, grant: Grant, name: str) -> web.StreamResponse:
    """A place in the class, for good in this browser; the same one for who has one."""
    visit.service.own.check_open()
    own = visit.asking.person_of(grant.classroom)
    try:
        joined = await came(visit.service.classes, grant, own, name)
    except UsageError as refused:
        live = await visit.service.classes.open(grant.classroom)
        problem = _refusal(visit, live, grant) or str(refused)
        return await _asked_for_a_name(visit, code, grant, problem, 409)
    await note_own_code(visit, grant.classroom, joined.member.person.id, joined.code)
    return _entered(visit, await held(visit.request, joined.own.grant), f"/classes/{grant.classroom}/me")


async def _title(visit: Visit, grant: Grant) -> str:
    """What the session is about; of one with subjects nothing, as that would tell what it looks for."""
    if not grant.session:
        return ""
    try:
        async with visit.service.live.looking(grant.session) as live:
            return "" if live.status.view.spec.has_subjects else live.status.view.title
    except UnknownSession:
        return ""


def _entered(visit: Visit, cookie: str, place: str) -> web.Response:
    """Lead there, with the cookie."""
    response = web.Response(status=303, headers={"Location": place})
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
