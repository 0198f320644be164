"""What one database makes of appends that wait side by side the other makes of them, though by other statements."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from elenchus.debate_engine.errors import ElenchusError
from elenchus.debate_engine.events import (
    Event,
    EventLost,
    SessionFinished,
    SessionPaused,
    SessionResumed,
    SessionStopped,
    now,
)
from elenchus.storage.additions import Addition
from elenchus.storage.database import Connection
from elenchus.storage.postgres_connection import PostgresConnection
from elenchus.storage.postgres_database import PostgresDatabase
from elenchus.storage.schema import connect_writer
from tests.storage.logs import said, started
from tests.storage.postgres_server import postgres_url

NAMES = [f"s{n}" for n in range(4)]
CHANGES: list[Event] = [
    SessionPaused(why="moderator", reason="x"), SessionResumed(), SessionStopped(reason="x"),
    SessionFinished(outcome={}), EventLost(), said("a"), said("b"),
]  # fmt: skip


@pytest.fixture
def connections(tmp_path: Path) -> Iterator[list[Connection]]:
    """One to SQLite and one to PostgreSQL, with the same sessions."""
    database = PostgresDatabase(postgres_url(), schema="same_appends")
    assert database.prepared() is None
    with (
        closing(connect_writer(tmp_path / "same.db", "normal")) as sqlite,
        closing(PostgresConnection(database.connect)) as postgres,
    ):
        postgres.execute("DELETE FROM sessions")
        for connection in (sqlite, postgres):
            connection.execute("BEGIN")
            for number, name in enumerate(NAMES):
                connection.execute(
                    "INSERT INTO sessions (id, title, protocol, state, created, head, epoch) "
                    "VALUES (?, '', '', 'running', '', 1, ?)",
                    (name, number),
                )
            connection.insert([(name, 1, "", "session_started", started().model_dump_json(), "") for name in NAMES])
            connection.commit()
        yield [sqlite, postgres]


def batch(chance: random.Random, births: dict[str, int | None]) -> list[Addition]:
    """Some that are allowed and some that are not: of a former epoch, of another session of that name, of none."""

    def one() -> Addition:
        name = chance.choice([*NAMES, "nobody"])
        events = chance.choices(CHANGES, [4, 4, 4, 4, 0.3, 4, 4], k=chance.choice([0, 1, 1, 1, 3]))
        epoch = chance.choice([None, None, NAMES.index(name) if name in NAMES else 0, 1])
        birth = births.get(name)
        made = Addition(name, events, epoch, chance.choice([None, birth, birth, -1]))
        made.prepare()
        return made

    return [one() for _ in range(chance.choice([1, 2, 12]))]


def told(addition: Addition) -> object:
    outcome = addition.outcome
    return (type(outcome), str(outcome)) if isinstance(outcome, ElenchusError) else outcome


def kept(connection: Connection) -> list[object]:
    events = connection.execute("SELECT session, seq, at, kind, body, origin FROM events ORDER BY session, seq")
    return events.fetchall() + connection.execute("SELECT id, head, state, epoch FROM sessions ORDER BY id").fetchall()


@pytest.mark.parametrize("single", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_both_databases_come_to_the_same(connections: list[Connection], seed: int, single: bool) -> None:
    at, refused = now(), 0
    for n in range(30):
        outcomes = []
        for connection in connections:
            births = {name: head.birth for name, head in connection.heads(NAMES).items()}
            additions = batch(random.Random(f"{seed} {n}"), births)
            if not single:
                connection.execute("BEGIN")
            connection.append(additions, at, "me")
            connection.commit()
            outcomes.append([told(addition) for addition in additions])
        assert outcomes[0] == outcomes[1]
        refused += sum(not isinstance(outcome, list) for outcome in outcomes[0])
    assert kept(connections[0]) == kept(connections[1])
    assert refused > 10, "too few were refused: this test shows little"
