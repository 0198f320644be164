"""What the store keeps on people beside the log, for one session each: agreements to take part, half-filled forms."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from elenchus.service.lab.access import Access

if TYPE_CHECKING:
    from elenchus.debate_engine.key_value_store import Document, KeyValueStore

NAMESPACES = CONSENTS, DRAFTS = "consents", "drafts"
"""The namespaces of such records, whose keys `key_of` makes."""


def key_of(person: str, session: str, about: str = "") -> str:
    """The key of a record on a person, as `discord:7`; `about` tells several for one session apart."""
    return f"{session}:{person}" + (f":{about}" if about else "")


async def kept(store: KeyValueStore, namespace: str, *, person: str = "", session: str = "") -> dict[str, Document]:
    """Records by key: on one person or on all, for one session or for all. Raises StorageError."""
    return {key: one for key, one in (await store.all(namespace)).items() if _meant(key, person, session)}


async def remove(store: KeyValueStore, *, person: str = "", session: str = "") -> None:
    """Remove all records on one person or on all, for one session or for all. Raises StorageError.

    All of a session go with it: then whatever links and codes led to it are revoked, too.
    """
    if session and not person:
        await Access(store).revoke_session(session)
    for namespace in NAMESPACES:
        for key in await kept(store, namespace, person=person, session=session):
            await store.remove(namespace, key)


def _meant(key: str, person: str, session: str) -> bool:
    of, _, rest = key.partition(":")
    about = f"{rest}:".removeprefix(f"{person}:")
    # What is called so and a number is another person: `discord` is not all members of Discord.
    return session in ("", of) and (not person or (about != f"{rest}:" and not re.match(r"\d+:", about)))
