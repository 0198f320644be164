"""Withdrawing from a scene, whether it runs here, elsewhere, or not at all."""

from __future__ import annotations

from elenchus.debate_engine.errors import SessionHeld
from elenchus.debate_engine.events import Withdrawn
from elenchus.debate_engine.log import EventLog
from elenchus.debate_engine.runner import Runner

_OVER = ("finished", "stopped", "failed")


async def withdraw(log: EventLog, runner: Runner, session_id: str, seat: str, by: str) -> None:
    """Take the person on `seat` out of a scene: the words go, the scene ends kindly, the debriefing is still given.

    Whoever runs the session does it; a session that nobody runs is brought to its end here. Of one that is over the
    words go, as the debriefing was given then. Raises UnknownSession, StorageError.
    """
    if (await log.info(session_id)).state in _OVER:
        await runner.forget(session_id, seat)
        return
    await log.send(session_id, Withdrawn(by=by, seat=seat))
    if (await log.info(session_id)).owner is None:
        try:
            await runner.run(session_id)
        except SessionHeld:
            return  # somebody has just begun to run it, and finds the withdrawal in the log
