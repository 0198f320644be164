"""What minds take home from a session in which they sat: the words that reached their seats, and nothing else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress

from elenchus.debate_engine.errors import UnknownSession
from elenchus.debate_engine.events import (
    MODERATOR,
    Attended,
    Guidance,
    HeardLine,
    Question,
    Recorded,
    Said,
    Seat,
    SeatNamed,
    SessionStarted,
    TurnAnswered,
)
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.log import EventLog, reached, transcript
from elenchus.debate_engine.prompts import line


async def tell_minds(log: EventLog, session: str) -> None:
    """Put what reached them into the log of every mind that sits in this session, where it does not stand there yet.

    It is a command there, which the mind carries out once, if it stands there twice. A deleted mind is passed over.
    """
    recorded = await log.read(session)
    for mind, attended in heard_by_minds(session, recorded).items():
        with suppress(UnknownSession):
            known = (r.event for r in await log.read(mind) if isinstance(r.event, Attended))
            if all(one.session != session for one in known):
                await log.send(mind, attended)


def heard_by_minds(session: str, recorded: Sequence[Recorded]) -> dict[str, Attended]:
    """By mind what it heard and said; none for those that nothing reached. Pure."""
    started = next((r.event for r in recorded if isinstance(r.event, SessionStarted)), None)
    if started is None:
        return {}
    own: dict[str, set[str]] = defaultdict(set)
    for seat in started.seats:
        if seat.mind:
            own[seat.mind].add(seat.name)
    seats, people = {seat.name: seat for seat in started.seats}, people_by_seat(recorded)
    heard = {mind: _lines(session, recorded, names, seats, people) for mind, names in own.items()}
    return {
        mind: Attended(by=MODERATOR, session=session, title=line(started.title), lines=lines)
        for mind, lines in heard.items()
        if lines
    }


def _lines(
    session: str,
    recorded: Sequence[Recorded],
    own: Collection[str],
    seats: Mapping[str, Seat],
    people: Mapping[str, str],
) -> tuple[HeardLine, ...]:
    said = [one for one in transcript(recorded) if any(reached(name, one) for name in own)]
    return tuple(_line(session, one, own, seats.get(one.speaker), people) for one in said)


def _line(session: str, said: Said, own: Collection[str], seat: Seat | None, people: Mapping[str, str]) -> HeardLine:
    """A line with who spoke it: a person by seat and name, so that they can be forgotten."""
    speaker, mine = said.speaker, said.speaker in own
    person = speaker in people
    called = (seat.title if seat else "") or (people.get(speaker) if speaker != MODERATOR else "") or speaker
    return HeardLine(
        speaker=called,
        text=said.text,
        own=mine,
        by=f"{session}/{speaker}" if person else "",
        person=people.get(speaker, ""),
    )


def people_by_seat(recorded: Sequence[Recorded]) -> dict[str, str]:
    """Seats on which people sit or sat, and that of the moderator, with their names as far as they are known."""
    found: dict[str, str] = {MODERATOR: ""}
    for r in recorded:
        match r.event:
            case SessionStarted(seats=seats):
                found |= {seat.name: seat.spec.partition(":")[2] for seat in seats if is_human(seat.spec)}
            case TurnAnswered(seat=seat, by=by) if not found.get(seat):
                found[seat] = by if by != seat else ""
            case SeatNamed(seat=seat, title=title) if not found.get(seat):
                found[seat] = title
            case Guidance(by=by) | Question(by=by) if not found[MODERATOR] and by != MODERATOR:
                found[MODERATOR] = by
    return found
