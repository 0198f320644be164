"""The pictures that a session has shown to whoever looks at it, and no others."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from aiohttp import web

from elenchus.debate_engine.reports.blocks import Speech
from elenchus.service.web.pages.frame import Visit
from elenchus.service.web.problems import NotThere

if TYPE_CHECKING:
    from elenchus.debate_engine.events import ShownPicture
    from elenchus.service.web.viewer_documents import ViewerItems

KEPT = "private, max-age=3600"


async def show_picture(visit: Visit) -> web.StreamResponse:
    """Its bytes, found by their hash among what the visitor has been shown, at any of their seats."""
    session, wanted = visit.path("session"), visit.path("picture")
    seats = visit.asking.seats(session)
    viewers = [visit.asking.viewer(session), *(visit.asking.viewer(session, seat) for seat in seats)]
    async with visit.service.live.looking(session) as live:
        found = [picture for one in viewers if (picture := _shown(await live.items_for(one), wanted))]
    content = await asyncio.to_thread(visit.service.app.pictures.read, found[0]) if found else None
    if content is None:
        raise NotThere
    return web.Response(body=content, content_type=found[0].media_type, headers={"Cache-Control": KEPT})


def _shown(viewed: ViewerItems, wanted: str) -> ShownPicture | None:
    blocks = (block for item in viewed.items for block in item.blocks if isinstance(block, Speech))
    return next((one.picture for one in blocks if one.picture and one.picture.sha256 == wanted), None)
