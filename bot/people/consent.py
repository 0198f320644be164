"""A member's agreement to sit, for one session: asked before the first turn; without it nothing of theirs is kept."""

from __future__ import annotations

from pydantic import AwareDatetime

from bot.bindings import Binding
from bot.rendering.safe import inline
from bot.shelf import Shelf
from bot.strings import people as words
from debate_engine.events import Value, now
from debate_engine.reports.view import DebateView

DRAWER = "consents"
VERSION = 1
"""Of the text that was agreed to: a new text is asked again."""


class Consent(Value):
    """A member of Discord has agreed to the text of this version, for this session."""

    member: int
    session: str
    version: int
    at: AwareDatetime


async def has_agreed(shelf: Shelf, session: str, member: int) -> bool:
    """Whether the member has agreed to the present text. Raises StorageError."""
    document = await shelf.get(DRAWER, _key(session, member))
    return document is not None and Consent.model_validate(document).version == VERSION


async def agree(shelf: Shelf, session: str, member: int) -> None:
    """Keep the member's agreement. Raises StorageError."""
    given = Consent(member=member, session=session, version=VERSION, at=now())
    await shelf.put(DRAWER, _key(session, member), given.model_dump(mode="json"))


async def given_by(shelf: Shelf, member: int) -> list[Consent]:
    """All agreements of a member. Raises StorageError."""
    found = [Consent.model_validate(document) for document in (await shelf.all(DRAWER)).values()]
    return [consent for consent in found if consent.member == member]


async def withdraw(shelf: Shelf, session: str, member: int) -> None:
    """Forget the agreement. Raises StorageError."""
    await shelf.remove(DRAWER, _key(session, member))


def asked(view: DebateView, seat: str, binding: Binding) -> str:
    """What the member is shown."""
    specs = [s.model for s in view.speakers if s.kind == "model"]
    providers = sorted({inline(spec.partition(":")[0]) for spec in specs})
    return words.consent(inline(seat), providers, private=binding.private)


def _key(session: str, member: int) -> str:
    return f"{session}:{member}"
