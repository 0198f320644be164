"""A person leaves a seat: by their own wish, or because they are gone."""

from __future__ import annotations

from elenchus.bot.people.members import person, seats_of
from elenchus.bot.services import BotServices
from elenchus.debate_engine.events import SeatLeft
from elenchus.debate_engine.reports.view import SessionView

NOBODY = "elenchus"
"""Who took somebody off a seat whose name is not to be kept."""


async def leave(services: BotServices, session: str, seat: str, by: str) -> None:
    """The seat's stand-in answers from now on, or nobody. Raises UnknownSession, StorageError."""
    await services.log.send(session, SeatLeft(by=by, seat=seat))


async def leave_all(services: BotServices, view: SessionView, member: int, by: str = "") -> list[str]:
    """The member leaves every seat of the session that they have not left yet; the seats.

    Raises UnknownSession, StorageError.
    """
    seats = [seat.name for seat in seats_of(view.started, member) if seat.name not in view.moderation.left]
    for seat in seats:
        await leave(services, view.session_id, seat, by or person(member))
    return seats
