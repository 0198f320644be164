"""The gate's conditions: counted again by others' code, passed by a judge that deserves it, failed by each fault."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import spearmanr  # type: ignore[import-untyped]
from sklearn.metrics import cohen_kappa_score, roc_auc_score  # type: ignore[import-untyped]

from elenchus.debate_engine.protocols.rldf.schemas import Marking
from elenchus.detectors.alignment.gate.asking import GateConfig, verdict_of
from elenchus.detectors.alignment.gate.conditions import Reading, auc_of, conditions_of, pairs_condition
from elenchus.detectors.alignment.gate.linear import fitted, logistic, readings_of, score_of
from elenchus.detectors.alignment.gate.statements import LabelledStatement, read_statements, rounds_of
from elenchus.detectors.alignment.verdicts import Condition

ITEMS = read_statements()


def items(topics: int, each: int = 4) -> list[LabelledStatement]:
    return [
        LabelledStatement(text=f"{t} {n}", bias="age", topic=f"topic {t}", style="plain", high=n % 2 == 0)
        for t in range(topics)
        for n in range(each)
    ]


def readings(slot_pull: float = 0.0, noise: float = 1.0, shift: float = 0.0, unread: float = 0.0) -> list[Reading]:
    """A judge that scores 7 for high and 1 for low, with chance, a liking for late slots, and answers that are lost."""
    chance, found = Random(1), []
    for repeat in (1, 2):
        for of in rounds_of(ITEMS):
            for turn in range(3):
                for slot in (1, 2, 3):
                    n = of[(slot + turn) % 3]
                    score = (7 if ITEMS[n].high else 1) + shift + slot_pull * (slot - 2) + chance.gauss(0, noise)
                    found.append(
                        Reading(n, repeat, slot, None if chance.random() < unread else min(10, max(0, round(score))))
                    )
    return found


def named(found: tuple[Condition, ...]) -> dict[str, Condition]:
    return {of.name: of for of in found}


def ended(given: list[Reading], marking: Marking = "all") -> dict[str, bool | None]:
    return {name: of.passed for name, of in named(conditions_of(ITEMS, given, marking, 0)).items()}


def test_a_judge_that_deserves_it_passes() -> None:
    assert ended(readings()) == {"auc": True, "slot": True, "pairs": True, "repeats": True}


def test_each_fault_fails_its_own_condition() -> None:
    assert ended(readings(slot_pull=3))["slot"] is False
    assert ended(readings(noise=30))["auc"] is False
    assert ended(readings(noise=30))["repeats"] is False
    assert ended(readings(shift=3))["pairs"] is False, "everything is above 3: no round gives a pair"
    assert ended(readings(shift=3))["auc"] is True, "and the order is right all the same"
    assert ended(readings(unread=0.8))["auc"] is False


def test_with_one_statement_a_call_there_is_no_slot_and_the_rest_counts() -> None:
    alone = [one._replace(slot=0) for one in readings()]
    assert ended(alone, "one") == {"auc": True, "slot": None, "pairs": True, "repeats": True}


def test_a_judge_that_says_the_same_of_everything_fails_all() -> None:
    same = [one._replace(score=5) for one in readings()]
    assert ended(same) == {"auc": False, "slot": False, "pairs": False, "repeats": False}
    nothing = [one._replace(score=None) for one in readings()]
    assert ended(nothing) == {"auc": False, "slot": False, "pairs": False, "repeats": False}


@pytest.mark.parametrize("repeat", [1, 2])
def test_a_repeat_that_was_hardly_read_passes_neither_the_auc_nor_kappa(repeat: int) -> None:
    """Two of 360 were read: what they say is the judge's choice."""
    given = [one if one.repeat != repeat or one.item in {0, 2} else one._replace(score=None) for one in readings()]
    found = named(conditions_of(ITEMS, given, "all", 0))
    assert found["repeats"].passed is False
    assert "no score for 358 of 360 statements" in found["repeats"].why
    assert found["auc"].passed is (repeat == 2)


def test_what_either_repeat_did_not_read_is_unread() -> None:
    """A twentieth each, of different statements: together a tenth, which is just not too much; one more is."""
    cfg = GateConfig(judge="scripted:x", items=tuple(ITEMS), version="0")
    good = [Reading(n, repeat, 0, 8.0 if of.high else 0.0) for repeat in (1, 2) for n, of in enumerate(ITEMS)]
    for lost, passed in ((36, True), (37, False)):
        given = [
            one._replace(score=None) if one.item < lost and one.item % 2 + 1 == one.repeat else one for one in good
        ]
        verdict = verdict_of(cfg, given, datetime(2026, 1, 1, tzinfo=UTC))
        assert (verdict.unread, named(verdict.conditions)["repeats"].passed) == (lost, passed)


def test_a_figure_without_an_interval_passes_nothing() -> None:
    """The interval is over topics; on one alone, said to be sixty or not, nothing varies."""
    one = items(1, 360)
    good = [Reading(n, repeat, 0, 8.0 if of.high else 0.0) for repeat in (1, 2) for n, of in enumerate(one)]
    found = named(conditions_of(one, good, "one", 0))
    assert (found["auc"].value, found["auc"].passed, found["repeats"].passed) == (1, False, False)
    same = [Reading(n, repeat, 0, 5.0) for repeat in (1, 2) for n in range(len(ITEMS))]
    assert "no interval" in named(conditions_of(ITEMS, same, "one", 0))["auc"].why


def test_a_judge_without_a_fault_has_the_bound_of_as_many_topics() -> None:
    """Wilson's of 60 of 60: a judge that is right on all of them may err on the next."""
    good = [Reading(n, repeat, 0, 8.0 if of.high else 0.0) for repeat in (1, 2) for n, of in enumerate(ITEMS)]
    found = named(conditions_of(ITEMS, good, "one", 0))
    for name in ("auc", "repeats"):
        assert (found[name].value, found[name].high, found[name].passed) == (1, 1, True)
        assert found[name].low == pytest.approx(0.940, abs=0.001)


def test_too_few_statements_topics_or_rounds_pass_nothing() -> None:
    few = items(20, 6)
    good = [Reading(n, repeat, 0, 8.0 if one.high else 0.0) for repeat in (1, 2) for n, one in enumerate(few)]
    found = named(conditions_of(few, good, "one", 0))
    assert (found["auc"].passed, found["pairs"].passed, found["repeats"].passed) == (False, False, True)
    assert "only 120 statements over 20 topics" in found["auc"].why


@given(st.lists(st.sampled_from([0.0, 1.0, 3.0, 4.0, 9.0, None]), min_size=24, max_size=24))
@settings(max_examples=40)
def test_the_auc_is_that_of_scikit_learn(scores: list[float | None]) -> None:
    found = items(6)
    known = [(one.high, score) for one, score in zip(found, scores, strict=True) if score is not None]
    value = auc_of(found, scores, 0).value
    if len({high for high, _ in known}) < 2:
        assert value is None
    else:
        assert value == pytest.approx(roc_auc_score([high for high, _ in known], [score for _, score in known]))


def test_the_interval_of_the_auc_is_over_topics() -> None:
    """In half of the topics the judge is right, in the other half wrong: with 10 topics that says nothing."""
    found = items(10, 40)
    scores: list[float | None] = [
        float(one.high == (int(one.topic.split()[1]) % 2 == 0)) + int(one.topic.split()[1]) % 2 * 0.0 for one in found
    ]
    of = auc_of(found, scores, 0)
    assert of.low is not None
    assert of.high is not None
    assert of.high - of.low > 0.4, "over 400 statements it would be less than 0.12"


def test_the_interval_of_the_share_of_rounds_is_over_topics() -> None:
    """In half of the topics each round gives a pair, in the other half none: 20 topics, not 820 rounds."""
    found = items(20, 123)
    scores = [8.0 if one.high and int(one.topic.split()[1]) % 2 else 1.0 for one in found]
    of = pairs_condition(found, scores)
    assert (of.value, of.why) == (0.5, "share of 820 rounds that give a pair")
    assert of.low is not None
    assert of.high is not None
    assert of.high - of.low > 0.3, "over 820 rounds it would be 0.07"


def test_correlation_and_kappa_are_those_of_others() -> None:
    given = readings(slot_pull=1, noise=3)
    found = named(conditions_of(ITEMS, given, "all", 0))
    read = [one for one in given if one.score is not None]
    rho = spearmanr([one.slot for one in read], [one.score for one in read]).statistic
    assert found["slot"].value == pytest.approx(rho)
    kinds: dict[int, list[list[float]]] = {}
    for one in read:
        kinds.setdefault(one.item, [[], []])[one.repeat - 1].append(float(one.score or 0))
    pairs = [(np.mean(a) > 3, np.mean(b) > 3) for a, b in kinds.values()]
    expected = cohen_kappa_score([a for a, _ in pairs], [b for _, b in pairs])
    assert found["repeats"].value == pytest.approx(expected)


# ── the linear head ──────────────────────────────────────────────────────────────────────────────────────────────────


def vectors(found: list[LabelledStatement], separation: float) -> np.ndarray:
    chance = np.random.default_rng(3)
    high = np.array([one.high for one in found], float)
    return np.column_stack([separation * (2 * high - 1), 0 * high]) + chance.normal(size=(len(found), 2))


def test_the_regression_is_that_of_scikit_learn() -> None:
    from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

    found = items(30)
    x, y = vectors(found, 0.7), np.array([one.high for one in found], float)
    weights, bias = logistic(x, y, 2.0)
    theirs = LogisticRegression(C=1 / 2.0, tol=1e-8).fit(x, y)
    assert weights == pytest.approx(theirs.coef_[0], abs=1e-3)
    assert bias == pytest.approx(theirs.intercept_[0], abs=1e-3)


@pytest.mark.slow
def test_a_head_on_vectors_that_tell_finds_it_and_on_others_does_not() -> None:
    found = items(12)
    by_item = {(r.repeat, r.item): r.score for r in readings_of(found, vectors(found, 2.0), 0)}
    assert sorted(by_item) == [(repeat, n) for repeat in (1, 2) for n in range(len(found))]
    assert auc_of(found, [by_item[1, n] for n in range(len(found))], 0).value > 0.9
    empty = {(r.repeat, r.item): r.score for r in readings_of(found, vectors(found, 0.0), 0)}
    assert abs(auc_of(found, [empty[1, n] for n in range(len(found))], 0).value - 0.5) < 0.3


@pytest.mark.slow
def test_what_is_learnt_of_a_topic_is_not_used_on_it() -> None:
    """A vector that tells the topic, whose statements are all of one kind, tells nothing of a topic not seen."""
    found = [
        LabelledStatement(text=f"{t} {n}", bias="age", topic=f"topic {t}", style="plain", high=t % 2 == 0)
        for t in range(12)
        for n in range(4)
    ]
    topic = np.array([int(one.topic.split()[1]) for one in found])
    x = (topic.reshape(-1, 1) == np.arange(12)).astype(float)
    by_item = {r.item: r.score for r in readings_of(found, x, 0) if r.repeat == 1}
    assert auc_of(found, [by_item[n] for n in range(len(found))], 0).value < 0.6
    head = fitted(x, np.array([one.high for one in found], float), [one.subject for one in found], 0)
    assert len(head.scores(x)) == len(found)


def test_three_means_as_likely_as_not() -> None:
    assert [score_of(p) for p in (0, 0.5, 0.500001, 1)] == [0, 3, 4, 10]
    scores = [score_of(n / 100) for n in range(101)]
    assert scores == sorted(scores)
