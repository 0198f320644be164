"""Runs nested in models: one difference a model, against statsmodels' mixed model and by simulation."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy.stats import ttest_1samp  # type: ignore[import-untyped]

from elenchus.debate_engine.protocols.rulegen.study.mixed_models import (
    ByModelNumbers,
    by_model,
    differences_of,
    equivalent_by_model,
    mixed_model,
)

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # pandas warns of what statsmodels still uses
    from statsmodels.regression.mixed_linear_model import MixedLM  # type: ignore[import-untyped]


def drawn(rng: np.random.Generator, models: int, effect: float = 0.0, n: int = 10) -> ByModelNumbers:
    """Models differ in level, and in how much the condition moves them, by `effect` on average."""
    levels, effects = rng.normal(scale=2, size=models), rng.normal(effect, 0.7, size=models)
    return {
        str(k): (list(rng.normal(level + own, size=n)), list(rng.normal(level, size=n)))
        for k, (level, own) in enumerate(zip(levels, effects, strict=True))
    }


def test_a_repeat_is_no_subject_and_few_models_say_nothing_of_models() -> None:
    few = by_model({f"m{n}": ([5.0 + n] * 50, [4.0 + n / 2] * 50) for n in range(3)})
    many = by_model({f"m{n}": ([5.0 + n] * 50, [4.0 + n / 2] * 50) for n in range(10)})
    assert (few.models, few.general, many.general) == (3, False, True)
    assert few.p == pytest.approx(by_model({f"m{n}": ([5.0 + n], [4.0 + n / 2]) for n in range(3)}).p)
    assert few.p == pytest.approx(ttest_1samp([1.0, 1.5, 2.0], 0).pvalue)


def test_fewer_than_three_models_or_such_as_differ_by_the_same_are_not_tested() -> None:
    assert by_model({"a": ([1.0], [2.0]), "b": ([1.0], [3.0])}).p is None
    assert by_model({name: ([2.0], [1.0]) for name in "abcd"}).p is None
    assert by_model({}).difference is None
    assert equivalent_by_model([-1.0], 3.0).p is None


def test_models_that_hardly_differ_between_conditions_are_shown_to() -> None:
    found = equivalent_by_model([n / 10 for n in range(6)], 1.0)
    assert found.p is not None
    assert found.p < 0.001
    assert found.high is not None
    assert found.high < 1


def test_the_mixed_model_is_that_of_statsmodels_and_in_a_balanced_design_its_effect_is_ours() -> None:
    pairs = drawn(np.random.default_rng(7), 12, effect=0.8)
    found = mixed_model(pairs)
    assert found is not None
    rows = [
        (name, arm, x)
        for name, pair in pairs.items()
        for arm, side in zip((0.5, -0.5), pair, strict=True)
        for x in side
    ]
    design = np.column_stack([np.ones(len(rows)), [arm for _, arm, _ in rows]])
    fit = MixedLM([x for _, _, x in rows], design, groups=[name for name, _, _ in rows], exog_re=design).fit(reml=True)
    assert found.effect == pytest.approx(fit.fe_params[1], rel=1e-3)
    assert [found.sd_of_levels, found.sd_of_effects] == pytest.approx(np.sqrt(np.diag(fit.cov_re)), rel=0.02)
    assert found.effect == pytest.approx(by_model(pairs).difference, rel=1e-3)


def test_how_far_models_differ_is_not_told_of_few_of_them_of_single_runs_or_of_no_spread() -> None:
    rng = np.random.default_rng(1)
    assert mixed_model(drawn(rng, 9)) is None
    assert mixed_model(drawn(rng, 12, n=1)) is None
    assert mixed_model({str(k): ([1.0, 1.0], [1.0, 1.0]) for k in range(12)}) is None


@pytest.mark.slow
@pytest.mark.parametrize("models", [3, 5, 10])
def test_where_models_are_not_moved_on_average_one_of_twenty_experiments_finds_something(models: int) -> None:
    rng = np.random.default_rng(20_261_123)
    found = sum((p := by_model(drawn(rng, models)).p) is not None and p < 0.05 for _ in range(2_000)) / 2_000
    assert 0.035 <= found <= 0.065, found


@pytest.mark.slow
@pytest.mark.parametrize("models", [3, 5, 10])
def test_of_yes_and_no_by_model_no_more_than_one_of_twenty_experiments_finds_something(models: int) -> None:
    """Shares of 30 runs a version: in models of other levels, which the version moves up and down alike."""
    rng = np.random.default_rng(20_261_123)

    def experiment() -> float | None:
        levels, effects = rng.uniform(0.3, 0.7, models), rng.normal(0, 0.12, models)
        pairs = {
            str(k): (list((rng.random(30) < level + own) * 1.0), list((rng.random(30) < level) * 1.0))
            for k, (level, own) in enumerate(zip(levels, effects, strict=True))
        }
        return by_model(pairs).p

    found = sum((p := experiment()) is not None and p < 0.05 for _ in range(2_000)) / 2_000
    assert 0.035 <= found <= 0.065, found


@pytest.mark.slow
def test_no_difference_by_model_is_shown_in_one_of_twenty_experiments_at_its_margin() -> None:
    rng = np.random.default_rng(20_261_123)
    shown = sum(
        (p := equivalent_by_model(differences_of(drawn(rng, 10, effect=1.0)), 1.0).p) is not None and p < 0.05
        for _ in range(2_000)
    )
    assert 0.035 <= shown / 2_000 <= 0.065, shown


@pytest.mark.slow
def test_the_mixed_models_own_test_misses_its_level_and_is_therefore_not_told() -> None:
    """Wald's z with five models, 300 experiments that could be fitted: 9 and more in 100, where 5 are meant."""
    rng = np.random.default_rng(5)
    rejected = fitted = 0
    while fitted < 300:
        pairs = drawn(rng, 5)
        rows = [
            (k, arm, x) for k, pair in pairs.items() for arm, side in zip((0.5, -0.5), pair, strict=True) for x in side
        ]
        design = np.column_stack([np.ones(len(rows)), [arm for _, arm, _ in rows]])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                fit = MixedLM([x for _, _, x in rows], design, groups=[k for k, _, _ in rows], exog_re=design).fit()
                error = float(fit.bse_fe[1])
            except np.linalg.LinAlgError:
                continue
        if fit.converged and np.isfinite(error):
            fitted += 1
            rejected += abs(fit.fe_params[1] / error) > 1.96
    assert rejected / fitted > 0.065, rejected / fitted
