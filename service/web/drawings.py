"""Small drawings of pages, as numbers for templates: a heat gauge, heat and quality by stage, votes, faces. Pure.

Templates make SVG of them: no style attribute is needed, which the policy of the pages would not let through.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from elenchus.debate_engine.protocols.cognition.report import marks

WIDTH, HEIGHT = 320, 150
LEFT, RIGHT, TOP, BOTTOM = 22, 22, 12, 24
"""The plot's size and margins, in its own units."""

LOWEST, HIGHEST = 1.0, 10.0
"""Γ's scale."""


def polygon(corners: int, middle: float, radius: float) -> str:
    """The corners of a face's shape as SVG has them; "" for a disc."""
    if not corners:
        return ""
    turn = math.pi / 2 if corners % 4 else math.pi / corners
    angles = [turn + 2 * math.pi * k / corners for k in range(corners)]
    return " ".join(f"{middle + radius * math.cos(a):.1f},{middle - radius * math.sin(a):.1f}" for a in angles)


@dataclass(frozen=True, slots=True)
class Point:
    """A stage in the plot: its heat (0–1) and its Γ (1–10), None where there is none (yet)."""

    name: str
    heat: float | None = None
    quality: float | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a stage stands: its column, the top of its heat's bar, its Γ's height; None where it has none."""

    point: Point
    x: float
    heat_y: float | None
    quality_y: float | None


@dataclass(frozen=True, slots=True)
class Plot:
    """The plot in its own units; `line` joins the readings of Γ that follow each other, gaps between."""

    marks: Sequence[Mark]
    bar: float
    lines: Sequence[str]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    floor: int = HEIGHT - BOTTOM


def plot(points: Sequence[Point]) -> Plot:
    """Heat as bars, Γ as a line, over the same stages."""
    room, depth = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    step = room / max(1, len(points))

    def mark(n: int, point: Point) -> Mark:
        heat = None if point.heat is None else TOP + depth * (1 - point.heat)
        share = None if point.quality is None else (point.quality - LOWEST) / (HIGHEST - LOWEST)
        quality = None if share is None else TOP + depth * (1 - share)
        return Mark(point, round(LEFT + step * (n + 0.5), 1), _rounded(heat), _rounded(quality))

    marks = [mark(n, point) for n, point in enumerate(points)]
    return Plot(marks, round(min(36.0, step * 0.6), 1), _lines(marks))


def _lines(marks: Sequence[Mark]) -> list[str]:
    """The points of each unbroken line."""
    lines: list[list[str]] = [[]]
    for mark in marks:
        if mark.quality_y is None:
            lines.append([])
        else:
            lines[-1].append(f"{mark.x},{mark.quality_y}")
    return [" ".join(line) for line in lines if len(line) > 1]


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)


def gauge(value: float, width: int = 200) -> float:
    """Where the mark of a heat (0–1) stands on a bar of this width."""
    return round(min(1.0, max(0.0, value)) * width, 1)


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a bar of votes: where it begins, how wide it is, in hundredths; how many votes."""

    name: str
    start: float
    width: float
    votes: int


def tally(counts: Mapping[str, int]) -> list[Share]:
    """Votes side by side, those that somebody gave."""
    total, start, shares = sum(counts.values()), 0.0, []
    for name, votes in counts.items():
        if votes:
            width = 100 * votes / total
            shares.append(Share(name, round(start, 2), round(width, 2), votes))
            start += width
    return shares


@dataclass(frozen=True, slots=True)
class Interval:
    """A difference with its interval on a line of 200 around no difference at all, which stands at 100; `end` is how
    great a difference is at 192, in three figures.
    """

    low: float
    high: float
    middle: float | None
    end: float


def interval(low: float | None, high: float | None, difference: float | None) -> Interval | None:
    """How a difference is drawn; None where its interval is not known."""
    if low is None or high is None:
        return None
    farthest = max(abs(low), abs(high), 1e-9)
    middle = None if difference is None else round(100 + 92 * difference / farthest, 1)
    end = float(f"{farthest:.3g}")
    return Interval(round(100 + 92 * low / farthest, 1), round(100 + 92 * high / farthest, 1), middle, end)


@dataclass(frozen=True, slots=True)
class Dot:
    """A rating in its place."""

    x: float
    y: float
    rating: int


@dataclass(frozen=True, slots=True)
class AttitudePlot:
    """Ratings of one opinion over iterations, a persona's and people's; lines join readings that follow each other."""

    own: Sequence[Dot]
    own_lines: Sequence[str]
    people: Sequence[Dot]
    people_lines: Sequence[str]
    steps: Sequence[tuple[int, float]]
    """Ratings with the height of their line."""
    ticks: Sequence[tuple[int, float]]
    """Iterations with their column."""
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT


def attitudes(
    own: Sequence[tuple[int, int | None]], people: Sequence[tuple[int, int | None]], last: int
) -> AttitudePlot:
    """Ratings from 1 to 5 over iterations from 0 to `last`; None is no rating, and a gap."""
    depth = HEIGHT - TOP - BOTTOM
    heights = {rating: round(TOP + depth * (5 - rating) / 4, 1) for rating in range(1, 6)}

    def column(iteration: int) -> float:
        return round(LEFT + 8 + (WIDTH - LEFT - RIGHT - 16) * iteration / max(1, last), 1)

    def drawn(points: Sequence[tuple[int, int | None]]) -> tuple[list[Dot], list[str]]:
        lines: list[list[Dot]] = [[]]
        for iteration, rating in points:
            if rating is None:
                lines.append([])
            else:
                lines[-1].append(Dot(column(iteration), heights[rating], rating))
        joined = [" ".join(f"{dot.x},{dot.y}" for dot in line) for line in lines if len(line) > 1]
        return [dot for line in lines for dot in line], joined

    ticks = [(one, column(one)) for one in marks(last)]
    return AttitudePlot(*drawn(own), *drawn(people), list(heights.items()), ticks)
