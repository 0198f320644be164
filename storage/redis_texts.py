"""What is being written for a session, told by the process that runs it to those at which somebody looks (pub/sub).

Each message has all texts of a session that are being written, and comes again each second, so that whoever comes later
knows them, too, and one that was lost costs nothing. A session at which nobody looks costs a message a second.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import TYPE_CHECKING, Any

from elenchus.storage.redis_link import AGAIN_AFTER, RedisGone

if TYPE_CHECKING:
    from elenchus.debate_engine.shared import OnWritten, Written
    from elenchus.storage.redis_gate import Begin
    from elenchus.storage.redis_link import RedisLink

_log = logging.getLogger(__name__)

EVERY, AGAIN = 0.1, 1.0
"""Seconds between two messages of a session, and where nothing is new or nobody hears them."""
LONGEST = 256 * 1024
"""Characters of a message: what is longer is not told before it is in the log."""
OWN = "elenchus:listening"
"""A channel on which nothing is said: a subscription has at least one."""


def _channel(session: str) -> str:
    return f"elenchus:texts:{session}"


class RedisTexts:
    """Both sides of it, of one process."""

    def __init__(self, link: RedisLink, process: str, begin: Begin) -> None:
        self._link, self._process, self._begin = link, process, begin
        self._texts: dict[str, Written] = {}
        self._changed: set[str] = set()
        self._told: dict[str, tuple[float, float]] = {}
        self._telling: asyncio.Task[None] | None = None
        self._readers: defaultdict[str, list[OnWritten]] = defaultdict(list)
        self._listening: asyncio.Task[None] | None = None
        self._wanted = asyncio.Event()

    # ── telling ──────────────────────────────────────────────────────────────────────────────────────────────────

    def writing(self, session: str, texts: Written) -> None:
        """See `Shared`."""
        self._texts[session] = texts
        self._changed.add(session)
        if self._telling is None or self._telling.done():
            self._telling = self._begin(self._tell(), "texts being written, told")

    async def _tell(self) -> None:
        while self._texts:
            for session in [one for one in self._texts if self._is_due(one)]:
                self._changed.discard(session)
                await self._tell_of(session, self._texts[session])
            await asyncio.sleep(EVERY)

    def _is_due(self, session: str) -> bool:
        told, pause = self._told.get(session, (0.0, 0.0))
        return monotonic() - told >= (pause if session in self._changed else AGAIN)

    async def _tell_of(self, session: str, texts: Written) -> None:
        heard, body = 0, json.dumps({"from": self._process, "texts": texts}, ensure_ascii=False)
        if len(body) <= LONGEST:
            with suppress(RedisGone):
                heard = await self._link.ask(lambda client: client.publish(_channel(session), body))
        self._told[session] = (monotonic(), EVERY if heard else AGAIN)
        if not texts and session not in self._changed:
            del self._texts[session], self._told[session]

    # ── listening ────────────────────────────────────────────────────────────────────────────────────────────────

    @asynccontextmanager
    async def reading(self, session: str, on_written: OnWritten) -> AsyncIterator[None]:
        """See `Shared`."""
        self._readers[session].append(on_written)
        self._wanted.set()
        if self._listening is None or self._listening.done():
            self._listening = self._begin(self._listen(), "texts being written, heard")
        try:
            yield
        finally:
            self._readers[session].remove(on_written)
            if not self._readers[session]:
                del self._readers[session]
            self._wanted.set()

    async def _listen(self) -> None:
        """Hear what others tell, for good; where the server is gone, from anew when it is there again."""
        while True:
            with suppress(RedisGone):
                await self._link.ask(lambda client: client.ping())
                try:
                    await self._heard()
                except Exception as error:  # noqa: BLE001 - whatever it is, it is tried again
                    _log.debug("what others write is not heard for a moment: %s", error)
            for readers in list(self._readers.values()):  # who wrote may have ended meanwhile
                for reader in readers:
                    reader({})
            await asyncio.sleep(AGAIN_AFTER)

    async def _heard(self) -> None:
        async with self._link.listener() as listener:
            await listener.subscribe(OWN)
            known: set[str] = set()
            self._wanted.set()
            while True:
                known = await self._subscribed(listener, known)
                message = await listener.get_message(ignore_subscribe_messages=True, timeout=EVERY)
                if message and message["type"] == "message":
                    self._take(str(message["channel"]), message["data"])

    async def _subscribed(self, listener: Any, known: set[str]) -> set[str]:
        """Subscribe to what is wanted by now."""
        if not self._wanted.is_set():
            return known
        self._wanted.clear()
        wanted = {_channel(session) for session in self._readers}
        if new := wanted - known:
            await listener.subscribe(*new)
        if old := known - wanted:
            await listener.unsubscribe(*old)
        return wanted

    def _take(self, channel: str, body: str) -> None:
        session = channel.removeprefix(_channel(""))
        try:
            told = json.loads(body)
            texts = {str(step): (str(seat), str(text)) for step, (seat, text) in told["texts"].items()}
        except (ValueError, KeyError, TypeError, AttributeError):  # of another version
            return
        if told.get("from") != self._process:
            for reader in list(self._readers.get(session, ())):
                reader(texts)
