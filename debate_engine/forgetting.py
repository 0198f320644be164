"""Forgetting beyond one session: copies of a session's words in those that examine it, and what other processes run."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing, suppress
from typing import Any

from debate_engine.errors import StorageError, UnknownSession
from debate_engine.events import ForgetAsked, Recorded, Redacted, SessionFinished, SessionStarted
from debate_engine.log import EventLog

PATIENCE = 60.0
"""Seconds for the process that runs a session to rewrite its log."""


async def sources(log: EventLog, recorded: Sequence[Recorded]) -> list[Recorded]:
    """The events of the session whose words this one examines, those of its own source before them, and so on.

    One that was deleted has no words any more to look up.
    """
    first = recorded[0].event
    if not isinstance(first, SessionStarted) or not first.source:
        return []
    try:
        source = await log.read(first.source)
    except UnknownSession:
        return []
    return [*await sources(log, source), *source]


async def asked(log: EventLog, session_id: str, who: str) -> int:
    """Ask the process that runs the session, and wait until it is done; the number of texts changed.

    Raises StorageError where it does not answer.
    """
    sent = await log.send(session_id, ForgetAsked(by=who, seat=who))
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE), aclosing(log.follow(session_id, after=sent.seq)) as events:
            async for r in events:
                if isinstance(r.event, Redacted):
                    return r.event.strings
    raise StorageError(
        f"The process that runs {session_id}, which examines these words, has not replaced them within a minute: end "
        "it, then say this again."
    )


def with_outcome(events: Sequence[Recorded], outcome: dict[str, Any]) -> list[Recorded]:
    """The events with this outcome where the session is finished. Pure."""
    return [
        r.model_copy(update={"event": r.event.model_copy(update={"outcome": outcome})})
        if isinstance(r.event, SessionFinished)
        else r
        for r in events
    ]
