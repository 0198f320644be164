"""The logs of a service's sessions: read, followed, appended to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.log.rules import check_known
from elenchus.service.client import wire
from elenchus.service.client.following import Follower, Mark

if TYPE_CHECKING:
    from elenchus.debate_engine.events import Event, Recorded
    from elenchus.debate_engine.log import SessionInfo
    from elenchus.service.client.connection import Connection

PAGE = 500
"""Sessions, or events, of one answer."""


@dataclass(frozen=True, slots=True)
class RemoteLog:
    """The logs behind a connection; `server` is the version of Elenchus there.

    All methods raise ServerUnavailable, and those that take an id UnknownSession.
    """

    connection: Connection
    server: str

    async def sessions(self) -> list[SessionInfo]:
        """All sessions, newest first."""
        found: list[SessionInfo] = []
        cursor = ""
        while True:
            query = {"limit": str(PAGE), **({"cursor": cursor} if cursor else {})}
            page = await self.connection.get("/sessions", query)
            found += self._infos(page["sessions"])
            if not (cursor := page["next"] or ""):
                return found

    def _infos(self, rows: Sequence[dict[str, Any]]) -> list[SessionInfo]:
        return wire.understood(lambda: [wire.info_in(row) for row in rows], self.server)

    async def info(self, session_id: str) -> SessionInfo:
        """One session."""
        return self._infos([await self.connection.get(f"{path_of(session_id)}/run")])[0]

    async def is_run(self, session_id: str) -> bool:
        """Whether anybody runs it now."""
        return (await self.info(session_id)).owner is not None

    async def is_abandoned(self, session_id: str) -> bool:
        """Whether nobody runs it, although it has not come to its end."""
        info = await self.info(session_id)
        return info.owner is None and info.state in ("running", "paused")

    async def read(self, session_id: str, after: int = 0) -> list[Recorded]:
        """Events with a higher number, in order."""
        found: list[Recorded] = []
        more = True
        while more:
            page = await self.connection.get(f"{path_of(session_id)}/log", {"after": str(after), "limit": str(PAGE)})
            found += await asyncio.to_thread(self._recorded, page["events"])
            after, more = page["next"], page["more"]
        return found

    def _recorded(self, documents: Sequence[dict[str, Any]]) -> list[Recorded]:
        return wire.understood(lambda: [wire.recorded_in(one) for one in documents], self.server)

    async def last_event(self, session_id: str) -> int:
        """The number of its last event."""
        return int((await self.connection.get(path_of(session_id)))["seq"])

    def follow(self, session_id: str) -> AsyncGenerator[Recorded | Mark]:
        """Its events from the first, then new ones; see `Follower`."""
        check_known(session_id)
        return Follower(self.connection, session_id, self.server).followed()

    async def append(self, session_id: str, event: Event) -> Recorded:
        """Append what others than its runner may. Raises AnswerLost where it is not known whether it was done."""
        sent = await self.connection.post(f"{path_of(session_id)}/events", {"event": event.model_dump(mode="json")})
        return self._recorded([sent])[0]


def path_of(session_id: str) -> str:
    """Where a session is. Raises UnknownSession for an id that none can have."""
    check_known(session_id)
    return f"/sessions/{session_id}"
