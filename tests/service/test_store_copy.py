"""A home that moves between SQLite and PostgreSQL: the same by counts and hashes, or refused before it begins."""

from __future__ import annotations

import asyncio
from pathlib import Path

import psycopg
import pytest
from pydantic import SecretStr

from elenchus.config.settings import Settings
from elenchus.config.shared_settings import DatabaseSettings
from elenchus.debate_engine.errors import UsageError
from elenchus.service.cli import health
from elenchus.service.store_copy import Place, copy, opened
from tests.service.cli.program import Program
from tests.storage.logs import said, started
from tests.storage.postgres_server import new_database


async def fill(place: Place) -> None:
    for name in ("a", "b"):
        await place.log.create(name, started(f"Motion \0 {name}"))
        own = await place.log.claim(name)
        await place.log.append(name, [said(f"é {n}") for n in range(3)], own.epoch)
        await own.release()
    await place.log.key_value_store.put("lots", "1", {"who": "é"})
    await place.people.of("discord:1", "a")


async def test_a_home_goes_to_postgres_and_back_and_is_the_same(tmp_path: Path) -> None:
    url = new_database()
    async with opened(str(tmp_path / "one"), make=True) as one, opened(url, make=True) as two:
        await fill(one)
        gone = await copy(one, two)
        assert (gone.sessions, gone.new_sessions, gone.events, gone.documents, gone.people) == (2, 2, 10, 1, 1)
        again = await copy(one, two)
        assert (again.new_sessions, again.sha256) == (0, gone.sha256), "what is there is passed over"
        epoch = (await two.log.claim("a")).epoch
        assert epoch == 2, "nobody's old epoch writes on in the copy"
        with pytest.raises(UsageError, match="Session a is run by process"):
            await copy(two, one)
    async with opened(url, make=False) as two, opened(str(tmp_path / "other"), make=True) as other:
        back = await copy(two, other)
        assert (back.events, back.people) == (11, 1)
        assert await other.log.read("a") == await two.log.read("a")
        assert await other.people.expected() == await two.people.expected()


async def test_a_copy_that_was_broken_off_goes_on(tmp_path: Path) -> None:
    url = new_database()
    async with opened(str(tmp_path), make=True) as one, opened(url, make=True) as two:
        await fill(one)
        await two.log.restore("a", await one.log.read("a"))
        assert (await copy(one, two)).new_sessions == 1


async def test_a_copy_goes_on_after_bots_were_at_work_on_the_source_and_their_leases_stay_there(tmp_path: Path) -> None:
    url = new_database()
    async with opened(url, make=True) as one, opened(str(tmp_path), make=True) as two:
        await fill(one)
        store = one.log.key_value_store
        for beat in range(2):  # as by a bot that was stopped between the two copies
            await store.put("leases/discord shard 0 of 1", "000000000001", {"pid": 1, "beat": beat})
            await store.put("rosters/discord bots", "000000000001", {"pid": 1, "beat": beat})
            assert (await copy(one, two)).documents == 1
        assert [namespace for namespace, _, _ in await two.log.key_value_store.everything()] == ["lots"]


async def test_two_copies_at_once_copy_everything(tmp_path: Path) -> None:
    url = new_database()
    async with (
        opened(str(tmp_path), make=True) as one,
        opened(url, make=True) as two,
        opened(url, make=True) as three,
    ):
        for n in range(20):
            await one.log.create(f"s{n}", started(f"Motion {n}"))
        done = await asyncio.gather(copy(one, two), copy(one, three))
        assert [result.sessions for result in done] == [20, 20]
        assert done[0].sha256 == done[1].sha256


async def test_two_homes_with_the_same_session_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    url = new_database()
    async with opened(str(tmp_path), make=True) as one, opened(url, make=True) as two:
        await fill(one)
        await two.log.create("b", started("Another"))
        with pytest.raises(UsageError, match=r"Session b is in .* otherwise, in .*: nothing was copied"):
            await copy(one, two)
        assert [info.id for info in await two.log.sessions()] == ["b"]


async def test_a_place_without_sessions_is_a_sentence_and_stays_as_it_is(tmp_path: Path) -> None:
    url = new_database()
    for place in (str(tmp_path), url):
        with pytest.raises(UsageError, match="There are no sessions of Elenchus in"):
            async with opened(place, make=False):
                pass
    assert list(tmp_path.iterdir()) == []
    looked = await health.database(Settings(home=tmp_path, database=DatabaseSettings(url=SecretStr(url))))
    assert (looked["state"], looked["bytes"] > 1_000_000) == ("not made yet", True), "the server's own tables"
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'elen%'").fetchall() == []


def test_a_copy_says_how_far_it_is_in_few_lines(tmp_path: Path) -> None:
    elenchus = Program(tmp_path / "home", tmp_path)
    for n in range(3):
        (tmp_path / f"{n}.txt").write_text("People walk more where streets are wide, so streets should be wide.")
        assert elenchus("crit", f"{n}.txt", "--model", "scripted:demo").code == 0
    done = elenchus("store", "copy", "--from", tmp_path / "home", "--to", tmp_path / "other")
    assert (done.code, done.err.strip()) == (0, "copying 3 sessions"), done
    assert done.out.startswith("3 sessions (3 copied now)")
