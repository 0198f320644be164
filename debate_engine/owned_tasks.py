"""`OwnedTasks`: tasks that go on beside whoever began them, owned until they end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass, field
from typing import Any

from elenchus.debate_engine.tasks import cancelled

_log = logging.getLogger(__name__)


@dataclass
class OwnedTasks:
    """One that fails is told in the program's log, and hurts no other."""

    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def __iter__(self) -> Iterator[asyncio.Task[None]]:
        """Those that have not ended."""
        return iter(tuple(self._tasks))

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
        await cancelled(*self._tasks)
