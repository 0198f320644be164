"""Whose words may be examined for biases: nobody's who does not want it, and another's by a moderator alone."""

from __future__ import annotations

from collections.abc import Collection

from elenchus.bot.desk import Desk
from elenchus.bot.people.who import person
from elenchus.bot.shelf import Shelf
from elenchus.bot.strings import msg
from elenchus.debate_engine.errors import UsageError

DRAWER = "not-examined"
"""The members who do not want it. It outlives their being forgotten: it is their wish, and nothing else is in it."""


async def wishes(shelf: Shelf, member: int) -> bool:
    """Whether the member lets others examine their words. Raises StorageError."""
    return await shelf.get(DRAWER, str(member)) is None


async def wish(shelf: Shelf, member: int, *, allowed: bool) -> None:
    """Keep what the member wants. Raises StorageError."""
    if allowed:
        await shelf.remove(DRAWER, str(member))
    else:
        await shelf.put(DRAWER, str(member), {})


async def others_in(desk: Desk, names: Collection[str], member: int) -> set[str]:
    """Those of these names (as in `by`) that are not the member's own. Raises StorageError."""
    return set(names) - {person(member), await _pseudonym(desk, member)}


async def check_wishes(desk: Desk, names: Collection[str], member: int) -> None:
    """Raises UsageError where the words of somebody else are among them who does not want it; StorageError."""
    others = await others_in(desk, names, member)
    for key in await desk.shelf.all(DRAWER):
        if {person(int(key)), await _pseudonym(desk, int(key))} & others:
            raise UsageError(msg("detecting-opted-out"))


async def _pseudonym(desk: Desk, member: int) -> str:
    """What the member is called in scenes, "" without a name there."""
    return (await desk.pseudonyms.find(person(member)) or "") if desk.pseudonyms else ""
