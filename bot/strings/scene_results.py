"""`/scene results`: how often the bias was seen. Names that are passed in are safe already."""

from __future__ import annotations

from typing import Final

RESULTS_HEAD: Final = ("subject, version", "bias seen", "95 % interval", "not judged")


def results_title(title: str, bias: str) -> str:
    """Over the results."""
    return f"Results: {title}{f' · {bias}' if bias else ''}"


def cell(subject: str, condition: str) -> str:
    """Who, in which version."""
    return f"{subject}, {condition}" if condition else subject


def share(k: int, n: int) -> str:
    """How often; "–" where nobody was judged."""
    return f"{k} of {n}" if n else "–"


def interval(share: float | None, low: float | None, high: float | None) -> str:
    """A share and its interval; "–" where there is none."""
    if share is None or low is None or high is None:
        return "–"
    return f"{share:.0%} ({low:.0%}–{high:.0%})"


def unfounded(judgements: int, asked: int) -> str:
    """Judgements that were asked about once more, and those that are counted as neither yes nor no."""
    why = "as a yes quoted none of the subject's own words"
    return f"Asked once more, {why}: {asked}; left out as unfounded: {judgements}."


def contrast(subject: str, difference: float | None, low: float | None, high: float | None, p: float | None) -> str:
    """Treatment against control."""
    if difference is None or low is None or high is None:
        return f"{subject}: the versions cannot be compared yet."
    tested = f", p = {p:.3f}" if p is not None else ""
    return f"{subject}: treatment less control {difference:+.0%} ({low:+.0%} to {high:+.0%}{tested})"
