"""What people say of the opinions that a mind rates: they rate them as they take the persona to; most of them count.

The ratings stand in the mind's log beside its own (`OpinionsRated`); a person may correct theirs. Pure.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from elenchus.debate_engine.events import OpinionsRated

_MIDDLE = 3


class Majority(NamedTuple):
    """What most say; `tied` where two answers or more are named most often, and the median decides."""

    rating: int
    tied: bool


def majority(ratings: Sequence[int | None]) -> Majority | None:
    """The step that most name. Of a tie the median of all ratings, where that lies between two steps the one nearer to
    3; None where nobody has rated.
    """
    given = [rating for rating in ratings if rating is not None]
    if not given:
        return None
    (first, most), *others = Counter(given).most_common()
    if not any(times == most for _, times in others):
        return Majority(first, tied=False)
    middle = median(given)
    return Majority(int(middle + 0.5) if middle < _MIDDLE else int(middle), tied=True)


class PeoplesRating(NamedTuple):
    """What so many people say of an opinion after an iteration: what most say, and whether a tie was decided."""

    iteration: int
    rating: int
    tied: bool
    people: int


def peoples_ratings(rated: Iterable[OpinionsRated]) -> Mapping[str, tuple[PeoplesRating, ...]]:
    """By opinion, in the order in which they were first rated, a majority an iteration that somebody has rated."""
    by_opinion: dict[str, dict[int, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    for event in rated:
        for one in event.ratings:
            by_opinion[one.opinion][event.iteration][event.by] = one.rating
    return {
        opinion: tuple(_majority_of(iteration, list(of.values())) for iteration, of in sorted(found.items()))
        for opinion, found in by_opinion.items()
    }


def _majority_of(iteration: int, ratings: Sequence[int]) -> PeoplesRating:
    most = majority(ratings)
    assert most is not None, "somebody has rated"
    return PeoplesRating(iteration, most.rating, most.tied, len(ratings))
