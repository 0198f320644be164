"""What a member has filled in of a form with several steps, or of one to be corrected; gone once it is sent."""

from __future__ import annotations

from bot.shelf import Shelf

DRAWER = "drafts"


async def typed(shelf: Shelf, session: str, step: str, member: int) -> dict[str, str]:
    """What was filled in so far, by field. Raises StorageError."""
    document = await shelf.get(DRAWER, _key(session, step, member))
    return {key: str(text) for key, text in document.items()} if document else {}


async def keep(shelf: Shelf, session: str, step: str, member: int, fields: dict[str, str]) -> None:
    """Keep what was filled in. Raises StorageError."""
    await shelf.put(DRAWER, _key(session, step, member), dict(fields))


async def drop(shelf: Shelf, session: str, step: str, member: int) -> None:
    """The answer is sent. Raises StorageError."""
    await shelf.remove(DRAWER, _key(session, step, member))


async def drafts_of(shelf: Shelf, member: int, session: str = "") -> dict[str, dict[str, str]]:
    """A member's drafts by key, of one session or of all. Raises StorageError."""
    mine = f"{member}:{session}:" if session else f"{member}:"
    found = {key: fields for key, fields in (await shelf.all(DRAWER)).items() if key.startswith(mine)}
    return {key: {name: str(text) for name, text in fields.items()} for key, fields in found.items()}


async def forget(shelf: Shelf, member: int, session: str = "") -> int:
    """Remove a member's drafts, of one session or of all; how many there were. Raises StorageError."""
    keys = list(await drafts_of(shelf, member, session))
    for key in keys:
        await shelf.remove(DRAWER, key)
    return len(keys)


def _key(session: str, step: str, member: int) -> str:
    return f"{member}:{session}:{step}"
