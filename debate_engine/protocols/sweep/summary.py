"""From single takes to the table by heat and side and to the trends: pure arithmetic."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from statistics import fmean, stdev

from elenchus.debate_engine.protocols.rulegen.study.statistics import holm
from elenchus.debate_engine.protocols.speech import SIDES, Side, Topic
from elenchus.debate_engine.protocols.sweep.schemas import (
    MEASURES,
    MeasureName,
    MeasureTrend,
    Row,
    Spread,
    Sweep,
    SweepConfig,
    Take,
    Who,
)
from elenchus.debate_engine.protocols.sweep.trend import trend

_SIDES: dict[Who, tuple[Side, ...]] = {"pro": ("pro",), "con": ("con",), "both": SIDES}


def sweep_of(cfg: SweepConfig, agenda: Sequence[Topic], takes: Sequence[Take]) -> Sweep:
    """The outcome. With many samples the tests take seconds of one core."""
    return Sweep(
        motion=cfg.motion,
        agenda=tuple(agenda),
        heats=cfg.heats,
        samples=cfg.samples,
        takes=tuple(takes),
        rows=tuple(
            row_of(heat, side, [t for t in takes if (t.heat, t.side) == (heat, side)])
            for heat, side in product(cfg.heats, SIDES)
        ),
        trends=tuple(trends_of(takes)),
    )


def row_of(heat: float, side: Side, takes: Sequence[Take]) -> Row:
    """Every measure over the takes of one side at one heat."""
    spoken = sum(bool(t.text) for t in takes)
    numbers = {measure: spread(t.value(measure) for t in takes) for measure in MEASURES}
    return Row(heat=heat, side=side, takes=len(takes), spoken=spoken, numbers=numbers)


def spread(values: Iterable[float | None]) -> Spread:
    """Mean and deviation of the numbers that there are; what is missing is left out."""
    known = [value for value in values if value is not None]
    return Spread(
        n=len(known),
        mean=round(fmean(known), 4) if known else None,
        sd=round(stdev(known), 4) if len(known) > 1 else None,
    )


def trends_of(takes: Sequence[Take]) -> list[MeasureTrend]:
    """Each measure against the heat, over single takes, for each side and for both (ranked within each side); p also
    after Holm's correction over all of these.
    """
    found = {
        (measure, who): trend(_pairs(takes, side, measure) for side in sides)
        for measure in MEASURES
        for who, sides in _SIDES.items()
    }
    return [
        MeasureTrend(measure=measure, side=who, trend=of.model_copy(update={"adjusted": adjusted}))
        for ((measure, who), of), adjusted in zip(found.items(), holm([of.p for of in found.values()]), strict=True)
    ]


def _pairs(takes: Sequence[Take], side: Side, measure: MeasureName) -> list[tuple[float, float]]:
    return [(t.heat, value) for t in takes if t.side == side and (value := t.value(measure)) is not None]
