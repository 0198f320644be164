"""What a class debate shows: to the room (totals alone), to who leads it (both halves), and to one person (their half).

Nobody is told who gave what, or how anybody voted; while the debate goes on a half sees nothing of the other.
"""

from __future__ import annotations

from typing import Literal

from pydantic import AwareDatetime

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.judging.votes import AudienceVote, Choice, When
from elenchus.debate_engine.protocols.speech import Side

DebatePhase = Literal["lobby", "running", "paused", "over"]


class HalfTime(FrozenModel):
    """A half's arguments are awaited before a turn of its speaker; `turn` is what ends that earlier."""

    side: Side
    about: str
    turn: str
    due: AwareDatetime


class OpenVote(FrozenModel):
    """A vote that is open, and how many have voted; how, is told when all is over."""

    when: When
    due: AwareDatetime | None
    voted: int


class HalfCounts(FrozenModel):
    """A half in numbers: who is there, and its arguments that count, were given to its speaker, and were taken up."""

    people: int
    arguments: int
    given: int
    used: int


class DebateSwing(FrozenModel):
    """The room's votes, and how surely those who moved did not go as a coin falls: the exact two-sided p of a sign test
    of the `to_pro` who moved towards the motion and the `to_con` who moved away from it; None where nobody moved.
    """

    votes: AudienceVote
    to_pro: int
    to_con: int
    p: float | None


class DebateRoomView(FrozenModel):
    """What everybody in the room may see. `places` is how many people may take part."""

    id: str
    session: str
    motion: str
    code: str
    phase: DebatePhase
    stage: str
    people: int
    places: int
    halves: dict[Side, HalfCounts]
    speakers: dict[Side, str]
    open_for_arguments: tuple[HalfTime, ...] = ()
    vote: OpenVote | None = None
    swing: DebateSwing | None = None


class ShownArgument(FrozenModel):
    """An argument. `given`: the turn before which its speaker had it, "" before that; `used`: the speeches that name it
    by its number. `own`: it is yours; `voted`: you have upvoted it.
    """

    number: int
    text: str
    upvotes: int
    given: str = ""
    used: tuple[str, ...] = ()
    own: bool = False
    voted: bool = False
    struck: bool = False


class DebateLeaderView(DebateRoomView):
    """What whoever leads the class sees besides: the arguments of both halves, those too that were struck."""

    arguments: dict[Side, tuple[ShownArgument, ...]]


class DebateMemberView(FrozenModel):
    """One's own place. `side` is one's half, None before it is given and after one has left.

    `arguments` are those of one's half; so many more may be sent now (`may_send`); `why_not` says why none. `may_vote`:
    the vote that is open; `voted` are one's own votes. `may_speak`: nobody speaks for the half yet; `speaks`: one does.
    `credits` are one's own arguments that were given to the speaker.
    """

    id: str
    session: str
    motion: str
    person: str
    name: str
    phase: DebatePhase
    stage: str
    side: Side | None
    people: int
    open_for_arguments: HalfTime | None = None
    may_send: int = 0
    why_not: str = ""
    arguments: tuple[ShownArgument, ...] = ()
    may_vote: OpenVote | None = None
    voted: dict[When, Choice]
    may_speak: bool = False
    speaks: bool = False
    left: bool = False
    credits: tuple[ShownArgument, ...] = ()
    swing: DebateSwing | None = None
