"""What is left of a class that is deleted: nothing but counts, and what a study has promised otherwise."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from elenchus.debate_engine.errors import UnknownSession, UsageError
from elenchus.service.lab.classes.classes import Classes
from elenchus.service.lab.classes.live_class import LiveClass
from elenchus.service.lab.classes.removing import finish_removals
from elenchus.service.lab.removal_counts import COUNTED
from tests.service.lab.classes.room import a_class, agreeing, come, in_stage, opened, playing, press

TERMS = {
    "contact": "somebody@example.org", "responsible": "A. Teacher", "purpose": "To see how guesses are pulled.",
    "retention_days": 30,
}  # fmt: skip


async def played(classes: Classes, live: LiveClass) -> list[str]:
    """A class of two people and a robot that is played to its end; the sessions."""
    people = await come(classes, live, 2)
    async with playing(live, {one.person.id: agreeing() for one in people}):
        await press(classes, live, "playing")
        everybody = list(live.progress.members.values())
        await in_stage(live, everybody, "waiting")
        await press(classes, live, "closed", "debrief")
        await in_stage(live, everybody, "played")
        await press(classes, live, "over")
    await in_stage(live, everybody, "played")
    return [one.person.session for one in everybody]


def held(home: Path, *words: str) -> list[str]:
    """What the databases still say with one of these words in it."""
    found = []
    for path in home.glob("*.db"):
        with closing(sqlite3.connect(path)) as db:
            tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            rows = [(table, str(row)) for table in tables for row in db.execute(f"SELECT * FROM {table}")]
        found += [f"{table}: {row}" for table, row in rows if any(word in row for word in words)]
    return found


async def test_of_a_demonstration_nothing_is_left_but_a_count(tmp_path: Path) -> None:
    async with a_class(tmp_path, bots=1) as (classes, live):
        room = live.progress.room.id
        sessions = await played(classes, live)
        names = [one.person.name for one in live.progress.members.values()]
        people = [one.person.id for one in live.progress.members.values()]
        assert held(tmp_path, room)
        await classes.remove(room)
        counted = await live.parts.store.all(COUNTED)
    assert len(counted) == 3
    assert all(one.keys() == {"scene", "version", "ended", "outcome"} for one in counted.values())
    assert held(tmp_path, room, *sessions, *names, *people) == []


async def test_the_sessions_of_a_study_are_kept_as_its_people_were_promised(tmp_path: Path) -> None:
    study: dict[str, Any] = {"mode": "study", "terms": TERMS}
    async with a_class(tmp_path, **study) as (classes, live):
        room, sessions = live.progress.room.id, await played(classes, live)
        await classes.remove(room)
        assert [(await live.parts.log.info(session)).state for session in sessions] == ["finished"] * 2
        with pytest.raises(UsageError):
            await classes.open(room)
        assert await live.parts.store.all(f"class-people/{room}") == {}


async def test_a_removal_that_was_broken_off_is_finished_at_the_next_start(tmp_path: Path) -> None:
    async with a_class(tmp_path) as (classes, live):
        room, sessions = live.progress.room.id, await played(classes, live)
        await classes.store.begin_removal(room)
        await classes.store.store.remove("classes", room)
    async with opened(tmp_path) as (app, classes):
        assert held(tmp_path, f"class-people/{room}", f"lots/class-{room}") == []
        assert not await classes.store.removals()
        assert {info.id for info in await app.log.sessions()} == set(sessions), "these go when their time is over"
    async with a_class(tmp_path) as (classes, live):
        room, sessions = live.progress.room.id, await played(classes, live)
        await classes.store.begin_removal(room)
    async with opened(tmp_path) as (app, classes):
        assert held(tmp_path, room) == []
        with pytest.raises(UnknownSession):
            await app.log.info(sessions[0])
        await finish_removals(app.class_parts, classes.access, classes.store)
