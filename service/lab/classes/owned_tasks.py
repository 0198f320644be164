"""`OwnedTasks`: the tasks of the classes that this process runs, owned until they end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

_log = logging.getLogger(__name__)


@dataclass
class OwnedTasks:
    """One that fails is told in the program's log, and hurts no other."""

    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def begin(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        """Do it in a task."""

        def ended(task: asyncio.Task[None]) -> None:
            self._tasks.discard(task)
            if not task.cancelled() and (error := task.exception()):
                _log.error("%s broke off", name, exc_info=error)

        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(ended)
        return task

    async def aclose(self) -> None:
        """Cancel all and wait for their ends."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
