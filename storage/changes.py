"""Every change of the database, as functions of a connection that is inside a write transaction.

Each checks first and writes then: what it refuses (an ElenchusError), it refuses before its first write, so that the
other changes of the transaction stand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from elenchus.debate_engine.errors import ElenchusError, LostOwnership
from elenchus.debate_engine.events import OwnerStarted, Recorded, SessionStarted, now
from elenchus.debate_engine.log import rules, state_of
from elenchus.debate_engine.printable import one_line
from elenchus.storage.additions import Addition
from elenchus.storage.database import EMPTIED, Connection, SqlExecutor, count
from elenchus.storage.event_rows import to_body


def restore(session_id: str, events: Sequence[Recorded], origin: str) -> Callable[[Connection], None]:
    """Make a session of events. Raises StorageError unless they are a whole history, UsageError if the id exists."""
    started = rules.check_history(session_id, events)
    stamps = [rules.in_utc(r.at).isoformat() for r in events]
    bodies = [to_body(r.event) for r in events]
    session = (
        session_id, one_line(started.title), started.protocol, state_of(events), stamps[0], len(events),
        rules.last_epoch(events),
    )  # fmt: skip
    rows = [
        (session_id, r.seq, stamp, body.kind, body.text, origin)
        for r, stamp, body in zip(events, stamps, bodies, strict=True)
    ]

    def change(connection: Connection) -> None:
        made = connection.execute(
            "INSERT INTO sessions (id, title, protocol, state, created, head, epoch) VALUES (?, ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (id) DO NOTHING",
            session,
        )
        if made.rowcount == 0:
            raise rules.exists(session_id)
        connection.insert(rows)

    return change


@dataclass(frozen=True, slots=True)
class Owner:
    """Who may run a session: the log object `origin`, for messages the process, and since when."""

    origin: str
    host: str
    pid: int
    since: str


QUEUE = Owner("0" * 14, "the queue", 0, "")
"""Who has a session that waits for people and is run again when they do something: it lives as long as the database,
and whoever is to run the session claims it from the queue.
"""


def claim(session_id: str, seen: int, owner: Owner) -> Callable[[Connection], Addition | None]:
    """Raise the epoch from `seen` by one for `owner` and append OwnerStarted; None where another was faster."""

    def change(connection: Connection) -> Addition | None:
        addition = Addition(session_id, [OwnerStarted(epoch=seen + 1, pid=owner.pid, host=owner.host)], seen)
        addition.prepare()
        connection.append([addition], now(), owner.origin)
        if isinstance(addition.outcome, LostOwnership):
            return None
        if isinstance(addition.outcome, ElenchusError):
            raise addition.outcome
        connection.execute(
            "UPDATE sessions SET epoch = ?, owner = ?, host = ?, pid = ?, since = ? WHERE id = ?",
            (seen + 1, owner.origin, owner.host, owner.pid, owner.since, session_id),
        )
        return addition

    return change


def release_ownership(session_id: str, epoch: int, origin: str) -> Callable[[Connection], None]:
    """Write down that nobody runs the session, unless somebody but `origin` claimed it, or claimed it since."""

    def change(connection: Connection) -> None:
        connection.execute(
            """UPDATE sessions SET owner = NULL, host = NULL, pid = NULL, since = NULL
            WHERE id = ? AND epoch = ? AND owner = ?""",
            (session_id, epoch, origin),
        )

    return change


def rewrite(session_id: str, events: Sequence[Recorded], epoch: int, birth: int | None) -> Callable[[Connection], None]:
    """Replace these events in their places, and the title; the cache goes. Note that old text must be erased.

    `birth` is as in an addition.
    """
    bodies = [(body.kind, body.text, session_id, r.seq) for r in events for body in [to_body(r.event)]]
    started = [r.event for r in events if isinstance(r.event, SessionStarted) and r.seq == 1]

    def change(connection: Connection) -> None:
        head = connection.heads([session_id]).get(session_id)
        if refusal := Addition(session_id, [], epoch, birth).refusal(head):
            raise refusal
        assert head is not None
        rules.check_replacement(session_id, events, head.seq)
        connection.executemany("UPDATE events SET kind = ?, body = ? WHERE session = ? AND seq = ?", bodies)
        for event in started:
            connection.execute("UPDATE sessions SET title = ? WHERE id = ?", (one_line(event.title), session_id))
        clear_answers(connection)
        connection.outdate()

    return change


def delete(session_id: str, seen: int) -> Callable[[Connection], bool]:
    """Remove a session whose epoch is still `seen`, else give False; as `rewrite` otherwise."""

    def change(connection: Connection) -> bool:
        if connection.execute("DELETE FROM sessions WHERE id = ? AND epoch = ?", (session_id, seen)).rowcount == 0:
            return False
        clear_answers(connection)
        connection.outdate()
        return True

    return change


def clear_answers(connection: SqlExecutor) -> int:
    """Empty the cache of answers; how many there were. Note that old text must be erased."""
    count(connection, "traces")
    count(connection, EMPTIED)
    return connection.execute("DELETE FROM answers").rowcount
