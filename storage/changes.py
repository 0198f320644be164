"""Every change of the database, as functions of a connection that is inside a write transaction.

Each checks first and writes then: what it refuses (an ElenchusError), it refuses before its first write, so that the
other changes of the transaction stand.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from elenchus.debate_engine.errors import ElenchusError, LostOwnership, StorageError
from elenchus.debate_engine.events import Event, OwnerStarted, Recorded, SessionStarted, now
from elenchus.debate_engine.log import last_state, rules, state_of
from elenchus.storage.schema import Body, to_body

EventRow = tuple[str, int, str, str, str, str]
"""A row to insert: session, seq, at, kind, body, origin."""


@dataclass(slots=True)
class Addition:
    """Events to append, all or none. `epoch` None lets anybody append.

    `birth` is that of the session that this log object claimed under the epoch, None where it claimed none; then it
    is afterwards that of the session that was found.
    """

    session_id: str
    events: Sequence[Event]
    epoch: int | None
    birth: int | None = None
    bodies: list[Body] = field(default_factory=list)
    unstorable: StorageError | None = None
    outcome: list[Recorded] | ElenchusError = field(default_factory=list)

    def prepare(self) -> None:
        """Make the bodies, which takes its time where the events are large, or find out why there are none."""
        try:
            self.bodies = [to_body(event) for event in self.events]
        except StorageError as error:
            self.unstorable = error


@dataclass(slots=True)
class _Head:
    epoch: int
    seq: int
    birth: int | None
    state: str | None = None


def add(connection: sqlite3.Connection, additions: Sequence[Addition], origin: str) -> None:
    """Append every addition that is allowed and give each its outcome.

    Three statements for all of them, as each statement gives up the interpreter's lock and may wait for it.
    """
    heads = _heads(connection, sorted({a.session_id for a in additions}))
    at, rows, changed = now(), list[EventRow](), dict[str, _Head]()
    stamp = at.isoformat()
    for addition in additions:
        head = heads.get(addition.session_id)
        if refusal := addition.unstorable or _refusal(addition, head):
            addition.outcome = refusal
        elif head is not None and addition.bodies:
            addition.outcome = _place(addition, head, at)
            addition.birth = head.birth
            changed[addition.session_id] = head
            rows += _rows(addition, stamp, origin)
    if rows:
        _insert(connection, rows)
        _move_heads(connection, changed)


BIRTH = "(SELECT events.id FROM events WHERE events.session = sessions.id AND events.seq = 1)"
"""What no two sessions have in common, not even two of the same id one after the other: the row of event 1."""


def birth_of(connection: sqlite3.Connection, session_id: str) -> int | None:
    """The birth of the session that has this id now, None where there is none."""
    row = connection.execute(f"SELECT {BIRTH} FROM sessions WHERE id = ?", (session_id,)).fetchone()  # noqa: S608 - ours
    return row[0] if row else None


def _heads(connection: sqlite3.Connection, session_ids: Sequence[str]) -> dict[str, _Head]:
    """Epoch, last number and birth of those sessions that exist, in one result row.

    One session is asked for plainly, which costs a sixth.
    """
    if len(session_ids) == 1:
        row = connection.execute(f"SELECT epoch, head, {BIRTH} FROM sessions WHERE id = ?", session_ids).fetchone()  # noqa: S608 - ours
        return {session_ids[0]: _Head(*row)} if row else {}
    (found,) = connection.execute(
        f"""SELECT json_group_array(json_array(id, epoch, head, {BIRTH})) FROM sessions
        WHERE id IN (SELECT value FROM json_each(?))""",  # noqa: S608 - ours
        (json.dumps(session_ids),),
    ).fetchone()
    return {session_id: _Head(*head) for session_id, *head in json.loads(found)}


def _refusal(addition: Addition, head: _Head | None) -> ElenchusError | None:
    """Why this may not be appended, None where it may."""
    if head is None:
        return rules.unknown(addition.session_id)
    if addition.epoch is not None and addition.epoch != head.epoch:
        return rules.lost(addition.session_id, addition.epoch, head.epoch)
    if addition.birth not in (None, head.birth):
        return rules.replaced(addition.session_id)
    return None


def _place(addition: Addition, head: _Head, at: datetime) -> list[Recorded]:
    """Give the addition's events their numbers and move the head behind them."""
    placed = [Recorded(seq=head.seq + n, at=at, event=body.event) for n, body in enumerate(addition.bodies, start=1)]
    states = [state for state in (head.state, *(body.state for body in addition.bodies)) if state]
    head.seq += len(placed)
    head.state = last_state(states) if states else None
    return placed


def _rows(addition: Addition, stamp: str, origin: str) -> Iterator[EventRow]:
    assert isinstance(addition.outcome, list)
    for recorded, body in zip(addition.outcome, addition.bodies, strict=True):
        yield addition.session_id, recorded.seq, stamp, body.kind, body.text, origin


def _insert(connection: sqlite3.Connection, rows: Sequence[EventRow]) -> None:
    """Insert rows 64, 32, … 1 at a time: few statements for SQLite to run, few forms for it to prepare."""
    done, size = 0, 64
    while done < len(rows):
        while size > len(rows) - done:
            size //= 2
        places = ", ".join(["(?, ?, ?, ?, ?, ?)"] * size)
        values = [value for row in rows[done : done + size] for value in row]
        insert = f"INSERT INTO events (session, seq, at, kind, body, origin) VALUES {places}"  # noqa: S608 - only marks
        connection.execute(insert, values)
        done += size


def _move_heads(connection: sqlite3.Connection, changed: dict[str, _Head]) -> None:
    """Write down the new last numbers and states, in one statement; what was lost of a log stays lost."""
    if len(changed) == 1:
        for session_id, head in changed.items():
            values = (head.seq, head.state, session_id)
            connection.execute(
                """UPDATE sessions SET head = ?,
                state = CASE state WHEN 'rescued' THEN state ELSE coalesce(?, state) END WHERE id = ?""",
                values,
            )
        return
    connection.execute(
        """UPDATE sessions SET head = json_extract(new.value, '$[1]'),
        state = CASE state WHEN 'rescued' THEN state ELSE coalesce(json_extract(new.value, '$[2]'), state) END
        FROM json_each(?) AS new WHERE sessions.id = json_extract(new.value, '$[0]')""",
        (json.dumps([(session_id, head.seq, head.state) for session_id, head in changed.items()]),),
    )


def restore(session_id: str, events: Sequence[Recorded], origin: str) -> Callable[[sqlite3.Connection], None]:
    """Make a session of events. Raises StorageError unless they are a whole history, UsageError if the id exists."""
    started = rules.check_history(session_id, events)
    stamps = [rules.in_utc(r.at).isoformat() for r in events]
    bodies = [to_body(r.event) for r in events]
    session = (
        session_id, started.title, started.protocol, state_of(events), stamps[0], len(events),
        rules.last_epoch(events),
    )  # fmt: skip
    rows = [
        (session_id, r.seq, stamp, body.kind, body.text, origin)
        for r, stamp, body in zip(events, stamps, bodies, strict=True)
    ]

    def change(connection: sqlite3.Connection) -> None:
        if connection.execute("SELECT 1 FROM sessions WHERE id = ?", (session_id,)).fetchone():
            raise rules.exists(session_id)
        connection.execute(
            "INSERT INTO sessions (id, title, protocol, state, created, head, epoch) VALUES (?, ?, ?, ?, ?, ?, ?)",
            session,
        )
        _insert(connection, rows)

    return change


@dataclass(frozen=True, slots=True)
class Owner:
    """Who may run a session: the log object `origin`, for messages the process, and since when."""

    origin: str
    host: str
    pid: int
    since: str


def claim(session_id: str, seen: int, owner: Owner) -> Callable[[sqlite3.Connection], Addition | None]:
    """Raise the epoch from `seen` by one for `owner` and append OwnerStarted; None where another was faster."""

    def change(connection: sqlite3.Connection) -> Addition | None:
        addition = Addition(session_id, [OwnerStarted(epoch=seen + 1, pid=owner.pid, host=owner.host)], seen)
        addition.prepare()
        add(connection, [addition], owner.origin)
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


def release_ownership(session_id: str, epoch: int, origin: str) -> Callable[[sqlite3.Connection], None]:
    """Write down that nobody runs the session, unless somebody but `origin` claimed it, or claimed it since."""

    def change(connection: sqlite3.Connection) -> None:
        connection.execute(
            """UPDATE sessions SET owner = NULL, host = NULL, pid = NULL, since = NULL
            WHERE id = ? AND epoch = ? AND owner = ?""",
            (session_id, epoch, origin),
        )

    return change


def rewrite(
    session_id: str, events: Sequence[Recorded], epoch: int, birth: int | None
) -> Callable[[sqlite3.Connection], None]:
    """Replace these events in their places, and the title; the cache goes. Note that old text must be erased.

    `birth` is as in an addition.
    """
    bodies = [(body.kind, body.text, session_id, r.seq) for r in events for body in [to_body(r.event)]]
    started = [r.event for r in events if isinstance(r.event, SessionStarted) and r.seq == 1]

    def change(connection: sqlite3.Connection) -> None:
        head = _heads(connection, [session_id]).get(session_id)
        if refusal := _refusal(Addition(session_id, [], epoch, birth), head):
            raise refusal
        assert head is not None
        rules.check_replacement(session_id, events, head.seq)
        connection.executemany("UPDATE events SET kind = ?, body = ? WHERE session = ? AND seq = ?", bodies)
        for event in started:
            connection.execute("UPDATE sessions SET title = ? WHERE id = ?", (event.title, session_id))
        clear_answers(connection)
        count(connection, OUTDATED)

    return change


def delete(session_id: str, seen: int) -> Callable[[sqlite3.Connection], bool]:
    """Remove a session whose epoch is still `seen`, else give False; as `rewrite` otherwise."""

    def change(connection: sqlite3.Connection) -> bool:
        if connection.execute("DELETE FROM sessions WHERE id = ? AND epoch = ?", (session_id, seen)).rowcount == 0:
            return False
        clear_answers(connection)
        count(connection, OUTDATED)
        return True

    return change


def clear_answers(connection: sqlite3.Connection) -> int:
    """Empty the cache of answers; how many there were. Note that old text must be erased."""
    count(connection, "traces")
    return connection.execute("DELETE FROM answers").rowcount


OUTDATED = "deletions"
"""The counter of changes after which others' followers must read again: deletions, and rewrites."""


def count(connection: sqlite3.Connection, name: str) -> None:
    """Raise the counter `name` by one."""
    connection.execute(
        "INSERT INTO notes (name, value) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET value = value + 1", (name,)
    )


def counted(connection: sqlite3.Connection, name: str) -> int:
    """The value of a counter, 0 where nobody counted."""
    row = connection.execute("SELECT value FROM notes WHERE name = ?", (name,)).fetchone()
    return row[0] if row else 0
