"""Server-sent events of one session for one viewer: what the log adds, what is being written, how it stands."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from aiohttp import web

from elenchus.debate_engine.errors import ElenchusError, UnknownSession
from elenchus.service.web.sign_in import still_holds
from elenchus.service.web.viewer_documents import JSON, AsHtml, message

if TYPE_CHECKING:
    from elenchus.service.lab.viewers import Viewer
    from elenchus.service.web.live import Drafts, LiveSession
    from elenchus.service.web.server import WebService
    from elenchus.service.web.sign_in import Asking

_log = logging.getLogger(__name__)

WRITTEN_AT_ONCE = 64 * 1024
"""Bytes of events, about, that are handed to a connection before its client has taken what came before."""

HEADERS = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
}
HERE = message("here", {})
"""The same for pages, whose scripts are not told of lines without meaning."""
GONE = message("gone", {})
"""What was followed is there no more."""
FIRST = b"retry: 1000\n\n"
"""After how many milliseconds a browser is to come back."""


@dataclass(slots=True)
class Stream:
    """What one stream has sent. `after` is the last event that its client has; `form` and `as_html`: see `Item`."""

    live: LiveSession
    viewer: Viewer
    after: int = 0
    form: str = JSON
    as_html: AsHtml | None = None
    _at: int = 0
    _rewritten: int = -1
    _drafts: Drafts = field(default_factory=dict)
    _status: bytes = b""
    _present: bytes = b""

    @property
    def about(self) -> str:
        """Of what it is."""
        return f"the session {self.live.id}"

    async def messages(self, heartbeat: float) -> AsyncGenerator[bytes]:
        """What is sent, one write after the other, until the session is followed no more. A line without meaning is
        sent each `heartbeat` seconds, by which both ends notice that the other is gone.

        What there is to send is looked at anew for each write: a redaction while a client is slow is never too late.
        """
        yield FIRST
        with self.live.followed_by(self.viewer):
            while not self.live.over:
                version, more = self.live.version, True
                while more:
                    part, more = await self._next()
                    if part:
                        yield part
                if self.live.version == version and not await self.live.changed(version, heartbeat):
                    yield b": here\n\n" if self.as_html is None else HERE
        if self.live.gone:
            yield GONE

    async def _next(self) -> tuple[bytes, bool]:
        """What is to be written next, and whether there is more of it. Raises UnknownSession, StorageError."""
        viewed = await self.live.items_for(self.viewer)
        if self._rewritten != self.live.rewritten:
            self._rewritten, self._at = self.live.rewritten, viewed.place(self.after)
        parts, size = [], 0
        while self._at < len(viewed.items) and size < WRITTEN_AT_ONCE:
            item = viewed.items[self._at]
            parts.append(item.message(self.form, self.as_html))
            self._at, self.after, size = self._at + 1, item.seq, size + len(parts[-1])
        if more := self._at < len(viewed.items):
            return b"".join(parts), more
        return b"".join([*parts, *self._drafted(), *self._stands(), *self._presence()]), False

    def _drafted(self) -> list[bytes]:
        """What has been written since."""
        drafts, told = self.live.drafts_for(self.viewer), []
        for step, (seat, text) in drafts.items():
            known = self._drafts.get(step, ("", ""))[1]
            if step in self._drafts and text == known:
                continue
            goes_on = text.startswith(known)
            told.append(_draft(step, seat, text[len(known) :] if goes_on else text, len(known) if goes_on else 0))
        told += [_draft(step, self._drafts[step][0], "", 0, done=True) for step in self._drafts.keys() - drafts.keys()]
        self._drafts = drafts
        return told

    def _stands(self) -> list[bytes]:
        """The session's status, where it is another one."""
        stands = self.live.stands(self.viewer)
        known, self._status = self._status, stands
        return [] if stands is known else [stands]

    def _presence(self) -> list[bytes]:
        """Who follows it just now, where these are others; a moderator alone is told."""
        if self.viewer.role != "moderator":
            return []
        known, self._present = self._present, self.live.present
        return [] if known == self._present else [self._present]


def _draft(step: str, seat: str, text: str, at: int, *, done: bool = False) -> bytes:
    """A piece of a text that is being written, from its character `at` on; `done`: it stands in the log now."""
    document: dict[str, Any] = {"step": step, "seat": seat, "at": at, "text": text, "done": done}
    return message("draft", document)


class Messages(Protocol):
    """What is sent as a stream; `about` says of what."""

    @property
    def about(self) -> str:
        """Of what it is."""
        ...

    def messages(self, heartbeat: float) -> AsyncGenerator[bytes]:
        """One write after the other, and one each `heartbeat` seconds. Raises UnknownSession, StorageError."""
        ...


@dataclass(slots=True)
class Holding:
    """Whether whoever opened a stream still has all that they were given. What is revoked in this process is noticed
    before the next write, what ends or is revoked elsewhere within the seconds that the limits say.
    """

    service: WebService
    who: Asking
    _removed: int = field(init=False)
    _looked: float = field(init=False)

    def __post_init__(self) -> None:
        self._note()

    def _note(self) -> None:
        self._removed, self._looked = self.service.access.removed, time.monotonic()

    async def still(self) -> bool:
        """Raises StorageError."""
        known = self._removed == self.service.access.removed
        if known and time.monotonic() - self._looked < self.service.limits.look_again_seconds:
            return True
        self._note()
        return await still_holds(self.service, self.who)


async def streamed(request: web.Request, stream: Messages, who: Asking) -> web.StreamResponse:
    """Send the stream until its client is gone or too slow, whoever serves it cancels this, or something that its
    client was given has ended: then that one comes back, and is judged anew.
    """
    from elenchus.service.web.server import service_of

    limits, holding = service_of(request).limits, Holding(service_of(request), who)
    response = web.StreamResponse(headers=HEADERS)
    try:
        await response.prepare(request)  # who has turned the page is gone before it begins
        async with aclosing(stream.messages(limits.heartbeat)) as messages:
            async for part in messages:
                if part != GONE and not await holding.still():
                    break
                async with asyncio.timeout(limits.slow_seconds):
                    await response.write(part)
    except TimeoutError:  # nothing more can be said to it
        if request.transport is not None:
            request.transport.abort()
    except (ConnectionError, UnknownSession):
        pass
    except ElenchusError:  # the client comes back, and is told then what is wrong
        _log.exception("a stream of %s ended", stream.about)
    return response
