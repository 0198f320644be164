"""What the processes of one house share beside the log and the store, and may lose at any moment: limits, counts of a
day, what is being written just now, codes that are shown again, who is busy with what.

`Shared` is what the engine and the front ends need of it; `LocalShared` is one process's own, `storage.redis_shared`
that of all processes. Nothing here raises because a server is gone: it goes on with what this process knows.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, Protocol
from weakref import WeakValueDictionary

from elenchus.debate_engine.buckets import Buckets
from elenchus.debate_engine.llm.gate import LocalGate

if TYPE_CHECKING:
    from elenchus.debate_engine.buckets import Rate
    from elenchus.debate_engine.llm.gate import Allowed, Gate
    from elenchus.debate_engine.run_context import Draft

Written = dict[str, tuple[str, str]]
"""Texts of one session that are being written: by step the seat, and the text so far."""
OnWritten = Callable[[Written], None]
Present = dict[str, int]
"""Who follows one session just now: how many streams are open, by `audience`, `moderator` and `seat:NAME`."""
OnPresent = Callable[[Present], None]


class Spent(NamedTuple):
    """What was used."""

    tokens: int = 0
    usd: float = 0.0


class Shared(Protocol):
    """Belongs to one event loop, until `aclose`."""

    def gate(self, provider: str, allowed: Allowed) -> Gate:
        """The limits of a provider."""
        ...

    async def spend(self, account: str, spent: Spent) -> Spent:
        """Count what was used for an account today (UTC); all that was used for it today."""
        ...

    async def left(self, bucket: str, rate: Rate, *, take: bool) -> float:
        """How much the bucket of this name holds now; with `take` one is taken from it, where it holds one."""
        ...

    def alone(self, name: str) -> AbstractAsyncContextManager[None]:
        """Inside, nobody else is inside by this name. It saves work that is done twice, and nothing depends on it."""
        ...

    def writing(self, session: str, texts: Written) -> None:
        """Tell other processes what is being written for a session that runs here; empty: nothing any more."""
        ...

    def reading(self, session: str, on_written: OnWritten) -> AbstractAsyncContextManager[None]:
        """Inside, `on_written` is called with all that another process writes for a session, whenever it changes."""
        ...

    def present(self, session: str, who: Present) -> None:
        """Tell other processes who follows a session here; empty: nobody any more."""
        ...

    def seeing(self, session: str, on_present: OnPresent) -> AbstractAsyncContextManager[None]:
        """Inside, `on_present` is called with who follows a session in other processes, at once and again and again."""
        ...

    async def remember(self, place: str, value: str, seconds: float) -> None:
        """Keep a text for a while, for whoever asks for it; it may be lost before. "" forgets what is kept there."""
        ...

    async def remembered(self, place: str) -> str:
        """The text that is kept there, "" for none (any more)."""
        ...

    async def aclose(self) -> None:
        """Let go of it."""
        ...


def today() -> str:
    """The day (UTC) whose budget counts."""
    return datetime.now(UTC).date().isoformat()


class Texts:
    """Puts the pieces together of what is being written in this process, and tells others of it."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self.of: dict[str, Written] = {}

    def drafted(self, session: str, draft: Draft) -> None:
        """Take in a piece."""
        texts = self.of.setdefault(session, {})
        if draft.done:
            texts.pop(draft.step, None)
        else:
            before = "" if draft.text is None else texts.get(draft.step, ("", ""))[1]
            texts[draft.step] = (draft.seat, before + (draft.text or ""))
        self._shared.writing(session, dict(texts))

    def ended(self, session: str) -> None:
        """Whoever wrote for this session here has ended: what was not finished never will be."""
        if texts := self.of.get(session):
            texts.clear()
            self._shared.writing(session, {})


class LocalShared:
    """What one process has for itself."""

    def __init__(self) -> None:
        self._spent: defaultdict[str, Spent] = defaultdict(Spent)
        self._day = today()
        self._buckets = Buckets()
        self._remembered: dict[str, tuple[str, float]] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def gate(self, provider: str, allowed: Allowed) -> Gate:
        """See `Shared`."""
        return LocalGate(allowed)

    async def spend(self, account: str, spent: Spent) -> Spent:
        """See `Shared`."""
        return self.spent_here(account, spent)

    def spent_here(self, account: str, spent: Spent) -> Spent:
        """Count it in this process; what was used here today."""
        if self._day != (day := today()):
            self._day = day
            self._spent.clear()
        before = self._spent[account]
        self._spent[account] = Spent(before.tokens + spent.tokens, before.usd + spent.usd)
        return self._spent[account]

    async def left(self, bucket: str, rate: Rate, *, take: bool) -> float:
        """See `Shared`."""
        return self._buckets.left(bucket, rate, take=take)

    @asynccontextmanager
    async def alone(self, name: str) -> AsyncIterator[None]:
        """See `Shared`."""
        async with self._locks.setdefault(name, asyncio.Lock()):
            yield

    def writing(self, session: str, texts: Written) -> None:
        """Nobody else is there."""

    @asynccontextmanager
    async def reading(self, session: str, on_written: OnWritten) -> AsyncIterator[None]:
        """Nobody else writes."""
        yield

    def present(self, session: str, who: Present) -> None:
        """Nobody else is there."""

    @asynccontextmanager
    async def seeing(self, session: str, on_present: OnPresent) -> AsyncIterator[None]:
        """Nobody else follows."""
        yield

    async def remember(self, place: str, value: str, seconds: float) -> None:
        """See `Shared`; as long as the process runs. What is over is let go of whenever something is kept."""
        at = monotonic()
        there = {**self._remembered, place: (value, at + seconds)}
        self._remembered = {place: kept for place, kept in there.items() if kept[0] and kept[1] > at}

    async def remembered(self, place: str) -> str:
        """See `Shared`."""
        value, until = self._remembered.get(place, ("", 0.0))
        return value if until > monotonic() else ""

    async def aclose(self) -> None:
        """Nothing is held."""
