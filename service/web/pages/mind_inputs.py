"""The forms by which a persona is given something: a text, a file or an address, opinions, words."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from aiohttp import web

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Fed, Surveyed, Talked
from elenchus.detectors.evaluation.cogbench.flows.reading import LARGEST, flow_at, flow_in
from elenchus.service.lab.mind_options import typed as flow_typed
from elenchus.service.web.pages.mind_fields import lines_in
from elenchus.service.web.problems import Problem
from elenchus.service.web.sign_in import check_proof

if TYPE_CHECKING:
    from elenchus.debate_engine.events import GivenToMind
    from elenchus.debate_engine.protocols.cognition.schemas import Flow
    from elenchus.service.web.pages.frame import Visit

AROUND = 1_000_000
"""Bytes that stand beside the file in a form."""
SECONDS = 60.0
"""For a form with a file in it."""


File = tuple[str, bytes]
"""A file's name, and what stands in it."""


async def given_in(visit: Visit, session: str, typed: dict[str, str], file: File | None) -> GivenToMind:
    """What the persona is given by a form that `form_in` has read. Raises UsageError."""
    by = visit.asking.person(session)
    match typed.get("kind"):
        case "rate":
            questions = tuple(lines_in(typed.get("questions", "")))
            return Surveyed(by=by, questions=await visit.service.app.minds.questions(session, questions))
        case "answer":
            return Talked(by=by, text=typed.get("text", "").strip())
    flow = await _flow(visit, typed, file)
    title = " ".join(typed.get("title", "").split())[:200]
    return Fed(by=by, texts=flow.texts, title=title or flow.title, source=flow.source)


async def form_in(visit: Visit) -> tuple[dict[str, str], File | None]:
    """The fields of the form (`filename` is that of a file), and the file. Raises Problem, Forbidden."""
    request = visit.request.clone(client_max_size=LARGEST + AROUND)
    try:
        async with asyncio.timeout(SECONDS):
            given = await request.post()
    except TimeoutError:
        raise Problem(408, "too-slow", "The request's body did not come.") from None
    except web.HTTPRequestEntityTooLarge:
        raise Problem(413, "too-large", f"The file is larger than {LARGEST:,} bytes: give a part of it.") from None
    except (ValueError, LookupError):  # parts without names, an encoding that nobody knows
        raise Problem(400, "unreadable", "The form cannot be read.") from None
    files = [one for one in given.values() if isinstance(one, web.FileField)]
    try:
        check_proof(visit.request, visit.asking, str(given.get("csrf", "")))
        file = (files[0].filename, await asyncio.to_thread(files[0].file.read)) if files else None
    finally:
        for one in files:
            await asyncio.to_thread(one.file.close)
    typed = {name: one for name, one in given.items() if isinstance(one, str)}
    return typed | {"filename": file[0] if file else ""}, file


async def _flow(visit: Visit, typed: dict[str, str], file: File | None) -> Flow:
    """What is to be read. Raises UsageError."""
    text, address = typed.get("text", ""), typed.get("address", "").strip()
    if sum(map(bool, (text.strip(), address, file))) != 1:
        raise UsageError(visit.t("mind-read-one"))
    if file:
        return await flow_in(file[1], file[0], source=file[0])
    return await flow_at(address, visit.service.fetching) if address else flow_typed(text.replace("\r\n", "\n"))
