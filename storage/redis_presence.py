"""Who follows which session just now, told by each process to all others (pub/sub), each second and as a whole.

Whoever comes later knows it within a second, a message that was lost costs nothing, and a process of which nothing was
heard for a while follows nothing.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import TYPE_CHECKING

from elenchus.storage.redis_link import RedisGone
from elenchus.storage.redis_listening import MALFORMED

if TYPE_CHECKING:
    from elenchus.debate_engine.shared import OnPresent, Present
    from elenchus.storage.redis_gate import Begin
    from elenchus.storage.redis_link import RedisLink
    from elenchus.storage.redis_listening import RedisListener

CHANNEL = "elenchus:presence"
EVERY, SILENT = 1.0, 4.0
"""Seconds between two messages of a process; without one after which it is taken to be gone."""


class RedisPresence:
    """Both sides of it, of one process."""

    def __init__(self, link: RedisLink, process: str, begin: Begin, listener: RedisListener) -> None:
        self._link, self._process, self._begin, self._listener = link, process, begin, listener
        self._here: dict[str, Present] = {}
        self._told = False
        self._others: dict[str, tuple[float, dict[str, Present]]] = {}
        self._readers: defaultdict[str, list[OnPresent]] = defaultdict(list)
        self._looking: asyncio.Task[None] | None = None

    def present(self, session: str, who: Present) -> None:
        """See `Shared`."""
        if who:
            self._here[session] = who
        else:
            self._here.pop(session, None)
        self._look()

    @asynccontextmanager
    async def seeing(self, session: str, on_present: OnPresent) -> AsyncIterator[None]:
        """See `Shared`."""
        if not self._readers:
            self._listener.add(CHANNEL, self._take)
        self._readers[session].append(on_present)
        self._look()
        on_present(self._elsewhere(session))
        try:
            yield
        finally:
            self._readers[session].remove(on_present)
            if not self._readers[session]:
                del self._readers[session]
            if not self._readers:
                self._listener.remove(CHANNEL, self._take)
                self._others.clear()

    def _look(self) -> None:
        if self._looking is None or self._looking.done():
            self._looking = self._begin(self._tell_and_forget(), "who follows which session, told")

    async def _tell_and_forget(self) -> None:
        """Tell others, and forget those of whom nothing is heard; until nobody follows anything here."""
        while self._here or self._readers or self._told:
            self._told = bool(self._here)
            await self._tell()
            gone = [one for one, (heard, _) in self._others.items() if monotonic() - heard > SILENT]
            for one in gone:
                del self._others[one]
            if gone:
                self._tell_readers()
            await asyncio.sleep(EVERY)

    async def _tell(self) -> None:
        body = json.dumps({"from": self._process, "sessions": self._here}, ensure_ascii=False)
        with suppress(RedisGone):
            await self._link.ask(lambda client: client.publish(CHANNEL, body))

    def _take(self, body: str | None) -> None:
        if body is None:
            self._others.clear()
        else:
            try:
                told = json.loads(body)
                process = str(told["from"])
                sessions = {
                    str(session): {str(who): int(count) for who, count in present.items()}
                    for session, present in told["sessions"].items()
                }
            except MALFORMED:  # of another version, or of another program
                return
            if process != self._process:
                self._others[process] = monotonic(), sessions
        self._tell_readers()

    def _tell_readers(self) -> None:
        for session, readers in list(self._readers.items()):
            present = self._elsewhere(session)
            for reader in list(readers):
                reader(present)

    def _elsewhere(self, session: str) -> Present:
        found: Counter[str] = Counter()
        for _, sessions in self._others.values():
            found.update(sessions.get(session, {}))
        return dict(found)
