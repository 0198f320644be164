"""What is held on a person: read, given to them, and removed, wherever it stands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from elenchus.config.settings import Settings
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import TurnOpened
from elenchus.service.app import open_app
from elenchus.service.lab import person_records
from elenchus.service.lab.lab import Lab
from elenchus.service.lab.person_records import CONSENTS, DRAFTS, key_of
from tests.fakes.memory_store import MemoryStore
from tests.service.lab.test_lab import MOTION, SMALL, lab_at

WORDS = "Practice needs time, as my violin has taught me."


async def spoken(lab: Lab, person: str) -> str:
    """A debate in which the person has spoken on the side of con, and voted."""
    debate = await lab.debate(MOTION, con=f"human:{person}", **SMALL)
    await debate.vote("con", by=person)
    async for event in debate:
        if isinstance(event, TurnOpened):
            await debate.answer("con", None if event.answer_schema else WORDS, by=person)
    await debate
    return debate.id


async def test_a_program_reads_and_removes_what_is_held_on_a_person_in_all_sessions(tmp_path: Path) -> None:
    async with lab_at(tmp_path) as lab:
        first, second = await spoken(lab, "anna"), await spoken(lab, "anna")
        other = await spoken(lab, "ben")
        held = await lab.held_on("anna")
        assert [one["session"] for one in held["sessions"]] == [second, first]
        assert [one["seats"] for one in held["sessions"]] == [["con"], ["con"]]
        assert "violin" in json.dumps(held["sessions"][0]["events"])
        assert await lab.forget("anna", session=first) > 0
        assert "violin" not in json.dumps([r.line() for r in await lab.events(first)])
        assert [one["session"] for one in (await lab.held_on("anna"))["sessions"]] == [second]
        await lab.forget("anna")
        assert not any((await lab.held_on("anna")).values())
        assert "violin" in json.dumps([r.line() for r in await lab.events(other)]), "those of another person stay"


async def test_forgetting_somebody_who_is_not_there_names_who_is(tmp_path: Path) -> None:
    async with lab_at(tmp_path) as lab:
        session = await spoken(lab, "anna")
        with pytest.raises(UsageError, match=r"No person sits on 'zoe'.*anna, con"):
            await lab.forget("zoe", session=session)


async def test_what_is_no_persons_name_is_forgotten_nowhere(tmp_path: Path) -> None:
    async with lab_at(tmp_path) as lab:
        session = await spoken(lab, "anna")
        await (await lab.debate(MOTION, **SMALL))
    async with open_app(Settings(home=tmp_path)) as app:
        await app.store.put(CONSENTS, key_of("discord:7", session), {"session": session})
    async with lab_at(tmp_path) as lab:
        before = [await lab.events(info.id) for info in await lab.sessions()]
        for name in ("", " ", "pro", "con", "crit", "moderator", "human", "zoe", "discord"):
            with pytest.raises(UsageError, match=f"No person sits anywhere as '{name}'"):
                await lab.forget(name)
        for blank in ("", " "):
            with pytest.raises(UsageError, match="No person sits"):
                await lab.held_on(blank)
        for name in ("pro", "con", "crit", "discord"):
            assert not any((await lab.held_on(name)).values()), name
        assert [await lab.events(info.id) for info in await lab.sessions()] == before
        assert (await lab.held_on("discord:7"))["consents"], "agreements of others stay"


async def test_a_person_who_is_called_as_a_seat_is_found_only_where_they_sit(tmp_path: Path) -> None:
    async with lab_at(tmp_path) as lab:
        session = await spoken(lab, "con")
        await (await lab.debate(MOTION, **SMALL))
        assert [one["session"] for one in (await lab.held_on("con"))["sessions"]] == [session]


async def test_agreements_drafts_and_the_made_up_name_go_with_the_words(tmp_path: Path) -> None:
    async with lab_at(tmp_path) as lab:
        session = await spoken(lab, "anna")
    async with open_app(Settings(home=tmp_path)) as app:
        await app.pseudonyms.of("anna")
        await app.store.put(CONSENTS, key_of("anna", session), {"session": session})
        await app.store.put(DRAFTS, key_of("anna", "deleted", "round/1/con"), {"text": "Half a sentence"})
    async with lab_at(tmp_path) as lab:
        held = await lab.held_on("anna")
        assert (held["consents"], held["drafts"]) == ([{"session": session}], [{"text": "Half a sentence"}])
        assert len(held["called in scenes"]) == 1
        await lab.forget("con", session=session)
        held = await lab.held_on("anna")
        assert (held["consents"], len(held["drafts"])) == ([], 1), "of that session, by the seat too"
        await lab.forget("anna")
        assert not any((await lab.held_on("anna")).values())


async def test_records_are_found_and_removed_by_person_and_by_session() -> None:
    store = MemoryStore()
    for session, person in (("one", "discord:7"), ("one", "discord:77"), ("two", "discord:7")):
        await store.put(CONSENTS, key_of(person, session), {"session": session})
        await store.put(DRAFTS, key_of(person, session, "agenda/pro"), {"text": f"{session} {person}"})
    found = await person_records.kept(store, CONSENTS, person="discord:7")
    assert [one["session"] for one in found.values()] == ["one", "two"]
    assert len(await person_records.kept(store, DRAFTS, session="one")) == 2
    await person_records.remove(store, person="discord:7", session="one")
    assert list(await store.all(CONSENTS)) == ["one:discord:77", "two:discord:7"]
    assert list(await store.all(DRAFTS)) == ["one:discord:77:agenda/pro", "two:discord:7:agenda/pro"]
    await person_records.remove(store, session="one")
    assert list(await store.all(DRAFTS)) == ["two:discord:7:agenda/pro"]
