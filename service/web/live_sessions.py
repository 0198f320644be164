"""The sessions at which somebody looks: one follower of the log for each, from the first look until after the last."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from elenchus.debate_engine.errors import ElenchusError, UnknownSession
from elenchus.debate_engine.events import OwnerStarted, StepDone
from elenchus.debate_engine.shared import Texts
from elenchus.service.web.live import LiveSession
from elenchus.service.web.typed_words import forget_typed

if TYPE_CHECKING:
    from elenchus.debate_engine.events import Recorded
    from elenchus.debate_engine.log import EventLog
    from elenchus.debate_engine.run_context import Draft
    from elenchus.debate_engine.shared import Present, Shared, Written

_log = logging.getLogger(__name__)

KEPT_SECONDS = 30.0
"""A session is followed for so long after the last one has looked away: reloads find it as it was."""

DRAFT_SECONDS = 0.1
"""What is being written is told at most so often."""
PRESENT_SECONDS = 0.5
"""So is who follows a session."""


class LiveSessions:
    """Follows the sessions at which somebody looks, until `aclose`. What is being written reaches it by `drafted`."""

    def __init__(self, log: EventLog, shared: Shared) -> None:
        self._log, self._shared = log, shared
        self._texts = Texts(shared)
        self._sessions: dict[str, LiveSession] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._ending: set[asyncio.Task[None]] = set()
        self._leaving: dict[str, asyncio.TimerHandle] = {}
        self._opening: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._drafts = self._texts.of
        self._drafted: set[str] = set()
        self._flush: asyncio.TimerHandle | None = None
        self._presence: dict[str, asyncio.TimerHandle] = {}

    async def aclose(self) -> None:
        """Follow nothing any more."""
        for handle in (*self._leaving.values(), *self._presence.values(), *([self._flush] if self._flush else [])):
            handle.cancel()
        self._leaving.clear()
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), *self._ending, return_exceptions=True)

    @property
    def followed(self) -> int:
        """How many sessions are followed."""
        return len(self._sessions)

    @asynccontextmanager
    async def looking(self, session: str) -> AsyncIterator[LiveSession]:
        """The session, up to date now and as long as somebody looks. Raises UnknownSession, StorageError."""
        live = await self._opened(session)
        live.viewers += 1
        if handle := self._leaving.pop(session, None):
            handle.cancel()
        try:
            yield live
        finally:
            live.viewers -= 1
            if live.viewers == 0 and self._sessions.get(session) is live:
                self._leave_later(session)

    async def _opened(self, session: str) -> LiveSession:
        async with self._opening.setdefault(session, asyncio.Lock()):
            if (live := self._sessions.get(session)) is None:
                live = LiveSession(session, self._log)
                live.on_present = partial(self._present_soon, live)
                live.on_turns_over = partial(forget_typed, self._shared, session)
                await self._begun(live)
                return live
        await live.read_up()
        return live

    async def _begun(self, live: LiveSession) -> None:
        await live.read()
        live.drafts = self._drafts.setdefault(live.id, {})  # only now: those of a session nobody looks at come and go
        self._sessions[live.id] = live
        self._tasks[live.id] = asyncio.create_task(self._follow(live), name=f"look at {live.id}")
        self._leave_later(live.id)

    async def _follow(self, live: LiveSession) -> None:
        try:
            async with (
                self._shared.reading(live.id, partial(self._written_elsewhere, live)),
                self._shared.seeing(live.id, partial(self._present_elsewhere, live)),
            ):
                async for r in self._log.follow(live.id, after=live.status.view.last_seq):
                    await live.take(r)
                    self._forget_written(live, r)
        except UnknownSession:
            live.gone = True
        except ElenchusError:
            _log.exception("the session %s is followed no more", live.id)
        finally:
            self._forget(live)
            live.end(gone=live.gone)

    def _leave_later(self, session: str) -> None:
        if handle := self._leaving.pop(session, None):
            handle.cancel()
        self._leaving[session] = asyncio.get_running_loop().call_later(KEPT_SECONDS, self._leave, session)

    def _leave(self, session: str) -> None:
        self._leaving.pop(session, None)
        if (live := self._sessions.get(session)) and live.viewers == 0:
            task = self._tasks[session]
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)
            task.cancel()
            self._forget(live)

    def _forget(self, live: LiveSession) -> None:
        if self._sessions.get(live.id) is live:
            del self._sessions[live.id], self._tasks[live.id]
            if handle := self._leaving.pop(live.id, None):
                handle.cancel()
            self._forget_drafts(live.id)

    # ── who follows ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _present_soon(self, live: LiveSession) -> None:
        """Tell others who follows a session here, and moderators who does anywhere, when a few have come and gone."""
        if live.id not in self._presence:
            loop = asyncio.get_running_loop()
            self._presence[live.id] = loop.call_later(PRESENT_SECONDS, self._tell_present, live)

    def _tell_present(self, live: LiveSession) -> None:
        self._presence.pop(live.id, None)
        self._shared.present(live.id, dict(live.here))
        if live.here["moderator"]:
            live.bump()

    def _present_elsewhere(self, live: LiveSession, present: Present) -> None:
        if live.elsewhere != present:
            live.elsewhere = present
            if live.here["moderator"]:
                live.bump()

    # ── what is being written ────────────────────────────────────────────────────────────────────────────────────

    def drafted(self, session: str, draft: Draft) -> None:
        """Take in a piece of a text of a session that is run here, and soon tell whoever looks at it."""
        self._texts.drafted(session, draft)
        if draft.done:
            self._forget_drafts(session)
        self._tell(session)

    def run_ended(self, session: str) -> None:
        """Whoever wrote for this session here has ended: what was not finished never will be."""
        if self._drafts.get(session):
            self._texts.ended(session)
            self._forget_drafts(session)
            self._tell(session)

    def _written_elsewhere(self, live: LiveSession, texts: Written) -> None:
        """Take in all that another process is writing for a session at which somebody looks here."""
        if live.drafts != texts:
            live.drafts.clear()
            live.drafts.update(texts)
            self._tell(live.id)

    def _forget_written(self, live: LiveSession, r: Recorded) -> None:
        """What another process wrote is in the log now, or was left by one that is gone."""
        match r.event:
            case StepDone(step=step):
                live.drafts.pop(step, None)
            case OwnerStarted():
                live.drafts.clear()

    def _forget_drafts(self, session: str) -> None:
        """Those of a session at which somebody looks are its own, too: they stay the same dictionary."""
        if session not in self._sessions and not self._drafts.get(session):
            self._drafts.pop(session, None)

    def _tell(self, session: str) -> None:
        if session in self._sessions:
            self._drafted.add(session)
            if self._flush is None:
                self._flush = asyncio.get_running_loop().call_later(DRAFT_SECONDS, self._flushed)

    def _flushed(self) -> None:
        self._flush, drafted, self._drafted = None, self._drafted, set()
        for session in drafted:
            if live := self._sessions.get(session):
                live.bump()
