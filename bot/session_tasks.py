"""`SessionTasks`: one task of a kind for each session, or for each view of one, owned until it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Hashable
from typing import Any, Generic, TypeVar

from elenchus.bot import errors
from elenchus.debate_engine.tasks import cancelled

K = TypeVar("K", bound=Hashable)


class SessionTasks(Generic[K]):
    """At most one task for each key; `kind` is what they do, in the log. One that fails is told there."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._going: dict[K, asyncio.Task[None]] = {}
        self._closed = False

    def __contains__(self, key: K) -> bool:
        task = self._going.get(key)
        return task is not None and not task.done()  # one that is done may stand here still for a moment

    def __len__(self) -> int:
        return len(self._going)

    def begin(self, key: K, work: Coroutine[Any, Any, None]) -> None:
        """Do `work` in a task, unless the key has one already or none is begun any more."""
        if self._closed or key in self:
            work.close()
            return

        def ended(task: asyncio.Task[None]) -> None:
            if self._going.get(key) is task:
                del self._going[key]
            if not task.cancelled() and (error := task.exception()):
                errors.logged(error, f"{self._kind} {key} ended")

        self._going[key] = asyncio.create_task(work, name=f"{self._kind} {key}")
        self._going[key].add_done_callback(ended)

    async def cancel(self, key: K) -> None:
        """Cancel the key's task, if it has one, and wait for its end."""
        if task := self._going.get(key):
            await cancelled(task)

    def close(self) -> None:
        """Begin no more."""
        self._closed = True

    async def aclose(self) -> None:
        """Begin no more, cancel all and wait for their ends."""
        self.close()
        await asyncio.gather(*[self.cancel(key) for key in list(self._going)])
