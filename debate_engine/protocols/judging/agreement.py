"""How far judges agree: Krippendorff's alpha (1 = fully, 0 = as by chance, below 0 = worse than chance).

Source: K. Krippendorff, *Content Analysis*; computed by NLTK (`nltk.metrics.agreement`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.judging.marks import Mark

Unit = tuple[str, ...]
Units = Mapping[Unit, Mapping[str, float]]
"""unit → judge → value; a judge without a value for a unit is missing there."""


class Agreement(FrozenModel):
    """Alpha of the scores (interval level, unit = side × topic × order) and of the named winners (nominal level,
    unit = topic × order), to four digits; None where it cannot be computed, with the reason.
    """

    scores: float | None = None
    scores_reason: str = ""
    winners: float | None = None
    winners_reason: str = ""


def agreement_of(marks: Sequence[Mark]) -> Agreement:
    """The agreement over all readable cells."""
    scores, scores_reason = alpha(score_units(marks), "interval")
    winners, winners_reason = alpha(winner_units(marks), "nominal")
    return Agreement(scores=scores, scores_reason=scores_reason, winners=winners, winners_reason=winners_reason)


def score_units(marks: Iterable[Mark]) -> dict[Unit, dict[str, float]]:
    """The points of each side on each topic in each order, by judge."""
    units: dict[Unit, dict[str, float]] = {}
    for m in marks:
        units.setdefault(("A", str(m.topic), m.first), {})[m.judge] = m.a
        units.setdefault(("B", str(m.topic), m.first), {})[m.judge] = m.b
    return units


def winner_units(marks: Iterable[Mark]) -> dict[Unit, dict[str, float]]:
    """The named winner of each topic in each order, by judge, as the code of a category."""
    code = {"A": 0.0, "B": 1.0, "tie": 2.0}
    units: dict[Unit, dict[str, float]] = {}
    for m in marks:
        units.setdefault((str(m.topic), m.first), {})[m.judge] = code[m.winner]
    return units


def alpha(units: Units, level: Literal["interval", "nominal"]) -> tuple[float | None, str]:
    """Alpha to four digits, or None and the reason."""
    shared = [by_judge for _, by_judge in sorted(units.items()) if len(by_judge) >= 2]
    if not shared:
        return None, "no topic could be read from two judges"
    if len({value for by_judge in shared for value in by_judge.values()}) < 2:
        return None, "every value is the same, so agreement cannot be told from chance"
    from nltk.metrics.agreement import AnnotationTask  # type: ignore[import-untyped]
    from nltk.metrics.distance import binary_distance, interval_distance  # type: ignore[import-untyped]

    ratings = [(judge, unit, value) for unit, by_judge in enumerate(shared) for judge, value in by_judge.items()]
    distance = interval_distance if level == "interval" else binary_distance
    return round(float(AnnotationTask(ratings, distance=distance).alpha()), 4), ""
