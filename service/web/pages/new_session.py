"""The forms by which sessions are begun: their options, what it will take at the most, and a button."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import ProviderError, UnknownSession, UnreadableReply, UsageError
from elenchus.debate_engine.runner import new_id
from elenchus.service.web.api.catalogues import estimate_of
from elenchus.service.web.api.creation import begin as begin_session, options_from
from elenchus.service.web.pages import scene_fields
from elenchus.service.web.pages.foreign_forms import KIND, foreign_form
from elenchus.service.web.pages.frame import Visit, to
from elenchus.service.web.pages.kind_forms import KINDS
from elenchus.service.web.problems import Forbidden, NotThere

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aiohttp import web

    from elenchus.service.web.api.catalogues import Estimate

FORMS: Mapping[str, Any] = {"scene": scene_fields, **KINDS}
"""By kind of session: how its form is filled in and read."""
TEMPLATES = {"scene": "new-scene.html", KIND: "new-protocol.html"}
MINDS_SIT = ("debate", "scene")
"""Kinds of sessions in which a persona that remembers takes a seat."""
ID = re.compile(r"[a-z0-9]{5,20}")


async def show_form(visit: Visit) -> web.StreamResponse:
    """The form, with every option at its default."""
    check_may_begin(visit)
    chosen = {"scene": visit.request.query["scene"]} if "scene" in visit.request.query else {}
    return await _form(visit, chosen, new_id())


async def begin(visit: Visit) -> web.StreamResponse:
    """Tell what it would take, or begin it: a form that is sent twice begins one session."""
    check_may_begin(visit)
    typed = {name: str(value) for name, value in (await visit.form()).items()} | {"sent": "yes"}
    session = typed.pop("session", "")
    session = session if ID.fullmatch(session) else new_id()
    kind = visit.path("kind")
    try:
        given = _form_of(visit).options_in(typed)
        options = await options_from(kind, given, visit.service, named=named_in(visit, kind))
        if typed.get("action") != "start":
            return await _form(visit, typed, session, estimate=await estimate_of(options, visit.service))
        if not await _is_there(visit, session):
            await begin_session(options, visit.service, session, visit.asking.grants[0].id)
    except (UsageError, ProviderError, UnreadableReply) as error:
        return await _form(visit, typed, session, problem=problem_in(error, named_in(visit, kind)), status=422)
    return to(f"/sessions/{session}")


def check_may_begin(visit: Visit) -> None:
    """Raises Forbidden for who moderates nothing here, Problem where the server is stopping."""
    if not visit.asking.moderates():
        raise Forbidden(visit.t("start-forbidden"))
    visit.service.own.check_open()


def named_in(visit: Visit, kind: str = "scene") -> Any:
    """How options are called in what is said of them."""

    def named(option: str) -> str:
        if kind in KINDS:
            return KINDS[kind].called(option, visit.t)
        if kind not in FORMS:
            return str(_form_of(visit).called(option, visit.t))
        label = visit.t.of("option", option)
        return f"“{visit.t.of('seat', option) if label == option else label}”"

    return named


def problem_in(error: Exception, named: Any) -> str:
    """What is wrong with what was typed, its field called as the form calls it."""
    if not isinstance(error, UnreadableReply):
        return str(error)
    field, _, rest = str(error).partition(" ")
    return f"{named(field.rstrip(':'))}{':' * field.endswith(':')} {rest}."


def _form_of(visit: Visit) -> Any:
    """How the form that is asked for is filled in and read. Raises NotThere for a protocol that is not installed."""
    kind = visit.path("kind")
    if kind in FORMS:
        return FORMS[kind]
    try:
        return foreign_form(kind)
    except UsageError as error:
        raise NotThere(str(error)) from error


async def _is_there(visit: Visit, session: str) -> bool:
    try:
        await visit.service.app.log.info(session)
    except UnknownSession:
        return False
    return True


async def _form(
    visit: Visit, typed: Mapping[str, str], session: str, *, problem: str = "", status: int = 200,
    estimate: Estimate | None = None,
) -> web.Response:  # fmt: skip
    kind = visit.path("kind")
    context = await asyncio.to_thread(_form_of(visit).context, visit.service.app.settings, typed)
    kind = kind if kind in FORMS else KIND
    minds = [one.title for one in await visit.service.app.minds.all()] if kind in MINDS_SIT else []
    return visit.show(
        TEMPLATES.get(kind, "new-session.html"), status=status, new_session=session,
        problem=problem, estimate=estimate, kind=kind, minds=minds, **({"typed": typed} | context),
    )  # fmt: skip
