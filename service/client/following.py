"""The log of a session as it grows elsewhere: by a stream that is taken up again where it broke, else by asking."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from elenchus.debate_engine.errors import UnknownSession
from elenchus.service.client.connection import FIRST_PAUSE, LONGEST_PAUSE, PROBLEM, Answer, Connection, Unreachable
from elenchus.service.client.wire import recorded_in, understood

if TYPE_CHECKING:
    import aiohttp

    from elenchus.debate_engine.events import Recorded

FIRST_SECONDS = 10.0
"""A stream whose first line has not come by then is held back by something in between: it is asked for instead."""
POLL_SECONDS, POLLS = 1.0, 30
"""How often is asked, and how many times before a stream is tried again."""

Mark = Literal["all there", "quiet"]
"""`all there`: the log has nothing more now. `quiet`: nothing has come since the last sign of life."""


class Message(NamedTuple):
    """A server-sent event; one without a kind is a sign of life."""

    kind: str
    data: str


async def messages(content: aiohttp.StreamReader) -> AsyncGenerator[Message]:
    """The messages of a stream, until it ends."""
    buffer, searched = bytearray(), 0
    async for chunk in content.iter_any():
        buffer += chunk
        while (end := buffer.find(b"\n\n", max(0, searched - 1))) >= 0:
            yield _message(buffer[:end].decode("utf-8", "replace"))
            del buffer[: end + 2]
            searched = 0
        searched = len(buffer)


def _message(block: str) -> Message:
    fields: dict[str, str] = {}
    for line in block.split("\n"):
        name, colon, value = line.partition(":")
        if name and colon:
            fields[name] = value.removeprefix(" ")
    return Message(fields.get("event", "retry" if "retry" in fields else ""), fields.get("data", ""))


@dataclass
class Follower:
    """Follows one session from its event `after` on: every event once and in order, however often the way breaks.

    It gives up when the server was away for as long as the connection's `outage`. `server` is its version.
    """

    connection: Connection
    session: str
    server: str
    after: int = 0
    _lived: float = field(default=0.0, init=False)

    async def followed(self) -> AsyncGenerator[Recorded | Mark]:
        """What there is, then what comes; never ends by itself.

        Raises ElenchusError: UnknownSession where it is deleted, ServerUnavailable, what the server refuses.
        """
        self._lives()
        pause = FIRST_PAUSE
        while True:
            try:
                async with aclosing(self._streamed()) as streamed:
                    async for one in streamed:
                        self._lives()
                        pause = FIRST_PAUSE
                        yield one
            except _HeldBack:
                async with aclosing(self._asked()) as asked:
                    async for one in asked:
                        self._lives()
                        yield one
            except Unreachable as away:
                if self._silent() > self.connection.timeouts.outage:
                    raise self.connection.unreachable(str(away)) from None
            await asyncio.sleep(pause)
            pause = min(LONGEST_PAUSE, 2 * pause)

    def _lives(self) -> None:
        self._lived = asyncio.get_running_loop().time()

    def _silent(self) -> float:
        """Seconds since anything came."""
        return asyncio.get_running_loop().time() - self._lived

    # ── a stream ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def _streamed(self) -> AsyncGenerator[Recorded | Mark]:
        """One stream, until it breaks. Raises Away, _HeldBack."""
        quiet = self.connection.timeouts.silence
        headers = {"Last-Event-ID": str(self.after), "Accept": "text/event-stream, application/problem+json"}
        path = f"/sessions/{self.session}/log/stream"
        async with self.connection.opened("GET", path, quiet=quiet, headers=headers) as response:
            if response.content_type != "text/event-stream":
                self._refused(Answer(response.status, response.content_type, response.headers, await response.read()))
            self._lives()
            async with aclosing(messages(response.content)) as coming:
                if (first := await _first(coming)) is None:
                    return
                for one in self._taken(first):
                    yield one
                async for message in coming:
                    for one in self._taken(message):
                        yield one

    def _refused(self, answer: Answer) -> None:
        """Raises what the answer means: where there are too many streams already, it is asked for instead."""
        try:
            self.connection.accepted(answer, f"/sessions/{self.session}/log/stream")
        except Unreachable as away:
            if answer.media_type == PROBLEM:
                raise _HeldBack from away
            raise
        raise self.connection.no_elenchus(answer)

    def _taken(self, message: Message) -> list[Recorded | Mark]:
        match message.kind:
            case "":
                return ["quiet"]
            case "all-there":
                return ["all there"]
            case "gone":
                raise UnknownSession(f"The session {self.session} was deleted.")
            case "retry":
                return []
        return self._new(understood(lambda: json.loads(message.data), self.server))

    def _new(self, document: dict[str, Any]) -> list[Recorded | Mark]:
        """The event, unless it was there already."""
        recorded = understood(lambda: recorded_in(document), self.server)
        if recorded.seq <= self.after:
            return []
        self.after = recorded.seq
        return [recorded]

    # ── without a stream ─────────────────────────────────────────────────────────────────────────────────────────

    async def _asked(self) -> AsyncGenerator[Recorded | Mark]:
        """The same by asking again and again, for a while."""
        for n in range(POLLS):
            async for one in self._page():
                yield one
            yield "quiet" if n and n % 15 == 0 else "all there"
            await asyncio.sleep(POLL_SECONDS)

    async def _page(self) -> AsyncIterator[Recorded | Mark]:
        more = True
        while more:
            query = {"after": str(self.after)}
            page = await self.connection.get(f"/sessions/{self.session}/log", query)
            for document in page["events"]:
                for one in self._new(document):
                    yield one
            more = page["more"]


class _HeldBack(Exception):
    """No stream comes through."""


async def _first(coming: AsyncGenerator[Message]) -> Message | None:
    """The first message, None where the stream ends before. Raises _HeldBack where it does not come."""
    try:
        async with asyncio.timeout(FIRST_SECONDS):
            return await anext(coming, None)
    except TimeoutError:
        raise _HeldBack from None
