"""Whether fewer than five people can be told from several sums together, by adding and taking them away. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from elenchus.service.lab.classes.publication import LEAST

Cells = Collection[str]
"""The cells over which something is summed, or a mean or a share is taken."""


def singles_out(sums: Sequence[Cells], sizes: Mapping[str, int]) -> bool:
    """Whether some combination of the sums speaks of fewer than five people alone.

    `sizes` are people by cell. A combination that is 0 outside of some cells, and not inside, tells of those alone.
    """
    rows = [[Fraction(cell in one) for cell in sizes] for one in sums if one]
    rank = _rank(rows)
    return any(_rank([[x for x, inside in zip(row, few, strict=True) if not inside] for row in rows]) < rank
               for few in _fews(sizes))  # fmt: skip


def _fews(sizes: Mapping[str, int]) -> Iterator[list[bool]]:
    """Every set of cells with somebody, but fewer than five, in them all; cells without anybody are in each."""
    small = [cell for cell, n in sizes.items() if 0 < n < LEAST]
    empty = {cell for cell, n in sizes.items() if not n}
    for count in range(1, LEAST):
        for chosen in combinations(small, count):
            if sum(sizes[cell] for cell in chosen) < LEAST:
                yield [cell in chosen or cell in empty for cell in sizes]


def _rank(rows: Sequence[Sequence[Fraction]]) -> int:
    """By elimination, in exact numbers."""
    left, rank = [list(row) for row in rows], 0
    for column in range(len(left[0]) if left else 0):
        pivot = next((n for n in range(rank, len(left)) if left[n][column]), None)
        if pivot is None:
            continue
        left[rank], left[pivot] = left[pivot], left[rank]
        for n in range(rank + 1, len(left)):
            if factor := left[n][column] / left[rank][column]:
                left[n] = [x - factor * y for x, y in zip(left[n], left[rank], strict=True)]
        rank += 1
    return rank
