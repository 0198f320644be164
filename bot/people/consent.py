"""A member's agreement to sit, for one session: asked before the first turn; without it nothing of theirs is kept."""

from __future__ import annotations

from pydantic import AwareDatetime

from elenchus.bot.bindings import Binding
from elenchus.bot.rendering.safe import inline
from elenchus.bot.strings import msg
from elenchus.debate_engine.events import FrozenModel, now
from elenchus.debate_engine.key_value_store import KeyValueStore
from elenchus.debate_engine.reports.seats import kind_of
from elenchus.debate_engine.reports.view import SessionView

NAMESPACE = "consents"
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
    document = await store.get(NAMESPACE, _key(session, member))
    return document is not None and Consent.model_validate(document).version == VERSION


async def wrote_before(store: KeyValueStore, session: str, member: int, message: int) -> bool:
    """Whether the member wrote this message before agreeing: Discord's ids rise with its clock. Raises StorageError."""
    document = await store.get(NAMESPACE, _key(session, member))
    return document is not None and message < Consent.model_validate(document).click


async def agree(store: KeyValueStore, session: str, member: int, click: int = 0) -> None:
    """Keep the member's agreement. Raises StorageError."""
    consent = Consent(member=member, session=session, version=VERSION, at=now(), click=click)
    await store.put(NAMESPACE, _key(session, member), consent.model_dump(mode="json"))


async def given(store: KeyValueStore, *, member: int | None = None, session: str = "") -> list[Consent]:
    """The agreements of one member or of all, for one session or for all. Raises StorageError."""
    found = [Consent.model_validate(document) for document in (await store.all(NAMESPACE)).values()]
    return [one for one in found if member in (None, one.member) and session in ("", one.session)]


async def withdraw_all(store: KeyValueStore, *, member: int | None = None, session: str = "") -> None:
    """Forget the agreements of one member or of all, for one session or for all. Raises StorageError."""
    for one in await given(store, member=member, session=session):
        await store.remove(NAMESPACE, _key(one.session, one.member))


def asked(view: SessionView, seat: str, binding: Binding) -> str:
    """What the member is shown: also whose model would take over a person's seat, as it reads the debate then."""
    seats = view.started.seats if view.started else ()
    specs = {spec for seat in seats for spec in (seat.spec, seat.stand_in)}
    providers = sorted({inline(spec.partition(":")[0]) for spec in specs if spec and kind_of(spec) == "model"})
    where = msg("people-consent-private") if binding.private else msg("people-consent-public")
    models = msg("people-consent-models", providers=", ".join(providers)) if providers else ""
    return msg("people-consent", seat=inline(seat), where=where, models=models)


def _key(session: str, member: int) -> str:
    return f"{session}:{member}"
