"""Documents by namespace and key, in memory and in the log's file."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.key_value_store import KeyValueStore
from elenchus.storage.schema import first_tables
from elenchus.storage.sqlite_log import open_log
from tests.fakes.memory_store import MemoryStore


@pytest.fixture(params=["memory", "sqlite"])
async def shelf(request: pytest.FixtureRequest, path: Path) -> AsyncIterator[KeyValueStore]:
    if request.param == "memory":
        yield MemoryStore()
        return
    log = await open_log(path)
    yield log.key_value_store
    await log.aclose()


async def test_what_was_put_there_is_found_there(shelf: KeyValueStore) -> None:
    await shelf.put("bindings", "b", {"thread": 1 << 62, "title": "Ünïcode “quotes” \u2028"})
    await shelf.put("bindings", "a", {"nested": {"list": [1, None, True]}})
    await shelf.put("guilds", "a", {})
    assert await shelf.get("bindings", "b") == {"thread": 1 << 62, "title": "Ünïcode “quotes” \u2028"}
    assert list(await shelf.all("bindings")) == ["a", "b"]
    assert await shelf.all("guilds") == {"a": {}}
    assert await shelf.get("nothing", "a") is None
    assert await shelf.all("nothing") == {}


async def test_a_document_takes_the_place_of_the_former_and_can_be_taken_away(shelf: KeyValueStore) -> None:
    await shelf.put("d", "k", {"n": 1})
    await shelf.put("d", "k", {"n": 2})
    assert await shelf.get("d", "k") == {"n": 2}
    await shelf.remove("d", "k")
    await shelf.remove("d", "k")
    assert await shelf.get("d", "k") is None


async def test_a_caller_cannot_change_what_lies_there(shelf: KeyValueStore) -> None:
    document = {"list": [1]}
    await shelf.put("d", "k", document)
    document["list"].append(2)
    assert await shelf.get("d", "k") == {"list": [1]}


async def test_documents_outlast_the_process(path: Path) -> None:
    log = await open_log(path)
    await asyncio.gather(*(log.key_value_store.put("d", str(n), {"n": n}) for n in range(50)))
    await log.aclose()
    log = await open_log(path)
    assert len(await log.key_value_store.all("d")) == 50
    await log.aclose()


async def test_an_older_database_gets_its_shelf(path: Path) -> None:
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as connection, connection:
        first_tables(connection)
        connection.execute("PRAGMA user_version = 1")
    log = await open_log(path)
    await log.key_value_store.put("d", "k", {"n": 1})
    assert await log.key_value_store.get("d", "k") == {"n": 1}
    await log.aclose()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(st.characters(codec="utf-8")),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.text(st.characters(codec="utf-8")), json_values, max_size=4))
def test_any_json_object_comes_back_as_it_was(document: dict[str, object]) -> None:
    async def there_and_back() -> object:
        shelf = MemoryStore()
        await shelf.put("d", "k", document)
        return await shelf.get("d", "k")

    assert asyncio.run(there_and_back()) == document


async def test_of_several_who_add_at_once_one_does_and_nobody_takes_its_place(shelf: KeyValueStore) -> None:
    put = await asyncio.gather(*(shelf.add("lots", "1", {"who": n}) for n in range(20)))
    assert sum(put) == 1
    assert await shelf.get("lots", "1") == {"who": put.index(True)}
    await shelf.remove("lots", "1")
    assert await shelf.add("lots", "1", {"who": 21})
