"""What lasts at the gateway: a session, which outlives its connections, and a connection."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from aiohttp import web

from tests.fakes.discord.state import Json

DISPATCH = 0


@dataclass(eq=False)
class Session:
    """A session outlives its connection: what is said meanwhile is kept and replayed after a RESUME."""

    id: str
    intents: int
    connection: Connection | None
    shard: tuple[int, int] = (0, 1)
    seq: int = 0
    said: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=5000))

    def has(self, guild: int) -> bool:
        """Whether it is told of this server; of what is in none (0) the first shard is."""
        number, count = self.shard
        return (guild >> 22) % count == number

    def say(self, name: str, data: Json) -> None:
        """Send an event, as it is at this moment, and keep it for a replay."""
        self.seq += 1
        packet = json.dumps({"op": DISPATCH, "t": name, "s": self.seq, "d": data})
        self.said.append((self.seq, packet))
        if self.connection:
            self.connection.put(packet)


class Closing(Exception):
    """The gateway closes the connection with a code."""

    def __init__(self, code: int, reason: str) -> None:
        self.code, self.reason = code, reason
        super().__init__(reason)


@dataclass(eq=False)
class Connection:
    socket: web.WebSocketResponse
    pack: Callable[[str], bytes | str]
    queue: asyncio.Queue[str] = field(default_factory=asyncio.Queue)
    session: Session | None = None
    received: deque[float] = field(default_factory=deque)
    silent: bool = False

    def put(self, packet: Json | str) -> None:
        if not self.silent:
            self.queue.put_nowait(packet if isinstance(packet, str) else json.dumps(packet))

    async def send_all(self) -> None:
        """Send what is queued, in order, until cancelled or hung up."""
        with suppress(ConnectionError):
            while True:
                packed = self.pack(await self.queue.get())
                await (self.socket.send_str(packed) if isinstance(packed, str) else self.socket.send_bytes(packed))
