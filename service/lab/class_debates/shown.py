"""What a class debate shows, made of how it stands. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.protocols.judging.votes import AudienceVote, last_votes
from elenchus.debate_engine.protocols.socrasynth.halves import MOST_WAITING, HalfArgument
from elenchus.debate_engine.protocols.socrasynth.projection import debate_of
from elenchus.debate_engine.protocols.speech import SIDES, Side
from elenchus.service.lab.class_debates.views import (
    DebateLeaderView,
    DebateMemberView,
    DebateRoomView,
    DebateSwing,
    HalfCounts,
    HalfTime,
    OpenVote,
    ShownArgument,
)
from elenchus.service.lab.participation import audience_votes

if TYPE_CHECKING:
    from elenchus.service.lab.class_debates.live_debate import DebateMember, LiveDebate

LAST_SPEECH = "closing"
SPOKEN_OUT = "The last speech of your side is given: its speaker takes up no more."
_LEANING = {"con": -1, "undecided": 0, "pro": 1}


def room_view(live: LiveDebate) -> DebateRoomView:
    """For everybody in the room."""
    return DebateRoomView(**_of_room(live))


def leader_view(live: LiveDebate) -> DebateLeaderView:
    """For who leads the class."""
    found = {
        side: tuple(_shown(one) for one in _with_struck(live, side))
        for side in SIDES
    }  # fmt: skip
    return DebateLeaderView(**_of_room(live), arguments=found)


def _with_struck(live: LiveDebate, side: Side) -> list[HalfArgument]:
    halves = live.halves
    struck = [one for one in halves.arguments.values() if one.side == side and one.struck]
    return [*halves.of_side(side), *struck]


def _of_room(live: LiveDebate) -> dict[str, Any]:
    room = live.room
    return {
        "id": room.id,
        "session": room.session,
        "motion": room.motion,
        "code": room.code,
        "phase": live.phase,
        "stage": _stage(live),
        "people": len(live.there),
        "places": room.people,
        "halves": {side: _counts(live, side) for side in SIDES},
        "speakers": {side: _speaker(live, side) for side in room.speakers},
        "open_for_arguments": tuple(_open_times(live)),
        "vote": _open_vote(live),
        "swing": swing_of(live),
    }


def _stage(live: LiveDebate) -> str:
    debate = debate_of(live.stands.status.view)
    return debate.stage if debate and live.stands.begun else ""


def _speaker(live: LiveDebate, side: Side) -> str:
    found = live.speaker_of(side)
    return found.person.name if found else ""


def _counts(live: LiveDebate, side: Side) -> HalfCounts:
    found = live.halves.of_side(side)
    return HalfCounts(
        people=len(live.halves.there(side)), arguments=len(found),
        given=sum(bool(one.given) for one in found), used=sum(bool(one.used) for one in found),
    )  # fmt: skip


def _open_times(live: LiveDebate) -> Iterator[HalfTime]:
    debate = debate_of(live.stands.status.view)
    seconds = debate.config.half_seconds if debate and debate.config else None
    for side, (turn, since) in live.halves.windows.items():
        if seconds is not None and live.phase in ("running", "paused") and live.halves.there(side):
            due = since + timedelta(seconds=seconds)
            yield HalfTime(side=side, about=turn, turn=f"{turn}/{side}", due=due)


def _open_vote(live: LiveDebate) -> OpenVote | None:
    """The vote that counts now."""
    view = live.stands.status.view
    votes = audience_votes(view)
    if live.phase not in ("running", "paused"):
        return None
    for when, due in votes.open.items():
        before, after = last_votes(live.stands.votes)
        return OpenVote(when=when, due=due, voted=len(before if when == "before" else after))
    return None


def swing_of(live: LiveDebate) -> DebateSwing | None:
    """How the room moved, once nothing more is voted on."""
    found = live.stands.status.view.moderation.audience()
    if live.phase != "over" or found is None:
        return None
    to_pro, to_con = moved(found)
    return DebateSwing(votes=found, to_pro=to_pro, to_con=to_con, p=p_of(to_pro, to_con))


def moved(votes: AudienceVote) -> tuple[int, int]:
    """How many of those who voted twice moved towards the motion, and how many away from it."""
    steps = [(_LEANING[one.after] - _LEANING[one.before], one.voters) for one in votes.moves]
    return sum(n for step, n in steps if step > 0), sum(n for step, n in steps if step < 0)


def p_of(to_pro: int, to_con: int) -> float | None:
    """The two-sided p of an exact sign test (of three votes it is no McNemar's), None where nobody moved."""
    from elenchus.debate_engine.protocols.rulegen.study.paired import signs_p

    return round(signs_p([1] * to_pro + [-1] * to_con), 4) if to_pro + to_con else None


# ── for one person ───────────────────────────────────────────────────────────────────────────────────────────────────


def member_view(live: LiveDebate, member: DebateMember) -> DebateMemberView:
    """One's own place."""
    side = live.halves.side_of(member.called)
    arguments = tuple(_shown(one, member.called) for one in live.halves.of_side(side)) if side else ()
    why_not = why_silent(live, member)
    times = [one for one in _open_times(live) if one.side == side]
    return DebateMemberView(
        id=live.room.id,
        session=live.room.session,
        motion=live.room.motion,
        person=member.person.id,
        name=member.person.name,
        phase=live.phase,
        stage=_stage(live),
        side=side,
        people=len(live.halves.there(side)) if side else 0,
        open_for_arguments=times[0] if times else None,
        may_send=0 if why_not else MOST_WAITING - live.halves.waiting_of(member.called),
        why_not=why_not,
        arguments=arguments,
        may_vote=None if member.left else _open_vote(live),
        voted=live.votes_of(member),
        may_speak=may_speak(live, member),
        speaks=live.is_speaker(member),
        left=member.left,
        credits=tuple(one for one in arguments if one.own and one.given),
        swing=swing_of(live),
    )


def why_silent(live: LiveDebate, member: DebateMember) -> str:
    """Why somebody can send no argument now, a sentence; "" where they can."""
    side = live.halves.side_of(member.called)
    if side is None:
        return "You are in no half (any more)."
    if live.phase == "over":
        return "The debate is over."
    if (live.halves.spoken.get(side) or "") == LAST_SPEECH:
        return SPOKEN_OUT
    return live.halves.full(member.called)


def may_speak(live: LiveDebate, member: DebateMember) -> bool:
    """Whether somebody may become the one who speaks for their half."""
    side = live.halves.side_of(member.called)
    free = side in live.room.speakers and side not in live.stands.speakers
    return bool(side) and free and live.phase != "over"


def _shown(one: HalfArgument, to: str = "") -> ShownArgument:
    return ShownArgument(
        number=one.number, text=one.text, upvotes=len(one.upvotes), given=one.given, used=tuple(one.used),
        own=bool(to) and one.by == to, voted=to in one.upvotes, struck=one.struck,
    )  # fmt: skip
