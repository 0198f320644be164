"""Sessions: made, listed, looked at, followed and deleted."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC
from typing import TYPE_CHECKING, Annotated, Any

from aiohttp import web
from pydantic import Field

from elenchus.debate_engine.events import FrozenModel
from elenchus.service.lab import person_records
from elenchus.service.web.api.creation import begin, options_from
from elenchus.service.web.api.idempotency import created_once
from elenchus.service.web.documents import (
    EventDocument,
    Events,
    SessionDocument,
    SessionRows,
    session_row,
)
from elenchus.service.web.problems import Conflict, Unusable
from elenchus.service.web.routes import BASE, Call, Reply, RouteTable
from elenchus.service.web.server import service_of
from elenchus.service.web.streams import Stream, streamed

if TYPE_CHECKING:
    from elenchus.debate_engine.log import SessionInfo

routes = RouteTable("sessions")

LONGEST_CURSOR = 200
MOST_EVENTS = 1_000
"""Events in one answer."""


class NewSession(FrozenModel):
    """A session to be begun: the protocol and its options, by the names that the terminal has for them.

    `debate`, `crit`, `sweep`, `detect` and `scene` (played once) have options of their own, whose schemas are in `GET
    /protocols`; any other name is that of a protocol of an installed package, with `config` and `seats`.
    """

    protocol: Annotated[str, Field(min_length=1, max_length=200)]
    options: dict[str, Any] = Field(default_factory=dict)


class CreatedSession(FrozenModel):
    """A session that was made, and what a reader of its outcome should know."""

    id: str
    state: str
    warnings: list[str] = Field(default_factory=list)


class Page(FrozenModel):
    """Which part of a list is wanted: so many from after the `cursor` of the part before."""

    limit: Annotated[int, Field(ge=1, le=500)] = 50
    cursor: Annotated[str, Field(max_length=LONGEST_CURSOR, pattern="^[A-Za-z0-9_-]*$")] = ""


class StreamQuery(FrozenModel):
    """From where on, and as who sits on which seat events are wanted."""

    after: Annotated[int, Field(ge=0, le=2**53)] = 0
    seat: Annotated[str, Field(max_length=200)] = ""


class WatchedPart(StreamQuery):
    """The same, at most so many."""

    limit: Annotated[int, Field(ge=1, le=MOST_EVENTS)] = MOST_EVENTS


class AsSeat(FrozenModel):
    """As who sits on which seat one looks."""

    seat: Annotated[str, Field(max_length=200)] = ""


@routes.add(
    "POST", "/sessions", "moderator", "Begin a session", body=NewSession, gives=CreatedSession, status=201,
    refuses=(422, 502, 503), idempotent_by_key=True,
)  # fmt: skip
async def create_session(call: Call) -> Reply:
    """Checked as the terminal checks it; nothing is spent for what is refused."""
    service = service_of(call.request)
    service.own.check_open()
    options = await options_from(call.body.protocol, call.body.options, service)
    made = await created_once(call, lambda session: begin(options, service, session, call.asking.grants[0].id))
    state = (await service.app.log.info(made.id)).state
    location = {"Location": f"{BASE}/sessions/{made.id}"}
    return Reply(CreatedSession(id=made.id, state=state, warnings=made.warnings), made.status, location)


@routes.add("GET", "/sessions", "signed in", "The sessions that you may look at", query=Page, gives=SessionRows)
async def list_sessions(call: Call) -> SessionRows:
    """Newest first; a moderator of the house sees all, others those that they were given a link for."""
    last = _place_behind(call.query.cursor)
    found = [info for info in await service_of(call.request).app.log.sessions() if call.asking.may_look(info.id)]
    found = sorted((one for one in found if last is None or _place(one) < last), key=_place, reverse=True)
    part = found[: call.query.limit]
    more = len(part) < len(found)
    rows = [session_row(info, moderates=call.asking.moderates(info.id)) for info in part]
    return SessionRows(sessions=rows, next=_cursor(part[-1]) if more else None)


def _place(info: SessionInfo) -> tuple[str, str]:
    """Its place in the list, which stays whatever is made or deleted."""
    return info.created.astimezone(UTC).isoformat(timespec="microseconds"), info.id


def _cursor(info: SessionInfo) -> str:
    return urlsafe_b64encode("/".join(_place(info)).encode()).decode().rstrip("=")


def _place_behind(cursor: str) -> tuple[str, str] | None:
    """The place that a cursor stands for. Raises Unusable for one that we did not give."""
    if not cursor:
        return None
    try:
        created, _, session = urlsafe_b64decode(f"{cursor}{'=' * (-len(cursor) % 4)}").decode().partition("/")
    except ValueError:
        raise Unusable("This cursor is none that we gave: begin without one.") from None
    return created, session


@routes.add("GET", "/sessions/{session}", "viewer", "How a session stands", query=AsSeat, gives=SessionDocument)
async def show_session(call: Call) -> SessionDocument:
    """As far as you may know."""
    viewer = call.asking.viewer(call.path("session"), call.query.seat)
    service = service_of(call.request)
    async with service.live.looking(call.path("session")) as live:
        return await service.document_of(live, viewer)


@routes.add(
    "DELETE", "/sessions/{session}", "moderator", "Delete a session with all that is in it", status=204,
    refuses=(409,),
)  # fmt: skip
async def delete_session(call: Call) -> Reply:
    """Only one that has ended, or that nobody runs: a running one is stopped first. Links to it are revoked."""
    service, session = service_of(call.request), call.path("session")
    info: SessionInfo = await service.app.log.info(session)
    if info.owner is not None:
        raise Conflict("This session is being run: stop it first.")
    await service.app.log.delete(session)
    await person_records.remove(service.app.store, session=session)
    return Reply(status=204)


@routes.add("GET", "/sessions/{session}/events", "viewer", "Its events after a number", query=WatchedPart, gives=Events)
async def list_events(call: Call) -> Events:
    """Those that you are shown, in order: the fallback where streams do not come through."""
    viewer = call.asking.viewer(call.path("session"), call.query.seat)
    async with service_of(call.request).live.looking(call.path("session")) as live:
        part = (await live.items_for(viewer)).part(call.query.after, call.query.limit)
        found = [EventDocument.model_validate(item.document()) for item in part.items]
    return Events(events=found, next=part.next, more=part.more)


@routes.add(
    "GET", "/sessions/{session}/stream", "viewer", "Follow it by server-sent events", query=StreamQuery,
    gives="text/event-stream", refuses=(429,),
)  # fmt: skip
async def stream_session(call: Call) -> web.StreamResponse:
    """Events have their number as `id` and go on after a break (Last-Event-ID). Without one come `status` (the
    session's document), `draft` (a text being written, in pieces), for a moderator `presence` (who follows it by a
    stream: `{"audience": 3, "moderators": 1, "seats": {"pro": "Ada"}}`), and `gone` (it was deleted).
    """
    service, session = service_of(call.request), call.path("session")
    viewer = call.asking.viewer(session, call.query.seat)
    after = last_id(call.request.headers.get("Last-Event-ID", ""), call.query.after)
    with service.limits.streams.opened(service.asker(call.request, call.asking), call.request.transport):
        async with service.live.looking(session) as live:
            return await streamed(call.request, Stream(live, viewer, after), call.asking)


def last_id(given: str, otherwise: int) -> int:
    """The number at which a client goes on; a strange one counts as none."""
    return int(given) if given.isascii() and given.isdigit() and len(given) < 16 else otherwise
