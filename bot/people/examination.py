"""Whose words may be examined for biases: nobody's who does not want it, and another's by a moderator alone."""

from __future__ import annotations

from collections.abc import Collection

from elenchus.bot.people.members import person
from elenchus.bot.services import BotServices
from elenchus.bot.strings import msg
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.key_value_store import KeyValueStore

NAMESPACE = "not-examined"
"""The members who do not want it. It outlives their being forgotten: it is their wish, and nothing else is in it."""


async def wishes(store: KeyValueStore, member: int) -> bool:
    """Whether the member lets others examine their words. Raises StorageError."""
    return await store.get(NAMESPACE, str(member)) is None


async def wish(store: KeyValueStore, member: int, *, allowed: bool) -> None:
    """Keep what the member wants. Raises StorageError."""
    if allowed:
        await store.remove(NAMESPACE, str(member))
    else:
        await store.put(NAMESPACE, str(member), {})


async def others_in(services: BotServices, names: Collection[str], member: int) -> set[str]:
    """Those of these names (as in `by`) that are not the member's own. Raises StorageError."""
    return set(names) - {person(member), await _pseudonym(services, member)}


async def check_wishes(services: BotServices, names: Collection[str], member: int) -> None:
    """Raises UsageError where the words of somebody else are among them who does not want it; StorageError."""
    others = await others_in(services, names, member)
    for key in await services.store.all(NAMESPACE):
        if {person(int(key)), await _pseudonym(services, int(key))} & others:
            raise UsageError(msg("detecting-opted-out"))


async def _pseudonym(services: BotServices, member: int) -> str:
    """What the member is called in scenes, "" without a name there."""
    return (await services.pseudonyms.find(person(member)) or "") if services.pseudonyms else ""
