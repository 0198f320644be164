"""What every log refuses, and in which words: shared by the logs so that they behave alike."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Sequence
from datetime import UTC, datetime

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from elenchus.debate_engine.errors import LostOwnership, SessionHeld, StorageError, UnknownSession, UsageError
from elenchus.debate_engine.events import EVENTS, Event, OwnerStarted, Recorded, SessionStarted, now

LONGEST_ID = 200
"""Characters of a session's id."""
_ID = re.compile(rf"[A-Za-z0-9_][A-Za-z0-9_-]{{0,{LONGEST_ID - 1}}}")


def is_usable(session_id: str) -> bool:
    """Whether a session can have this id."""
    return bool(_ID.fullmatch(session_id))


def check_id(session_id: str) -> None:
    """Raises UsageError for an id that a file name, a URL or a command to be copied into a shell would not take."""
    if not is_usable(session_id):
        raise UsageError(
            f"A session's id has 1 to {LONGEST_ID} letters, digits, - and _, does not begin with - and is no path; "
            "choose another one."
        )


def check_known(session_id: str) -> None:
    """Raises UnknownSession for an id that no session can have; what passes is safe in a file's name and a query."""
    if not is_usable(session_id):
        raise unknown(session_id)


def as_stored(event: Event) -> tuple[Event, str]:
    """The event as it will be read, and its JSON. Raises StorageError where it holds what JSON cannot carry."""
    try:
        text = EVENTS.dump_json(event)
        return EVENTS.validate_json(text), text.decode()
    except (PydanticSerializationError, ValidationError) as error:
        raise StorageError(f"An event of kind {event.kind} cannot be stored as JSON; correct it: {error}") from error


def check_history(session_id: str, events: Sequence[Recorded]) -> SessionStarted:
    """The first event of a whole history. Raises StorageError unless the numbers run 1, 2, 3 … from session_started."""
    check_id(session_id)
    if [r.seq for r in events] != list(range(1, len(events) + 1)):
        raise StorageError(
            f"The events of session {session_id} cannot be restored: their numbers must run from 1 without gaps; "
            "export the session again."
        )
    if not events or not isinstance(started := events[0].event, SessionStarted):
        raise StorageError(
            f"The events of session {session_id} cannot be restored: the first must be of kind session_started; "
            "export the session again."
        )
    if wrong := wrong_epoch(events):
        raise StorageError(
            f"The events of session {session_id} cannot be restored: event {wrong} has an epoch that no owner had; "
            "export the session again."
        )
    return started


def wrong_epoch(events: Sequence[Recorded]) -> int:
    """The number of the first owner's event whose epoch cannot be, 0 for none.

    Each owner adds an event and one to the epoch, so epochs rise, and each is smaller than its event's number.
    """
    last = 0
    for r in events:
        if isinstance(r.event, OwnerStarted):
            if not last < r.event.epoch < r.seq:
                return r.seq
            last = r.event.epoch
    return 0


def check_replacement(session_id: str, events: Sequence[Recorded], head: int) -> None:
    """Raises StorageError unless each event takes the place of an existing one, and session_started stays the first."""
    numbers = [r.seq for r in events]
    if len(set(numbers)) < len(numbers) or any(not 1 <= n <= head for n in numbers):
        raise StorageError(f"A rewrite of session {session_id} may only replace its events 1 to {head}; read it again.")
    if any(r.seq == 1 and not isinstance(r.event, SessionStarted) for r in events):
        raise StorageError(f"A rewrite of session {session_id} must keep session_started as event 1; read it again.")


def last_epoch(events: Sequence[Recorded]) -> int:
    """The highest epoch that an owner of this history had, 0 if nobody ran it."""
    return max((r.event.epoch for r in events if isinstance(r.event, OwnerStarted)), default=0)


def in_utc(at: datetime) -> datetime:
    """`at` in UTC; a time without a zone is taken for UTC."""
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


def this_process() -> tuple[str, int]:
    """Host and process id, as a holder is named."""
    return socket.gethostname(), os.getpid()


def claim_time() -> str:
    """Now, as the time of a claim is kept and told: ISO 8601 in UTC, to the second."""
    return now().isoformat(timespec="seconds")


def holder_name(host: str, pid: int) -> str:
    """How a holder is called in messages and lists: a process, or what holds without one (`pid` 0)."""
    return f"process {pid} on {host}" if pid else host


def unknown(session_id: str) -> UnknownSession:
    """The error for an id that is not there."""
    return UnknownSession(
        f"There is no session {session_id!r} (any more): a list of the sessions shows those that are."
    )


def closed() -> StorageError:
    """The error for a use after `aclose`."""
    return StorageError("The log was closed; open it again.")


def exists(session_id: str) -> UsageError:
    """The error for an id that is there already."""
    return UsageError(f"There is already a session {session_id}; delete that one first, or import with --id ID.")


def held(session_id: str, host: str, pid: int, since: str) -> SessionHeld:
    """The error for a session that a living process runs. `since` is its claim's time of day (`claim_time`)."""
    return SessionHeld(
        f"Session {session_id} is run by {holder_name(host, pid)} since {since}: pause it there, or take it over."
    )


def rescued(session_id: str) -> UsageError:
    """The error for a session that has lost a part of its log."""
    return UsageError(
        f"Session {session_id} was rescued from a damaged log, and a part of it is lost: it can be shown and exported, "
        "not gone on with."
    )


def lost(session_id: str, epoch: int, current: int) -> LostOwnership:
    """The error for an owner of an older epoch."""
    return LostOwnership(
        f"Session {session_id} was taken over by another owner (epoch {current}, this one had {epoch}): "
        "nothing more was written here; follow it there or take it over again."
    )


def replaced(session_id: str) -> LostOwnership:
    """The error for the owner of a deleted session whose id another has now."""
    return LostOwnership(
        f"Session {session_id} was deleted, and another session has its id now: nothing more was written here."
    )
