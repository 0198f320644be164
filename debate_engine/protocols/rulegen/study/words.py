"""Numbers of a study in words. Pure."""

from __future__ import annotations

from elenchus.debate_engine.protocols.rulegen.study.analysis import Row, Study
from elenchus.debate_engine.protocols.rulegen.study.contrasts import Compared
from elenchus.debate_engine.protocols.rulegen.study.means import Mean, MeanDifference
from elenchus.debate_engine.protocols.rulegen.study.statistics import Difference, Proportion
from elenchus.debate_engine.reports.words import count, listed

NOTHING = "–"


def share(one: Proportion) -> str:
    """A share in per cent with its interval."""
    if one.share is None or one.low is None or one.high is None:
        return NOTHING
    return f"{one.share:.0%} ({one.low:.0%} to {one.high:.0%})"


def difference(one: Difference) -> str:
    """A risk difference in percentage points with its interval."""
    if one.difference is None or one.low is None or one.high is None:
        return NOTHING
    low, high = (f"{100 * bound:+.0f}".replace("-", "−") for bound in (one.low, one.high))
    return f"{100 * one.difference:+.0f} points ({low} to {high})".replace("-", "−")


def mean(one: Mean) -> str:
    """A mean with its interval."""
    if one.mean is None:
        return NOTHING
    within = "" if one.low is None or one.high is None else f" ({_number(one.low)} to {_number(one.high)})"
    return f"{_number(one.mean)}{within}"


def means_apart(one: MeanDifference) -> str:
    """A difference of means with its interval, and Hedges' g with its own where that can be told."""
    if one.difference is None or one.low is None or one.high is None:
        return NOTHING
    size = "" if one.g is None else f"; g {_number(one.g)}"
    if one.g_low is not None and one.g_high is not None:
        size += f" ({_number(one.g_low)} to {_number(one.g_high)})"
    return f"{_number(one.difference)} ({_number(one.low)} to {_number(one.high)}){size}"


def compared(one: Compared) -> str:
    """How two groups of versions differ in the outcome."""
    if one.shares is not None:
        return difference(one.shares)
    if one.means is not None:
        return means_apart(one.means)
    if one.by_model is None or one.by_model.difference is None:
        return NOTHING
    apart, low, high = one.by_model.difference, one.by_model.low, one.by_model.high
    within = "" if low is None or high is None else f" ({_number(low)} to {_number(high)})"
    few = "" if one.by_model.general else ", these models alone"
    return f"{_number(apart)}{within}, mean of {count(one.by_model.models, 'model')}{few}"


def _number(x: float) -> str:
    """Three figures that count, and no more digits than that before the point."""
    text = f"{x:,.0f}" if abs(x) >= 100 else f"{x:.3g}"
    return text.replace("-", "−")


def p_value(p: float | None) -> str:
    """A p value as it is written."""
    return NOTHING if p is None else "< 0.001" if p < 0.001 else f"{p:.3f}"


def apart(row: Row) -> str:
    """The runs of a cell that are neither yes nor no, in words."""
    others = [
        f"{count} {result}" for result, count in row.results.items() if count and result not in ("present", "absent")
    ]
    return ", ".join(others) or NOTHING


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
    """What else differs between the compared conditions, after a number; "" where nothing does."""
    return f", confounded: not the same {listed(names)}" if names else ""


def style(name: str) -> str:
    """A style in words."""
    return name or "as the scene has it"
