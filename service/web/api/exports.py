"""What comes out of a session, as files to take home."""

from __future__ import annotations

import asyncio
import io
import zipfile
from collections.abc import Callable, Mapping

from aiohttp import web

from elenchus.debate_engine.events import FrozenModel
from elenchus.service.web.problems import NotThere
from elenchus.service.web.routes import Call, RouteTable
from elenchus.service.web.server import service_of

routes = RouteTable("exports")

ALL = "all.zip"


class ExportFiles(FrozenModel):
    """The names of the files of a session; `all.zip` holds them all."""

    files: list[str]


async def files_of(call: Call) -> dict[str, bytes]:
    """The files by name, with the pictures that were shown; made off the event loop."""
    from elenchus.debate_engine.reports.export import contents_of

    service, session = service_of(call.request), call.path("session")

    def made() -> dict[str, bytes]:
        return contents_of(session, events) | service.app.pictures.files_of(events)

    async with service.exporting:
        events = await service.app.log.read(session)
        return await asyncio.to_thread(made)


async def file_made_alone(call: Call, name: str) -> bytes | None:
    """One of them, with nothing made beside it; None where that cannot be, and for a name that there is not."""
    from elenchus.debate_engine.pictures import EXPORTED
    from elenchus.debate_engine.reports.export import file_alone

    service, session = service_of(call.request), call.path("session")

    def made() -> bytes | None:
        if name.startswith(f"{EXPORTED}/"):
            return service.app.pictures.files_of(events).get(name)
        return file_alone(session, events, name)

    async with service.exporting:
        events = await service.app.log.read(session)
        return await asyncio.to_thread(made)


@routes.add("GET", "/sessions/{session}/exports", "moderator", "The files of a session", gives=ExportFiles)
async def list_exports(call: Call) -> ExportFiles:
    """As far as it has come."""
    return ExportFiles(files=[*sorted(await files_of(call)), ALL])


@routes.add(
    "GET", "/sessions/{session}/exports/{file:.+}", "moderator", "One file of a session",
    gives=("application/octet-stream", "application/zip"),
)  # fmt: skip
async def show_export(call: Call) -> web.Response:
    """To be saved, never shown: what people and models wrote is in it."""
    name = call.path("file")
    if (content := await file_made_alone(call, name)) is None:
        files = await files_of(call)
        if name == ALL:
            return await as_zip(lambda: files, call.path("session"))
        if (content := files.get(name)) is None:
            raise NotThere(f"There is no such file: there are {', '.join(sorted(files))} and {ALL}.")
    saved = f"{call.path('session')}-{name.replace('/', '-')}"
    disposition = {"Content-Disposition": f'attachment; filename="{saved}"'}
    return web.Response(body=content, content_type="application/octet-stream", headers=disposition)


async def as_zip(files: Callable[[], Mapping[str, bytes]], folder: str) -> web.Response:
    """All of the files in one folder, in their order; made off the event loop."""

    def packed() -> bytes:
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, part in files().items():
                archive.writestr(f"{folder}/{name}", part)
        return content.getvalue()

    disposition = {"Content-Disposition": f'attachment; filename="{folder}-{ALL}"'}
    return web.Response(body=await asyncio.to_thread(packed), content_type="application/zip", headers=disposition)
