"""Runs that are nested in models: a repeat is no subject, and few models say nothing of models. Pure; slow at first.

- One difference a model, and Student's t on these. It supposes that the differences of models are about normal, and
  gives each model the same weight. In a balanced design it is the test of a mixed model with a random intercept and a
  random effect of the condition for each model. Of yes and no the difference is one of shares.
- The mixed model itself (random intercept and random effect by model, REML, N. M. Laird and J. H. Ware, *Biometrics* 38
  (1982) 963–974, by statsmodels) says how far models differ in level and in effect. Its own
  test (Wald's z) finds an effect where there is none in 9, 10 and 8 of 100 experiments with 3, 5 and 10 models (with
  3 models it cannot be fitted in 23 of 100), so it is not told; Student's t above holds its 5.
- These models alone, supposing the same effect in each: models as strata (`shares_apart`, `means_apart`). There a
  repeat counts as an observation, of its model.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from math import sqrt

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.rulegen.study.means import equivalent, mean_of
from elenchus.debate_engine.protocols.rulegen.study.statistics import Equivalence

FEWEST_MODELS = 10
"""Below this many models nothing is claimed about models as such."""

ByModelNumbers = Mapping[str, tuple[Sequence[float], Sequence[float]]]
"""The numbers (or 0 and 1) of two conditions, by model."""


class ByModel(FrozenModel):
    """One difference for each of `models` models, their mean with its interval, and Student's p on these.

    None where there are fewer than three, or all differences are the same. `general`: enough to speak of models at all.
    """

    models: int
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    general: bool = False


class MixedModelFit(FrozenModel):
    """A mixed model's effect, and the standard deviations of models' levels and of their effects, in the same unit."""

    models: int
    effect: float
    sd_of_levels: float
    sd_of_effects: float


def by_model(pairs: ByModelNumbers) -> ByModel:
    """How two conditions differ within models, each of which has numbers in both."""
    return by_differences(differences_of(pairs))


def by_differences(differences: Sequence[float]) -> ByModel:
    """The same by one difference a model, however it was taken."""
    of = mean_of(differences)
    if of.n < 3 or not of.sd:
        return ByModel(models=of.n, difference=of.mean)
    from scipy.special import stdtr  # type: ignore[import-untyped]

    assert of.mean is not None
    p = float(2 * stdtr(of.n - 1, -abs(of.mean) / (of.sd / sqrt(of.n))))
    return ByModel(models=of.n, difference=of.mean, low=of.low, high=of.high, p=p, general=of.n >= FEWEST_MODELS)


def equivalent_by_model(differences: Sequence[float], margin: float) -> Equivalence:
    """Whether models differ between two conditions by less than the margin on average, by one difference a model."""
    of = mean_of(differences)
    if of.mean is None or of.n < 3 or not of.sd:
        return Equivalence(margin=margin)
    return equivalent(of.mean, of.sd / sqrt(of.n), of.n - 1, margin)


def differences_of(pairs: ByModelNumbers) -> list[float]:
    """One for each model that has numbers in both conditions."""
    return [sum(one) / len(one) - sum(other) / len(other) for one, other in pairs.values() if one and other]


def mixed_model(pairs: ByModelNumbers) -> MixedModelFit | None:
    """How far models differ; None of fewer than ten, of models without repeats, and where no model can be fitted."""
    both = {name: pair for name, pair in pairs.items() if min(map(len, pair)) > 1}
    if len(both) < FEWEST_MODELS:
        return None
    from numpy import array, column_stack, linalg, ones

    rows = [
        (name, arm, x) for name, pair in both.items() for arm, side in ((0.5, pair[0]), (-0.5, pair[1])) for x in side
    ]
    names, numbers = [name for name, _, _ in rows], array([x for _, _, x in rows])
    if not (spread := float(numbers.std())):
        return None
    design = column_stack([ones(len(rows)), array([arm for _, arm, _ in rows])])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pandas warns at the import, which sets filters of its own
        from statsmodels.regression.mixed_linear_model import MixedLM  # type: ignore[import-untyped]

        warnings.simplefilter("ignore")  # that a variance is 0 is an answer; what did not converge is left out below
        try:
            found = MixedLM(numbers / spread, design, groups=names, exog_re=design).fit(reml=True)
        except (linalg.LinAlgError, ValueError):
            return None
    if not found.converged:
        return None
    levels, effects = (sqrt(max(0.0, float(found.cov_re[n][n]))) * spread for n in (0, 1))
    effect = float(found.fe_params[1]) * spread
    return MixedModelFit(models=len(both), effect=effect, sd_of_levels=levels, sd_of_effects=effects)
