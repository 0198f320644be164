"""The audience's vote, before and after the debate: open until its time is over or the moderator closes it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TypeVar

from elenchus.debate_engine.events import HalfTimeEnded, VoteClosed
from elenchus.debate_engine.protocols.judging.votes import When
from elenchus.debate_engine.session import Session

TIME = "elenchus"
"""Who ended what was open until its time was over."""
Ending = TypeVar("Ending", VoteClosed, HalfTimeEnded)


async def vote(s: Session, when: When, seconds: float | None) -> None:
    """Hold the vote for so many seconds, counted from its first opening also after a restart; None holds none."""
    if seconds is None:
        return
    due = await opened(s, f"vote/{when}", seconds)

    async def closed() -> str:
        if by := await ended_by(s, VoteClosed, lambda event: event.when == when, due):
            return by
        await s.context.note(VoteClosed(by=TIME, when=when))
        return TIME

    await s.step(f"vote/{when}/closed", seconds, closed)


async def opened(s: Session, key: str, seconds: float) -> datetime:
    """Say when something was opened, once; when its time is over."""
    return datetime.fromisoformat(await s.now(f"{key}/opened")) + timedelta(seconds=seconds)


async def ended_by(s: Session, kind: type[Ending], is_it: Callable[[Ending], bool], due: datetime) -> str:
    """Wait for the command that ends it; who sent that, "" once its time is over."""
    seq = 0
    with suppress(TimeoutError):
        async with asyncio.timeout((due - s.context.clock()).total_seconds()):
            while True:
                command = await s.next_command(kind, seq, due)
                if isinstance(command.event, kind) and is_it(command.event):
                    return command.event.by
                seq = command.seq
    return ""
