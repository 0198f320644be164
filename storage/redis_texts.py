"""What is being written for a session, told by the process that runs it to those at which somebody looks (pub/sub).

Each message has all texts of a session that are being written, and comes again each second, so that whoever comes later
knows them, too, and one that was lost costs nothing. A session at which nobody looks costs a message a second.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from elenchus.storage.redis_link import RedisGone
from elenchus.storage.redis_listening import MALFORMED

if TYPE_CHECKING:
    from elenchus.debate_engine.shared import OnWritten, Written
    from elenchus.storage.redis_gate import Begin
    from elenchus.storage.redis_link import RedisLink
    from elenchus.storage.redis_listening import RedisListener

EVERY, AGAIN = 0.1, 1.0
"""Seconds between two messages of a session, and where nothing is new or nobody hears them."""
LONGEST = 256 * 1024
"""Characters of a message: what is longer is not told before it is in the log."""


def _channel(session: str) -> str:
    return f"elenchus:texts:{session}"


class RedisTexts:
    """Both sides of it, of one process."""

    def __init__(self, link: RedisLink, process: str, begin: Begin, listener: RedisListener) -> None:
        self._link, self._process, self._begin, self._listener = link, process, begin, listener
        self._texts: dict[str, Written] = {}
        self._changed: set[str] = set()
        self._told: dict[str, tuple[float, float]] = {}
        self._telling: asyncio.Task[None] | None = None

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
        reader = partial(self._take, on_written)
        self._listener.add(_channel(session), reader)
        try:
            yield
        finally:
            self._listener.remove(_channel(session), reader)

    def _take(self, on_written: OnWritten, body: str | None) -> None:
        if body is None:  # who wrote may have ended meanwhile
            on_written({})
            return
        try:
            told = json.loads(body)
            texts = {str(step): (str(seat), str(text)) for step, (seat, text) in told["texts"].items()}
        except MALFORMED:  # of another version, or of another program
            return
        if told.get("from") != self._process:
            on_written(texts)
