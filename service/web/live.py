"""A session at which somebody looks: its status, and what each kind of viewer is shown, kept up to date together.

Whoever looks shares them: five hundred streams cost five hundred writes, and nothing is computed five hundred times.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from elenchus.debate_engine.events import Redacted
from elenchus.service.lab.session_status import SessionStatus
from elenchus.service.lab.viewers import Viewer, sees_drafts
from elenchus.service.web.documents import Presence, SessionDocument, session_document
from elenchus.service.web.viewer_documents import AT_ONCE, ViewerItems, caught_up, message

if TYPE_CHECKING:
    from elenchus.debate_engine.events import Event, Recorded
    from elenchus.debate_engine.log import EventLog
    from elenchus.debate_engine.reports.moderation import OpenTurn
    from elenchus.debate_engine.shared import Present

Drafts = dict[str, tuple[str, str]]
"""Texts that are being written, by step: the seat, and the text so far."""


@dataclass(slots=True)
class LiveSession:
    """A session at which somebody looks; `drafts` are those of whoever runs it here.

    `version` grows with everything that may change what is shown; whoever waits for `changed` looks at all of it then.
    `rewritten` grows with each redaction: what was shown before holds words that are gone. `over`: it is followed no
    more, as it is `gone` (deleted) or cannot be read. Who changes what only the first may change holds `answering`.
    `here` and `elsewhere` are who follows it by a stream, in this process and in others; `on_present` hears of changes,
    `on_turns_over` of turns that were answered, ran out or are asked no more.
    """

    id: str
    log: EventLog
    drafts: Drafts = field(default_factory=dict)
    status: SessionStatus = field(init=False)
    by_viewer: dict[Viewer, ViewerItems] = field(default_factory=dict)
    version: int = 0
    rewritten: int = 0
    over: bool = False
    gone: bool = False
    viewers: int = 0
    here: Counter[str] = field(default_factory=Counter)
    elsewhere: Present = field(default_factory=dict)
    on_present: Callable[[], None] = lambda: None
    on_turns_over: Callable[[list[OpenTurn]], Awaitable[None]] | None = None
    answering: asyncio.Lock = field(default_factory=asyncio.Lock)
    _rewrites: int = -1
    _present: tuple[int, bytes] = (-1, b"")
    _stands: dict[Viewer, tuple[int, SessionDocument, bytes]] = field(default_factory=dict)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _fresh: asyncio.Event = field(default_factory=asyncio.Event)
    _building: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __post_init__(self) -> None:
        self.status = SessionStatus.of(self.id, ())

    # ── by the log ───────────────────────────────────────────────────────────────────────────────────────────────

    async def read(self) -> None:
        """Read all of it, anew. Until it is done nobody is shown anything. Raises UnknownSession, StorageError."""
        self._fresh.clear()
        self._forget_shown()
        self._rewrites = self.log.rewrites(self.id)
        try:
            self.status = await self._read_all()
        except BaseException:
            self._rewrites = -1  # whoever is to be shown something reads it again
            raise
        finally:
            self._forget_shown()  # also what somebody has made who read at the same time: it may lack events by now
            self._fresh.set()
        self.bump()

    async def _read_all(self) -> SessionStatus:
        status = SessionStatus.of(self.id, ())
        while not status.view.last_seq or status.view.last_seq < self.status.view.last_seq:
            for n, r in enumerate(await self.log.read(self.id, after=status.view.last_seq), 1):
                status.take(r)
                if n % AT_ONCE == 0:
                    await asyncio.sleep(0)
        return status

    def _forget_shown(self) -> None:
        self.by_viewer.clear()
        self._stands.clear()
        self.rewritten += 1

    async def read_up(self) -> None:
        """Take in what is in the log by now. Raises UnknownSession, StorageError."""
        for r in await self.log.read(self.id, after=self.status.view.last_seq):
            await self.take(r)
        await self.fresh()

    async def take(self, r: Recorded) -> None:
        """Take in the next event. A redaction changes those before it, so that all of it is read anew."""
        before = dict(self.status.view.moderation.turns)
        if isinstance(r.event, Redacted) and r.seq > self.status.view.last_seq:
            self.drafts.clear()
            await self.read()
        if self.status.take(r):
            for viewed in self.by_viewer.values():
                viewed.take(r, self.status.view)
            self.bump()
        view = self.status.view
        over = [turn for step, turn in before.items() if view.ended or step not in view.moderation.turns]
        if over and self.on_turns_over:
            await self.on_turns_over(over)

    async def send(self, event: Event) -> Recorded:
        """Append what was commanded or answered, and take it in. Raises UnknownSession, StorageError."""
        sent = await self.log.send(self.id, event)
        await self.read_up()
        return sent

    def end(self, *, gone: bool) -> None:
        """Nothing more comes."""
        self.over, self.gone = True, gone
        self._fresh.set()
        self.bump()

    # ── who follows it ───────────────────────────────────────────────────────────────────────────────────────────────

    @contextmanager
    def followed_by(self, viewer: Viewer) -> Iterator[None]:
        """Inside, such a viewer follows it by a stream."""
        name = f"seat:{viewer.seat}" if viewer.seat else viewer.role
        self.here[name] += 1
        self.on_present()
        try:
            yield
        finally:
            self.here -= Counter([name])
            self.on_present()

    @property
    def present(self) -> bytes:
        """Who follows it by a stream, in all processes that can be heard, as a message; made once a version."""
        if self._present[0] != self.version:
            found = self.here + Counter(self.elsewhere)
            seats = sorted(name.removeprefix("seat:") for name in found if name.startswith("seat:"))
            called = {seat: self.status.view.name(seat) for seat in seats}
            document = Presence(audience=found["audience"], moderators=found["moderator"], seats=called)
            self._present = self.version, message("presence", document.model_dump(mode="json"))
        return self._present[1]

    # ── for those who look ───────────────────────────────────────────────────────────────────────────────────────

    async def fresh(self) -> None:
        """Wait while it is read anew, as it is where words were replaced whose notice has not come yet.

        Raises UnknownSession, StorageError.
        """
        await self._fresh.wait()
        while not self.over and self._rewrites != self.log.rewrites(self.id):
            if self._fresh.is_set():
                await self.read()
            await self._fresh.wait()

    async def changed(self, version: int, seconds: float) -> bool:
        """Wait until there is more than at this version; False where so much time has gone by without."""
        if self.version != version:
            return True
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._changed.wait()
        return self.version != version

    def bump(self) -> None:
        """There is something new: wake everybody who waits."""
        self.version += 1
        waiting, self._changed = self._changed, asyncio.Event()
        waiting.set()

    async def items_for(self, viewer: Viewer) -> ViewerItems:
        """What this kind of viewer is shown; made from the log where nobody of them has looked yet.

        Raises UnknownSession, StorageError.
        """
        await self.fresh()
        while (known := self.by_viewer.get(viewer)) is None:
            async with self._building:
                if viewer in self.by_viewer:
                    continue
                rewritten = self.rewritten
                made = await caught_up(self.log, self.id, viewer, lambda: self.status.view.last_seq)
                if rewritten == self.rewritten and made.seen >= self.status.view.last_seq:
                    self.by_viewer[viewer] = made
            await self.fresh()
        return known

    def stands(self, viewer: Viewer) -> bytes:
        """The status for this kind of viewer as a message: the same object as long as it says the same.

        The number of the last event alone says nothing new.
        """
        version, known, told = self._stands.get(viewer, (-1, None, b""))
        if version != self.status.view.last_seq or known is None:
            document = session_document(self.status, viewer)
            if known is None or document.model_copy(update={"seq": known.seq}) != known:
                known, told = document, message("status", document.model_dump(mode="json"))
            self._stands[viewer] = (self.status.view.last_seq, known, told)
        return told

    def drafts_for(self, viewer: Viewer) -> Drafts:
        """The texts being written that this viewer may see."""
        return {step: one for step, one in self.drafts.items() if sees_drafts(viewer, self.status.view, step)}
