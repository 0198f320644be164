"""A mind at work: what stands in its log is carried out by whoever runs it, in this process or in another."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from elenchus.debate_engine.errors import SessionHeld
from elenchus.debate_engine.events import SessionFailed, SessionPaused, SessionStopped
from elenchus.debate_engine.protocols.cognition.projection import Exchange, Reading, Survey, closed_by, mind_of
from elenchus.service.lab.lab_minds import MindWaits

if TYPE_CHECKING:
    from elenchus.debate_engine.log import EventLog
    from elenchus.debate_engine.run_context import OnDraft
    from elenchus.debate_engine.run_ends import Run
    from elenchus.debate_engine.runner import Runner

LOOKS_EVERY = 2.0
"""Seconds after which one looks again whether another process still runs a mind."""
LEAVE_ON = frozenset({"budget", "provider", "moderator"})
"""Whoever waits for a mind is told of these, and does not wait on."""


async def run(runner: Runner, session: str, on_draft: OnDraft | None = None) -> Run:
    """Have the mind run until it rests."""
    return await replace(runner, leave_on=LEAVE_ON).run(session, on_draft=on_draft)


async def carried_out(
    runner: Runner, name: str, session: str, seq: int, on_draft: OnDraft | None = None
) -> Reading | Survey | Exchange:
    """Have what stands in its log carried out by whoever runs the mind; what came of the command with this number.

    Raises MindWaits where it is kept and could not be carried out.
    """
    while True:
        try:
            ended = await run(runner, session, on_draft)
        except SessionHeld:
            await _changed(runner.log, session, seq)
            ended = None
        if (came := mind_of(await runner.log.read(session)).came_of(seq)) is not None:
            return came
        if ended is not None and (ended.exit_code or ended.state != "paused"):
            raise MindWaits(name, session, ended.state, ended.reason, ended.exit_code)


async def _changed(log: EventLog, session: str, seq: int) -> None:
    """Wait until the process that runs it closes something or lets go, or for a while: it may have died."""
    with suppress(TimeoutError):
        async with asyncio.timeout(LOOKS_EVERY):
            async for r in log.follow(session, after=seq):
                if isinstance(r.event, SessionPaused | SessionStopped | SessionFailed) or closed_by(r.event) == seq:
                    return
