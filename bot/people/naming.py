"""The name of a member on a seat: it comes with their agreement, and stands nowhere before."""

from __future__ import annotations

from elenchus.bot.desk import Desk
from elenchus.bot.people.who import is_named, person, seats_of
from elenchus.bot.rendering.safe import persona_name
from elenchus.debate_engine.events import SeatNamed
from elenchus.debate_engine.reports.view import SessionView


async def give_name(desk: Desk, view: SessionView, member: int, name: str) -> None:
    """Call the member by it on all seats of theirs that have no name yet. Raises UnknownSession, StorageError."""
    for seat in seats_of(view.started, member):
        if not is_named(view, seat.name):
            named = SeatNamed(by=person(member), seat=seat.name, title=persona_name(name))
            await desk.log.send(view.session_id, named)
