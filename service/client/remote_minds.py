"""Personas with a mind over a service: what they are given is carried out there, and told here."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from elenchus.debate_engine.errors import UnknownSession, UsageError
from elenchus.debate_engine.events import Attended, Fed, GivenToMind, Surveyed, Talked
from elenchus.debate_engine.protocols.cognition.projection import (
    Exchange,
    MindProjection,
    Reading,
    Survey,
    as_of,
    mind_of,
)
from elenchus.service.client.files import exported
from elenchus.service.client.remote_log import RemoteLog
from elenchus.service.lab.lab_minds import MindWaits
from elenchus.service.lab.mind_options import is_id_in, mind_id

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from elenchus.debate_engine.events import Recorded
    from elenchus.debate_engine.log import SessionInfo
    from elenchus.debate_engine.protocols.cognition.schemas import Flow
    from elenchus.service.client.connection import Connection
    from elenchus.service.lab.mind_options import MindOptions

T = TypeVar("T", Reading, Survey, Exchange)
FIRST_LOOK, LAST_LOOK = 0.1, 3.0
"""Seconds between two looks whether something was carried out; they grow."""


@dataclass(frozen=True)
class RemoteMinds:
    """See `LabMinds`."""

    connection: Connection
    server: str

    @property
    def _log(self) -> RemoteLog:
        return RemoteLog(self.connection, self.server)

    async def create(self, options: MindOptions, *, by: str) -> MindProjection:
        """Make a mind; of one that does not come to be nothing is left. Raises UsageError, ElenchusError."""
        given = options.model_dump(mode="json", exclude_unset=True)
        await self.connection.post("/minds", {"options": given, "by": by}, works=True)
        return await self.look(options.name)

    async def all(self) -> list[SessionInfo]:
        """The minds, the newest first: `title` is the name."""
        return [info for info in await self._log.sessions() if info.protocol == "mind" and is_id_in("", info.id)]

    async def look(self, name: str, *, day: date | None = None, iteration: int | None = None) -> MindProjection:
        """A mind now, at the end of a day (UTC), or after an iteration."""
        recorded = await self._events(name)
        found = await asyncio.to_thread(as_of, recorded, day, iteration)
        if found.mind is None:
            raise UsageError(f"{name} was not there yet: it was made on {recorded[0].at.date()}, or is being made.")
        return found

    async def feed(self, name: str, flow: Flow, *, by: str) -> Reading:
        """Have it read something."""
        return await self._given(name, Fed(by=by, texts=flow.texts, title=flow.title, source=flow.source), Reading)

    async def survey(self, name: str, questions: tuple[str, ...] = (), *, by: str) -> Survey:
        """Have it rate opinions, by default those it was made with."""
        return await self._given(name, Surveyed(by=by, questions=questions), Survey)

    async def ask(self, name: str, text: str, *, by: str) -> Exchange:
        """Say something to it."""
        return await self._given(name, Talked(by=by, text=text), Exchange)

    async def rate(self, name: str, ratings: Mapping[str, int], *, by: str) -> None:
        """Say how a person takes the persona to rate opinions, such as it is now."""
        await self._known(name)
        await self.connection.post(f"{_path(name)}/ratings", {"ratings": dict(ratings), "by": by})

    async def estimate(self, name: str, *given: GivenToMind) -> dict[str, Any]:
        """What it would ask and cost at the most to give it this. Nothing is asked."""
        await self._known(name)
        body = {"give": [_given(one) for one in given]}
        told = await self.connection.post(f"{_path(name)}/estimates", body, again=True, works=True)
        plan: dict[str, Any] = told["plan"]
        return plan

    async def export(self, name: str, folder: str | Path) -> list[Path]:
        """Write report, data and pictures into a folder; their paths. Raises StorageError."""
        await self._known(name)
        return await exported(self.connection, mind_id(name), Path(folder))

    async def delete(self, name: str) -> None:
        """Delete a mind with all that it holds."""
        await self._known(name)
        await self.connection.ask("DELETE", _path(name), again=True)

    async def _events(self, name: str) -> list[Recorded]:
        try:
            return await self._log.read(mind_id(name))
        except UnknownSession:
            raise UsageError(f"There is no mind called {name!r} here.") from None

    async def _known(self, name: str) -> None:
        try:
            await self._log.info(mind_id(name))
        except UnknownSession:
            raise UsageError(f"There is no mind called {name!r} here.") from None

    async def _given(self, name: str, event: GivenToMind, kind: type[T]) -> T:
        """Give it, and wait until it is carried out. Raises UsageError, MindWaits."""
        await self._known(name)
        body = {"give": _given(event), "by": event.by}
        seq, pause = (await self.connection.post(f"{_path(name)}/given", body, works=True))["seq"], FIRST_LOOK
        while (told := await self.connection.get(f"{_path(name)}/given/{seq}"))["state"] == "waiting":
            await asyncio.sleep(pause)
            pause = min(LAST_LOOK, pause * 1.5)
        if told["state"] == "kept":
            raise MindWaits(name, mind_id(name), "paused", told["reason"])
        came = mind_of(await self._events(name)).came_of(seq)
        assert isinstance(came, kind)
        return came


def _path(name: str) -> str:
    return f"/minds/{mind_id(name)}"


def _given(event: GivenToMind) -> dict[str, Any]:
    """What a mind is given, as it is sent. Raises UsageError."""
    match event:
        case Fed(texts=texts, title=title, source=source):
            return {"kind": "read", "texts": list(texts), "title": title[:200], "source": source[:500]}
        case Surveyed(questions=questions):
            return {"kind": "rate", "questions": list(questions)}
        case Talked(text=text):
            return {"kind": "answer", "text": text}
        case Attended():
            raise UsageError("A mind hears of a session where it sat, and is not told of one by hand.")
