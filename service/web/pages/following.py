"""What a page that is open is sent: the same events as a program, with HTML in the place of blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiohttp import web
from pydantic import TypeAdapter, ValidationError

from elenchus.service.lab.viewers import AUDIENCE
from elenchus.service.web.api.sessions import MOST_EVENTS, StreamQuery, last_id
from elenchus.service.web.pages.frame import Visit
from elenchus.service.web.pages.session import as_html, form_of
from elenchus.service.web.problems import Malformed
from elenchus.service.web.streams import Stream, streamed

if TYPE_CHECKING:
    from elenchus.service.lab.viewers import Viewer

_WATCHED = TypeAdapter(StreamQuery)


async def stream(visit: Visit) -> web.StreamResponse:
    """Server-sent events."""
    session, viewer, watched = visit.path("session"), _viewer(visit), _watched(visit)
    after = last_id(visit.request.headers.get("Last-Event-ID", ""), watched.after)
    async with visit.service.live.looking(session) as live:
        form, rendered = form_of(visit.language), as_html(live, visit.language)
        asker = visit.service.asker(visit.request, visit.asking)
        with visit.service.limits.streams.opened(asker, visit.request.transport):
            followed = Stream(live, viewer, after, form, rendered)
            return await streamed(visit.request, followed, visit.asking)


async def events(visit: Visit) -> web.StreamResponse:
    """The same for whoever no stream comes through to."""
    watched = _watched(visit)
    async with visit.service.live.looking(visit.path("session")) as live:
        part = (await live.items_for(_viewer(visit))).part(watched.after, MOST_EVENTS)
        found = [item.document(form_of(visit.language), as_html(live, visit.language)) for item in part.items]
    return web.json_response({"events": found, "next": part.next, "more": part.more})


def _viewer(visit: Visit) -> Viewer:
    """As whom the page looks: a room's as the audience, whoever opened it."""
    viewer = visit.asking.viewer(visit.path("session"), visit.request.query.get("seat", ""))
    return AUDIENCE if visit.request.query.get("room") and viewer.role == "moderator" else viewer


def _watched(visit: Visit) -> StreamQuery:
    given = {name: visit.request.query[name] for name in ("after", "seat") if name in visit.request.query}
    try:
        return _WATCHED.validate_python(given)
    except ValidationError:
        raise Malformed("This address is not one of our pages'.") from None
