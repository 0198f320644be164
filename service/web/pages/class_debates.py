"""The pages of a class debate: a form to make one, whoever leads it, and each person's own place.

A projector shows the debate's own room, with the class's code. What is shown is made of the same views as the API's.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from aiohttp import web

from elenchus.debate_engine.errors import ProviderError, UnreadableReply, UsageError
from elenchus.debate_engine.runner import new_id
from elenchus.service.lab.class_debates import taking_part
from elenchus.service.lab.class_debates.room import ClassDebateOptions
from elenchus.service.lab.class_debates.shown import leader_view, member_view
from elenchus.service.lab.options import options_of
from elenchus.service.web.api.catalogues import Estimate
from elenchus.service.web.pages.frame import Visit, to
from elenchus.service.web.pages.kind_forms import CLASS_DEBATE
from elenchus.service.web.pages.new_session import ID, check_may_begin, problem_in
from elenchus.service.web.pages.remembered_codes import note_own_code, own_code_of
from elenchus.service.web.sign_in import held, set_cookie

if TYPE_CHECKING:
    from collections.abc import Mapping

    from elenchus.service.lab.access import Grant
    from elenchus.service.lab.class_debates.live_debate import LiveDebate


async def show_debate(visit: Visit) -> web.StreamResponse:
    """The page of whoever leads it; who takes part is led to their place, others to the code's page."""
    classroom = visit.path("classroom")
    live = await visit.service.debates.open(classroom)
    if visit.asking.moderates_class(classroom):
        return _show(visit, "class-debate.html", live, "leader", view=leader_view(live))
    return to(f"/class-debates/{classroom}/me" if visit.asking.person_of(classroom) else f"/join/{live.room.code}")


async def show_me(visit: Visit) -> web.StreamResponse:
    """One's half with its arguments, the votes, the ways out."""
    classroom = visit.path("classroom")
    live, member = await visit.service.debates.member(classroom, visit.asking.person_of(classroom))
    code = await own_code_of(visit, classroom, member.person.id)
    return _show(visit, "class-debater.html", live, "me", view=member_view(live, member), code=code)


def _show(visit: Visit, template: str, live: LiveDebate, followed: str, **context: Any) -> web.Response:
    base = f"/api/v1/class-debates/{live.room.id}"
    data = {"classroom": {"base": base, "address": f"{base}/{followed}"}}
    return visit.show(template, data=data, **context)


async def show_own_code(visit: Visit) -> web.StreamResponse:
    """A new code by which the same person comes back from another device."""
    await visit.form()
    classroom = visit.path("classroom")
    found = await visit.service.debates.join(classroom, known=visit.asking.person_of(classroom))
    await note_own_code(visit, classroom, found.member.person.id, found.code)
    return visit.show("rejoin.html", code=found.code, back=f"/class-debates/{classroom}/me")


# ── coming in ────────────────────────────────────────────────────────────────────────────────────────────────────────


async def is_for_debaters(visit: Visit, grant: Grant) -> bool:
    """Whether somebody has a place of their own by it, in a class that debates."""
    own = bool(grant.classroom) and grant.role in ("audience", "participant")
    return own and await visit.service.debates.is_there(grant.classroom)


async def asked_for_a_name(
    visit: Visit, code: str, grant: Grant, problem: str = "", status: int = 200
) -> web.StreamResponse:
    """Names to choose from, for who has none yet; meanwhile the page tries whether this device will do."""
    live = await visit.service.debates.open(grant.classroom)
    known = live.members.get(grant.person or visit.asking.person_of(grant.classroom))
    return visit.show(
        "join-class.html", status=status, code=code, problem=problem, title=live.room.motion, minutes=None,
        name=known.person.name if known and not known.left else "", names=taking_part.offered_names(live),
        debates=True, full=False, data={"check": True},
    )  # fmt: skip


async def join(visit: Visit, code: str, grant: Grant, name: str) -> web.StreamResponse:
    """A place in the class, for good in this browser; the same one for who has one."""
    visit.service.own.check_open()
    known = grant.person or visit.asking.person_of(grant.classroom)
    try:
        found = await visit.service.debates.join(grant.classroom, name, known)
    except UsageError as refused:
        return await asked_for_a_name(visit, code, grant, str(refused), 409)
    await note_own_code(visit, grant.classroom, found.member.person.id, found.code)
    response = web.Response(status=303, headers={"Location": f"/class-debates/{grant.classroom}/me"})
    set_cookie(visit.request, response, await held(visit.request, found.own.grant))
    return response


# ── a new one ────────────────────────────────────────────────────────────────────────────────────────────────────────


async def show_form(visit: Visit) -> web.StreamResponse:
    """The form, with what it asks for at its default."""
    check_may_begin(visit)
    return await _form(visit, {}, new_id())


async def begin(visit: Visit) -> web.StreamResponse:
    """Tell what it would take, or make it: a form that is sent twice makes one."""
    check_may_begin(visit)
    typed = {name: str(value) for name, value in (await visit.form()).items()} | {"sent": "yes"}
    class_id, debates = typed.pop("session", ""), visit.service.debates
    class_id = class_id if ID.fullmatch(class_id) else new_id()
    try:
        options = options_of(
            ClassDebateOptions, CLASS_DEBATE.options_in(typed), lambda name: CLASS_DEBATE.called(name, visit.t)
        )
        if typed.get("action") != "start":
            plan, cautions = await debates.estimate(options)
            return await _form(visit, typed, class_id, estimate=Estimate(plan=plan, warnings=list(cautions)))
        async with visit.service.app.shared.alone(f"creating {class_id}"):
            if not await debates.is_there(class_id):
                await debates.create(options, class_id)
    except (UsageError, ProviderError, UnreadableReply) as error:
        return await _form(
            visit,
            typed,
            class_id,
            problem=problem_in(error, lambda name: CLASS_DEBATE.called(name, visit.t)),
            status=422,
        )
    return to(f"/class-debates/{class_id}")


async def _form(
    visit: Visit, typed: Mapping[str, str], class_id: str, *, problem: str = "", status: int = 200,
    estimate: Estimate | None = None,
) -> web.Response:  # fmt: skip
    context = await asyncio.to_thread(CLASS_DEBATE.context, visit.service.app.settings, typed)
    return visit.show(
        "new-session.html", status=status, new_session=class_id, problem=problem, estimate=estimate, typed=typed,
        kind=CLASS_DEBATE.kind, **context,
    )  # fmt: skip
