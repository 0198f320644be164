"""A class is removed: what it was, who was there, what was said. It is noted first, so that a restart finishes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from elenchus.debate_engine.errors import UsageError
from elenchus.service.lab.allocation import forget_lots
from elenchus.service.lab.classes.classroom import studies_of

if TYPE_CHECKING:
    from elenchus.service.lab.access import Access
    from elenchus.service.lab.classes.class_store import ClassStore
    from elenchus.service.lab.classes.sessions import Parts


async def remove_class(parts: Parts, access: Access, store: ClassStore, class_id: str) -> None:
    """Remove all that there is of a class; done again, it goes on where it was broken off. Raises StorageError.

    Sessions of a demonstration go with it, robots' too, and what stays of them are counts. Those of a study keep what
    its consent says. A session that is used at this moment goes at the next look of whoever keeps promises.
    """
    await store.begin_removal(class_id)
    try:
        room = await store.get(class_id)
    except UsageError:  # it was broken off behind this
        room = None
    if room is not None and room.mode == "demonstration":
        for person in await store.people(class_id):
            await parts.retention.remove(person.session)
    await access.revoke_session("", classroom=class_id)
    for study in studies_of(class_id):
        await forget_lots(parts.store, study)
    await store.remove(class_id)


async def finish_removals(parts: Parts, access: Access, store: ClassStore) -> None:
    """Finish what was begun when a process ended. Raises StorageError."""
    for class_id in await store.removals():
        await remove_class(parts, access, store, class_id)
