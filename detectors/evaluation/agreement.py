"""How well a judge agrees with people's labels, and with itself. Pure; every figure is defined here.

An item has one or more human labels and one or more answers of the judge (its repeats), each yes (the bias is there),
no, or None (not readable, or unfounded: no label). Each repeat is compared with the majority of the people; a tie is no
majority, and such an item is left out and counted. The majority of the repeats is another judge, a better one than any
that was asked: its figures stand apart. Repeats of an item hang together, so that intervals come from items, never from
answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import StatisticsError, correlation, fmean

from pydantic import Field

from elenchus.debate_engine.events import FrozenModel
from elenchus.detectors.evaluation.intervals import Estimate, Share, bootstrapped, share

Labels = tuple[bool | None, ...]


class Compared(FrozenModel):
    """One item: what people said of it and what the judge said."""

    item: str
    human: Labels
    judge: Labels


class RepeatFigures(FrozenModel):
    """One repeat against the majority of the people, over the items of which both are known (`items`)."""

    items: int
    accuracy: float | None
    pearson: float | None
    kappa: float | None


class RepeatRange(FrozenModel):
    """A figure of a single repeat: its mean over the repeats, and the least and the greatest of them.

    The mean has a bootstrap interval over items, each with all its repeats.
    """

    mean: Estimate
    least: float | None
    greatest: float | None


class RaterAgreement(FrozenModel):
    """Fleiss' κ among several who labelled the same items: over the `items` that all `labels` of them labelled."""

    items: int
    labels: int
    kappa: Estimate


class Agreement(FrozenModel):
    """The figures over `items` items. First what one repeat is worth, then what their majority is.

    - `each`: every repeat. `single`: by `accuracy`, `pearson` and `kappa`, their mean and range over the repeats.
    - `between`: Fleiss' κ between the repeats. `raters`: the same between the people.
    - `accuracy`: the share of items on which the judge's majority is the humans' (Wilson's interval).
    - `pearson`: Pearson's r between the share of yes among the humans and the judge's majority, over items.
    - `kappa`: Cohen's κ between the two majorities.
    - `repeats`: over the items with two or more readable answers, the mean share of pairs of repeats that agree.
    - `left_out`: items without a majority on either side. `unread`: answers of the judge that could not be read;
      `unfounded`: such as said yes by words that do not stand in what was judged.
    """

    items: int
    each: tuple[RepeatFigures, ...] = ()
    single: Mapping[str, RepeatRange] = Field(default_factory=dict)
    between: RaterAgreement | None = None
    raters: RaterAgreement | None = None
    accuracy: Share
    pearson: Estimate
    kappa: Estimate
    repeats: Estimate
    left_out: int
    unread: int
    unfounded: int = 0


def agreement_of(items: Sequence[Compared], seed: int, unfounded: int = 0) -> Agreement:
    """All figures, those without Wilson's interval with a seeded bootstrap over items."""
    pairs = [pair for item in items if (pair := _majorities(item)) is not None]
    repeats = max((len(item.judge) for item in items), default=0)
    return Agreement(
        items=len(items),
        each=tuple(_repeat_figures(items, n) for n in range(repeats)),
        single={name: range_over_repeats(items, name, repeats, seed) for name in FIGURES},
        between=rater_agreement([item.judge for item in items], seed),
        raters=rater_agreement([item.human for item in items], seed),
        accuracy=share(sum(human == judge for human, judge in pairs), len(pairs)),
        pearson=bootstrapped([p for item in items if (p := _share_and_majority(item)) is not None], pearson, seed),
        kappa=bootstrapped(pairs, kappa, seed),
        repeats=bootstrapped([a for item in items if (a := within(item.judge)) is not None], _mean, seed),
        left_out=len(items) - len(pairs),
        unread=sum(answer is None for item in items for answer in item.judge) - unfounded,
        unfounded=unfounded,
    )


# ── one repeat ───────────────────────────────────────────────────────────────────────────────────────────────────

FIGURES = ("accuracy", "pearson", "kappa")


def _repeat_figures(items: Sequence[Compared], n: int) -> RepeatFigures:
    """The figures of the n-th repeat, from 0."""
    figures = {name: figure_of(items, name, n) for name in FIGURES}
    return RepeatFigures(items=sum(_answered(item, n) is not None for item in items), **figures)


def figure_of(items: Sequence[Compared], name: str, n: int) -> float | None:
    """One figure of the n-th repeat (from 0) against the people; None where it is not defined.

    Pearson's r is between the people's shares of yes and the repeat's answers: φ, where they have one label an item.
    """
    known = [(item, pair) for item in items if (pair := _answered(item, n)) is not None]
    match name:
        case "accuracy":
            return fmean(human == judge for _, (human, judge) in known) if known else None
        case "kappa":
            return kappa([pair for _, pair in known])
    return pearson([(_yes(item.human) or 0.0, float(judge)) for item, (_, judge) in known])


def range_over_repeats(items: Sequence[Compared], name: str, repeats: int, seed: int) -> RepeatRange:
    """A figure over the repeats; the mean is over those in which it is defined."""

    def mean(of: Sequence[Compared]) -> float | None:
        return _mean([figure for n in range(repeats) if (figure := figure_of(of, name, n)) is not None])

    values = [figure for n in range(repeats) if (figure := figure_of(items, name, n)) is not None]
    return RepeatRange(
        mean=bootstrapped(items, mean, seed), least=min(values, default=None), greatest=max(values, default=None)
    )


def _answered(item: Compared, n: int) -> tuple[bool, bool] | None:
    """The people's majority and the n-th answer; None where one of the two is not there."""
    human, judge = majority(item.human), item.judge[n] if n < len(item.judge) else None
    return None if human is None or judge is None else (human, judge)


def rater_agreement(labelled: Sequence[Labels], seed: int) -> RaterAgreement | None:
    """Fleiss' κ among those who gave these labels; None where no item has two labels."""
    most = max((len(labels) for labels in labelled), default=0)
    if most < 2:
        return None
    whole = [labels for labels in labelled if len(labels) == most and None not in labels]
    return RaterAgreement(items=len(whole), labels=most, kappa=bootstrapped(whole, fleiss, seed))


def fleiss(labelled: Sequence[Labels]) -> float | None:
    """Fleiss' κ (Psychol. Bull. 76, 1971), by statsmodels; None where nothing is there, or all say one thing of all."""
    table = [[labels.count(True), labels.count(False)] for labels in labelled]
    if not table or any(not sum(row[side] for row in table) for side in (0, 1)):
        return None
    from statsmodels.stats.inter_rater import fleiss_kappa  # type: ignore[import-untyped]

    return float(fleiss_kappa(table))


# ── the majority, and what the figures are made of ───────────────────────────────────────────────────────────────


def majority(labels: Labels) -> bool | None:
    """What most readable labels say; None for a tie or nothing readable."""
    yes, no = labels.count(True), labels.count(False)
    return None if yes == no else yes > no


def within(labels: Labels) -> float | None:
    """The share of pairs of readable labels that are the same; None for fewer than two."""
    pairs = list(combinations([label for label in labels if label is not None], 2))
    return fmean(one == other for one, other in pairs) if pairs else None


def kappa(pairs: Sequence[tuple[bool, bool]]) -> float | None:
    """Cohen's κ = (p − e) / (1 − e), p the observed agreement, e that by chance from both sides' own frequencies.

    None where there is nothing, or where both sides say the same one thing of everything (e = 1).
    """
    if not pairs:
        return None
    first, second = fmean(a for a, _ in pairs), fmean(b for _, b in pairs)
    by_chance = first * second + (1 - first) * (1 - second)
    observed = fmean(a == b for a, b in pairs)
    return None if by_chance == 1 else (observed - by_chance) / (1 - by_chance)


def pearson(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Pearson's correlation; None for fewer than two pairs, or where one side never varies."""
    if len(pairs) < 2:
        return None
    try:
        return correlation([x for x, _ in pairs], [y for _, y in pairs])
    except StatisticsError:
        return None


def _majorities(item: Compared) -> tuple[bool, bool] | None:
    human, judge = majority(item.human), majority(item.judge)
    return None if human is None or judge is None else (human, judge)


def _share_and_majority(item: Compared) -> tuple[float, float] | None:
    human, judge = _yes(item.human), majority(item.judge)
    return None if human is None or judge is None else (human, float(judge))


def _yes(labels: Labels) -> float | None:
    read = [label for label in labels if label is not None]
    return fmean(read) if read else None


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None
