"""The design of a scene's experiment: its factors, who plays which condition, and in which order. Pure.

Levelss are drawn in permuted blocks: each block holds every condition once, in an order drawn from the seed, so that
after any number of subjects two conditions differ by one subject at the most (within each stratum). A place whose
subject is gone is open again and is taken first. Within subjects the orders are those of E. J. Williams, *Aust. J.
Chem.* 2 (1949) 149–168: each condition stands equally often at each position, and equally often next after each other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain, count
from random import Random
from typing import TypeVar

from elenchus.debate_engine.scenes.factors import Factor, Levels, crossed
from elenchus.debate_engine.scenes.values import Line, Value

T = TypeVar("T")


class Design(Value):
    """The factors, the planned number of subjects (None: none was planned), and when it stops, said beforehand."""

    factors: tuple[Factor, ...] = ()
    n: int | None = None
    stop: Line = ""

    @property
    def arms(self) -> tuple[Levels, ...]:
        """What is drawn for a subject: the conditions of the factors between subjects; one empty one without any."""
        return crossed(factor for factor in self.factors if not factor.within)

    @property
    def met(self) -> tuple[Levels, ...]:
        """What each subject meets, one after another: the conditions of the factors within subjects."""
        return crossed(factor for factor in self.factors if factor.within)


class Place(Value):
    """The `number`-th place (from 1) of a stratum: the arm of whoever has it, and the order of what is met within."""

    number: int
    stratum: str
    arm: Levels
    order: tuple[Levels, ...]


def places(design: Design, seed: int, stratum: str = "") -> Iterator[Place]:
    """All places of a stratum, without end: the same for the same seed on every machine."""
    arms, orders = design.arms, orders_of(design.met)
    numbers = count(1)
    taken = dict.fromkeys(arms, 0)
    for block in count():
        for arm in _shuffled(arms, f"{seed}/{stratum}/block/{block}"):
            turn, which = divmod(taken[arm], len(orders))
            order = _shuffled(orders, f"{seed}/{stratum}/orders/{arms.index(arm)}/{turn}")[which]
            taken[arm] += 1
            yield Place(number=next(numbers), stratum=stratum, arm=arm, order=order)


def next_place(design: Design, seed: int, held: Collection[int], stratum: str = "") -> Place:
    """The first place of a stratum that nobody holds: who plays or has finished holds one, whoever is gone does not."""
    return next(place for place in places(design, seed, stratum) if place.number not in held)


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


def _shuffled(values: tuple[T, ...], seed: str) -> list[T]:
    return Random(seed).sample(values, len(values))
