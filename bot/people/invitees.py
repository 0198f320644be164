"""Members who were given a seat and have not agreed to sit: their account is the address of a call, no more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from elenchus.bot.people import consent
from elenchus.bot.people.members import members_on, person
from elenchus.debate_engine.events import Recorded, TurnAnswered
from elenchus.debate_engine.key_value_store import KeyValueStore
from elenchus.debate_engine.privacy.redaction import redaction_for


async def invitees(store: KeyValueStore, session: str, events: Sequence[Recorded]) -> list[int]:
    """The members on the seats of a session who have not agreed, whatever text they were shown. Raises StorageError.

    Whoever answered a turn had agreed to, even if the agreement is gone by now.
    """
    answered = {r.event.by for r in events if isinstance(r.event, TurnAnswered) and r.event.declined is None}
    agreed = {one.member for one in await consent.given(store, session)}
    return [m for m in members_on(events) if m not in agreed and person(m) not in answered]


def without(events: Sequence[Recorded], members: Iterable[int]) -> list[Recorded]:
    """The events in which these members, who took no part, are nobody. Pure."""
    for member in members:
        events = redaction_for(events, person(member), name_only=True).rewritten(events)
    return list(events)
