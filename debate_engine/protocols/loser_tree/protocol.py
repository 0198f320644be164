"""A tournament in a session: contenders meet in debates of two, and a loser tree ranks them. NOTES.md says how."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.loser_tree.tree import LoserTree
from elenchus.debate_engine.session import Session

Debate = Callable[[Session, str, str], Awaitable[str | None]]
"""Lets two contenders meet: the winner, or None where it could not be told. Its step keys are its own."""


class Meeting(FrozenModel):
    """One match: `place` is the place it was played for, `round` counts from 1; `first` was named before `second`."""

    place: int
    round: int
    first: str
    second: str
    winner: str
    undecided: bool


class Ranking(FrozenModel):
    """The first places, best first, and every match."""

    places: tuple[str, ...]
    matches: tuple[Meeting, ...]


async def loser_tree(s: Session, contenders: Sequence[str], debate: Debate, top: int = 1) -> Ranking:
    """Rank the first `top` of the contenders (names that are good for step keys), in their order of mention.

    Step keys: `match/A-vs-B/…` for the debate of A (named earlier) and B, `match/A-vs-B/winner`. Raises ValueError
    without contenders, or with one named twice.
    """

    async def match(first: str, second: str) -> str | None:
        of_this = s.under(f"match/{first}-vs-{second}")
        winner = await debate(of_this, first, second)
        await of_this.record("winner", winner)
        return winner

    tree = LoserTree(contenders, match)
    while len(tree.ranking) < top and await tree.next() is not None:
        pass
    meetings = [
        Meeting(place=p.place, round=p.round, first=p.first, second=p.second, winner=p.winner, undecided=p.undecided)
        for p in tree.played
    ]
    return Ranking(places=tuple(tree.ranking), matches=tuple(meetings))
