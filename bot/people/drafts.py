"""What a member has filled in of a form with several steps, or of one to be corrected; gone once it is sent."""

from __future__ import annotations

from elenchus.bot.people.members import person
from elenchus.debate_engine.key_value_store import KeyValueStore
from elenchus.service.lab.person_records import DRAFTS, key_of


async def typed(store: KeyValueStore, session: str, step: str, member: int) -> dict[str, str]:
    """What was filled in so far, by field. Raises StorageError."""
    document = await store.get(DRAFTS, key_of(person(member), session, step))
    return {key: str(text) for key, text in document.items()} if document else {}


async def keep(store: KeyValueStore, session: str, step: str, member: int, fields: dict[str, str]) -> None:
    """Keep what was filled in. Raises StorageError."""
    await store.put(DRAFTS, key_of(person(member), session, step), dict(fields))


async def drop(store: KeyValueStore, session: str, step: str, member: int) -> None:
    """The answer is sent. Raises StorageError."""
    await store.remove(DRAFTS, key_of(person(member), session, step))
