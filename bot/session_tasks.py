"""`SessionTasks`: one task of a kind for each session, owned until it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from elenchus.bot import errors


class SessionTasks:
    """At most one task for each session; `kind` is what they do, in the log. One that fails is told there."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._going: dict[str, asyncio.Task[None]] = {}
        self._closed = False

    def __contains__(self, session: str) -> bool:
        task = self._going.get(session)
        return task is not None and not task.done()  # one that is done may stand here still for a moment

    def __len__(self) -> int:
        return len(self._going)

    def begin(self, session: str, work: Coroutine[Any, Any, None]) -> None:
        """Do `work` in a task, unless the session has one already or none is begun any more."""
        if self._closed or session in self:
            work.close()
            return

        def ended(task: asyncio.Task[None]) -> None:
            if self._going.get(session) is task:
                del self._going[session]
            if not task.cancelled() and (error := task.exception()):
                errors.logged(error, f"{self._kind} {session} ended")

        self._going[session] = asyncio.create_task(work, name=f"{self._kind} {session}")
        self._going[session].add_done_callback(ended)

    async def cancel(self, session: str) -> None:
        """Cancel the session's task, if it has one, and wait for its end."""
        if task := self._going.get(session):
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def close(self) -> None:
        """Begin no more."""
        self._closed = True

    async def aclose(self) -> None:
        """Begin no more, cancel all and wait for their ends."""
        self.close()
        await asyncio.gather(*[self.cancel(session) for session in list(self._going)])
