"""What is kept in the store of people on seats: their agreement, and what they have filled in."""

from __future__ import annotations

from elenchus.bot.people import consent, drafts
from elenchus.service.lab.person_records import CONSENTS, key_of
from tests.fakes.memory_store import MemoryStore


async def test_an_agreement_counts_for_one_session_and_one_text() -> None:
    store = MemoryStore()
    await consent.agree(store, "one", 7)
    assert await consent.has_agreed(store, "one", 7)
    assert not await consent.has_agreed(store, "two", 7)
    assert not await consent.has_agreed(store, "one", 8)
    key = key_of("discord:7", "one")
    await store.put(CONSENTS, key, (await store.get(CONSENTS, key) or {}) | {"version": 0})
    assert not await consent.has_agreed(store, "one", 7), "a new text is asked again"


async def test_a_message_is_from_before_the_agreement_by_discords_ids() -> None:
    store = MemoryStore()
    assert not await consent.wrote_before(store, "one", 7, 100)
    await consent.agree(store, "one", 7, click=200)
    assert [await consent.wrote_before(store, "one", 7, message) for message in (100, 300)] == [True, False]


async def test_what_is_filled_in_is_kept_for_a_session_a_step_and_a_member() -> None:
    store = MemoryStore()
    await consent.agree(store, "one", 7)
    await drafts.keep(store, "one", "agenda/pro", 7, {"text": "mine"})
    assert [one.member for one in await consent.given(store, "one")] == [7]
    assert await consent.given(store, "two") == []
    assert await drafts.typed(store, "one", "agenda/pro", 7) == {"text": "mine"}
    assert await drafts.typed(store, "one", "agenda/pro", 77) == await drafts.typed(store, "one", "agenda", 7) == {}
    await drafts.drop(store, "one", "agenda/pro", 7)
    assert await drafts.typed(store, "one", "agenda/pro", 7) == {}
