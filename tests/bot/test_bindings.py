"""Which thread shows which session."""

from __future__ import annotations

import asyncio

import pytest

from elenchus.bot.bindings import NAMESPACE, Binding, Bindings, ViewKey, all_bindings
from elenchus.bot.rendering.post import Mark
from elenchus.debate_engine.errors import NewerSchema, UnknownSession, UsageError
from elenchus.debate_engine.key_value_store import Document
from tests.fakes.memory_store import MemoryStore

ONE = Binding(session="one", guild=1, channel=2, thread=3, moderator=4)


class SlowStore(MemoryStore):
    """A store that takes a while to write."""

    async def put(self, namespace: str, key: str, value: Document) -> None:
        await asyncio.sleep(0.01)
        await super().put(namespace, key, value)


async def test_changes_made_side_by_side_all_count() -> None:
    store = SlowStore()
    bindings = Bindings(store)
    await bindings.put(ONE)
    await asyncio.gather(bindings.change(ViewKey("one"), cursor=5, part=1), bindings.change(ViewKey("one"), panel=77))
    again = Bindings(store)
    await again.load()
    for known in (bindings, again):
        assert (known.of(ViewKey("one")).confirmed, known.of(ViewKey("one")).panel) == (Mark(5, 1), 77)


async def test_a_session_in_a_new_thread_is_no_longer_found_in_the_old_one() -> None:
    bindings = Bindings(MemoryStore())
    await bindings.put(ONE)
    await bindings.change(ViewKey("one"), thread=9)
    assert bindings.in_thread(9).session == "one"
    with pytest.raises(UsageError, match="thread of a debate"):
        bindings.in_thread(3)


async def test_a_thread_of_a_newer_bot_keeps_no_other_from_being_served_and_who_looks_at_all_is_told() -> None:
    store = MemoryStore()
    await Bindings(store).put(ONE)
    await store.put(NAMESPACE, "newer", ONE.model_dump(mode="json") | {"session": "newer", "mood": "calm"})
    again = Bindings(store)
    await again.load()
    assert [binding.session for binding in again] == ["one"]
    with pytest.raises(NewerSchema, match=r"Binding newer .*mood"):
        await all_bindings(store)


async def test_what_is_not_there_is_an_error_that_says_what_to_do() -> None:
    bindings = Bindings(MemoryStore())
    await bindings.put(ONE)
    await bindings.remove(ViewKey("one"))
    await bindings.remove(ViewKey("one"))
    assert bindings.find(ViewKey("one")) is None
    assert [*bindings] == []
    with pytest.raises(UnknownSession, match="/session list"):
        bindings.of(ViewKey("one"))
    with pytest.raises(UsageError):
        bindings.in_thread(None)


async def test_each_view_of_a_scene_is_kept_beside_the_others_and_known_again_after_a_restart() -> None:
    store = MemoryStore()
    bindings, seat, control = Bindings(store), ViewKey.of_seat("two", 3), ViewKey.of_control("two", 1)
    await bindings.put(ONE)
    for thread, key in ((4, seat), (5, control)):
        await bindings.put(Binding(session="two", view=key.name, guild=1, channel=2, thread=thread, moderator=4))
    await bindings.change(seat, cursor=7)
    again = Bindings(store)
    await again.load()
    assert (again.of(seat).cursor, again.of(control).cursor) == (7, 0)
    assert {binding.key for binding in again.views_of("two")} == {seat, control}
    assert [binding.key for binding in again.paid] == [ViewKey("one"), control]
    assert [(key.seat, key.subject, key.is_public) for key in (ViewKey("one"), seat, control)] == [
        (None, None, True), (3, None, False), (None, 1, False),
    ]  # fmt: skip


async def test_the_thread_of_a_scene_is_no_debates() -> None:
    bindings = Bindings(MemoryStore())
    for number in (1, 2):
        key = ViewKey.of_control(f"s{number}", number)
        await bindings.put(Binding(session=key.session, view=key.name, guild=1, channel=2, thread=9, moderator=4))
    with pytest.raises(UsageError, match="no debate's thread"):
        bindings.in_thread(9)
    assert [str(binding.key) for binding in bindings.shown_in(9)] == ["s1@c1", "s2@c2"]
