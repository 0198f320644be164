"""A person leaves a seat: by their own wish, or because they are gone."""

from __future__ import annotations

from elenchus.bot.people.members import person, seats_of
from elenchus.bot.services import BotServices
from elenchus.debate_engine.events import SeatLeft
from elenchus.debate_engine.reports.view import SessionView

NOBODY = "elenchus"
"""Who took somebody off a seat whose name is not to be kept."""


async def leave_all(services: BotServices, view: SessionView, member: int, by: str = "") -> list[str]:
    """The member leaves every seat of the session that they have not left yet; the seats, whose stand-ins answer now.

    Raises UnknownSession, StorageError.
    """
    seats = [seat.name for seat in seats_of(view.started, member) if seat.name not in view.moderation.left]
    for seat in seats:
        await services.log.send(view.session_id, SeatLeft(by=by or person(member), seat=seat))
    return seats
