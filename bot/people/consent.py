"""A member's agreement to sit, for one session: asked before the first turn; without it nothing of theirs is kept.

Until then their account is the address of a call, no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import AwareDatetime

from elenchus.bot.bindings import Binding
from elenchus.bot.people.members import members_on, person
from elenchus.bot.rendering.safe import inline
from elenchus.bot.strings import msg
from elenchus.debate_engine.events import FrozenModel, Recorded, TurnAnswered, now
from elenchus.debate_engine.key_value_store import KeyValueStore
from elenchus.debate_engine.privacy.redaction import redaction_for
from elenchus.debate_engine.reports.seats import kind_of
from elenchus.debate_engine.reports.view import SessionView
from elenchus.service.lab.person_records import CONSENTS, kept, key_of

VERSION = 2
"""Of the text that was agreed to: a new text is asked again."""


class Consent(FrozenModel):
    """A member of Discord has agreed to the text of this version, for this session, by this click (its id)."""

    member: int
    session: str
    version: int
    at: AwareDatetime
    click: int = 0


async def has_agreed(store: KeyValueStore, session: str, member: int) -> bool:
    """Whether the member has agreed to the present text. Raises StorageError."""
    document = await store.get(CONSENTS, key_of(person(member), session))
    return document is not None and Consent.model_validate(document).version == VERSION


async def wrote_before(store: KeyValueStore, session: str, member: int, message: int) -> bool:
    """Whether the member wrote this message before agreeing: Discord's ids rise with its clock. Raises StorageError."""
    document = await store.get(CONSENTS, key_of(person(member), session))
    return document is not None and message < Consent.model_validate(document).click


async def agree(store: KeyValueStore, session: str, member: int, click: int = 0) -> None:
    """Keep the member's agreement. Raises StorageError."""
    consent = Consent(member=member, session=session, version=VERSION, at=now(), click=click)
    await store.put(CONSENTS, key_of(person(member), session), consent.model_dump(mode="json"))


async def given(store: KeyValueStore, session: str) -> list[Consent]:
    """The agreements for a session. Raises StorageError."""
    return [Consent.model_validate(document) for document in (await kept(store, CONSENTS, session=session)).values()]


def asked(view: SessionView, seat: str, binding: Binding) -> str:
    """What the member is shown: also whose model would take over a person's seat, as it reads the debate then."""
    seats = view.started.seats if view.started else ()
    specs = {spec for seat in seats for spec in (seat.spec, seat.stand_in)}
    providers = sorted({inline(spec.partition(":")[0]) for spec in specs if spec and kind_of(spec) == "model"})
    where = msg("people-consent-private") if binding.private else msg("people-consent-public")
    models = msg("people-consent-models", providers=", ".join(providers)) if providers else ""
    return msg("people-consent", seat=inline(seat), where=where, models=models)


# ── members who were given a seat and have not agreed ────────────────────────────────────────────────────────────────


async def invitees(store: KeyValueStore, session: str, events: Sequence[Recorded]) -> list[int]:
    """The members on the seats of a session who have not agreed, whatever text they were shown. Raises StorageError.

    Whoever answered a turn had agreed to, even if the agreement is gone by now.
    """
    answered = {r.event.by for r in events if isinstance(r.event, TurnAnswered) and r.event.declined is None}
    agreed = {one.member for one in await given(store, session)}
    return [m for m in members_on(events) if m not in agreed and person(m) not in answered]


def without(events: Sequence[Recorded], members: Iterable[int]) -> list[Recorded]:
    """The events in which these members, who took no part, are nobody. Pure."""
    for member in members:
        events = redaction_for(events, person(member), name_only=True).rewritten(events)
    return list(events)
