"""Small pages and files: a phone's check of itself, the API's page, QR codes, stylesheet and scripts."""

from __future__ import annotations

from aiohttp import web

from elenchus.service.qr_codes import as_svg_file
from elenchus.service.web.pages.frame import Visit, is_local
from elenchus.service.web.problems import NotThere
from elenchus.service.web.static_files import FOREVER, static_files, version

LONGEST_PATH = 300


async def show_check(visit: Visit) -> web.StreamResponse:
    """Whether this phone and this network will do."""
    return visit.show("check.html", data={"check": True})


async def check_stream(visit: Visit) -> web.StreamResponse:
    """A stream of three events, by which a phone sees whether streams come through."""
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "X-Accel-Buffering": "no"})
    await response.prepare(visit.request)
    for n in range(3):
        await response.write(f"event: beat\ndata: {n}\n\n".encode())
    return response


async def check_echo(_visit: Visit) -> web.StreamResponse:
    """Says that something arrived."""
    return web.json_response({"received": True})


async def show_api(visit: Visit) -> web.StreamResponse:
    """The API for people: its document as a page."""
    from elenchus.service.web.api.openapi import document

    parts: dict[str, list[dict[str, object]]] = {}
    for path, methods in document()["paths"].items():
        for method, about in methods.items():
            row = {"method": method.upper(), "path": path, **about}
            parts.setdefault(about["tags"][0], []).append(row)
    return visit.show("api.html", parts=parts)


async def show_qr(visit: Visit) -> web.StreamResponse:
    """The QR code of a page of this service."""
    path = visit.request.query.get("path", "")
    if not is_local(path) or len(path) > LONGEST_PATH:
        raise NotThere
    return web.Response(text=as_svg_file(visit.origin + path), content_type="image/svg+xml")


async def show_static(request: web.Request) -> web.StreamResponse:
    """A stylesheet, script or icon; kept by browsers for good, as its address changes with its content."""
    file = static_files().get(request.match_info["name"])
    if file is None:
        return web.Response(status=404, text="There is no such file.")
    lasting = request.match_info["version"] == version()
    headers = {"Cache-Control": FOREVER if lasting else "no-cache", "Vary": "Accept-Encoding"}
    packed = "gzip" in request.headers.get("Accept-Encoding", "")
    if packed:
        headers["Content-Encoding"] = "gzip"
    return web.Response(
        body=file.packed if packed else file.content, content_type=file.media_type, charset="utf-8", headers=headers
    )
