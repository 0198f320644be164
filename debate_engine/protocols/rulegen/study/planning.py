"""What so many subjects can find, in sentences: before the first run, and in the report. Pure; slow the first time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from elenchus.debate_engine.protocols.rulegen.study.power import (
    ALPHA,
    balanced,
    smallest_difference,
    smallest_g,
    smallest_margin,
)
from elenchus.debate_engine.reports.words import count, listed
from elenchus.debate_engine.scenes.contrasts import Contrast, by_default, strata_of
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


def beforehand(plan: Plan, outcome: str, versions: Sequence[str], asked: int, subjects: int = 1) -> list[str]:
    """What the planned number of subjects can find, and what `asked` runs a version of each of `subjects` can.

    Where people come one by one (`asked` is 0) the second is not told. What the design cannot do
    is said in their place.
    """
    contrasts = plan.contrasts or by_default(versions)
    shares = gives_shares(outcome)
    if len(versions) < 2:
        return ["One version is played: nothing is compared, and no effect can be found."]
    told = []
    if plan.n is not None and plan.n < len(versions):
        told.append(f"{count(plan.n, 'subject')} are planned for {len(versions)} versions: some stay empty.")
    elif plan.n is not None:
        n = _shared_out(plan.n, versions)
        told.append(_told(f"As planned, {count(plan.n, 'subject')}", contrasts, n, shares=shares))
    if not asked:
        return told
    total = f"As asked for, {count(asked * len(versions), 'run')}{' of each subject' if subjects > 1 else ''}"
    told.append(_told(total, contrasts, dict.fromkeys(versions, asked), shares=shares))
    return told


def _shared_out(n: int, versions: Sequence[str]) -> dict[str, int]:
    """As many a version as can be, the first ones one more."""
    return {version: n // len(versions) + (place < n % len(versions)) for place, version in enumerate(versions)}


def _told(who: str, contrasts: Sequence[Contrast], n: Mapping[str, int], *, shares: bool) -> str:
    sizes = sorted({*n.values()})
    total = f"{who} ({' or '.join(map(str, sizes))} a version)"
    found = [(one, smallest_of(one, *group_sizes(one, n), shares=shares, tests=len(contrasts))) for one in contrasts]
    can = [(one, size) for one, size in found if size is not None]
    if not can:
        return f"{total}: too few, as not even the greatest difference is found with a power of 0.8."
    if len(can) > MOST_TOLD:
        least, most = min(size for _, size in can), max(size for _, size in can)
        ends = dict.fromkeys((in_words(least, shares=shares), in_words(most, shares=shares)))
        parts = [f"{' to '.join(ends)}, by contrast"]
    else:
        parts = [f"{_claim(one)}{in_words(size, shares=shares)} in {one}" for one, size in can]
    rest = f" {count(len(found) - len(can), 'contrast')} can find nothing." if len(can) < len(found) else ""
    corrected = f", at a level of 0.05/{len(contrasts)} (Holm)" if len(contrasts) > 1 else ""
    return f"{total} find with a power of 0.8{corrected}: {listed(parts)}.{rest}"


def _claim(contrast: Contrast) -> str:
    return "no difference within " if contrast.expect == "same" else ""


def group_sizes(contrast: Contrast, n: Mapping[str, int]) -> tuple[int, int]:
    """So many subjects in each of the two groups, of versions that are compared."""
    pairs = strata_of(contrast, list(n))
    return sum(n[one] for one, _ in pairs), sum(n[other] for _, other in pairs)


def smallest_of(contrast: Contrast, one: int, other: int, *, shares: bool, tests: int = 1) -> float | None:
    """The smallest difference (of shares from one half, or in standard deviations) that two groups of this size find
    with a power of 0.8; where none is expected the smallest margin. Of `tests` tests the first of Holm's levels.
    """
    n, alpha = balanced(one, other), ALPHA / max(tests, 1)
    if contrast.expect == "same":
        return smallest_margin(n, 0.5 if shares else 1.0, alpha)
    return smallest_difference(n, alpha=alpha) if shares else smallest_g(n, alpha)


def in_words(size: float, *, shares: bool) -> str:
    """A difference in words."""
    return f"{100 * size:.0f} points (from 50 %)" if shares else f"{size:.2f} standard deviations"


def empty_versions(versions: Sequence[str], analysed: Mapping[str, int]) -> Iterator[str]:
    """In one sentence each: what the data cannot carry."""
    empty = [version for version in versions if not analysed.get(version)]
    if len(empty) == len(versions):
        yield "Nobody can be analysed yet: there is no result."
    elif empty:
        yield f"Nobody is analysed in {listed(empty)}: what needs it is not compared."
    if len(versions) == 1:
        yield "There is one version alone: nothing is compared."
