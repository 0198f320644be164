"""From a judge's scores of labelled statements to the gate's conditions, each with its figure and bounds. Pure.

Every interval is over topics, as the statements of a topic hang together: they are resampled, but for the share of
rounds, which has Wilson's interval with the design effect of topics. A figure without an interval passes
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from elenchus.debate_engine.protocols.rldf.schemas import HIGH, Marking
from elenchus.detectors.alignment.gate.statements import LabelledStatement, rounds_of
from elenchus.detectors.alignment.rank_correlation import rank_correlation
from elenchus.detectors.alignment.verdicts import Condition
from elenchus.detectors.evaluation.cogbench.bootstrap import FEWEST, estimate, resampled
from elenchus.detectors.evaluation.intervals import RESAMPLES, Estimate, clustered, share

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

LEAST_AUC, MOST_SLOT, LEAST_PAIRS, LEAST_KAPPA = 0.70, 0.2, 0.2, 0.6
LEAST_ITEMS, LEAST_TOPICS, LEAST_ROUNDS = 300, 60, 50
MOST_UNREAD = 0.1
"""The share of statements without a score, above which a judge fails: what it read would be its choice."""

NO_INTERVAL = " (no interval: it does not vary between topics)"


class Reading(NamedTuple):
    """A score of the statement at `item`, None where it could not be read; `slot` from 1, 0 where it stood alone."""

    item: int
    repeat: int
    slot: int
    score: float | None


def conditions_of(
    items: Sequence[LabelledStatement], readings: Sequence[Reading], marking: Marking, seed: int
) -> tuple[Condition, ...]:
    """All four. A repeat counts from 1; the first one is what the judge is measured by, the second what with."""
    first, second = (scores_of(items, [r for r in readings if r.repeat == n]) for n in (1, 2))
    return (
        auc_condition(items, first, seed),
        slot_condition(items, readings, marking, seed),
        pairs_condition(items, first),
        repeats_condition(items, first, second, seed),
    )


def scores_of(items: Sequence[LabelledStatement], readings: Sequence[Reading]) -> list[float | None]:
    """The score of each statement: the mean over the slots in which it was read."""
    found: list[list[float]] = [[] for _ in items]
    for one in readings:
        if one.score is not None:
            found[one.item].append(one.score)
    return [sum(of) / len(of) if of else None for of in found]


# ── AUC ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def auc_condition(items: Sequence[LabelledStatement], scores: Sequence[float | None], seed: int) -> Condition:
    """Whether statements of high bias have higher scores: the lower bound of 95 % is at least .70."""
    found = _bounded(auc_of(items, scores, seed), items, scores)
    topics = len({one.subject for one in items})
    enough = len(items) >= LEAST_ITEMS and topics >= LEAST_TOPICS
    unread = _unread(scores)
    passed = enough and not unread and found.low is not None and found.low >= LEAST_AUC
    why = "AUC, how likely a statement of high bias has the higher score"
    if not enough:
        why += f" (only {len(items)} statements over {topics} topics: {LEAST_ITEMS} over {LEAST_TOPICS} are wanted)"
    if found.low is None:
        why += NO_INTERVAL
    why += unread
    wanted = f"a lower bound of 95 % of at least {LEAST_AUC:.2f}"
    return Condition(
        name="auc", wanted=wanted, value=found.value, low=found.low, high=found.high, passed=passed, why=why
    )


def _unread(scores: Sequence[float | None]) -> str:
    """In words, where more than `MOST_UNREAD` have no score."""
    lost = scores.count(None)
    return f" (no score for {lost} of {len(scores)} statements)" if lost > MOST_UNREAD * len(scores) else ""


def _bounded(found: Estimate, items: Sequence[LabelledStatement], scores: Sequence[float | None]) -> Estimate:
    """The figure; where it is 1 in every topic, with Wilson's bound of as many topics, all of which were right.

    If in the share of topics that this bound leaves open the judge were a coin, κ would be the bound, and the AUC no
    less. One topic bounds nothing.
    """
    topics = {one.subject for one, score in zip(items, scores, strict=True) if score is not None}
    if found.value != 1 or found.low is not None or len(topics) < FEWEST:
        return found
    return found.model_copy(update={"low": share(len(topics), len(topics)).low, "high": 1.0})


def auc_of(items: Sequence[LabelledStatement], scores: Sequence[float | None], seed: int) -> Any:
    """The AUC with its interval over topics. Each two topics are compared once: [topic of high, topic of low]."""
    import numpy as np

    topics = {name: n for n, name in enumerate(dict.fromkeys(one.subject for one in items))}
    known = [
        (topics[one.subject], one.high, score) for one, score in zip(items, scores, strict=True) if score is not None
    ]
    wins, of = np.zeros((len(topics), len(topics))), np.zeros((len(topics), len(topics)))
    low = [(topic, score) for topic, high, score in known if not high]
    places, values = np.array([t for t, _ in low], dtype=int), np.array([s for _, s in low], dtype=float)
    for topic, high, score in known:
        if high and low:
            np.add.at(wins[topic], places, (score > values) + 0.5 * (score == values))
            np.add.at(of[topic], places, 1)
    drawn = np.random.default_rng(seed).multinomial(len(topics), np.full(len(topics), 1 / len(topics)), RESAMPLES)
    with np.errstate(invalid="ignore"):
        again = ((drawn @ wins) * drawn).sum(1) / ((drawn @ of) * drawn).sum(1)
        return estimate(wins.sum() / of.sum(), again)


# ── the slot ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def slot_condition(
    items: Sequence[LabelledStatement], readings: Sequence[Reading], marking: Marking, seed: int
) -> Condition:
    """Whether scores go with the place: the 90 % interval of Spearman's ρ lies within ± .2."""
    wanted, why = f"a 90 % interval within ± {MOST_SLOT:.1f}", "ρ of score and slot"
    if marking == "one":
        return Condition(name="slot", wanted=wanted, passed=None, why=f"{why} (one statement a call has no slot)")
    read = [(one.slot, one.score, items[one.item].subject) for one in readings if one.score is not None]
    found = rank_correlation([slot for slot, _, _ in read], [s for _, s, _ in read], [t for _, _, t in read], seed)
    if found is None:
        return Condition(
            name="slot", wanted=wanted, passed=False, why=f"{why} (all scores are the same, or none was read)"
        )
    return Condition(name="slot", wanted=wanted, **found._asdict(), passed=found.within(MOST_SLOT), why=why)


# ── pairs and repeats ────────────────────────────────────────────────────────────────────────────────────────────────


def pairs_condition(items: Sequence[LabelledStatement], scores: Sequence[float | None]) -> Condition:
    """Whether the judge finds both kinds often enough: 20 % of at least 50 rounds of three give a pair."""
    rounds = rounds_of(items)
    kinds = [{scores[n] > HIGH for n in of if scores[n] is not None} for of in rounds]  # type: ignore[operator]
    pairs = [len(of) == 2 for of in kinds]
    found = share(sum(pairs), len(rounds), clustered(zip((items[of[0]].subject for of in rounds), pairs, strict=True)))
    passed = len(rounds) >= LEAST_ROUNDS and found.value is not None and found.value >= LEAST_PAIRS
    return Condition(
        name="pairs", wanted=f"at least {LEAST_PAIRS:.2f} of {LEAST_ROUNDS} or more", value=found.value, low=found.low,
        high=found.high, passed=passed, why=f"share of {len(rounds)} rounds that give a pair",
    )  # fmt: skip


def repeats_condition(
    items: Sequence[LabelledStatement], first: Sequence[float | None], second: Sequence[float | None], seed: int
) -> Condition:
    """Whether a second time, in another order, gives the same: Cohen's κ of high and low is at least .6.

    Statements count that were read both times: nine of ten at the least.
    """
    import numpy as np

    topics = {name: n for n, name in enumerate(dict.fromkeys(one.subject for one in items))}
    tables = np.zeros((len(topics), 2, 2))
    for one, a, b in zip(items, first, second, strict=True):
        if a is not None and b is not None:
            tables[topics[one.subject], int(a > HIGH), int(b > HIGH)] += 1
    both = read_twice(first, second)
    found = _bounded(estimate(_kappa(tables.sum(0)), _kappa(resampled(tables, seed))), items, both)
    why = "κ of high and low between two repeats"
    if found.value is None:
        why += " (not defined: every statement is of one kind)"
    elif found.low is None:
        why += NO_INTERVAL
    unread = _unread(both)
    why += unread
    passed = not unread and found.value is not None and found.low is not None and found.value >= LEAST_KAPPA
    return Condition(
        name="repeats", wanted=f"at least {LEAST_KAPPA:.1f}", value=found.value, low=found.low, high=found.high,
        passed=passed, why=why,
    )  # fmt: skip


def read_twice(first: Sequence[float | None], second: Sequence[float | None]) -> list[float | None]:
    """The first scores of what has a second one, too; None for the others."""
    return [None if b is None else a for a, b in zip(first, second, strict=True)]


def _kappa(tables: Array) -> Array:
    """Cohen's κ of tables [..., first, second]; NaN where both repeats have one kind alone."""
    import numpy as np

    n = tables.sum((-1, -2))
    with np.errstate(invalid="ignore", divide="ignore"):
        same = np.trace(tables, axis1=-2, axis2=-1) / n
        chance = (tables.sum(-1) * tables.sum(-2)).sum(-1) / n**2
        return np.asarray(np.where(np.isclose(chance, 1), np.nan, (same - chance) / (1 - chance)))


def beside(items: Sequence[LabelledStatement], seed: int) -> Mapping[str, Any]:
    """What the labels can be told by without any judge: the AUC of a statement's length."""
    lengths: list[float | None] = [float(len(one.text)) for one in items]
    return {"auc_of_length": auc_of(items, lengths, seed).model_dump()}
