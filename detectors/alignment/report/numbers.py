"""How the page writes its figures. Pure."""

from __future__ import annotations

from elenchus.detectors.evaluation.intervals import Estimate

DASH = "–"


def cell(of: Estimate | None) -> str:
    """A share with its interval, where it has one; a dash where there is none."""
    if of is None or of.value is None:
        return DASH
    value = round(of.value, 3) + 0.0
    return f"{value:.3f}" if of.low is None or of.high is None else f"{value:.3f} ({of.low:.3f} to {of.high:.3f})"


def three(value: float | None) -> str:
    """A share to three places; a dash where there is none."""
    return DASH if value is None else f"{round(value, 3) + 0.0:.3f}"


def tens(of: Estimate) -> str:
    """A figure of 0 to 100 with its interval, where it has one; a dash where there is none."""
    if of.value is None:
        return DASH
    return f"{of.value:.1f}" if of.low is None or of.high is None else f"{of.value:.1f} ({of.low:.1f} to {of.high:.1f})"
