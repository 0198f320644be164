"""What so many subjects can find, in sentences: before the first run, and in the report. Pure; slow the first time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from elenchus.debate_engine.protocols.rulegen.study.differences import FEW_TO_CLAIM
from elenchus.debate_engine.protocols.rulegen.study.factor_interactions import FEWEST_SHARES
from elenchus.debate_engine.protocols.rulegen.study.means import FEW
from elenchus.debate_engine.protocols.rulegen.study.power import (
    ALPHA,
    balanced,
    least_p,
    margin_of,
    smallest_change,
    smallest_crossed,
    smallest_crossed_shares,
    smallest_d_z,
    smallest_difference,
    smallest_g,
    smallest_margin,
)
from elenchus.debate_engine.reports.words import count, listed
from elenchus.debate_engine.scenes.contrasts import Contrast, by_default, kind_of, strata_of
from elenchus.debate_engine.scenes.design import Design
from elenchus.debate_engine.scenes.outcome import UnreadableRule, is_yes_or_no
from elenchus.debate_engine.scenes.plan import Plan

MOST_TOLD = 3
"""Contrasts that are told one by one beforehand; of more the least and the greatest."""


def gives_shares(outcome: str) -> bool:
    """Whether what comes out is yes or no: by the rule, or (without one) by what judges see."""
    try:
        return not outcome or is_yes_or_no(outcome)
    except UnreadableRule:
        return True


def beforehand(plan: Plan, outcome: str, versions: Design | Sequence[str], asked: int, subjects: int = 1) -> list[str]:
    """What the planned number of subjects can find, and what `asked` runs a version of each of `subjects` can.

    Where people come one by one (`asked` is 0) the second is not told. What the design cannot do
    is said in their place.
    """
    design = versions if isinstance(versions, Design) else Design.between(versions)
    design = design if outcome else design.of_whole_runs()
    contrasts = plan.contrasts or by_default(design.cells)
    shares, names = gives_shares(outcome), design.versions
    if len(design.cells) < 2:
        return ["One version is played: nothing is compared, and no effect can be found."]
    told = []
    if plan.n is not None and plan.n < len(names):
        told.append(f"{count(plan.n, 'subject')} are planned for {len(names)} versions: some stay empty.")
    elif plan.n is not None:
        n = _shared_out(plan.n, names)
        told.append(_told(f"As planned, {count(plan.n, 'subject')}", contrasts, design, n, shares=shares))
    if not asked:
        return told
    total = f"As asked for, {count(asked * len(names), 'run')}{' of each subject' if subjects > 1 else ''}"
    told.append(_told(total, contrasts, design, dict.fromkeys(names, asked), shares=shares))
    return told


def _shared_out(n: int, versions: Sequence[str]) -> dict[str, int]:
    """As many a version as can be, the first ones one more."""
    return {version: n // len(versions) + (place < n % len(versions)) for place, version in enumerate(versions)}


def _told(who: str, contrasts: Sequence[Contrast], design: Design, n: Mapping[str, int], *, shares: bool) -> str:
    sizes = sorted({*n.values()})
    total = f"{who} ({' or '.join(map(str, sizes))} a version)"
    tests = len(contrasts)
    found = [
        (one, metric_of(one, design, shares=shares), smallest_of(one, group_sizes(one, design, n), design,
                                                                 shares=shares, tests=tests))
        for one in contrasts
    ]  # fmt: skip
    can = [(one, metric, size) for one, metric, size in found if size is not None]

    def why(lost: Sequence[Contrast]) -> str:
        sizes_of = ((one, group_sizes(one, design, n)) for one in lost)
        return "; ".join(dict.fromkeys(too_few(one, of, design, shares=shares, tests=tests) for one, of in sizes_of))

    if not can:
        return f"{total}: {why(contrasts)}."
    if len(can) > MOST_TOLD and len({metric for _, metric, _ in can}) == 1:
        least, most = (end(size for _, _, size in can) for end in (min, max))
        ends = dict.fromkeys(in_words(size, can[0][1]) for size in (least, most))
        parts = [f"{' to '.join(ends)}, by contrast"]
    else:
        parts = [f"{_claim(one)}{in_words(size, metric)} in {one}" for one, metric, size in can]
    lost = [one for one, _, size in found if size is None]
    rest = f" {count(len(lost), 'contrast')}: {why(lost)}." if lost else ""
    corrected = f", at a level of 0.05/{tests} (Holm)" if tests > 1 else ""
    return f"{total} find with a power of 0.8{corrected}: {listed(parts)}.{rest}"


def _claim(contrast: Contrast) -> str:
    return "no difference within " if contrast.expect == "same" else ""


def group_sizes(contrast: Contrast, design: Design, n: Mapping[str, int]) -> tuple[int, ...]:
    """So many subjects in each of the groups that are compared; `n` are those of each version."""
    by_cell = {
        cell: sum(n.get(version, 0) for version, met in design.met.items() if cell in dict(met).values())
        for cell in design.cells
    }
    sizes = [[by_cell[group.cells[0][0]] for group in groups] for groups in strata_of(contrast, design)]
    return tuple(map(sum, zip(*sizes, strict=True))) or (0, 0)


# ── the smallest difference that is found ────────────────────────────────────────────────────────────────────────────

METRICS = {
    "points": "points (from 50 %)",
    "points of change": "points (from 50 %, the two answers of a subject unrelated)",
    "points of interaction": "points between the two differences (all shares near 50 %)",
    "sd": "standard deviations",
    "sd of differences": "standard deviations of the differences",
}
"""In what a difference is given, and how that is said."""


def metric_of(contrast: Contrast, design: Design, *, shares: bool) -> str:
    """In what of `METRICS` the smallest difference of a contrast is given."""
    kind = kind_of(contrast, design)
    plain = shares and _is_plain(contrast, design)
    if kind == "within":
        return "points of change" if plain else "sd of differences"
    if kind in ("interaction within", "interaction mixed"):
        return "sd of differences"
    if kind == "interaction between":
        return "points of interaction" if plain else "sd"
    return "points" if plain else "sd"


def _is_plain(contrast: Contrast, design: Design) -> bool:
    """Whether no mean is taken over several levels that a subject meets."""
    most = 2 if kind_of(contrast, design) == "within" else 1
    return all(len(group.cells) <= most for groups in strata_of(contrast, design) for group in groups)


def smallest_of(
    contrast: Contrast, sizes: Sequence[int], design: Design, *, shares: bool, tests: int = 1
) -> float | None:
    """The smallest difference that groups of these sizes find with a power of 0.8, in its metric; where none is
    expected the smallest margin. Of `tests` tests the first of Holm's levels. None where `too_few` says why.
    """
    metric, alpha = metric_of(contrast, design, shares=shares), ALPHA / max(tests, 1)
    of_shares, same = metric.startswith("points"), contrast.expect == "same"
    if _too_few(contrast, sizes, design, alpha, of_shares=of_shares):
        return None
    if len(sizes) == 4:
        return _smallest_crossed(sizes, alpha, of_shares=of_shares, same=same)
    if len(sizes) == 1:
        return _smallest_change(sizes[0], alpha, of_shares=of_shares, same=same)
    n = balanced(*sizes)
    if same:
        return _below(smallest_margin(n, 0.5 if of_shares else 1.0, alpha), 1.0 if of_shares else None)
    return smallest_difference(n, alpha=alpha) if of_shares else smallest_g(n, alpha)


def too_few(contrast: Contrast, sizes: Sequence[int], design: Design, *, shares: bool, tests: int = 1) -> str:
    """Why of groups of these sizes no smallest difference is told; the same arguments as `smallest_of`."""
    of_shares = metric_of(contrast, design, shares=shares).startswith("points")
    why = _too_few(contrast, sizes, design, ALPHA / max(tests, 1), of_shares=of_shares)
    return why or "too few, as not even the greatest difference is found with a power of 0.8"


def _too_few(contrast: Contrast, sizes: Sequence[int], design: Design, alpha: float, *, of_shares: bool) -> str:
    if len(sizes) == 4 or not all(sizes):
        return ""
    if contrast.expect == "same":
        return "" if of_shares or min(sizes) >= FEW else FEW_TO_CLAIM
    if not of_shares and min(sizes) >= FEW:
        return ""
    least = least_p(sizes, len(strata_of(contrast, design)))
    if least < alpha:
        return "" if of_shares else "fewer than five on a side: of their exact test no power is told"
    return f"no test at {alpha:.3g} is possible, as the exact p of so few is {least:.2g} at the least"


def _below(margin: float | None, most: float | None) -> float | None:
    """A margin; None of one within which any two shares lie."""
    return margin if margin is None or most is None or margin < most else None


def _smallest_crossed(sizes: Sequence[int], alpha: float, *, of_shares: bool, same: bool) -> float | None:
    if min(sizes) < (FEWEST_SHARES if of_shares else FEW):
        return None
    if same:
        margin = margin_of((0.5 if of_shares else 1.0) * sum(1 / n for n in sizes) ** 0.5, alpha)
        return _below(margin, 2.0 if of_shares else None)
    return (smallest_crossed_shares if of_shares else smallest_crossed)(sizes, alpha)


def _smallest_change(n: int, alpha: float, *, of_shares: bool, same: bool) -> float | None:
    if same:  # of shares of one half that are unrelated every other subject answers differently at the two
        margin = margin_of((0.5**0.5 if of_shares else 1.0) / n**0.5, alpha) if n >= 2 else None
        return _below(margin, 1.0 if of_shares else None)
    return smallest_change(n, alpha=alpha) if of_shares else smallest_d_z(n, alpha)


def in_words(size: float, metric: str) -> str:
    """A difference in words."""
    return f"{100 * size:.0f} {METRICS[metric]}" if metric.startswith("points") else f"{size:.2f} {METRICS[metric]}"


def empty_versions(versions: Sequence[str], analysed: Mapping[str, int]) -> Iterator[str]:
    """In one sentence each: what the data cannot carry."""
    empty = [version for version in versions if not analysed.get(version)]
    if len(empty) == len(versions):
        yield "Nobody can be analysed yet: there is no result."
    elif empty:
        yield f"Nobody is analysed in {listed(empty)}: what needs it is not compared."
    if len(versions) == 1:
        yield "There is one version alone: nothing is compared."
