"""The audience's vote before and after a debate, Oxford style: the side that moved more votes wins the room. Pure.

Rules:
1. A voter's last vote of each time (before, after) counts, in the order of the log, until that vote is closed.
2. Only voters who voted both times can have been moved; the others are reported apart.
3. A side's swing is its votes after less its votes before, also in percentage points of those voters.
4. The greater swing wins, also where both sides lost votes to "undecided"; equal swings are a tie.
5. Where nobody voted both times the room is undecided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal

from elenchus.debate_engine.events import FrozenModel, Recorded, VoteClosed, Voted

Choice = Literal["pro", "con", "undecided"]
CHOICES: tuple[Choice, ...] = ("pro", "con", "undecided")
When = Literal["before", "after"]
WHENS: tuple[When, ...] = ("before", "after")
OPENINGS: Mapping[str, When] = {f"vote/{when}/opened": when for when in WHENS}
"""The keys of the steps in which a session opens a vote: their results are the moments."""


class Ballots(FrozenModel):
    """Votes by choice."""

    pro: int = 0
    con: int = 0
    undecided: int = 0

    @property
    def total(self) -> int:
        """All votes."""
        return self.pro + self.con + self.undecided


class Swing(FrozenModel):
    """How far a side moved: in votes, and in percentage points (−100 to 100) of those who voted both times."""

    votes: int
    points: float


class Move(FrozenModel):
    """How many voters went from one choice to another (or stayed)."""

    before: Choice
    after: Choice
    voters: int


class AudienceVote(FrozenModel):
    """The room's vote. `before` and `after` count the `voters` who voted both times; `swing` is None without any.

    `only_before` and `only_after` count those who voted once; they move nothing.
    """

    voters: int
    before: Ballots
    after: Ballots
    moves: tuple[Move, ...]
    swing_pro: Swing | None
    swing_con: Swing | None
    only_before: Ballots
    only_after: Ballots
    winner: Literal["pro", "con", "tie", "undecided"]


def audience_vote(events: Iterable[Recorded]) -> AudienceVote:
    """The room's vote from a session's events (of any kind; only `Voted` and `VoteClosed` are looked at)."""
    before, after = last_votes(events)
    both = before.keys() & after.keys()
    first, second = ballots(before, both), ballots(after, both)
    gain_pro, gain_con = second.pro - first.pro, second.con - first.con
    moves = Counter((before[voter], after[voter]) for voter in both)
    return AudienceVote(
        voters=len(both),
        before=first,
        after=second,
        moves=tuple(Move(before=x, after=y, voters=moves[x, y]) for x in CHOICES for y in CHOICES if moves[x, y]),
        swing_pro=swing(gain_pro, len(both)),
        swing_con=swing(gain_con, len(both)),
        only_before=ballots(before, before.keys() - both),
        only_after=ballots(after, after.keys() - both),
        winner=room_winner(gain_pro, gain_con, len(both)),
    )


def last_votes(events: Iterable[Recorded]) -> tuple[dict[str, Choice], dict[str, Choice]]:
    """Each voter's last vote before, and after."""
    last: dict[str, dict[str, Choice]] = {"before": {}, "after": {}}
    closed: set[str] = set()
    for recorded in events:
        match recorded.event:
            case Voted(by=by, when=when, side=side) if when not in closed:
                last[when][by] = side
            case VoteClosed(when=when):
                closed.add(when)
    return last["before"], last["after"]


def ballots(votes: Mapping[str, Choice], voters: Iterable[str]) -> Ballots:
    """The given voters' votes, counted."""
    counted = Counter(votes[voter] for voter in voters)
    return Ballots(pro=counted["pro"], con=counted["con"], undecided=counted["undecided"])


def swing(gain: int, voters: int) -> Swing | None:
    """A gain of votes among so many voters; None without voters."""
    return Swing(votes=gain, points=round(100 * gain / voters, 2)) if voters else None


def room_winner(gain_pro: int, gain_con: int, voters: int) -> Literal["pro", "con", "tie", "undecided"]:
    """Who moved more votes."""
    if not voters:
        return "undecided"
    if gain_pro == gain_con:
        return "tie"
    return "pro" if gain_pro > gain_con else "con"
