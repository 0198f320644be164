"""`Roster`: which processes live that share something out among them, in the order in which they came.

Each writes a beat into its own document in the store, as the holder of a lease does (`leases`), and is gone when that
has not changed for ten seconds, or when it was a process of this machine that is no more. Whoever stood still so long
itself comes anew, as the last.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING

from elenchus.debate_engine.errors import ElenchusError, StorageError
from elenchus.debate_engine.tasks import cancelled
from elenchus.service.lab.leases import USUAL, Pace, Silence, is_dead, this_process

if TYPE_CHECKING:
    from elenchus.debate_engine.key_value_store import KeyValueStore

_log = logging.getLogger(__name__)


@dataclass
class Roster:
    """The processes that live, by the name of what they share; this one is among them inside `joined`."""

    store: KeyValueStore
    name: str
    pace: Pace = USUAL
    _me: str = field(default_factory=lambda: secrets.token_hex(8))
    _number: str = ""
    _silence: Silence = field(default_factory=Silence)

    @asynccontextmanager
    async def joined(self) -> AsyncIterator[None]:
        """Inside, this process is one of them. Raises StorageError."""
        await self._join()
        beating = asyncio.create_task(self._beat(), name=f"one of {self.name}")
        try:
            yield
        finally:
            await cancelled(beating)
            with suppress(ElenchusError):
                await self.store.remove(self._namespace, self._number)

    async def share(self, things: int) -> int:
        """How many of so many things are this process's: as many as another's, those who came first one more.

        The shares of all are the things, and whoever comes or goes changes no more of them than must be. Raises
        StorageError.
        """
        alive = sorted({*await self._alive(), self._number})
        even, over = divmod(things, len(alive))
        return even + (alive.index(self._number) < over)

    @property
    def _namespace(self) -> str:
        return f"rosters/{self.name}"

    async def _alive(self) -> set[str]:
        """Those who live. Whoever was found dead is struck off."""
        found = await self.store.all(self._namespace)
        gone = [
            number
            for number, document in found.items()
            if number != self._number and (is_dead(document) or self._silence.of(number, document) > self.pace.silent)
        ]
        for number in gone:
            await self.store.remove(self._namespace, number)
        return set(found) - set(gone)

    async def _join(self) -> None:
        document = {"by": self._me, "beat": 0, **this_process()}
        while True:
            last = max(await self.store.all(self._namespace), default="")
            number = f"{int(last or 0) + 1:012}"
            if await self.store.add(self._namespace, number, document):
                self._number = number
                return

    async def _beat(self) -> None:
        beat, last = 0, monotonic()
        while True:
            await asyncio.sleep(self.pace.beat)
            beat += 1
            with suppress(StorageError):
                if monotonic() - last > self.pace.good_for:  # others may have taken it for dead: it comes anew
                    await self.store.remove(self._namespace, self._number)
                    await self._join()
                document = {"by": self._me, "beat": beat, **this_process()}
                await self.store.put(self._namespace, self._number, document)
                last = monotonic()
