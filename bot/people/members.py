"""Members of Discord in the engine's terms: who sits on a seat, and how a member stands in `by`. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from elenchus.bot.rendering.safe import inline
from elenchus.bot.strings import msg
from elenchus.debate_engine.events import Recorded, Seat, SessionStarted
from elenchus.debate_engine.human_seat import HUMAN, is_human
from elenchus.debate_engine.reports.view import SessionView

_PERSON = re.compile(r"discord:(\d{1,20})")


def person(member: int) -> str:
    """How a member stands in `by`."""
    return f"discord:{member}"


def member_spec(member: int) -> str:
    """The spec of a seat for this member."""
    return f"{HUMAN}:{person(member)}"


def member_of(by: str) -> int | None:
    """The member who stands there as `by`, None where it is nobody of Discord."""
    found = _PERSON.fullmatch(by)
    return int(found[1]) if found else None


def member_on(started: SessionStarted | None, seat: str) -> int | None:
    """The member on a seat, None where it is a model, or a person whom Discord does not know."""
    specs = [s.spec for s in started.seats if s.name == seat] if started else []
    return member_of(specs[0].removeprefix(f"{HUMAN}:")) if specs else None


def members_on(events: Sequence[Recorded]) -> list[int]:
    """The members on the seats of a session, each once."""
    seats = [seat for r in events if isinstance(r.event, SessionStarted) for seat in r.event.seats]
    members = (member_of(seat.spec.removeprefix(f"{HUMAN}:")) for seat in seats)
    return list(dict.fromkeys(member for member in members if member is not None))


def seats_of(started: SessionStarted | None, member: int) -> list[Seat]:
    """The seats that a member sits on."""
    return [s for s in started.seats if s.spec == member_spec(member)] if started else []


def is_named(view: SessionView, seat: str) -> bool:
    """Whether whoever sits there has a name: a member who has not agreed yet, or is forgotten, has none."""
    return any(s.kind != "person" or s.name != seat for s in view.speakers if s.seat == seat)


def called(view: SessionView, seat: str) -> str:
    """What to call whoever sits there, safe to send."""
    return (
        inline(view.name(seat)) if is_named(view, seat) else msg("thread-a-member", seat=inline(seat).replace("-", " "))
    )


def people_sit(started: SessionStarted | None) -> bool:
    """Whether any seat is a person's."""
    return started is not None and any(is_human(s.spec) for s in started.seats)
