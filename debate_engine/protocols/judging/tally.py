"""Counting what judges have decided. Pure: judges decide, this only counts.

Rules:
1. A cell (judge × who came first × topic) that could not be read is in no sum; a sum of nothing is None, never 0.
2. A judge is *readable* when at least half of its cells are; the others are listed as failed and count in no verdict.
3. The panel is *undecided* when fewer than half of its judges, or fewer than two of several, are readable.
4. By total: the side with more points in all cells of the readable judges.
5. By majority: each readable judge's own total over both orders is one vote; the side with more votes.
6. The winner is the majority's; where that is a tie, the total's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import comb, fsum
from typing import Literal, Self

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.judging.agreement import Agreement, agreement_of
from elenchus.debate_engine.protocols.judging.marks import First, Mark, Pick, UnreadableCell

Verdict = Literal["A", "B", "tie", "undecided"]


class Total(FrozenModel):
    """Points of both sides by one judge in one order: sums over the `read` of `asked` topics, 1–10 each."""

    judge: str
    first: First
    a: float | None
    b: float | None
    read: int
    asked: int


class Vote(FrozenModel):
    """One judge over both orders: its points, and its vote; None when the judge is not readable."""

    judge: str
    a: float | None
    b: float | None
    read: int
    asked: int
    vote: Pick | None


class Swap(FrozenModel):
    """How much the change of order moved the margin A − B, over pairs of cells (judge × topic) readable in both.

    `mean` is margin with A first less margin with B first: above 0, coming first helps. `mean_size` is its mean without
    sign. `flipped` counts pairs whose named winner went from one side to the other. None where there is no pair.
    """

    pairs: int
    mean: float | None
    mean_size: float | None
    flipped: int


class Failed(FrozenModel):
    """A judge that is not readable, and why: reasons with how often each was given."""

    judge: str
    read: int
    asked: int
    reason: str


class Tally(FrozenModel):
    """The count of a panel. `a` and `b` are points over the readable judges' cells, `named` the winners named there.

    `against_scores` counts cells whose named winner has fewer points than the other side in that very cell.
    """

    judges: tuple[str, ...]
    totals: tuple[Total, ...]
    votes: tuple[Vote, ...]
    a: float | None
    b: float | None
    named: dict[Pick, int]
    against_scores: int
    winner_by_total: Verdict
    winner_by_majority: Verdict
    winner: Verdict
    swap: Swap
    agreement: Agreement
    failed: tuple[Failed, ...]

    def checked(self) -> Self:
        """The same, if it has a total for every judge in both orders and no total is above what its cells can give.

        Raises ValueError otherwise: a damaged log, or an edited one.
        """
        totals = {(total.judge, total.first) for total in self.totals}
        if not totals >= {(judge, first) for judge in self.judges for first in ("A", "B")}:
            raise ValueError("a tally without some of its totals")
        sums = [(self.a, self.b, sum(total.read for total in self.totals))]
        sums += [(total.a, total.b, total.read) for total in self.totals]
        sums += [(vote.a, vote.b, vote.read) for vote in self.votes]
        if any(points is not None and not 0 <= points <= 10.1 * read for *both, read in sums for points in both):
            raise ValueError("more points than its cells can give")
        return self


def count(cells: Sequence[Mark | UnreadableCell]) -> Tally:
    """The tally of a panel. `cells` holds every cell that was asked for; their order does not matter to any number.

    Imports NLTK (1–3 s the first time) where judges can be compared: call it off the event loop.
    """
    judges = tuple(dict.fromkeys(cell.judge for cell in cells))
    votes = tuple(vote_of(judge, cells) for judge in judges)
    readable = {v.judge for v in votes if v.vote is not None}
    counted = [cell for cell in cells if isinstance(cell, Mark) and cell.judge in readable]
    a, b = points(counted)
    decided = is_decided(len(readable), len(judges))
    by_total: Verdict = ahead(a, b) if decided else "undecided"
    by_majority: Verdict = majority(votes) if decided else "undecided"
    named = Counter(cell.winner for cell in counted)
    return Tally(
        judges=judges,
        totals=tuple(total_of(judge, first, cells) for judge in judges for first in orders(cells)),
        votes=votes,
        a=a,
        b=b,
        named={pick: named[pick] for pick in ("A", "B", "tie")},
        against_scores=sum({"A": m.margin < 0, "B": m.margin > 0, "tie": False}[m.winner] for m in counted),
        winner_by_total=by_total,
        winner_by_majority=by_majority,
        winner=by_total if by_majority == "tie" else by_majority,
        swap=swap_of([cell for cell in cells if isinstance(cell, Mark)]),
        agreement=agreement_of([cell for cell in cells if isinstance(cell, Mark)]),
        failed=tuple(failed_of(v, cells) for v in votes if v.vote is None),
    )


def orders(cells: Iterable[Mark | UnreadableCell]) -> list[First]:
    """The orders that occur, A first before B first."""
    return sorted({cell.first for cell in cells})


def points(cells: Iterable[Mark]) -> tuple[float, float] | tuple[None, None]:
    """The points of A and of B, to six digits, so that neither order nor thirds can break a tie."""
    marks = list(cells)
    if not marks:
        return None, None
    return round(fsum(m.a for m in marks), 6), round(fsum(m.b for m in marks), 6)


def ahead(a: float | None, b: float | None) -> Pick:
    """Who has more, of points that are known."""
    assert a is not None
    assert b is not None
    return "tie" if a == b else "A" if a > b else "B"


def total_of(judge: str, first: First, cells: Iterable[Mark | UnreadableCell]) -> Total:
    """One judge in one order."""
    own = [cell for cell in cells if (cell.judge, cell.first) == (judge, first)]
    marks = [cell for cell in own if isinstance(cell, Mark)]
    a, b = points(marks)
    return Total(judge=judge, first=first, a=a, b=b, read=len(marks), asked=len(own))


def vote_of(judge: str, cells: Iterable[Mark | UnreadableCell]) -> Vote:
    """One judge over both orders."""
    own = [cell for cell in cells if cell.judge == judge]
    marks = [cell for cell in own if isinstance(cell, Mark)]
    a, b = points(marks)
    readable = 0 < len(own) <= 2 * len(marks)
    return Vote(judge=judge, a=a, b=b, read=len(marks), asked=len(own), vote=ahead(a, b) if readable else None)


def is_decided(readable: int, judges: int) -> bool:
    """Whether enough of the judges could be read: half of them, and two where there are several."""
    return readable * 2 >= judges and readable >= min(2, judges) and judges > 0


def majority(votes: Iterable[Vote]) -> Pick:
    """The side with more judges' votes; judges that saw a tie vote for neither."""
    given = Counter(v.vote for v in votes)
    return ahead(given["A"], given["B"])


def by_chance(t: Tally) -> float | None:
    """How often judges who toss a coin for each topic and order name one side as often as was named here, or more.

    The sign test (binomial, two-sided) over the winners that the readable judges named; a tie names nobody. None with
    fewer than two readable judges, who agree with nobody, and where no side was named. The raw points are not asked:
    judges who all see the same winner may be lenient and strict, and their scores then disagree.
    """
    named = t.named["A"], t.named["B"]
    if sum(v.vote is not None for v in t.votes) < 2 or not sum(named):
        return None
    so_often = sum(comb(sum(named), n) for n in range(max(named), sum(named) + 1))
    return min(1.0, 2 * so_often / 2.0 ** sum(named))


def unanimous(t: Tally) -> bool:
    """Whether all readable judges vote for the winner."""
    return {v.vote for v in t.votes if v.vote is not None} == {t.winner}


def swap_of(marks: Iterable[Mark]) -> Swap:
    """The effect of the order."""
    by_place = {(m.judge, m.topic, m.first): m for m in marks}
    pairs = [
        (a_first, b_first)
        for (judge, topic, first), a_first in by_place.items()
        if first == "A" and (b_first := by_place.get((judge, topic, "B")))
    ]
    moves = [a_first.margin - b_first.margin for a_first, b_first in pairs]
    return Swap(
        pairs=len(pairs),
        mean=round(fsum(moves) / len(moves), 6) if moves else None,
        mean_size=round(fsum(map(abs, moves)) / len(moves), 6) if moves else None,
        flipped=sum({x.winner, y.winner} == {"A", "B"} for x, y in pairs),
    )


def failed_of(vote: Vote, cells: Iterable[Mark | UnreadableCell]) -> Failed:
    """What went wrong with a judge."""
    reasons = Counter(cell.reason for cell in cells if isinstance(cell, UnreadableCell) and cell.judge == vote.judge)
    said = "; ".join(f"{n} × {reason}" for reason, n in sorted(reasons.items(), key=lambda item: (-item[1], item[0])))
    return Failed(judge=vote.judge, read=vote.read, asked=vote.asked, reason=said)
