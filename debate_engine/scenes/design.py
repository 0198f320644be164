"""What each subject meets: the cells of a design, and the orders in which those within subjects are met. Pure.

The orders are those of E. J. Williams, *Aust. J. Chem.* 2 (1949) 149–168: each level stands equally often at each
position, and equally often next after each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from elenchus.debate_engine.scenes.factors import Levels
from elenchus.debate_engine.scenes.values import Value


class Design(Value):
    """`cells` are the combinations of levels, each named as `low/gain`, in the order of the file's `factors`.

    `within` says of each part of a cell's name whether it varies within subjects (nothing does where it is empty).
    `met` are, by the name of a version, the cells that its subject meets, in this order: each with what its level is
    called in the names of measures, "" where a subject meets one alone.
    """

    cells: tuple[str, ...]
    factors: tuple[str, ...] = ()
    within: tuple[bool, ...] = ()
    met: dict[str, tuple[tuple[str, str], ...]]

    @classmethod
    def between(cls, versions: Sequence[str], factors: Sequence[str] = ()) -> Design:
        """Each subject meets one version alone."""
        found = tuple(dict.fromkeys(versions))
        return cls(cells=found, factors=tuple(factors), met={name: (("", name),) for name in found})

    @property
    def versions(self) -> tuple[str, ...]:
        """The names of what is played, the order of what varies within subjects among them."""
        return tuple(self.met)

    @property
    def has_within(self) -> bool:
        """Whether a subject meets several cells."""
        return any(self.within)

    def varies(self, part: int) -> bool:
        """Whether a part of a cell's name varies within subjects."""
        return self.within[part] if part < len(self.within) else False

    def group(self, cell: str) -> tuple[str, ...]:
        """The levels of a cell that vary between subjects: of the same ones, the same subjects."""
        return tuple(level for n, level in enumerate(cell.split("/")) if not self.varies(n))

    @property
    def groups(self) -> dict[tuple[str, ...], tuple[str, ...]]:
        """By levels between subjects: the cells that these subjects meet."""
        found: dict[tuple[str, ...], tuple[str, ...]] = {}
        for cell in self.cells:
            found[self.group(cell)] = (*found.get(self.group(cell), ()), cell)
        return found

    def only(self, versions: Sequence[str]) -> Design:
        """What is met in these versions."""
        met = {version: cells for version, cells in self.met.items() if version in versions}
        there = {cell for cells in met.values() for _, cell in cells}
        return self.model_copy(update={"met": met, "cells": tuple(cell for cell in self.cells if cell in there)})

    def of_whole_runs(self) -> Design:
        """What is told once of a whole run, as judges do: `*` in the place of what varies within subjects."""
        if not self.has_within:
            return self

        def whole(cell: str) -> str:
            return "/".join("*" if self.varies(n) else level for n, level in enumerate(cell.split("/")))

        met: dict[str, tuple[tuple[str, str], ...]]
        met = {version: (("", whole(cells[0][1])),) for version, cells in self.met.items()}
        return Design(cells=tuple(dict.fromkeys(map(whole, self.cells))), factors=self.factors, met=met)


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
