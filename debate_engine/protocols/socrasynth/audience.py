"""The audience's vote, before and after the debate: open until its time is over or the moderator closes it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import datetime, timedelta

from elenchus.debate_engine.events import VoteClosed
from elenchus.debate_engine.protocols.judging.votes import When
from elenchus.debate_engine.session import Session

TIME = "elenchus"
"""Who closed a vote whose time was over."""


async def vote(s: Session, when: When, seconds: float | None) -> None:
    """Hold the vote for so many seconds, counted from its first opening also after a restart; None holds none."""
    if seconds is None:
        return
    due = datetime.fromisoformat(await s.now(f"vote/{when}/opened")) + timedelta(seconds=seconds)

    async def closed() -> str:
        with suppress(TimeoutError):
            async with asyncio.timeout((due - s.context.clock()).total_seconds()):
                return await _closed_by(s, when)
        await s.context.note(VoteClosed(by=TIME, when=when))
        return TIME

    await s.step(f"vote/{when}/closed", seconds, closed)


async def _closed_by(s: Session, when: str) -> str:
    """Wait for the moderator to close this vote."""
    seq = 0
    while True:
        command = await s.next_command(VoteClosed, seq)
        if isinstance(command.event, VoteClosed) and command.event.when == when:
            return command.event.by
        seq = command.seq
