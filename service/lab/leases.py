"""`Lease`: one process at a time does something, and another takes over when it dies, ends or stands still.

A holder writes a beat every two seconds into its own document in the store; no clock is compared with another. Whoever
waits takes over when a beat has not changed for ten seconds, or at once where the holder let go of it, or is a process
of this machine that is no more. Of several who take over at once one does: each turn is a document that is there once.

A holder that could not write a beat for eight seconds, as it was frozen or the store was gone, must take it that
another has taken over, and does nothing more (`is_held`).
"""

from __future__ import annotations

import asyncio
import logging
import os
import platform
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from elenchus.debate_engine.errors import ElenchusError, StorageError
from elenchus.debate_engine.tasks import cancelled

if TYPE_CHECKING:
    from elenchus.debate_engine.key_value_store import Document, KeyValueStore

_log = logging.getLogger(__name__)


class Pace(NamedTuple):
    """Seconds between two beats; for which a beat is good for its holder; after which others take over."""

    beat: float = 2.0
    good_for: float = 8.0
    silent: float = 10.0


USUAL = Pace()


class Silence:
    """For how long documents have stood still, by our own clock, since they were first looked at."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[Document, float]] = {}

    def of(self, key: str, document: Document) -> float:
        """Seconds without a change of the document that has this key."""
        if key not in self._seen or self._seen[key][0] != document:
            self._seen[key] = document, monotonic()
        return monotonic() - self._seen[key][1]


@dataclass
class Lease:
    """A lease by its name. `former` is who held it before, where they did not let go of it themselves."""

    store: KeyValueStore
    name: str
    pace: Pace = USUAL
    former: Document | None = None
    lost: asyncio.Event = field(default_factory=asyncio.Event)
    _me: str = field(default_factory=lambda: secrets.token_hex(8))
    _turn: int = 0
    _good_until: float = 0.0
    _silence: Silence = field(default_factory=Silence)

    @property
    def is_held(self) -> bool:
        """Whether it is ours at this moment, as far as anybody can know."""
        return monotonic() < self._good_until and not self.lost.is_set()

    @asynccontextmanager
    async def held(self) -> AsyncIterator[Lease]:
        """Wait until it is ours; inside it is, until `lost` is set. Raises StorageError."""
        while not await self.take():  # noqa: ASYNC110 - others write into the store, which tells nobody
            await asyncio.sleep(self.pace.beat / 4)
        async with self.kept():
            yield self

    @asynccontextmanager
    async def kept(self) -> AsyncIterator[None]:
        """Inside, what was taken stays ours, until `lost` is set; afterwards others may take it."""
        beating = asyncio.create_task(self._beat(), name=f"lease {self.name}")
        try:
            yield
        finally:
            await cancelled(beating)
            if not self.lost.is_set():
                with suppress(ElenchusError):
                    await self.store.put(self._namespace, _key(self._turn), {"released": True})
            self._good_until = 0.0

    async def is_free(self) -> bool:
        """Whether it can be taken, as far as is known from looking at it again and again. Raises StorageError."""
        turns = await self.store.all(self._namespace)
        return self._is_free(turns[max(turns)] if turns else None)

    async def take(self) -> bool:
        """Take it, if it is free; whether it is ours now. Raises StorageError."""
        turns = await self.store.all(self._namespace)
        last = max(turns, default="")
        known = turns.get(last)
        if not self._is_free(known) or not await self._take(int(last or 0) + 1):
            return False
        self.former = None if known is None or known.get("released") else known
        for old in turns:
            await self.store.remove(self._namespace, old)
        return True

    async def holder(self) -> Document | None:
        """Who holds it, as far as is known; None for nobody."""
        turns = await self.store.all(self._namespace)
        found = turns[max(turns)] if turns else None
        return None if found is None or found.get("released") else found

    @property
    def _namespace(self) -> str:
        return f"leases/{self.name}"

    def _is_free(self, known: Document | None) -> bool:
        if known is None or known.get("released"):
            return True
        return is_dead(known) or self._silence.of(self.name, known) > self.pace.silent

    async def _take(self, turn: int) -> bool:
        began = monotonic()
        if taken := await self.store.add(self._namespace, _key(turn), self._document(0)):
            self._turn, self._good_until = turn, began + self.pace.good_for
        return taken

    def _document(self, beat: int) -> Document:
        return {"by": self._me, "beat": beat, **this_process()}

    async def _beat(self) -> None:
        beat = 0
        while not self.lost.is_set():
            await asyncio.sleep(self.pace.beat)
            began, beat = monotonic(), beat + 1
            with suppress(StorageError):
                if max(await self.store.all(self._namespace), default="") != _key(self._turn):
                    _log.warning("another process has taken over: %s", self.name)
                    self.lost.set()
                    return
                await self.store.put(self._namespace, _key(self._turn), self._document(beat))
                if began < self._good_until:
                    self._good_until = began + self.pace.good_for
            if monotonic() >= self._good_until:
                told = "nothing could be written for %g s, so another process may have taken over: %s"
                _log.warning(told, self.pace.good_for, self.name)
                self.lost.set()


def _key(turn: int) -> str:
    return f"{turn:012}"


def _began(pid: int) -> str:
    """When a process of this machine began, in ticks; "" where that cannot be told, or there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""


def _space() -> str:
    """In which space of process numbers this one is: containers of one host may have its name."""
    with suppress(OSError):
        return str(Path("/proc/self/ns/pid").readlink())
    return ""


def this_process() -> Document:
    """By which `is_dead` knows it."""
    return {"host": platform.node(), "space": _space(), "pid": os.getpid(), "began": _began(os.getpid())}


def is_dead(holder: Document) -> bool:
    """Whether it was a process of this machine that is no more."""
    here = (holder.get("host"), holder.get("space")) == (platform.node(), _space()) and bool(holder.get("began"))
    return here and _began(int(holder["pid"])) != holder["began"]
