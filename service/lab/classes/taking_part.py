"""What people do in a class: come, come back, answer, and go. All raise UsageError, StorageError."""

from __future__ import annotations

import secrets
from contextlib import suppress
from datetime import timedelta
from random import SystemRandom
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import UnknownSession, UsageError
from elenchus.debate_engine.events import DebriefAsked, TurnAnswered, TurnExtended
from elenchus.debate_engine.protocols.rulegen.people.person_progress import ACTIVE, ENDED
from elenchus.debate_engine.protocols.rulegen.people.procedure import withdraw as withdraw_from
from elenchus.debate_engine.runner import new_id
from elenchus.service.lab import participation
from elenchus.service.lab.classes.classroom import Person
from elenchus.service.lab.classes.names import free_names
from elenchus.service.lab.classes.sessions import called

if TYPE_CHECKING:
    from elenchus.service.lab.classes.class_progress import ClassProgress, Member
    from elenchus.service.lab.classes.live_class import LiveClass
    from elenchus.service.lab.classes.sessions import Parts

FULL = "All places are taken: tell whoever leads the class, who can open another one."
TOO_LATE = "The class is closed: nobody can join any more."
NO_SUCH_PERSON = "There is no such person in this class (any more)."
ASKED_NO_MORE = "This is not asked (any more): look at what is on the page now."
LONGEST_EXTENSION = timedelta(hours=24)


class ClassFull(UsageError):
    """No place is open; it was noted that somebody knocked."""


def member_of(progress: ClassProgress, person: str) -> Member:
    """Somebody in a class. Raises UsageError for nobody."""
    if (found := progress.members.get(person)) is None:
        raise UsageError(NO_SUCH_PERSON)
    return found


def offered_names(progress: ClassProgress, n: int = 3) -> list[str]:
    """Made-up names to choose from."""
    return free_names({one.person.name for one in progress.members.values()}, SystemRandom(), n)


# ── coming ───────────────────────────────────────────────────────────────────────────────────────────────────────────


async def join(
    live: LiveClass, *, name: str = "", person: str = "", robot: bool = False, called_there: str = ""
) -> Member:
    """Give somebody a place under a made-up name that is free, or the one they have: who comes twice is there once.

    `person` is who comes by a slip, whose name nobody chooses for them twice. `called_there`: logs call them so.
    """
    progress = live.progress
    async with live.joining, live.parts.shared.alone(f"class {progress.room.id}"):
        await live.refresh()
        if known := progress.members.get(person) or _with_name(progress, called_there):
            return known
        if progress.is_at_least("closed"):
            raise UsageError(TOO_LATE)
        if not robot and not progress.free:
            progress.knocked += 1
            progress.changed.touch()
            raise ClassFull(FULL)
        known_numbers = (one.person.number for one in progress.members.values())
        number = await live.store.take_number(progress.room.id, max(known_numbers, default=0))
        session, person_id = new_id(), person or secrets.token_hex(8)
        given = await _name(live, name, person_id)
        who = Person(
            id=person_id, name=given, session=session, number=number, joined=live.clock(), robot=robot,
            called=called_there,
        )  # fmt: skip
        if not robot:
            await live.parts.retention.promise(session)
            await called(live.parts, progress.room, who)
        await live.store.add_person(progress.room.id, who)
        return progress.add(who)


def _with_name(progress: ClassProgress, called_there: str) -> Member | None:
    """Who came by another front end under this name."""
    members = (one for one in progress.members.values() if called_there and one.person.called == called_there)
    return next(members, None)


async def _name(live: LiveClass, wanted: str, person: str) -> str:
    """The name that is wanted, where it is one of ours and free; else another one."""
    free = offered_names(live.progress, 1_000)
    first: list[str] = [wanted] if wanted in free else []
    for name in first + free:
        if await live.store.take_name(live.progress.room.id, name, person):
            return name
    raise UsageError("No name is free: try once more.")


# ── answering ────────────────────────────────────────────────────────────────────────────────────────────────────────


async def answer(parts: Parts, member: Member, step: str, value: Any, via: str) -> bool:
    """Answer what is asked; False where it was answered before, as from another tab: then nothing is changed."""
    async with member.answering:
        p = member.progress
        if step in p.answered:
            return False
        if (turn := p.asked_now) is None or turn.step != step:
            raise UsageError(ASKED_NO_MORE)
        await _taken(parts, member, participation.answer(turn, p.by, value, via))
    return True


async def decline(parts: Parts, member: Member, step: str, via: str) -> bool:
    """Pass what is asked; False as for `answer`."""
    async with member.answering:
        p = member.progress
        if step in p.answered:
            return False
        if (turn := p.asked_now) is None or turn.step != step:
            raise UsageError(ASKED_NO_MORE)
        await _taken(parts, member, participation.no_answer(turn, p.by).model_copy(update={"via": via}))
    return True


async def _taken(parts: Parts, member: Member, event: TurnAnswered) -> None:
    try:
        await parts.log.send(member.person.session, event)
    except UnknownSession:
        raise UsageError(ASKED_NO_MORE) from None
    member.progress.answered.add(event.step)
    member.changed.touch()


async def more_time(live: LiveClass, member: Member, minutes: float, by: str) -> None:
    """Let somebody's time for what they are asked end so much later."""
    turn = member.progress.asked_now
    if turn is None or turn.due is None:
        raise UsageError(f"Nothing is asked of {member.person.name} that ends.")
    due = turn.due + min(timedelta(minutes=minutes), LONGEST_EXTENSION)
    await live.parts.log.send(member.person.session, TurnExtended(by=by, step=turn.step, due=due))


# ── going ────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def leave(live: LiveClass, member: Member) -> None:
    """Somebody goes for good: what they are in the middle of ends kindly, and their place is open again.

    What they have said by then is taken back, as they were promised before they agreed. Who has played goes with the
    debriefing, and what they said counts as it would have.
    """
    p = member.progress
    if p.stage == "waiting":
        await tell_now(live, member)
    elif p.stage in ACTIVE:
        await live.store.leave(live.progress.room.id, member.person.id, live.clock())
        live.progress.leave(member.person.id)
        await withdraw(live, member)
    elif p.stage == "here" and not member.left:
        await live.store.leave(live.progress.room.id, member.person.id, live.clock())
        live.progress.leave(member.person.id)


async def tell_now(live: LiveClass, member: Member) -> None:
    """Tell somebody who waits for it what it was about, before the others."""
    if member.progress.stage != "waiting":
        raise UsageError("Nobody waits for a debriefing here now.")
    await live.parts.log.send(member.person.session, DebriefAsked(by=member.progress.by))


async def withdraw(live: LiveClass, member: Member) -> None:
    """Take back what somebody said: their words go, and they are in nothing that is counted from now on.

    What was shown to all before that stays as it is, and nothing is handed out any more that would tell what it held of
    them (`reveal.may_be_handed_out`).
    """
    p = member.progress
    if p.stage in ("here", "gone") or p.withdrew:
        return
    if p.stage in ENDED and p.stage != "played":
        return
    with suppress(UnknownSession):
        await withdraw_from(live.parts.log, live.parts.runner, member.person.session, p.seat, p.by)
