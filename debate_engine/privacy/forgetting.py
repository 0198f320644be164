"""Forgetting beyond one session: copies of a session's words in those that examine it, and what other processes run."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from time import monotonic
from typing import Any

from elenchus.debate_engine.errors import UnknownSession
from elenchus.debate_engine.events import ForgetAsked, Recorded, Redacted, SessionFinished, SessionStarted, Withdrawn
from elenchus.debate_engine.log import EventLog
from elenchus.debate_engine.privacy.authorship import REDACTED

PATIENCE = 60.0
"""Seconds for the process that runs a session to rewrite its log."""
LOOKS_EVERY = 0.1
"""Seconds between two looks whether it has."""


async def source_events(log: EventLog, recorded: Sequence[Recorded]) -> list[Recorded]:
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
    return [*await source_events(log, source), *source]


def to_forget(recorded: Iterable[Recorded]) -> list[ForgetAsked]:
    """Whose words still stand in the log though somebody asked to forget them, or withdrew; in that order. Pure.

    A person's own name is gone from the record, also where it was asked, once it is forgotten; a seat has a notice.
    Who asks for the words, asks for more than who asked for the name alone.
    """
    waiting = dict[str, ForgetAsked]()
    for r in recorded:
        match r.event:
            case ForgetAsked(by=by, seat=seat) | Withdrawn(by=by, seat=seat) if seat != REDACTED:
                name_only = isinstance(r.event, ForgetAsked) and r.event.name_only
                if seat not in waiting or not name_only:
                    waiting[seat] = ForgetAsked(by=by, seat=seat, name_only=name_only)
            case Redacted(seat=seat):
                waiting.pop(seat, None)
    return list(waiting.values())


async def request_forgetting(
    log: EventLog, session_id: str, who: str, by: str = "", *, name_only: bool = False
) -> int | None:
    """Ask the process that runs the session, and wait until it is done; the number of texts changed.

    None: it did not answer within `PATIENCE`, or runs the session no more. Raises UnknownSession, StorageError.
    """
    sent = await log.send(session_id, ForgetAsked(by=by or who, seat=who, name_only=name_only))
    until = monotonic() + PATIENCE
    while monotonic() < until:
        owned = (await log.info(session_id)).owner  # first: whoever leaves may have done it before
        news = await log.read(session_id, after=sent.seq)
        done = [r.event.strings for r in news if isinstance(r.event, Redacted)]
        if done and not is_waiting(await log.read(session_id), who):  # somebody else may be forgotten first
            return done[-1]
        if not owned:
            return None
        await asyncio.sleep(LOOKS_EVERY)
    return None


def is_waiting(recorded: Iterable[Recorded], who: str) -> bool:
    """Whether somebody of this name, or on this seat, is still to be forgotten. Pure."""
    return any(one.seat == who for one in to_forget(recorded))


def with_outcome(events: Sequence[Recorded], outcome: dict[str, Any]) -> list[Recorded]:
    """The events with this outcome where the session is finished. Pure."""
    return [
        r.model_copy(update={"event": r.event.model_copy(update={"outcome": outcome})})
        if isinstance(r.event, SessionFinished)
        else r
        for r in events
    ]
