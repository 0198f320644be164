"""How groups of cases differ, by what they are: other subjects, the same subjects, or four groups. Pure; slow at first.

What comes out is yes or no, or a number. A mean over several levels of yes and no, or a difference of them, is a number
too, of which a point is 0.01. What the data cannot carry is said in one sentence, and has no p.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.rulegen.study import factor_interactions, paired
from elenchus.debate_engine.protocols.rulegen.study.cases import Case, Sample
from elenchus.debate_engine.protocols.rulegen.study.means import (
    FEW,
    MeanDifference,
    are_few,
    equivalent_means,
    means_apart,
)
from elenchus.debate_engine.protocols.rulegen.study.paired import OrderCheck
from elenchus.debate_engine.protocols.rulegen.study.shares import Difference, equivalent_shares, p_apart, shares_apart
from elenchus.debate_engine.protocols.rulegen.study.statistics import Equivalence
from elenchus.debate_engine.scenes.contrasts import Group


class EstimatedDifference(FrozenModel):
    """A difference: of `shares`, or of `means`; `equivalent` where none is claimed, `why` what keeps it from being
    told. `changed`: of subjects with themselves, how many said yes at the first alone, and at the second alone.
    """

    strata: int = 0
    shares: Difference | None = None
    means: MeanDifference | None = None
    equivalent: Equivalence | None = None
    changed: tuple[float, float] | None = None
    order: OrderCheck | None = None
    why: str = ""


ALIKE = "all say the same: there is nothing to be told apart"
NO_CHANGE = "all answer alike at both: there is nothing to be told apart"
NO_SPREAD = "no number varies: there is no spread to measure a difference by"
SAME_CHANGE = "all differ by the same: there is no spread to measure it by"
TWO_EACH = "with one alone in a group, an effect and chance cannot be told apart"
FEW_TO_CLAIM = "fewer than five on a side are too few to claim that nothing differs"
FEW_SHARES = "fewer than fifteen in a group are too few to test an interaction of shares"
FEW_NUMBERS = "fewer than five in a group are too few to test an interaction"


def of_shares(strata: Sequence[Sequence[Sample]], margin: float | None) -> EstimatedDifference:
    """Two or four groups of other subjects, in each stratum of which there is somebody; a `margin` claims none."""
    shares = [[sample.share for sample in stratum] for stratum in strata]
    alike = all(sum(of.k for of in groups) in (0, sum(of.n for of in groups)) for groups in shares)
    two = len(shares[0]) == 2
    pairs = [(groups[0], groups[1]) for groups in shares]
    apart = shares_apart(pairs) if two else factor_interactions.shares_crossed(shares)
    update: dict[str, object] = {"shares": apart, "strata": len(strata)}
    if alike:
        update |= {"shares": apart.model_copy(update={"p": None}), "why": ALIKE}
    elif not two and factor_interactions.are_too_few(shares):
        update["why"] = FEW_SHARES
    if margin is not None and not (why := beyond(margin, 1 if two else 2)):
        equal = (
            equivalent_shares(pairs, margin) if two else factor_interactions.equivalent_crossed_shares(shares, margin)
        )
        update["equivalent"] = equal
    elif margin is not None:
        update["why"] = why
    return EstimatedDifference.model_validate(update)


def beyond(margin: float, most: int) -> str:
    """Why nothing is claimed by a margin within which all shares lie, or all differences of their differences."""
    if margin < most:
        return ""
    what = "shares" if most == 1 else "differences of shares"
    return f"any two {what} lie within a margin of {most}: nothing is claimed"


def of_numbers(strata: Sequence[Sequence[Sample]], margin: float | None) -> EstimatedDifference:
    """The same of numbers."""
    numbers = [[sample.numbers for sample in stratum] for stratum in strata]
    enough = [groups for groups in numbers if min(map(len, groups)) > 1]
    if len(numbers[0]) == 4:
        return _of_four(enough, margin)
    pairs = [(groups[0], groups[1]) for groups in enough]
    means = means_apart(pairs)
    update: dict[str, object] = {"means": means, "strata": len(enough)}
    if not enough:
        update["why"] = TWO_EACH
    elif means.t is None:
        update["why"] = NO_SPREAD
    elif margin is not None and are_few(pairs):
        update["why"] = FEW_TO_CLAIM
    if margin is not None:
        update["equivalent"] = equivalent_means(pairs, margin)
    return EstimatedDifference.model_validate(update)


def _of_four(enough: Sequence[Sequence[Sequence[float]]], margin: float | None) -> EstimatedDifference:
    means = factor_interactions.means_crossed(enough)
    why = TWO_EACH if not enough else NO_SPREAD if means.t is None else FEW_NUMBERS if means.p is None else ""
    equal = None if margin is None else factor_interactions.equivalent_crossed_means(enough, margin)
    return EstimatedDifference(strata=len(enough), means=means, equivalent=equal, why=why)


# ── subjects with themselves ─────────────────────────────────────────────────────────────────────────────────────────

Within = Sequence[tuple[Group, Sequence[Case]]]
"""By stratum: what each subject's difference is made of, and the subjects that met all of it."""


def of_pairs(strata: Within, margin: float | None) -> EstimatedDifference:
    """Subjects at the one level and at the other, of yes or no; one sample, whatever stratum they are of."""
    by: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for cluster, group, case in _clustered(strata):
        (one, _), (other, _) = group.cells
        by[cluster].append((bool(case.outcomes[one]), bool(case.outcomes[other])))
    answers = list(by.values())
    apart = paired.shares_within(answers)
    why = NO_CHANGE if apart.p is None else ""
    equal = None
    if margin is not None:
        why = beyond(margin, 1)
        equal = None if why else paired.equivalent_within(answers, margin)
    return EstimatedDifference(strata=1, shares=apart, changed=paired.discordant(answers), equivalent=equal, why=why)


def of_differences(strata: Within, margin: float | None) -> EstimatedDifference:
    """The same of numbers: one difference a subject, or a difference of differences."""
    sample = Sample((cluster, float(case.score(group.cells))) for cluster, group, case in _clustered(strata))
    means = paired.means_within(sample.numbers)
    equal = None if margin is None else paired.equivalent_differences(sample.numbers, margin)
    why = ""
    if means.t is None:
        why = SAME_CHANGE if len(sample.numbers) > 1 else _ONE
    elif margin is not None and len(sample.numbers) < FEW:
        why = FEW_TO_CLAIM
    return EstimatedDifference(strata=1, means=means, equivalent=equal, why=why)


def _clustered(strata: Within) -> Iterator[tuple[str, Group, Case]]:
    """Each case with what it hangs together with: subjects of different strata (two models) never do."""
    for stratum, (group, cases) in enumerate(strata):
        for number, case in enumerate(cases):
            yield f"{stratum}: {case.cluster or number}", group, case


_ONE = "one subject alone met all of it: two are needed"


def order_of(strata: Within, *, pairs: bool) -> OrderCheck | None:
    """The difference by what was met first, within strata; None where all met the same first."""
    sides = [(group, *_by_first(group, cases)) for group, cases in strata]
    both = [(group, first, other) for group, first, other in sides if first and other]
    if not both:
        return None
    n = (sum(len(first) for _, first, _ in sides), sum(len(other) for _, _, other in sides))
    firsts, others = [(group, first) for group, first, _ in both], [(group, other) for group, _, other in both]
    p, drawn = _effect_by_order(both, pairs=pairs)
    sums = means_apart(_enough([tuple(_numbers(group, side, total=True) for side in (a, b)) for group, a, b in both]))
    return OrderCheck(
        n=n,
        differences=(_mean_of(firsts), _mean_of(others)),
        p=p,
        drawn=drawn,
        carry_over=sums.p,
        carry_over_drawn=sums.drawn,
    )


def _by_first(group: Group, cases: Sequence[Case]) -> tuple[list[Case], list[Case]]:
    """Who met a cell of the first side before any of the second, and who did not."""
    signs = dict(group.cells)
    first: tuple[list[Case], list[Case]] = ([], [])
    for case in cases:
        met = next(cell for cell in case.outcomes if signs.get(cell))
        first[signs[met] < 0].append(case)
    return first


def _effect_by_order(
    both: Sequence[tuple[Group, Sequence[Case], Sequence[Case]]], *, pairs: bool
) -> tuple[float | None, bool]:
    """Whether the difference is another, of yes and no by who changed which way: p, and whether it was drawn."""
    if not pairs:
        found = means_apart(_enough([tuple(_numbers(group, side) for side in (a, b)) for group, a, b in both]))
        return found.p, found.drawn
    return p_apart([(_changes(group, a).share, _changes(group, b).share) for group, a, b in both]), False


def _changes(group: Group, cases: Sequence[Case]) -> Sample:
    """Of those who answered differently at the two: whether the first was the yes."""
    scores = [(case.cluster, case.score(group.cells)) for case in cases]
    return Sample((cluster, score > 0) for cluster, score in scores if score)


def _numbers(group: Group, cases: Sequence[Case], *, total: bool = False) -> list[float]:
    cells = tuple((cell, abs(weight) / 2) for cell, weight in group.cells) if total else group.cells
    return Sample((case.cluster, float(case.score(cells))) for case in cases).numbers


def _enough(strata: Sequence[tuple[list[float], ...]]) -> list[tuple[list[float], list[float]]]:
    return [(one, other) for one, other in strata if min(len(one), len(other)) > 1]


def _mean_of(strata: Sequence[tuple[Group, Sequence[Case]]]) -> float | None:
    numbers = [x for group, cases in strata for x in _numbers(group, cases)]
    return sum(numbers) / len(numbers) if numbers else None
