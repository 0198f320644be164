"""Personas: their list, the form of a new one, the page of each as of any day; whoever has a link rates."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import ElenchusError, ProviderError, UnreadableReply, UsageError
from elenchus.debate_engine.protocols.cognition.profile import ATTRIBUTES
from elenchus.debate_engine.protocols.cognition.projection import as_of
from elenchus.service.lab.mind_options import MindOptions, mind_id
from elenchus.service.lab.options import options_of
from elenchus.service.lab.viewers import MODERATOR
from elenchus.service.web.api.minds import estimate_of, make, name_of
from elenchus.service.web.pages import mind_fields
from elenchus.service.web.pages.frame import Visit, to
from elenchus.service.web.pages.mind_inputs import form_in, given_in
from elenchus.service.web.pages.mind_view import memories_of, moments, opinions_of, profile_rows
from elenchus.service.web.pages.new_session import check_may_begin, named_in, problem_in
from elenchus.service.web.pages.session import data_of
from elenchus.service.web.problems import Forbidden, Problem, Unusable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aiohttp import web

    from elenchus.debate_engine.events import Recorded
    from elenchus.debate_engine.protocols.cognition.projection import MindProjection
    from elenchus.service.web.api.catalogues import Estimate
    from elenchus.service.web.strings import Words


SHOWN_AT = {"read": "read", "rate": "ratings", "answer": "talks"}
"""Where the page shows what comes of each of its forms."""


async def show_minds(visit: Visit) -> web.StreamResponse:
    """The personas of this house."""
    _check_house(visit)
    return visit.show("minds.html", minds=await visit.service.app.minds.all())


def _check_house(visit: Visit) -> None:
    if not visit.asking.moderates():
        raise Forbidden(visit.t("start-forbidden"))


# ── a new one ────────────────────────────────────────────────────────────────────────────────────────────────────────


async def show_form(visit: Visit) -> web.StreamResponse:
    """The form of a new persona."""
    check_may_begin(visit)
    return await _form(visit, {})


async def begin(visit: Visit) -> web.StreamResponse:
    """Tell what it would take, or make it; a form that is sent twice makes one, as a name is one."""
    check_may_begin(visit)
    typed = {name: str(value) for name, value in (await visit.form()).items()} | {"sent": "yes"}
    try:
        options = options_of(MindOptions, mind_fields.options_in(typed), named_in(visit))
        if typed.get("action") != "start":
            return await _form(visit, typed, estimate=await estimate_of(visit.service, options))
        await make(visit.service, options, visit.asking.person(""))
    except (UsageError, ProviderError, UnreadableReply) as error:
        return await _form(visit, typed, problem=problem_in(error, named_in(visit)), status=422)
    except Problem as problem:
        return await _form(visit, typed, problem=problem.detail, status=problem.status)
    return to(f"/minds/{mind_id(options.name)}")


async def _form(
    visit: Visit, typed: Mapping[str, str], *, problem: str = "", status: int = 200, estimate: Estimate | None = None
) -> web.Response:
    context = await asyncio.to_thread(mind_fields.context, visit.service.app.settings, typed)
    return visit.show(
        "new-mind.html", status=status, problem=problem, estimate=estimate, kind="mind", typed=typed, **context
    )


# ── the page of one ──────────────────────────────────────────────────────────────────────────────────────────────────


async def show_mind(visit: Visit) -> web.StreamResponse:
    """The moderator's page, or that of people who rate."""
    recorded = await visit.service.minds.known(visit.path("session"))
    if visit.asking.moderates(visit.path("session")):
        return await _mind(visit, recorded)
    return _rating(visit, recorded)


async def _mind(
    visit: Visit, recorded: list[Recorded], typed: Mapping[str, str] | None = None, *, problem: str = "",
    estimate: Estimate | None = None, status: int = 200,
) -> web.Response:  # fmt: skip
    session = visit.path("session")
    whole, at = await asyncio.to_thread(as_of, recorded), visit.request.query.get("at", "")
    mind = whole if not at else await asyncio.to_thread(as_of, recorded, *_moment(at))
    if mind.mind is None or whole.mind is None:
        raise Unusable(visit.t("mind-not-yet"))
    async with visit.service.live.looking(session) as live:
        document = await visit.service.document_of(live, MODERATOR)
        data = data_of(live, MODERATOR, follows=False)
    data["session"]["names"] = {"persona": mind.mind.profile.name}
    stuck = bool(whole.waiting) and not visit.service.minds.is_at_work(session)
    return visit.show(
        "mind.html", status=status, data=data, session=document, called=name_of(recorded), at=at,
        moments=moments(whole), waiting=len(whole.waiting), typed=typed or {}, problem=problem, estimate=estimate,
        reason=visit.service.minds.reason_in(session, recorded) if stuck else "", **shown(mind, visit.t),
    )  # fmt: skip


def shown(mind: MindProjection, t: Words) -> dict[str, Any]:
    """What the page shows of a mind. Pure."""
    assert mind.mind is not None
    names = {one.id: one.text for one in (*mind.mind.memories, *mind.forgotten)}
    names |= {name: t(f"mind-attribute.{name}") for name in ATTRIBUTES}
    return {
        "mind": mind,
        "profile": mind.mind.profile,
        "attributes": profile_rows(mind),
        "opinions": opinions_of(mind, names),
        "remembered": memories_of(mind.mind.memories),
        "forgotten": memories_of(mind.forgotten),
        "refused": [one for taken in mind.taken for one in taken.refused],
        "asked": mind.opinions,
    }


def _moment(typed: str) -> tuple[date | None, int | None]:
    """A day or an iteration. Raises Unusable."""
    if typed.isascii() and typed.isdigit() and len(typed) < len("20260101"):
        return None, int(typed)
    try:
        return date.fromisoformat(typed), None
    except ValueError:
        raise Unusable("That is no day and no iteration: write 2026-03-31, or a number such as 3.") from None


async def give(visit: Visit) -> web.StreamResponse:
    """Have it read, rate or answer, or tell what that would take."""
    session = visit.path("session")
    recorded = await visit.service.minds.known(session)
    typed, file = await form_in(visit)
    try:
        event = await given_in(visit, session, typed, file)
        if typed.get("action") != "give":
            from elenchus.service.web.api.catalogues import Estimate

            plan = await visit.service.app.minds.estimate(session, event)
            return await _mind(visit, recorded, typed, estimate=Estimate(plan=plan))
        await visit.service.minds.give(session, event)
    except (UsageError, ProviderError) as error:
        return await _mind(visit, recorded, typed, problem=str(error), status=422)
    return to(f"/minds/{session}#{SHOWN_AT.get(typed.get('kind', ''), 'read')}")


async def back(visit: Visit) -> web.StreamResponse:
    """The address of a form stands in the browser once the form was answered: reloaded, it is the page again."""
    asked = visit.request.query_string
    return to(f"/minds/{visit.path('session')}{f'?{asked}' if asked else ''}")


# ── people who rate ──────────────────────────────────────────────────────────────────────────────────────────────────


def _rating(
    visit: Visit, recorded: list[Recorded], problem: str = "", status: int = 200, typed: Mapping[str, int] | None = None
) -> web.Response:
    """What people who rate see: who it is. How it rated they are shown once they have rated all there is, such as it is
    now, so that nobody follows it. What was `typed` and not taken stays in the form.
    """
    mind = as_of(recorded)
    if mind.mind is None:
        raise Unusable(visit.t("mind-not-yet"))
    voter, rated = visit.asking.voter(visit.path("session")), dict[str, int]()
    for event in mind.rated:
        if event.by == voter and event.iteration == mind.iteration:
            rated |= {one.opinion: one.rating for one in event.ratings}
    done = bool(mind.opinions) and set(mind.opinions) <= set(rated)
    context = shown(mind, visit.t)
    return visit.show(
        "mind-rating.html", status=status, called=name_of(recorded), id=visit.path("session"), done=done,
        rated=rated | dict(typed or {}), iteration=mind.iteration, problem=problem, profile=context["profile"],
        attributes=context["attributes"], asked=mind.opinions, opinions=context["opinions"] if done else [],
    )  # fmt: skip


async def rate(visit: Visit) -> web.StreamResponse:
    """Take a person's ratings, each of the opinion beside it in the form; none of a form of an earlier iteration."""
    session = visit.path("session")
    recorded, given = await visit.service.minds.known(session), await visit.form()
    ratings = ratings_in(given)
    try:
        if not ratings:
            raise UsageError(visit.t("mind-rate-nothing"))
        if str(given.get("iteration", "")) != str(as_of(recorded).iteration):
            raise UsageError(visit.t("mind-rate-late"))
        await visit.service.app.minds.rate(session, ratings, by=visit.asking.voter(session))
    except ElenchusError as error:
        if visit.asking.moderates(session):
            return await _mind(visit, recorded, problem=str(error), status=422)
        return _rating(visit, recorded, str(error), 422, ratings)
    return to(f"/minds/{session}")


def ratings_in(given: Mapping[str, Any]) -> dict[str, int]:
    """The ratings of a form, by the opinion that stands beside each. Pure."""
    places = (name.removeprefix("opinion-") for name in given if name.startswith("opinion-"))
    marked = {str(given[f"opinion-{place}"]): str(given.get(f"rating-{place}", "")) for place in places}
    return {opinion: int(rating) for opinion, rating in marked.items() if rating in ("1", "2", "3", "4", "5")}
