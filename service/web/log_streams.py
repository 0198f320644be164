"""Server-sent events of a whole log, for programs of the house: each event as it is recorded, and nothing beside."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.printable import json_text
from elenchus.debate_engine.reports.pseudonymous import pseudonymous
from elenchus.service.web.streams import FIRST, GONE, WRITTEN_AT_ONCE
from elenchus.service.web.viewer_documents import message

if TYPE_CHECKING:
    from elenchus.debate_engine.events import Recorded
    from elenchus.debate_engine.log import EventLog
    from elenchus.service.web.live import LiveSession

ALL_THERE = message("all-there", {})
"""Said once nothing more is in the log now, and again after whatever comes."""


async def whole_log(log: EventLog, session: str, after: int) -> list[Recorded]:
    """Events with a higher number, as they may leave this machine: of a session with subjects without names.

    Raises UnknownSession, StorageError.
    """
    recorded = await log.read(session)
    told = await asyncio.to_thread(pseudonymous, recorded)
    return [r for r in told if r.seq > after]


def recorded_document(r: Recorded) -> dict[str, Any]:
    """An event in its place, as JSON."""
    return {"seq": r.seq, "at": r.at.isoformat(), "event": r.event.model_dump(mode="json")}


@dataclass(slots=True)
class LogStream:
    """What one stream of a log has sent; `after` is the last event that its client has."""

    live: LiveSession
    after: int = 0
    _told: bool = field(default=False, init=False)

    @property
    def about(self) -> str:
        """Of what it is."""
        return f"the log of {self.live.id}"

    async def messages(self, heartbeat: float) -> AsyncGenerator[bytes]:
        """What is sent, one write after the other, until the session is followed no more."""
        yield FIRST
        while not self.live.over:
            version = self.live.version
            await self.live.fresh()
            for part in _parts(await self._new()):
                self._told = False
                yield part
            if not self._told:
                self._told = True
                yield ALL_THERE
            if self.live.version == version and not await self.live.changed(version, heartbeat):
                yield b": here\n\n"
        if self.live.gone:
            yield GONE

    async def _new(self) -> list[Recorded]:
        if self.after >= self.live.status.view.last_seq:
            return []
        new = await whole_log(self.live.log, self.live.id, self.after)
        self.after = new[-1].seq if new else self.after
        return new


def _parts(recorded: Sequence[Recorded]) -> list[bytes]:
    """The events as messages, of which several are written at once."""
    parts = [b""]
    for r in recorded:
        if len(parts[-1]) > WRITTEN_AT_ONCE:
            parts.append(b"")
        data = json_text(recorded_document(r))
        parts[-1] += f"id: {r.seq}\nevent: {r.event.kind}\ndata: {data}\n\n".encode()
    return [part for part in parts if part]
