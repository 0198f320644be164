"""The comparisons that a scene's file names: of levels between subjects, of levels within them, and interactions. Pure.

A contrast compares patterns of cells, `high/* - none/*`: a level for each factor, in the order in which the file names
them, `*` for any. What stands under `*` on all sides is a stratum where it varies between subjects (like is compared
with like, and nothing that differs between strata enters); where it varies within them a subject's mean is taken. An
interaction is a difference of differences: `(much/plenty - much/none) - (little/plenty - little/none)`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import zip_longest
from typing import Literal, NamedTuple

from pydantic import Field, model_validator

from elenchus.debate_engine.scenes.design import Design
from elenchus.debate_engine.scenes.values import Line, Value

Expected = Literal["greater", "less", "different", "same"]
Kind = Literal["between", "within", "interaction between", "interaction within", "interaction mixed"]
"""Between: other subjects on each side. Within: the same ones. Mixed: of the factor inside the brackets and the one
between them, one varies within subjects and one between."""

ANY = "*"
_MINUS = " - "
_CROSSED = re.compile(r"\((.+) - (.+)\) - \((.+) - (.+)\)")
_SIGNS = {2: (1, -1), 4: (1, -1, -1, 1)}


class UnreadableContrast(ValueError):
    """A contrast that names no groups to compare; the message says what to write."""


class Group(NamedTuple):
    """Subjects between whom and others it is compared. Each has a number: its outcomes in `cells` by their weights.

    The contrast is the sum of the groups' means, each with its `sign`.
    """

    sign: int
    cells: tuple[tuple[str, float], ...]


class Contrast(Value):
    """Two groups or levels, or two differences, and what is expected of the first against the second.

    `same` is a claim too: the two differ by less than `margin`, in the outcome's own unit (a share: from 0 to 1).
    """

    compare: Line
    expect: Expected = "different"
    margin: float | None = Field(None, gt=0)

    @model_validator(mode="after")
    def _has_margin(self) -> Contrast:
        if self.expect == "same" and self.margin is None:
            raise ValueError(f"“{self.compare}” claims no difference: say within which `margin`")
        return self

    @property
    def sides(self) -> tuple[str, ...]:
        """The patterns: two, or of an interaction four."""
        crossed = _CROSSED.fullmatch(self.compare)
        parts = crossed.groups() if crossed else (self.compare.partition(_MINUS)[0], self.compare.partition(_MINUS)[2])
        return tuple(part.strip() for part in parts)

    @property
    def is_interaction(self) -> bool:
        """Whether it is a difference of differences."""
        return len(self.sides) == 4

    @property
    def one(self) -> str:
        """The first of what is compared: a pattern, or a difference of two."""
        return f"({self.sides[0]} − {self.sides[1]})" if self.is_interaction else self.sides[0]

    @property
    def other(self) -> str:
        """The second, "" where there is none."""
        return f"({self.sides[2]} − {self.sides[3]})" if self.is_interaction else self.sides[1]

    def __str__(self) -> str:
        return f"{self.one} − {self.other}"


def check(contrast: Contrast, design: Design) -> None:
    """Raises UnreadableContrast where it compares nothing that the scene has."""
    text, cells, patterns = contrast.compare, design.cells, [side.split("/") for side in contrast.sides]
    if not all(contrast.sides) or not cells:
        cells = cells or ("", "")
        raise UnreadableContrast(f"“{text}” compares no two versions: write {cells[0]} - {cells[-1]}")
    width = len(cells[0].split("/"))
    if wrong := next((parts for parts in patterns if len(parts) != width), None):
        named = f" ({', '.join(design.factors)})" if design.factors else ""
        levels = f"{len(wrong)} level{'' if len(wrong) == 1 else 's'}"
        there = "is 1 factor" if width == 1 else f"are {width} factors"
        raise UnreadableContrast(
            f"“{'/'.join(wrong)}” in “{text}” names {levels} where there {there}{named}: write a level or * for each, "
            "in this order"
        )
    sides = [[cell for cell in cells if matches(cell, side)] for side in contrast.sides]
    if not all(sides):
        lost = next(side for side, found in zip(contrast.sides, sides, strict=True) if not found)
        raise UnreadableContrast(f"“{text}” compares no two versions: nothing is {lost}; there is {', '.join(cells)}")
    if len({cell for side in sides for cell in side}) < sum(map(len, sides)):
        raise UnreadableContrast(f"“{text}” compares a version with itself")
    if any(ANY in parts and {*parts} != {ANY} for parts in zip(*patterns, strict=True)):
        raise UnreadableContrast(f"“{text}” compares what differs in more than the factors it names")
    if contrast.is_interaction and _crossed(patterns) != (1, 1):
        raise UnreadableContrast(
            f"“{text}” is no difference of differences: write (a/x - b/x) - (a/y - b/y), one factor inside the "
            "brackets and one between them"
        )


def _crossed(patterns: Sequence[Sequence[str]]) -> tuple[int, int]:
    """How many factors differ inside the brackets, and how many between them; any more where one does otherwise."""
    inside = between = 0
    for a, b, c, d in zip(*patterns, strict=True):
        if a == b == c == d:
            continue
        inside += (a, b) == (c, d)
        between += (a, c) == (b, d)
        if (a, b) != (c, d) and (a, c) != (b, d):
            return 9, 9
    return inside, between


def by_default(cells: Sequence[str]) -> tuple[Contrast, ...]:
    """Without contrasts in the file: each version against the last."""
    return tuple(Contrast(compare=f"{cell}{_MINUS}{cells[-1]}") for cell in cells[:-1])


def matches(cell: str, pattern: str) -> bool:
    """Whether a cell is of a pattern."""
    parts = zip_longest(cell.split("/"), pattern.split("/"))
    return all(wanted in (ANY, level) for level, wanted in parts)


def strata_of(contrast: Contrast, design: Design) -> list[tuple[Group, ...]]:
    """The groups that are compared, stratum by stratum; none where it compares nothing that the design has.

    One group: subjects with themselves. Two: other subjects. Four: the interaction of two factors between subjects.
    """
    patterns = [side.split("/") for side in contrast.sides]
    free = [n for n, parts in enumerate(zip(*patterns, strict=False)) if {*parts} == {ANY} and not design.varies(n)]
    found: dict[tuple[str, ...], list[list[str]]] = defaultdict(lambda: [[] for _ in patterns])
    for cell in design.cells:
        levels = cell.split("/")
        side = next((k for k, pattern in enumerate(contrast.sides) if matches(cell, pattern)), None)
        if side is not None:
            found[tuple(levels[n] for n in free if n < len(levels))][side].append(cell)
    strata = [_groups(sides, design) for sides in found.values() if all(sides)]
    return [groups for groups in strata if groups] if all(strata) else []


def _groups(sides: Sequence[Sequence[str]], design: Design) -> tuple[Group, ...]:
    """Sides that the same subjects meet are one group; () where a side is of several groups."""
    signs, met = _SIGNS[len(sides)], [{design.group(cell) for cell in side} for side in sides]
    if any(len(groups) > 1 for groups in met):
        return ()
    found: dict[tuple[str, ...], list[tuple[int, Sequence[str]]]] = defaultdict(list)
    for sign, side, (group,) in zip(signs, sides, met, strict=True):
        found[group].append((sign, side))
    if len(found) == 3:
        return ()
    return tuple(
        Group(own[0][0], tuple((cell, own[0][0] * sign / len(side)) for sign, side in own for cell in side))
        for own in found.values()
    )


def kind_of(contrast: Contrast, design: Design) -> Kind:
    """What is compared with what; of what compares nothing as its form has it."""
    groups = len(next(iter(strata_of(contrast, design)), ()))
    if not contrast.is_interaction:
        return "within" if groups == 1 else "between"
    return {1: "interaction within", 2: "interaction mixed"}.get(groups, "interaction between")  # type: ignore[return-value]
