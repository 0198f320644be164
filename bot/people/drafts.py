"""What a member has filled in of a form with several steps, or of one to be corrected; gone once it is sent."""

from __future__ import annotations

from elenchus.debate_engine.key_value_store import KeyValueStore

NAMESPACE = "drafts"


async def typed(store: KeyValueStore, session: str, step: str, member: int) -> dict[str, str]:
    """What was filled in so far, by field. Raises StorageError."""
    document = await store.get(NAMESPACE, _key(session, step, member))
    return {key: str(text) for key, text in document.items()} if document else {}


async def keep(store: KeyValueStore, session: str, step: str, member: int, fields: dict[str, str]) -> None:
    """Keep what was filled in. Raises StorageError."""
    await store.put(NAMESPACE, _key(session, step, member), dict(fields))


async def drop(store: KeyValueStore, session: str, step: str, member: int) -> None:
    """The answer is sent. Raises StorageError."""
    await store.remove(NAMESPACE, _key(session, step, member))


async def kept(store: KeyValueStore, *, member: int | None = None, session: str = "") -> dict[str, dict[str, str]]:
    """Drafts by key: of one member or of all, of one session or of all. Raises StorageError."""
    found = {}
    for key, fields in (await store.all(NAMESPACE)).items():
        writer, of, _ = key.split(":", 2)
        if member in (None, int(writer)) and session in ("", of):
            found[key] = {name: str(text) for name, text in fields.items()}
    return found


async def forget(store: KeyValueStore, *, member: int | None = None, session: str = "") -> None:
    """Remove the drafts of one member or of all, of one session or of all. Raises StorageError."""
    for key in await kept(store, member=member, session=session):
        await store.remove(NAMESPACE, key)


def _key(session: str, step: str, member: int) -> str:
    return f"{member}:{session}:{step}"
