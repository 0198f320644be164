"""One connection of a process by which it hears what others publish on Redis channels."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from elenchus.storage.redis_link import AGAIN_AFTER, RedisGone

if TYPE_CHECKING:
    from elenchus.storage.redis_gate import Begin
    from elenchus.storage.redis_link import RedisLink

_log = logging.getLogger(__name__)

PATIENCE = 0.1
"""Seconds after which it looks whether other channels are wanted."""
OWN = "elenchus:listening"
"""A channel on which nothing is said: a subscription has at least one."""

MALFORMED = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)
"""What reading a message raises that is none of ours: it is passed over."""

Reader = Callable[[str | None], None]
"""Called with each message, and with None where some may have been missed: whoever told them may have ended."""


class RedisListener:
    """Hears the channels for which there are readers, from the first reader on for good."""

    def __init__(self, link: RedisLink, begin: Begin) -> None:
        self._link, self._begin = link, begin
        self._readers: defaultdict[str, list[Reader]] = defaultdict(list)
        self._listening: asyncio.Task[None] | None = None
        self._wanted = asyncio.Event()

    def add(self, channel: str, reader: Reader) -> None:
        """Have what is published on a channel read."""
        self._readers[channel].append(reader)
        self._wanted.set()
        if self._listening is None or self._listening.done():
            self._listening = self._begin(self._listen(), "what others publish, heard")

    def remove(self, channel: str, reader: Reader) -> None:
        """The same no more."""
        self._readers[channel].remove(reader)
        if not self._readers[channel]:
            del self._readers[channel]
        self._wanted.set()

    async def _listen(self) -> None:
        """For good; where the server is gone, from anew when it is there again."""
        while True:
            with suppress(RedisGone):
                await self._link.ask(lambda client: client.ping())
                try:
                    await self._heard()
                except Exception as error:  # noqa: BLE001 - whatever it is, it is tried again
                    _log.debug("what others publish is not heard for a moment: %s", error)
            for channel in list(self._readers):
                self._tell(channel, None)
            await asyncio.sleep(AGAIN_AFTER)

    async def _heard(self) -> None:
        async with self._link.listener() as listener:
            await listener.subscribe(OWN)
            known: set[str] = set()
            self._wanted.set()
            while True:
                known = await self._subscribed(listener, known)
                message = await listener.get_message(ignore_subscribe_messages=True, timeout=PATIENCE)
                if message and message["type"] == "message":
                    self._tell(str(message["channel"]), message["data"])

    async def _subscribed(self, listener: Any, known: set[str]) -> set[str]:
        """Subscribe to what is wanted by now."""
        if not self._wanted.is_set():
            return known
        self._wanted.clear()
        wanted = set(self._readers)
        if new := wanted - known:
            await listener.subscribe(*new)
        if old := known - wanted:
            await listener.unsubscribe(*old)
        return wanted

    def _tell(self, channel: str, message: str | None) -> None:
        for reader in list(self._readers.get(channel, ())):
            reader(message)
