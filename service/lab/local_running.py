"""A session that runs in the background of a program, in its own process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from elenchus.debate_engine.events import Event, Recorded, StopAsked
from elenchus.debate_engine.protocols.registry import spec_or_default
from elenchus.debate_engine.run_ends import Run
from elenchus.debate_engine.tasks import cancelled
from elenchus.service.lab import moderation
from elenchus.service.lab.running import MODERATOR, Running, Unfinished

if TYPE_CHECKING:
    from elenchus.debate_engine.log import EventLog
    from elenchus.debate_engine.pictures import PictureStore

T = TypeVar("T")

LEFT = "its lab was left before it had ended; lab.resume of another lab goes on with it"


@dataclass(frozen=True, eq=False)
class LocalRunning(Running[T]):
    """A session that a lab of this process runs. Leaving the lab pauses it.

    `claimed` is set when the run has begun, or is over.
    """

    protocol: str = field(repr=False)
    log: EventLog = field(repr=False)
    task: asyncio.Task[Run] = field(repr=False)
    claimed: asyncio.Event = field(repr=False)
    pictures: PictureStore | None = field(default=None, repr=False)

    async def _outcome(self) -> T:
        await asyncio.wait({self.task})
        run = Run(self.id, "paused", reason=LEFT, exit_code=130) if self.task.cancelled() else self.task.result()
        if run.outcome is None or run.state != "finished":
            raise Unfinished(run)
        return cast("T", spec_or_default(self.protocol).outcome_of(run.outcome) or run.outcome)

    async def __aiter__(self) -> AsyncIterator[Event]:
        """Every event from the first, new ones within 50 ms of being stored, until the session ends or pauses."""
        seen = 0
        async with aclosing(self.log.follow(self.id)) as following:
            while True:
                coming = asyncio.create_task(following.__anext__(), name=f"next event of {self.id}")
                try:
                    await asyncio.wait({coming, self.task}, return_when=asyncio.FIRST_COMPLETED)
                finally:  # `following` cannot be closed while it is asked
                    if is_over := not coming.done():
                        await cancelled(coming)
                if is_over:
                    break
                recorded = coming.result()
                seen = recorded.seq
                yield recorded.event
        for recorded in await self.log.read(self.id, after=seen):
            yield recorded.event

    async def events(self) -> list[Recorded]:
        """All events so far, with their numbers and times."""
        return await self.log.read(self.id)

    async def stop(self, reason: str, *, by: str = MODERATOR) -> Recorded:
        """End the session for good; awaiting it then raises Unfinished."""
        sent = await super().stop(reason, by=by)
        if self.task.done() and isinstance(sent.event, StopAsked):
            await moderation.stop_unowned(self.log, self.id, sent.event)
        return sent

    async def export(self, folder: str | Path) -> list[Path]:
        """Write report, data and pictures into a folder; their paths. Raises StorageError."""
        from elenchus.debate_engine.reports.export import export

        return (await export(self.id, await self.events(), Path(folder), self.pictures)).files

    async def _append(self, event: Event) -> Recorded:
        return await self.log.send(self.id, event)

    async def _begun(self) -> None:
        await self.claimed.wait()

    def _is_left(self) -> bool:
        return self.task.done()
