"""Logs of sessions as programs work with them: any event that others may append, who runs a session, an import."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Annotated, Any

from aiohttp import web
from pydantic import Field

from elenchus.debate_engine.events import Command, FrozenModel, SeatNamed, TurnAnswered, Voted
from elenchus.debate_engine.log.rules import LONGEST_ID
from elenchus.debate_engine.reports.events_jsonl import events_in
from elenchus.debate_engine.runner import new_id
from elenchus.service.lab import moderation
from elenchus.service.web.api.moderation import effect_of
from elenchus.service.web.api.sessions import MOST_EVENTS, last_id
from elenchus.service.web.documents import SessionRow, session_row
from elenchus.service.web.log_streams import LogStream, recorded_document, whole_log
from elenchus.service.web.problems import Conflict
from elenchus.service.web.routes import BASE, STREAM, Call, Reply, RouteTable
from elenchus.service.web.server import service_of
from elenchus.service.web.streams import streamed

routes = RouteTable("logs")

LARGEST_IMPORT = 50_000_000
"""Bytes of an events.jsonl that is sent."""


class NewEvent(FrozenModel):
    """An event that others than the runner of a session may append. `by` in it says who does."""

    event: Annotated[Command | TurnAnswered | SeatNamed, Field(discriminator="kind")]


class RecordedEvent(FrozenModel):
    """An event in its place in the log."""

    seq: int
    at: datetime
    event: dict[str, Any]


class LogPart(FrozenModel):
    """Which part of a log is wanted: so many events after a number."""

    after: Annotated[int, Field(ge=0, le=2**53)] = 0
    limit: Annotated[int, Field(ge=1, le=MOST_EVENTS)] = MOST_EVENTS


class Following(FrozenModel):
    """From where on a log is followed."""

    after: Annotated[int, Field(ge=0, le=2**53)] = 0


class LogEvents(FrozenModel):
    """Events after a number, in order. `next` is the number to ask on with; `more`: there are further ones now."""

    events: list[RecordedEvent]
    next: int
    more: bool


class Importing(FrozenModel):
    """The id that the session is to have; without one a new one."""

    id: Annotated[str, Field(max_length=LONGEST_ID)] = ""


@routes.add(
    "POST", "/sessions/{session}/events", "house", "Append a command, an answer or a vote", body=NewEvent,
    gives=RecordedEvent, status=201, refuses=(409, 422),
)  # fmt: skip
async def append_event(call: Call) -> Reply:
    """For programs that are a front end of their own: they say in the event who did it, and have checked it."""
    service, session, event = service_of(call.request), call.path("session"), call.body.event
    async with service.live.looking(session) as live, live.answering:
        if live.status.over and not isinstance(event, Voted):
            raise Conflict(f"Session {session} is {live.status.state}: nothing can be changed in it any more.")
        sent = await moderation.send(service.app.log, session, event)
        await effect_of(call, session, event, sent.owner)
        await live.read_up()
    return Reply(RecordedEvent.model_validate(recorded_document(sent.recorded)), 201)


@routes.add("GET", "/sessions/{session}/log", "house", "Its whole log", query=LogPart, gives=LogEvents)
async def show_log(call: Call) -> LogEvents:
    """Each event as it is recorded; of a scene under other names than people's own, as it is exported."""
    after, limit = call.query.after, call.query.limit
    recorded = await whole_log(service_of(call.request).app.log, call.path("session"), after)
    part = recorded[:limit]
    events = [RecordedEvent.model_validate(recorded_document(r)) for r in part]
    return LogEvents(events=events, next=part[-1].seq if part else after, more=len(part) < len(recorded))


@routes.add(
    "GET", "/sessions/{session}/log/stream", "house", "Follow its whole log by server-sent events", query=Following,
    gives=STREAM, refuses=(429,),
)  # fmt: skip
async def stream_log(call: Call) -> web.StreamResponse:
    """Events have their number as `id` and go on after a break (Last-Event-ID). Without one come `all-there` (nothing
    more is in the log now) and `gone` (the session was deleted).
    """
    service, session = service_of(call.request), call.path("session")
    after = last_id(call.request.headers.get("Last-Event-ID", ""), call.query.after)
    with service.limits.streams.opened(service.asker(call.request, call.asking), call.request.transport):
        async with service.live.looking(session) as live:
            return await streamed(call.request, LogStream(live, after), call.asking)


@routes.add("GET", "/sessions/{session}/run", "moderator", "Who runs a session", gives=SessionRow)
async def show_run(call: Call) -> SessionRow:
    """As it stands in the list."""
    return session_row(await service_of(call.request).app.log.info(call.path("session")), moderates=True)


@routes.add(
    "POST", "/imports", "house", "Bring an exported session back", takes="application/x-ndjson",
    body_bytes=LARGEST_IMPORT, query=Importing, gives=SessionRow, status=201, refuses=(422,),
)  # fmt: skip
async def import_session(call: Call) -> Reply:
    """The lines of its events.jsonl; pictures that it has shown are found where this house has them."""
    log = service_of(call.request).app.log
    session = call.query.id or new_id()
    await log.restore(session, await asyncio.to_thread(events_in, call.body, "events.jsonl"))
    row = session_row(await log.info(session), moderates=True)
    return Reply(row, 201, {"Location": f"{BASE}/sessions/{session}"})
