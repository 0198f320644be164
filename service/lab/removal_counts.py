"""What stays of a session that was removed: that there was one, of which version of its scene, and how it ended."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from elenchus.debate_engine.key_value_store import KeyValueStore
from elenchus.debate_engine.protocols.rulegen.people.retention import PLAYED

COUNTED = "counted"
"""Namespace: a tally a session, under a name from which nobody finds the session."""


async def is_counted(store: KeyValueStore, session: str) -> bool:
    """Whether it was counted before. Raises StorageError."""
    return await store.get(COUNTED, _counted_as(session)) is not None


async def count(store: KeyValueStore, session: str, tally: Mapping[str, Any]) -> None:
    """Keep the tally of a session (see `people.retention.tally_of`). Raises StorageError."""
    await store.put(COUNTED, _counted_as(session), dict(tally))


async def counts(
    store: KeyValueStore, scene: str, there: Collection[str] = (), among: Collection[str] | None = None
) -> Counter[tuple[str, str, str]]:
    """How many sessions of a scene (its title) are gone: by version, how they ended, what came out.

    Those that are still `there`, and whose removal has only begun, are not. Only of those `among`, where given.
    """
    still, wanted = {*map(_counted_as, there)}, None if among is None else {*map(_counted_as, among)}
    found = (await store.all(COUNTED)).items()
    known = [one for key, one in found if key not in still and (wanted is None or key in wanted)]
    return Counter((one["version"], one["ended"], one["outcome"]) for one in known if one.get("scene") == scene)


async def was_played(store: KeyValueStore, session: str) -> bool:
    """Whether a session that is removed was played to its end, and not taken back. Raises StorageError."""
    return (await store.get(COUNTED, _counted_as(session)) or {}).get("ended") == PLAYED


def _counted_as(session: str) -> str:
    return hashlib.sha256(session.encode()).hexdigest()[:16]
