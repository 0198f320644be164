"""Which thread shows which session."""

from __future__ import annotations

import asyncio

import pytest

from elenchus.bot.bindings import Binding, Bindings, ViewKey
from elenchus.bot.rendering.post import Mark
from elenchus.bot.shelf import Document
from elenchus.debate_engine.errors import UnknownSession, UsageError
from tests.fakes.memory_shelf import MemoryShelf

ONE = Binding(session="one", guild=1, channel=2, thread=3, moderator=4)


class SlowShelf(MemoryShelf):
    """A shelf that takes a while to write."""

    async def put(self, drawer: str, key: str, value: Document) -> None:
        await asyncio.sleep(0.01)
        await super().put(drawer, key, value)


async def test_changes_made_side_by_side_all_count() -> None:
    shelf = SlowShelf()
    bindings = Bindings(shelf)
    await bindings.put(ONE)
    await asyncio.gather(bindings.change(ViewKey("one"), cursor=5, part=1), bindings.change(ViewKey("one"), panel=77))
    again = Bindings(shelf)
    await again.load()
    for known in (bindings, again):
        assert (known.of(ViewKey("one")).confirmed, known.of(ViewKey("one")).panel) == (Mark(5, 1), 77)


async def test_a_session_in_a_new_thread_is_no_longer_found_in_the_old_one() -> None:
    bindings = Bindings(MemoryShelf())
    await bindings.put(ONE)
    await bindings.change(ViewKey("one"), thread=9)
    assert bindings.in_thread(9).session == "one"
    with pytest.raises(UsageError, match="thread of a debate"):
        bindings.in_thread(3)


async def test_what_is_not_there_is_an_error_that_says_what_to_do() -> None:
    bindings = Bindings(MemoryShelf())
    await bindings.put(ONE)
    await bindings.remove(ViewKey("one"))
    await bindings.remove(ViewKey("one"))
    assert bindings.find(ViewKey("one")) is None
    assert [*bindings] == []
    with pytest.raises(UnknownSession, match="/session list"):
        bindings.of(ViewKey("one"))
    with pytest.raises(UsageError):
        bindings.in_thread(None)
