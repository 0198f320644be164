"""`Signal`: something has changed, told to whoever waits for more than they have seen."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field


@dataclass(slots=True, eq=False, weakref_slot=True)
class Signal:
    """`revision` grows with every change. It belongs to one event loop; whoever waits holds nobody up."""

    revision: int = 1
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def touch(self) -> None:
        """Something is new."""
        self.revision += 1
        waiting, self._changed = self._changed, asyncio.Event()
        waiting.set()

    async def after(self, revision: int, seconds: float | None = None) -> int:
        """The revision, once it is beyond this one, or after so much time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self.revision <= revision:
                    await self._changed.wait()
        return self.revision
