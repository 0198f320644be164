"""What is kept in the store of people on seats: their agreement, and what they have filled in."""

from __future__ import annotations

from elenchus.bot.people import consent, drafts
from tests.fakes.memory_shelf import MemoryStore


async def test_an_agreement_counts_for_one_session_and_one_text() -> None:
    store = MemoryStore()
    await consent.agree(store, "one", 7)
    assert await consent.has_agreed(store, "one", 7)
    assert not await consent.has_agreed(store, "two", 7)
    assert not await consent.has_agreed(store, "one", 8)
    await store.put(consent.NAMESPACE, "one:7", (await store.get(consent.NAMESPACE, "one:7") or {}) | {"version": 0})
    assert not await consent.has_agreed(store, "one", 7), "a new text is asked again"


async def test_a_message_is_from_before_the_agreement_by_discords_ids() -> None:
    store = MemoryStore()
    assert not await consent.wrote_before(store, "one", 7, 100)
    await consent.agree(store, "one", 7, click=200)
    assert [await consent.wrote_before(store, "one", 7, message) for message in (100, 300)] == [True, False]


async def test_agreements_and_drafts_are_found_and_removed_by_member_and_by_session() -> None:
    store = MemoryStore()
    for session, member in (("one", 7), ("one", 77), ("two", 7)):
        await consent.agree(store, session, member)
        await drafts.keep(store, session, "agenda/pro", member, {"text": f"{session} {member}"})
    assert [one.session for one in await consent.given(store, member=7)] == ["one", "two"]
    assert list(await drafts.kept(store, session="one")) == ["77:one:agenda/pro", "7:one:agenda/pro"]
    await consent.withdraw_all(store, member=7, session="one")
    await drafts.forget(store, member=7, session="one")
    assert [(one.session, one.member) for one in await consent.given(store)] == [("one", 77), ("two", 7)]
    assert await drafts.typed(store, "one", "agenda/pro", 77) == {"text": "one 77"}
    assert await drafts.typed(store, "one", "agenda/pro", 7) == {}
    await consent.withdraw_all(store, session="one")
    await drafts.forget(store, member=7)
    assert [one.session for one in await consent.given(store)] == ["two"]
    assert list(await drafts.kept(store)) == ["77:one:agenda/pro"]
