"""A home that moves between SQLite and PostgreSQL: the same by counts and hashes, or refused before it begins."""

from __future__ import annotations

from pathlib import Path

import pytest

from elenchus.debate_engine.errors import UsageError
from elenchus.service.store_copy import Place, copy, opened
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


async def test_two_homes_with_the_same_session_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    url = new_database()
    async with opened(str(tmp_path), make=True) as one, opened(url, make=True) as two:
        await fill(one)
        await two.log.create("b", started("Another"))
        with pytest.raises(UsageError, match=r"Session b is in .* otherwise, in .*: nothing was copied"):
            await copy(one, two)
        assert [info.id for info in await two.log.sessions()] == ["b"]


async def test_a_folder_without_a_database_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="There is no database in"):
        async with opened(str(tmp_path), make=False):
            pass
    assert list(tmp_path.iterdir()) == []
