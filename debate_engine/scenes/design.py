"""The orders in which subjects meet what varies within them. Pure.

Those of E. J. Williams, *Aust. J. Chem.* 2 (1949) 149–168: each level stands equally often at each position, and
equally often next after each other.
"""

from __future__ import annotations

from itertools import chain

from elenchus.debate_engine.scenes.factors import Levels


def orders_of(conditions: tuple[Levels, ...]) -> tuple[tuple[Levels, ...], ...]:
    """The orders among which subjects are shared out: as many as conditions, twice that where their number is odd."""
    n = len(conditions)
    if n < 2:
        return (conditions,)
    first = [0, *chain.from_iterable((step, n - step) for step in range(1, n // 2 + 1))][:n]
    rows = [[(at + row) % n for at in first] for row in range(n)]
    if n % 2:
        rows += [row[::-1] for row in rows]
    return tuple(tuple(conditions[at] for at in row) for row in rows)
