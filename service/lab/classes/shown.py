"""A class as it is shown: made of its progress, for the room, for the teacher, and for one person. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal

from elenchus.debate_engine.protocols.rulegen.people.person_progress import ACTIVE, ENDED
from elenchus.debate_engine.reports.words import count
from elenchus.service.lab.classes.classroom import GRACE, PHASES, SHOWN, Phase
from elenchus.service.lab.classes.publication import own_place
from elenchus.service.lab.classes.views import (
    Action,
    Counts,
    PersonView,
    RoomView,
    Slow,
    StalledSessions,
    Step,
    TeacherView,
    VersionCounts,
    WaitsFor,
)

if TYPE_CHECKING:
    from elenchus.service.lab.classes.class_progress import ClassProgress, Member, Place

SLOW = 0.5
"""Of the time for an answer: who has needed so much of it is named to the teacher."""
Undone = Literal["expected", "playing", "silent", "untold", "judged", "unshown"]
"""Who or what is not done yet: people who are expected, play, have not said whether it may be kept, are not told what
it was about; sessions that are judged; what came out.
"""
_NAMES = {"here": "here", "reading": "reading", "playing": "playing", "done": "done", "early": "left_early"}


def room_view(progress: ClassProgress) -> RoomView:
    """What everybody in the room sees: totals alone, and of early ends nothing."""
    return RoomView.model_validate(
        _common(progress) | {"counts": _discreet(counted(progress.counts.items(), robots=False))}
    )


def _common(progress: ClassProgress) -> dict[str, object]:
    here = [one for one in progress.members.values() if not one.left and not one.person.robot]
    return {
        "id": progress.room.id,
        "revision": progress.changed.revision,
        "title": progress.room.title,
        "phase": progress.phase,
        "code": progress.room.code,
        "people": len(here),
        "places": progress.places,
        "names": tuple(one.person.name for one in here) if progress.phase == "lobby" else (),
        "robots": counted(progress.counts.items(), robots=True),
        "until": progress.until,
        "counting": progress.is_at_least("revealed") and progress.revealed is None and progress.phase != "over",
        "revealed": progress.revealed,
    }


def counted(places: Iterable[tuple[Place, int]], *, robots: bool, version: str | None = None) -> Counts:
    """How many do what; of all versions, or of one."""
    found = Counter[str]()
    for (robot, of, doing), n in places:
        if robot == robots and version in (None, of):
            found[_NAMES[doing]] += n
    return Counts(**found)


def _discreet(counts: Counts) -> Counts:
    """Without who ended early: they are done."""
    return counts.model_copy(update={"done": counts.done + counts.left_early, "left_early": 0})


# ── for the teacher ──────────────────────────────────────────────────────────────────────────────────────────────────


def teacher_view(progress: ClassProgress, now: datetime) -> TeacherView:
    """What the teacher sees."""
    versions = ("", *progress.room.conditions)
    people = [one for one in progress.members.values() if not one.person.robot]
    keeping = Counter(one.progress.keep for one in people if one.progress.keep)
    by_version = [VersionCounts(version=name, counts=counted(progress.counts.items(), robots=False, version=name))
                  for name in versions]  # fmt: skip
    troubles = Counter(one.progress.trouble for one in progress.members.values() if one.progress.trouble)
    return TeacherView.model_validate(
        _common(progress)
        | {
            "counts": counted(progress.counts.items(), robots=False),
            "scene": progress.room.scene,
            "versions": tuple(one for one in by_version if one.version or one.counts.all),
            "slow": tuple(_slow(progress, now)),
            "troubles": tuple(StalledSessions(reason=reason, sessions=n) for reason, n in troubles.items()),
            "knocked": progress.knocked,
            "keeping": {"asked": keeping["asked"], "yes": keeping["yes"],
                        "not kept": keeping["no"] + keeping["silent"]} if keeping else {},
            "next": tuple(Step(to=phase, unfinished=unfinished(progress, phase)) for phase in coming(progress.phase)),
            "slips": progress.room.slips,
            "questions": progress.room.questions,
        }
    )  # fmt: skip


def _slow(progress: ClassProgress, now: datetime) -> Iterable[Slow]:
    after = timedelta(seconds=SLOW * progress.room.answer_seconds)
    for one in progress.members.values():
        turn = one.progress.asked_now
        if turn and not one.person.robot and now - turn.since >= after:
            yield Slow(person=one.person.id, name=one.person.name, since=turn.since, due=turn.due)


def coming(phase: Phase) -> tuple[Phase, ...]:
    """The phases to which a teacher may go from this one: the next, and from the lobby the end."""
    if phase == "over":
        return ()
    following = PHASES[PHASES.index(phase) + 1]
    return (following, "over") if phase in ("lobby", "debrief") else (following,)


def unfinished(progress: ClassProgress, to: Phase) -> tuple[str, ...]:
    """What is not done yet when the class comes to this phase now, and what becomes of it, a sentence each."""
    return tuple(_TOLD[what](n) for what, n in undone(progress, to))


def undone(progress: ClassProgress, to: Phase) -> Iterator[tuple[Undone, int]]:
    """What is not done yet when the class comes to this phase now, and of how many."""
    people = [one for one in progress.members.values() if not one.person.robot]
    counted: dict[Undone, int] = {}
    match to:
        case "playing":
            counted["expected"] = progress.room.people - sum(one.holds_a_place for one in people)
        case "closed":
            counted["playing"] = sum(one.progress.stage in ACTIVE for one in people)
        case "revealed":
            counted["silent"] = sum(one.progress.keep == "asked" for one in people)
            untold = sum(one.progress.stage == "waiting" for one in people)
            counted["untold"] = untold if progress.plan.misleads else 0
            asked = [one.progress for one in people if one.progress.stage == "debrief"]
            counted["judged"] = sum(p.keep in ("", "yes") for p in asked)
        case "over":
            counted["unshown"] = int(progress.phase == "debrief")
    return ((what, n) for what, n in counted.items() if n > 0)


def _are(n: int, what: str) -> str:
    return f"{count(n, what, 'people' if what == 'person' else '')} {'is' if n == 1 else 'are'}"


def _have(n: int, what: str) -> str:
    return f"{count(n, what, 'people' if what == 'person' else '')} {'has' if n == 1 else 'have'}"


_TOLD: dict[Undone, Callable[[int], str]] = {
    "expected": lambda n: f"{_are(n, 'person')} still expected; late comers may come in.",
    "playing": lambda n: f"{_are(n, 'person')} not done: their scenes end, and count nowhere.",
    "silent": lambda n: f"{_have(n, 'person')} not said whether it may be kept: without a yes nothing of it is.",
    "untold": lambda n: f"{_are(n, 'person')} not told yet what it was about.",
    "judged": lambda n: f"{_are(n, 'session')} still being judged, and left out where that takes long.",
    "unshown": lambda _: "Nothing is shown of what came out.",
}


# ── for one person ───────────────────────────────────────────────────────────────────────────────────────────────────


def person_view(progress: ClassProgress, member: Member) -> PersonView:
    """One's own place."""
    p, person = member.progress, member.person
    turn = p.asked_now
    played = p.stage not in ("here", "gone")
    revealed = progress.revealed if p.stage not in ACTIVE else None
    own = own_place(revealed, p.version, p.outcome, revealed.unit) if revealed and p.stage == "played" else None
    return PersonView(
        id=progress.room.id,
        revision=member.changed.revision,
        phase=progress.phase,
        person=person.id,
        name=person.name,
        robot=person.robot,
        stage=p.stage,
        session=person.session if played else "",
        seat=progress.room.subject if played else "",
        step=turn.step if turn else "",
        waits_for=_waits_for(progress, member),
        due=(turn.due if turn else None) or _latest(progress),
        may=_may(progress, member),
        trouble=p.trouble,
        debriefing=p.debriefing,
        kept=None if p.withdrew or p.keep in ("", "asked") else p.keep == "yes",
        withdrew=p.withdrew,
        late=p.stage == "ended" and p.late,
        revealed=revealed is not None,
        own=None if p.withdrew else own,
    )


def _waits_for(progress: ClassProgress, member: Member) -> WaitsFor:
    p = member.progress
    if p.stage == "here":
        return "start" if not member.left and not progress.is_at_least("closed") else "nothing"
    if p.asked_now:
        return "you"
    if p.stage in ACTIVE:
        return "the scene"
    if p.stage == "waiting":
        return "debriefing"
    return "reveal" if not progress.is_at_least("revealed") else "nothing"


def _latest(progress: ClassProgress) -> datetime | None:
    """When a wait in this phase ends by itself."""
    return {
        "debrief": progress.until + GRACE,
        "revealed": progress.until + SHOWN,
        "over": None,
    }.get(progress.phase, progress.until)


def _may(progress: ClassProgress, member: Member) -> tuple[Action, ...]:
    stage = member.progress.stage
    if stage == "here":
        return () if member.left or progress.is_at_least("closed") else ("leave",)
    if stage in ACTIVE:
        return ("leave", "withdraw")
    if member.may_come_again and progress.free and not progress.room.slips and not progress.is_at_least("closed"):
        return ("come again",)
    if stage == "waiting":
        return ("debrief",) if member.progress.withdrew else ("debrief", "withdraw")
    return ("withdraw",) if stage not in ENDED or (stage == "played" and not member.progress.withdrew) else ()
