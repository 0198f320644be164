"""What people do in a class debate: come, give arguments, vote, speak, and go. All raise UsageError, StorageError."""

from __future__ import annotations

import secrets
from contextlib import suppress
from random import SystemRandom
from typing import TYPE_CHECKING

from elenchus.debate_engine.errors import UnknownSession, UsageError
from elenchus.debate_engine.events import (
    Argued,
    ArgumentStruck,
    HalfLeft,
    HalfTaken,
    HalfTimeEnded,
    SeatLeft,
    SeatNamed,
    Upvoted,
)
from elenchus.debate_engine.printable import one_line
from elenchus.debate_engine.protocols.speech import SIDES
from elenchus.service.lab import participation
from elenchus.service.lab.class_debates.live_debate import DebateMember
from elenchus.service.lab.class_debates.shown import may_speak, why_silent
from elenchus.service.lab.classes.classroom import Person, account_of
from elenchus.service.lab.classes.names import free_names
from elenchus.service.lab.classes.taking_part import FULL, ClassFull

if TYPE_CHECKING:
    from elenchus.service.lab.class_debates.live_debate import LiveDebate
    from elenchus.service.lab.classes.sessions import Parts

OVER = "The debate is over."
NOT_YET = "The first vote opens when the debate begins."
GONE = "You have left this class: join it again by its code."


def offered_names(live: LiveDebate, n: int = 3) -> list[str]:
    """Made-up names to choose from."""
    return free_names({one.person.name for one in live.members.values()}, SystemRandom(), n)


def member_of(live: LiveDebate, person: str) -> DebateMember:
    """Somebody in it. Raises UsageError for nobody."""
    if (found := live.members.get(person)) is None:
        raise UsageError("There is no such person in this class (any more).")
    return found


# ── coming ───────────────────────────────────────────────────────────────────────────────────────────────────────────


async def join(live: LiveDebate, name: str = "") -> DebateMember:
    """Give somebody a place under a made-up name that is free, in the smaller half. Raises ClassFull."""
    async with live.acting, live.parts.shared.alone(f"class {live.room.id}"):
        await live.read_up()
        await refresh(live)
        if live.phase == "over":
            raise UsageError(OVER)
        if len(live.there) >= live.room.people:
            raise ClassFull(FULL)
        known = max((one.person.number for one in live.members.values()), default=0)
        number = await live.store.take_number(live.room.id, known)
        id_ = secrets.token_hex(8)
        person = Person(
            id=id_, name=await _name(live, name, id_), session=live.room.session, number=number, joined=live.clock()
        )
        member = await called(live.parts, live.room.id, person)
        await live.store.add_person(live.room.id, person)
        live.members[person.id] = member
        await place(live, member)
        return member


async def refresh(live: LiveDebate) -> None:
    """Take in who has come and left by other processes."""
    left = await live.store.left(live.room.id)
    for person in await live.store.people(live.room.id):
        known = live.members.get(person.id)
        if known is None and person.id in left:
            live.members[person.id] = DebateMember(person, "", "", left=True)
        elif known is None:
            live.members[person.id] = member = await called(live.parts, live.room.id, person)
            if live.phase != "over":
                await place(live, member)
        elif person.id in left:
            known.left = True


async def called(parts: Parts, class_id: str, person: Person) -> DebateMember:
    """Somebody with the two names that the log has for them."""
    account = account_of(class_id, person.id)
    name, ballot = await parts.pseudonyms.of(account), await parts.pseudonyms.of(f"{account}:ballot")
    return DebateMember(person, name, ballot)


async def place(live: LiveDebate, member: DebateMember) -> None:
    """Put somebody into a half who is in none yet, as after a crash between two writes."""
    if not member.left and member.called not in live.halves.sides:
        side = live.halves.smaller(live.room.lot(member.person.number))
        await live.send(HalfTaken(by=member.called, side=side))


async def _name(live: LiveDebate, wanted: str, person: str) -> str:
    free = offered_names(live, 1_000)
    for name in ([wanted] if wanted in free else []) + free:
        if await live.store.take_name(live.room.id, name, person):
            return name
    raise UsageError("No name is free: try once more.")


# ── taking part ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def argue(live: LiveDebate, member: DebateMember, text: str) -> int:
    """Give one's speaker an argument; its number."""
    said = one_line(text).strip()
    async with live.acting:
        await live.read_up()
        if why := why_silent(live, member) or live.halves.refused(member.called, said):
            raise UsageError(why)
        return await live.send(Argued(by=member.called, text=said))


async def upvote(live: LiveDebate, member: DebateMember, number: int, *, up: bool) -> None:
    """Upvote an argument of one's half, or take that back; what is so already stays."""
    async with live.acting:
        await live.read_up()
        if live.phase == "over":
            raise UsageError(OVER)
        if why := live.halves.refused_vote(member.called, number):
            raise UsageError(why)
        if (member.called in live.halves.arguments[number].upvotes) != up:
            await live.send(Upvoted(by=member.called, argument=number, up=up))


async def vote(live: LiveDebate, member: DebateMember, side: str) -> None:
    """Vote before or after the debate, whichever is open: one's last vote of each counts."""
    async with live.acting:
        await live.read_up()
        if member.left:
            raise UsageError(GONE)
        if live.phase == "lobby":
            raise UsageError(NOT_YET)
        await live.send(participation.vote(live.stands.status.view, member.ballot, side))


async def speak(live: LiveDebate, member: DebateMember) -> None:
    """Become the one who speaks for one's half; of several the first is. Once one does, nothing changes."""
    async with live.acting:
        await live.read_up()
        if live.is_speaker(member):
            return
        if not may_speak(live, member):
            raise UsageError("A model speaks for your half, or somebody else does.")
        side = live.halves.sides[member.called]
        await live.send(SeatNamed(by=member.called, seat=side, title=member.person.name))


# ── going ────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def leave(live: LiveDebate, member: DebateMember) -> None:
    """Somebody goes for good; what they gave stays, and who comes late has their place."""
    async with live.acting:
        await live.read_up()
        if member.left:
            return
        if live.phase != "over":
            await live.send(HalfLeft(by=member.called))
            for side in SIDES:
                if live.speaker_of(side) is member:
                    await live.send(SeatLeft(by=member.called, seat=side))
        await live.store.leave(live.room.id, member.person.id, live.clock())
        member.left = True
        live.changed.touch()


async def withdraw(live: LiveDebate, member: DebateMember) -> None:
    """Take back what somebody gave: arguments, upvotes, speeches go wherever they stand; votes stay, of nobody."""
    spoke = [side for side in SIDES if live.speaker_of(side) is member]
    await leave(live, member)
    for name in (*spoke, member.called, member.ballot):
        with suppress(UnknownSession):
            await live.parts.people.forget_in(live.room.session, name, "class")
    account = account_of(live.room.id, member.person.id)
    for key in (account, f"{account}:ballot"):
        await live.parts.pseudonyms.forget(key)
    with suppress(UnknownSession):
        await live.read_up()


# ── leading it ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def strike(live: LiveDebate, number: int, by: str) -> None:
    """Take an argument away; nobody is shown it any more, and no speaker is given it."""
    async with live.acting:
        await live.read_up()
        if number not in live.halves.arguments:
            raise UsageError("There is no such argument (any more).")
        if not live.halves.arguments[number].struck:
            await live.send(ArgumentStruck(by=by, argument=number))


async def end_time(live: LiveDebate, turn: str, by: str) -> None:
    """Await no more arguments before a turn; a turn that has come meanwhile stays as it is."""
    async with live.acting:
        await live.read_up()
        if turn in {f"{about}/{side}" for side, (about, _) in live.halves.windows.items()}:
            await live.send(HalfTimeEnded(by=by, turn=turn))
