"""In which orders subjects meet what varies within them: each place and each neighbour equally often."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from elenchus.debate_engine.scenes.design import orders_of
from elenchus.debate_engine.scenes.factors import Factor, Level, crossed, described


@pytest.mark.parametrize("count", range(2, 9))
def test_each_level_stands_equally_often_at_each_place_and_next_after_each_other(count: int) -> None:
    levels = tuple(((("frame", f"level {n}")),) for n in range(count))
    orders = orders_of(levels)
    assert len(orders) == (count if count % 2 == 0 else 2 * count)
    at_place = Counter((place, level) for order in orders for place, level in enumerate(order))
    assert len(at_place) == count * count
    assert len(set(at_place.values())) == 1
    neighbours = Counter(pair for order in orders for pair in pairwise(order))
    assert len(neighbours) == count * (count - 1)
    assert len(set(neighbours.values())) == 1


def test_one_level_has_one_order() -> None:
    assert orders_of(((("frame", "gain"),),)) == (((("frame", "gain"),),),)


def test_a_version_is_told_by_its_factors() -> None:
    anchor = Factor(name="anchor", levels=(Level(name="low"), Level(name="high")))
    pressure = Factor(name="pressure", levels=(Level(name="cue"), Level(name="no cue")))
    assert described(crossed((anchor, pressure))[1]) == "anchor low, pressure no cue"
