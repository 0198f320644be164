"""What of people's answers may be told: of those who met one version together, groups of fewer than five merged, and
answers in bars of at least five. Pure.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from statistics import median

from elenchus.debate_engine.protocols.rulegen.study.words import number
from elenchus.debate_engine.scenes.design import Design
from elenchus.service.lab.classes.publication import LEAST, Bar, Group

Values = Sequence[bool | float]
Parts = tuple[str, ...]
"""The levels of a cell that vary between subjects."""

FEW = f"fewer than {LEAST}"
TOO_FEW_TO_SPLIT = f"too few to be told apart by what they said: {FEW} of them said the one or the other"


def groups_of(by_cell: Mapping[str, Values], design: Design, unit: str = "") -> tuple[Group, ...]:
    """What came out, by groups of cells of which each has five people or more; none where there are fewer in all.

    Everybody is in one group of each level that is met within subjects, so that no sum can be taken apart.
    """
    counts: dict[Parts, int] = {}
    for cell, values in by_cell.items():
        arm = design.group(cell)
        counts[arm] = max(counts.get(arm, 0), len(values))
    shared = _partition(counts)
    levels = list(dict.fromkeys(_level(cell, design) for cell in by_cell))
    found: list[Group] = []
    pool = [float(x) for values in by_cell.values() for x in values if not isinstance(x, bool)]
    edges = edges_of(pool)
    for (name, arms), level in ((one, level) for one in shared for level in levels):
        cells = tuple(c for c in by_cell if design.group(c) in arms and _level(c, design) == level)
        values = [value for cell in cells for value in by_cell[cell]]
        found.append(group_of("/".join(part for part in (name, level) if part), cells, values, edges, unit))
    return tuple(found)


def _level(cell: str, design: Design) -> str:
    return "/".join(level for n, level in enumerate(cell.split("/")) if design.varies(n))


# ── which cells are told of together ─────────────────────────────────────────────────────────────────────────────────


def _partition(counts: Mapping[Parts, int]) -> list[tuple[str, frozenset[Parts]]]:
    """Arms, shared out among groups of five or more: by all factors, else by fewer, else small ones merged."""
    there = {arm: n for arm, n in counts.items() if n}
    if sum(there.values()) < LEAST:
        return []
    width = len(next(iter(there)))
    subsets = [kept for size in range(width, 0, -1) for kept in combinations(range(width), size)]
    for kept in subsets:
        groups = _by_parts(there, kept)
        if len(groups) > 1 and all(n >= LEAST for _, n in groups.values()):
            return [(name, arms) for name, (arms, _) in groups.items()]
    return _merged(_by_parts(there, (0,) if width else ()))


def _by_parts(there: Mapping[Parts, int], kept: Sequence[int]) -> dict[str, tuple[frozenset[Parts], int]]:
    found: dict[str, tuple[frozenset[Parts], int]] = {}
    for arm, n in there.items():
        name = "/".join(arm[part] for part in kept)
        arms, so_far = found.get(name, (frozenset(), 0))
        found[name] = arms | {arm}, so_far + n
    return found


def _merged(groups: Mapping[str, tuple[frozenset[Parts], int]]) -> list[tuple[str, frozenset[Parts]]]:
    """The groups below five together, with the smallest of the others where they are still too few."""
    order = list(groups)
    small = [name for name in order if groups[name][1] < LEAST]
    large = sorted((name for name in order if name not in small), key=lambda name: groups[name][1])
    while small and sum(groups[name][1] for name in small) < LEAST:
        small.append(large.pop(0))
    small.sort(key=order.index)
    kept = [(name, groups[name][0]) for name in order if name in large]
    whole = not kept
    joined = "" if whole else " or ".join(small)
    return [*kept, *([(joined, frozenset().union(*(groups[name][0] for name in small)))] if small else [])]


# ── what came out in a group ─────────────────────────────────────────────────────────────────────────────────────────


def group_of(name: str, cells: tuple[str, ...], values: Values, edges: Sequence[float], unit: str) -> Group:
    """A group with what came out in it, in bars."""
    n = len(values)
    if values and all(isinstance(value, bool) for value in values):
        return _of_shares(name, cells, sum(map(bool, values)), n)
    numbers = [float(value) for value in values]
    mean = None if rests_on_few(numbers) else three(sum(numbers) / n)
    bars = bars_of(numbers, edges, unit)
    return Group(name=name, cells=cells, n=n, mean=mean, median=three(median(numbers)), bars=bars)


def rests_on_few(numbers: Sequence[float]) -> bool:
    """Whether fewer than five answers make the mean: without those farthest out, it moves as far as the others span.

    So it is where one has said a million and all others some thousands, and where all but one have said 0. Five others
    are to be left, in a group of five four: where these say the same, of the few no more is told than of yes and no.
    """
    middle, mean = median(numbers), sum(numbers) / len(numbers)
    ordered = sorted(numbers, key=lambda x: abs(x - middle))
    for few in range(1, max(2, min(LEAST, len(numbers) - LEAST + 1))):
        others = ordered[:-few]
        if others and abs(mean - sum(others) / len(others)) >= max(others) - min(others):
            return True
    return False


def _of_shares(name: str, cells: tuple[str, ...], yes: int, n: int) -> Group:
    """Of yes and no a count below five is told as that, and the other as no more than what follows from it."""
    if n < 2 * LEAST:
        return Group(name=name, cells=cells, n=n, why=TOO_FEW_TO_SPLIT)
    counts = {"yes": yes, "no": n - yes}
    if min(counts.values()) >= LEAST:
        bars = tuple(Bar(label=label, told=str(k), n=k) for label, k in counts.items())
        return Group(name=name, cells=cells, n=n, share=yes / n, bars=bars)
    rough = {label: FEW if k < LEAST else f"more than {n - LEAST}" for label, k in counts.items()}
    return Group(name=name, cells=cells, n=n, bars=tuple(Bar(label=label, told=told) for label, told in rough.items()))


def edges_of(numbers: Sequence[float]) -> list[float]:
    """Edges of bars for all groups alike: the tenths of all that was said, as numbers of two figures."""
    ordered = sorted(numbers)
    if not ordered:
        return []
    tenths = [ordered[len(ordered) * k // 10] for k in range(1, 10)]
    return sorted({float(f"{x:.2g}") for x in tenths} - {ordered[0]})


def bars_of(numbers: Sequence[float], edges: Sequence[float], unit: str = "") -> tuple[Bar, ...]:
    """How many lie between the edges, neighbours merged until each bar has five; the outermost are open, so that
    nobody's own number shows.
    """
    bounds: list[float | None] = [None, *edges, None]
    bars: list[tuple[float | None, float | None, int]] = []
    begin, count = bounds[0], 0
    for low, high in pairwise(bounds):
        count += sum((low is None or x >= low) and (high is None or x < high) for x in numbers)
        if count >= LEAST:
            bars.append((begin, high, count))
            begin, count = high, 0
    if bars:
        low, _, n = bars.pop()  # what is left over belongs to the last
        bars.append((low, None, n + count))
    return tuple(Bar(label=_label(low, high, unit), told=str(n), low=low, high=high, n=n) for low, high, n in bars)


def _label(low: float | None, high: float | None, unit: str) -> str:
    match low, high:
        case None, None:
            return "all"
        case None, float(high):
            return f"below {number(high, unit)}"
        case float(low), None:
            return f"{number(low, unit)} or more"
        case float(low), float(high):
            return f"{number(low)} to below {number(high, unit)}"
    return ""


def three(x: float) -> float:
    """Three figures: more would only tell of single answers."""
    return float(f"{x:.3g}")


def by_cell(outcomes: Sequence[Mapping[str, bool | float | None]]) -> dict[str, list[bool | float]]:
    """What came out by cell, of people with what each met."""
    found: dict[str, list[bool | float]] = defaultdict(list)
    for one in outcomes:
        for cell, value in one.items():
            if value is not None:
                found[cell].append(value)
    return dict(found)
