"""A tournament in a session: contenders meet in debates of two, and a loser tree ranks them. NOTES.md says how.

The best of N by N − 1 matches, and each further place by at most ⌈log₂ N⌉ more. The shape is the array of Knuth (The
Art of Computer Programming 3, section 5.4.1): with N entrants the nodes 1 … N − 1 are matches, node n's children are 2n
and 2n + 1, and the entrant i (from 0) is the leaf N + i. Every node keeps the *loser* of its match; the winner goes on
to the parent, and the overall winner stands at node 0.

- No padding is needed where N is no power of two: the first entrants are then leaves one level higher, a bye in the
  first round.
- A match waits for its own two sides only, so all matches of a level are played side by side.
- When the winner is taken out, only the matches on the way from its leaf to the root can come out differently: each
  loser kept there meets who comes up from below. The lowest of them comes up without a match.
- Nobody meets the same rival twice: a loser stays at its node until the rival is taken out.

A match whose judge gives no winner is undecided: the entrant that was named earlier goes on.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from elenchus.debate_engine.errors import ProtocolBug
from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together

T = TypeVar("T", bound=Hashable)

Match = Callable[[T, T], Awaitable[T | None]]
"""Judges two entrants, the earlier-named one first: the winner, or None for undecided. May raise ElenchusError."""


@dataclass(frozen=True, slots=True)
class Played(Generic[T]):
    """One match. `place` is the place it was played for (1: the first pass); `round` counts from the leaves, from 1.

    `first` was named before `second`. `node` keeps the loser.
    """

    place: int
    round: int
    node: int
    first: T
    second: T
    winner: T
    undecided: bool

    @property
    def loser(self) -> T:
        """Who did not go on."""
        return self.second if self.winner == self.first else self.first


class LoserTree(Generic[T]):
    """The tree over some entrants, in the order in which they were named. For one task at a time.

    `nodes[0]` is the winner of the last pass, `nodes[1:]` are the losers kept (None: nobody, not yet or not any more);
    `ranking` the places known so far. Raises ValueError without entrants, or with one named twice.
    """

    def __init__(self, entrants: Sequence[T], match: Match[T]) -> None:
        if not entrants or len(set(entrants)) < len(entrants):
            raise ValueError("a loser tree needs entrants, each named once")
        self._entrants, self._match = tuple(entrants), match
        self._order = {entrant: i for i, entrant in enumerate(entrants)}
        self._played: list[Played[T]] = []
        self.nodes: list[T | None] = [None] * len(entrants)
        self.ranking: list[T] = []

    @property
    def rounds(self) -> int:
        """⌈log₂ N⌉: the matches on the longest way from a leaf to the root."""
        return (len(self._entrants) - 1).bit_length()

    @property
    def played(self) -> list[Played[T]]:
        """All matches: by the place they were played for, then from the leaves to the root; the same in every run."""
        return sorted(self._played, key=lambda played: (played.place, played.round, played.node))

    async def next(self) -> T | None:
        """Who takes the next place: the first pass over the whole tree, then a replay; None when all are placed."""
        best = await (self._replayed(self.ranking[-1]) if self.ranking else self._winner_of(1))
        self.nodes[0] = best
        if best is not None:
            self.ranking.append(best)
        return best

    async def _winner_of(self, node: int) -> T:
        """The winner of the matches below a node, its own included; the losers stay on the way."""
        if node >= len(self._entrants):
            return self._entrants[node - len(self._entrants)]
        one, other = await together(self._winner_of(2 * node), self._winner_of(2 * node + 1))
        winner, self.nodes[node] = await self._play(node, one, other)
        return winner

    async def _replayed(self, gone: T) -> T | None:
        """The best of those who are left, along the way from the leaf of the one who is gone."""
        node = (len(self._entrants) + self._order[gone]) // 2
        rising: T | None = None
        while node:
            kept = self.nodes[node]
            if rising is None:
                rising, self.nodes[node] = kept, None
            elif kept is not None:
                rising, self.nodes[node] = await self._play(node, rising, kept)
            node //= 2
        return rising

    async def _play(self, node: int, one: T, other: T) -> tuple[T, T]:
        """Winner and loser of a match at a node."""
        first, second = sorted((one, other), key=lambda entrant: self._order[entrant])
        judged = await self._match(first, second)
        if judged not in (first, second, None):
            raise ProtocolBug(f"the match of {first} and {second} was given to {judged}")
        round_ = self.rounds - node.bit_length() + 1
        winner = first if judged is None else judged
        played = Played(len(self.ranking) + 1, round_, node, first, second, winner, judged is None)
        self._played.append(played)
        return played.winner, played.loser


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
