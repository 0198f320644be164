"""Numbers of a study in words. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from elenchus.debate_engine.protocols.rulegen.study.analysis import Row, Study
from elenchus.debate_engine.protocols.rulegen.study.contrasts import Compared
from elenchus.debate_engine.protocols.rulegen.study.judge_agreement import JudgeAgreement
from elenchus.debate_engine.protocols.rulegen.study.means import Mean, MeanDifference
from elenchus.debate_engine.protocols.rulegen.study.mixed_models import ByModel
from elenchus.debate_engine.protocols.rulegen.study.omnibus import Arms
from elenchus.debate_engine.protocols.rulegen.study.shares import Difference
from elenchus.debate_engine.protocols.rulegen.study.statistics import LEVEL, Agreement, Proportion
from elenchus.debate_engine.reports.words import count, listed
from elenchus.debate_engine.scenes.contrasts import ANY

NOTHING = "–"
WITHIN = "within versions"
"""What stands for a version where versions are told together, each by itself."""


def share(one: Proportion) -> str:
    """A share in per cent with its interval."""
    if one.share is None or one.low is None or one.high is None:
        return NOTHING
    return f"{one.share:.0%} ({one.low:.0%} to {one.high:.0%})"


def mean(one: Mean, unit: str = "") -> str:
    """A mean in its unit, with its interval."""
    return NOTHING if one.mean is None else f"{number(one.mean, unit)}{within(one.low, one.high)}"


def came_out(row: Row, unit: str = "") -> str:
    """What came out in a cell."""
    return share(row.share) if row.share else mean(row.mean, unit) if row.mean else NOTHING


def difference(one: Difference | MeanDifference | ByModel | None, *, points: bool = False, unit: str = "") -> str:
    """A difference in its unit with its interval; of shares, and of numbers in per cent, in percentage points."""
    if one is None or one.difference is None:
        return NOTHING
    if not points and not isinstance(one, Difference):
        return f"{number(one.difference, unit_apart(unit))}{within(one.low, one.high)}"
    if one.low is None or one.high is None:
        return f"{100 * one.difference:+.0f} points".replace("-", "−")
    low, high = (f"{100 * bound:+.0f}".replace("-", "−") for bound in (one.low, one.high))
    return f"{100 * one.difference:+.0f} points ({low} to {high})".replace("-", "−")


def unit_apart(unit: str) -> str:
    """In what two numbers of this unit differ: 60 and 46 per cent not by 14 per cent, but by 14 percentage points."""
    return "percentage points" if unit in ("per cent", "percent", "%") else unit


def apart(one: Compared, unit: str = "") -> str:
    """How groups differ in what came out, a number in its `unit`."""
    told = difference(one.found, points=one.in_points, unit=unit)
    if one.by_model is None or one.by_model.difference is None:
        return told
    models = count(one.by_model.models, "model")
    return f"{told}, mean of {models}{'' if one.by_model.general else ', said of these alone'}"


def who(one: Compared) -> str:
    """Of whom it is: of fewer than ten models together these, and never models as such."""
    of = one.by_model
    return one.subject if of is None or of.general else f"these {count(of.models, 'model')}, a difference each"


def compared(one: Compared) -> str:
    """What is compared, and where: within how many strata, or in which."""
    if one.stratum:
        return f"{one.contrast}, in {one.stratum}"
    return f"{one.contrast}{', pooled' if one.over == 'pooled' else ''}{f', within {one.strata}' * (one.strata > 1)}"


def size(one: Compared) -> str:
    """The effect size with its interval: an odds ratio (of subjects with themselves: of the one change to the other),
    Hedges' g or d_z; of models how far they differ.
    """
    if one.mixed is not None:
        effects = f"{number(one.mixed.effect)}, models' own ± {number(one.mixed.sd_of_effects)}"
        return f"mixed model {effects}; levels ± {number(one.mixed.sd_of_levels)}"
    if one.shares is not None and one.shares.odds is not None:
        odds = one.shares.odds
        low, high = ("0" if odds.low is None else number(odds.low)), ("∞" if odds.high is None else number(odds.high))
        return f"odds ratio {NOTHING if odds.ratio is None else number(odds.ratio)} ({low} to {high}){_changed(one)}"
    if one.means is not None and one.means.g is not None:
        return f"{one.means.unit} {number(one.means.g)}{within(one.means.g_low, one.means.g_high)}"
    return NOTHING


def _changed(one: Compared) -> str:
    """Who answered differently at the two."""
    return (
        "" if one.changed is None else f"; yes at the first alone {one.changed[0]:g}, at the second {one.changed[1]:g}"
    )


def sizes(one: Compared) -> str:
    """How many are analysed on each side; of subjects with themselves how many met all of it."""
    if len(one.n) > 1:
        return ", ".join(map(str, one.n))
    return f"{one.n[0]} with {'both' if one.kind == 'within' else 'all'}"


def worth(one: Compared) -> str:
    """How many are analysed, and how many independent observations they are worth where these are fewer."""
    fewer = f" (worth {', '.join(map(str, one.worth))})" if one.worth != one.n else ""
    return f"{sizes(one)}{fewer}"


def by_order(one: Compared, unit: str = "") -> tuple[str, str]:
    """The difference of those who met the first side first, and of the others."""
    assert one.order is not None
    told = []
    for n, apart_so in zip(one.order.n, one.order.differences, strict=True):
        points = None if apart_so is None else f"{100 * apart_so:+.0f} points".replace("-", "−")
        found = NOTHING if apart_so is None else points if one.in_points else number(apart_so, unit_apart(unit))
        told.append(f"{found} ({n})")
    return told[0], told[1]


def expected(one: Compared, unit: str = "") -> str:
    """What was expected of it, and whether it came so."""
    if one.contrast.expect == "same":
        return _equivalent(one, unit)
    if one.contrast.expect == "different":
        return NOTHING
    if one.as_expected is None:
        return one.contrast.expect
    way = "as expected" if one.as_expected else "the other way"
    return f"{one.contrast.expect}: {way}{'' if is_shown(one) else ', but not shown'}"


def _equivalent(one: Compared, unit: str) -> str:
    margin = one.contrast.margin or 0.0
    within = f"within {100 * margin:.0f} points" if one.in_points else f"within {number(margin, unit_apart(unit))}"
    if one.equivalent is None or one.equivalent.p is None or one.equivalent.low is None or one.equivalent.high is None:
        return f"the same {within}: cannot be told"
    bounds = (one.equivalent.low, one.equivalent.high)
    low, high = (f"{100 * of:+.0f}".replace("-", "−") if one.in_points else number(of) for of in bounds)
    shown = "shown" if is_shown(one) else "not shown"
    return f"the same {within}: {shown} (90 %: {low} to {high})"


def over_all(one: Arms) -> tuple[str, str, str]:
    """The test over all versions, η² with its interval, and p."""
    if (of := one.variance) is None:
        return "Fisher, Freeman and Halton", NOTHING, p_value(one.p)
    if of.f is None or of.df_within is None or of.eta_squared is None:
        return "a version with fewer than two, or without spread", NOTHING, NOTHING
    eta = f"{of.eta_squared:.2f}"
    if of.eta_low is not None and of.eta_high is not None:
        eta += f" ({of.eta_low:.2f} to {of.eta_high:.2f})"
    arranged = f"permutation ({'drawn' if of.drawn else 'exact'})"
    test = arranged if of.exact else f"F({of.df_between:g}, {of.df_within:.1f}) = {of.f:.2f}"
    return test, eta, p_value(of.p)


def is_shown(one: Compared) -> bool:
    """Whether what is claimed (a difference, or none) is shown, after Holm's correction."""
    p = one.adjusted if one.adjusted is not None else one.p
    return p is not None and p < 1 - LEVEL


def side(pattern: str) -> str:
    """One side of a contrast without the levels that may be any."""
    return "/".join(level for level in pattern.split("/") if level != ANY) or pattern


def against(one: Compared) -> str:
    """What is compared, in words."""
    if one.contrast.is_interaction:
        return f"{one.contrast.one} against {one.contrast.other}"
    return f"{side(one.contrast.one)} against {side(one.contrast.other)}"


def in_short(one: Compared, unit: str = "") -> str:
    """A comparison in one sentence."""
    what = against(one)
    if one.why and one.p is None:
        return f"{what}: {one.why}."
    tested = f"p {'' if (p := p_value(one.adjusted)).startswith('<') else '= '}{p}"
    tested += " (Holm)" if one.adjusted is not None and one.adjusted != one.p else ""
    if one.contrast.expect == "same":
        return f"{what}: {expected(one, unit)}, {tested}."
    told = f"{what}: {apart(one, unit if one.in_points else f'{unit_apart(unit)} on average'.strip())}, {tested}"
    way = {True: ", as expected", False: ", and not the way that was expected", None: ""}[one.as_expected]
    if is_shown(one):
        return f"{told}{way}."
    return f"{told}: not told apart from no difference, which does not show that there is none."


def within(low: float | None, high: float | None) -> str:
    """An interval after a number."""
    return "" if low is None or high is None else f" ({number(low)} to {number(high)})"


def number(x: float, unit: str = "") -> str:
    """Three figures that count, and no more digits than that before the point; then the unit."""
    text = f"{x:,.0f}" if abs(x) >= 100 else f"{x:.3g}"
    return text.replace("-", "−") + (f" {unit}" if unit else "")


def p_value(p: float | None) -> str:
    """A p value as it is written."""
    return NOTHING if p is None else "< 0.001" if p < 0.001 else f"{p:.3f}"


def judged_otherwise(row: Row) -> str:
    """The runs of a cell that judges saw as neither yes nor no, in words."""
    return reasons({of: number for of, number in row.results.items() if of not in ("present", "absent")})


def reasons(counts: Mapping[str, int]) -> str:
    """How many, by the reason."""
    return ", ".join(f"{count} {why}" for why, count in counts.items() if count) or NOTHING


def unfounded(study: Study) -> str:
    """How many judges were asked about a yes that rests on none of the subject's words, and how many of them and of the
    runs are left out for it; "" where nobody was.
    """
    judges = sum(run.unfounded for run in study.observed)
    asked = max(judges, sum(run.asked_again for run in study.observed))
    if not asked:
        return ""
    runs, was = sum(run.result == "unfounded" for run in study.observed), "was" if asked == 1 else "were"
    return (
        f"{count(asked, 'judgement')} of yes quoted none of the subject's own words and {was} asked once more; "
        f"{judges} still quoted none, and counted as neither yes nor no; {count(runs, 'run')} of "
        f"{len(study.observed)} had no verdict for that reason."
    )


def confounded(names: tuple[str, ...]) -> str:
    """What else differs between the compared versions, after a number; "" where nothing does."""
    return f", confounded: not the same {listed(names)}" if names else ""


def agreement(one: Agreement) -> tuple[str, str]:
    """The share in which two instruments say the same, and κ with its interval."""
    raw = NOTHING if one.raw is None else f"{one.raw:.0%}"
    if one.kappa is None:
        return raw, NOTHING
    bounds = "" if one.low is None or one.high is None else f" ({one.low:.2f} to {one.high:.2f})"
    return raw, f"{one.kappa:.2f}{bounds}".replace("-", "−")


def alpha(one: JudgeAgreement) -> str:
    """How far judges agree with one another, or why it cannot be told."""
    return f"{NOTHING} ({one.reason})" if one.alpha is None else f"{one.alpha:.2f}".replace("-", "−")


def style(name: str) -> str:
    """A style in words."""
    return name or "as the scene has it"
