"""Personas with a mind: made, and looked at as of any day. What they are given stands in `mind_inputs`."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, StringConstraints

from elenchus.debate_engine.dry_run.estimate import estimated
from elenchus.debate_engine.errors import ElenchusError, ProviderError, UsageError
from elenchus.debate_engine.events import FrozenModel, Recorded, SessionStarted
from elenchus.debate_engine.protocols.cognition.history import differences, iteration_on
from elenchus.debate_engine.protocols.cognition.presentation import mind_as_json
from elenchus.debate_engine.protocols.cognition.projection import as_of
from elenchus.service.lab.mind_options import MindOptions, mind_id
from elenchus.service.lab.new_sessions import warnings
from elenchus.service.lab.options import options_of
from elenchus.service.web.api.catalogues import Estimate
from elenchus.service.web.problems import Conflict, Problem, Unusable
from elenchus.service.web.routes import BASE, Call, Reply, RouteTable
from elenchus.service.web.server import service_of

if TYPE_CHECKING:
    from elenchus.debate_engine.protocols.cognition.projection import MindProjection
    from elenchus.service.lab.minds import Prepared
    from elenchus.service.web.server import WebService

routes = RouteTable("minds")

MIND = "/minds/{session}"
Name = Annotated[str, StringConstraints(max_length=200)]
Iteration = Annotated[int, Field(ge=0, le=10**9)]


class MindRow(FrozenModel):
    """A mind in a list."""

    id: str
    name: str
    created: datetime


class MindRows(FrozenModel):
    """The minds of this house, newest first."""

    minds: list[MindRow]


class NewMind(FrozenModel):
    """Who it is to be; `options` are those of `elenchus mind create`. `by` says who makes it, where that is another."""

    options: dict[str, Any]
    by: Name = ""


class MindDocument(FrozenModel):
    """A mind now, or as of the moment that was asked for. `mind` is as `elenchus mind show --json` gives it."""

    id: str
    name: str
    at_work: bool
    waiting: int
    reason: str = ""
    mind: dict[str, Any]
    warnings: list[str] = Field(default_factory=list)


class AsOf(FrozenModel):
    """The end of a day (UTC), or after an iteration; neither: now."""

    day: date | None = None
    iteration: Iteration | None = None


class IterationSpan(FrozenModel):
    """From one moment to another: iterations, or days (UTC); by default the beginning and now."""

    since: Iteration | None = None
    until: Iteration | None = None
    since_day: date | None = None
    until_day: date | None = None


class Differences(FrozenModel):
    """What differs in its profile after two iterations, with every step between that touched it."""

    since: int
    until: int
    changes: list[dict[str, Any]]


@routes.add("GET", "/minds", "house", "The personas of this house", gives=MindRows)
async def list_minds(call: Call) -> MindRows:
    """Those of servers on Discord are theirs."""
    found = await service_of(call.request).app.minds.all()
    return MindRows(minds=[MindRow(id=one.id, name=one.title, created=one.created) for one in found])


@routes.add(
    "POST", "/minds", "house", "Make a persona", body=NewMind, gives=MindDocument, status=201, refuses=(409, 422, 502),
)  # fmt: skip
async def create_mind(call: Call) -> Reply:
    """Of a whole profile, or of a line, which a model makes a profile of. Of another person who lives none is made."""
    service, options = service_of(call.request), options_of(MindOptions, call.body.options)
    made = await make(service, options, asked_by(call))
    document = await document_of(service, mind_id(options.name))
    document = document.model_copy(update={"warnings": [*warnings(made.session.seats), *made.unnamed.told()]})
    return Reply(document, 201, {"Location": f"{BASE}/minds/{document.id}"})


async def make(service: WebService, options: MindOptions, by: str) -> Prepared:
    """Make a mind of the house. Raises UsageError, Problem."""
    service.own.check_open()
    made = await service.app.minds.prepared(options, by=by)
    try:
        await service.app.minds.create(options, by=by)
    except (UsageError, ProviderError):
        raise
    except ElenchusError as error:  # its model gave no profile: nothing is left of it
        raise Problem(502, "provider", str(error)) from error
    return made


@routes.add(
    "POST", "/mind-estimates", "house", "What making a persona would cost at the most", body=NewMind, gives=Estimate,
    refuses=(422, 502),
)  # fmt: skip
async def estimate_mind(call: Call) -> Estimate:
    """Nothing is asked for it."""
    return await estimate_of(service_of(call.request), options_of(MindOptions, call.body.options))


async def estimate_of(service: WebService, options: MindOptions) -> Estimate:
    """What making it would take. Raises UsageError, ProviderError."""
    app = service.app
    made = await app.minds.prepared(options, by="")
    plan = await estimated(app.settings, app.registry, made.started)
    return Estimate(plan=plan, warnings=list(warnings(made.session.seats)), unnamed=list(made.unnamed.told()))


@routes.add(
    "GET", MIND, "moderator", "A persona, now or as of any day", query=AsOf, gives=MindDocument, refuses=(422,)
)  # fmt: skip
async def show_mind(call: Call) -> MindDocument:
    """Who it is, what it remembers and forgot, every version of its profile, its ratings and people's."""
    asked: AsOf = call.query
    return await document_of(service_of(call.request), call.path("session"), asked.day, asked.iteration)


async def document_of(
    service: WebService, session: str, day: date | None = None, iteration: int | None = None
) -> MindDocument:
    """A mind as a document. Raises NotThere, UsageError."""
    recorded = await service.minds.known(session)
    mind = as_of(recorded, day, iteration)
    if mind.mind is None:
        raise Unusable("The persona was not there yet: it was made later, or is being made.")
    at_work = service.minds.is_at_work(session)
    stuck = bool(mind.waiting) and not at_work and day is None and iteration is None
    return MindDocument(
        id=session, name=name_of(recorded), at_work=at_work, waiting=len(mind.waiting), mind=mind_as_json(mind),
        reason=service.minds.reason_in(session, recorded) if stuck else "",
    )  # fmt: skip


def asked_by(call: Call, session: str = "") -> str:
    """How whoever asks is called in the log of a mind."""
    named = call.body.by.strip() if call.asking.moderates() else ""
    return named or call.asking.person(session)


def name_of(recorded: list[Recorded]) -> str:
    """What a mind is called."""
    first = recorded[0].event
    return first.title if isinstance(first, SessionStarted) else ""


@routes.add(
    "GET", f"{MIND}/differences", "moderator", "What changed in its profile, and why", query=IterationSpan,
    gives=Differences, refuses=(422,),
)  # fmt: skip
async def list_differences(call: Call) -> Differences:
    """With the sentences that each change came from."""
    mind, asked = await service_of(call.request).minds.mind(call.path("session")), call.query
    since = _iteration(mind, asked.since, asked.since_day, 0)
    until = _iteration(mind, asked.until, asked.until_day, mind.iteration)
    if since > until or not mind.versions:
        raise Unusable("`since` comes after `until`: turn them round.")
    return Differences(
        since=since, until=until, changes=[one.model_dump(mode="json") for one in differences(mind, since, until)]
    )


def _iteration(mind: MindProjection, iteration: int | None, day: date | None, otherwise: int) -> int:
    if iteration is not None and iteration > mind.iteration:
        raise Unusable(f"There is no iteration {iteration} yet: the last one is {mind.iteration}.")
    return iteration_on(mind, day) if day else otherwise if iteration is None else iteration


@routes.add("DELETE", MIND, "house", "Delete a persona with all that it remembers", status=204, refuses=(409,))
async def delete_mind(call: Call) -> Reply:
    """Links to it are of no use any more."""
    service, session = service_of(call.request), call.path("session")
    await service.minds.known(session)
    if service.minds.is_at_work(session) or (await service.app.log.info(session)).owner is not None:
        raise Conflict("This persona is at work: wait until it is done.")
    await service.app.minds.delete(session)
    await service.access.revoke_session(session)
    return Reply(status=204)
