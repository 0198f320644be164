"""What is counted over the runs of a scene: how often the bias is there in each cell, and how conditions differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from debate_engine.events import Value
from debate_engine.protocols.rulegen.evaluation import alpha_over
from debate_engine.protocols.rulegen.study.design import Cell
from debate_engine.protocols.rulegen.study.observed import RESULTS, Observed, Result
from debate_engine.protocols.rulegen.study.statistics import Difference, Proportion, difference, proportion
from debate_engine.scenes.scene import CONDITIONS, Condition

ALL = "all"
"""Stands for the subject or the style where runs are taken together."""


class Row(Value):
    """One cell: its `runs`, what became of them, the bias's `frequency` among those judged yes or no.

    `distinct` of the runs that were played to the end have a record of their own.
    """

    cell: Cell
    runs: int
    results: dict[Result, int]
    played: int
    distinct: int
    frequency: Proportion


class Contrast(Value):
    """Treatment against control of one subject and style, or of all."""

    subject: str
    style: str
    treatment: Proportion
    control: Proportion
    difference: Difference


class Study(Value):
    """All that was counted. `bias` is its name; `alpha` (Krippendorff) says how far judges agree over all runs.

    `left_out` are sessions of another version of the scene.
    """

    name: str
    title: str
    bias: str
    rows: tuple[Row, ...]
    contrasts: tuple[Contrast, ...]
    observed: tuple[Observed, ...]
    alpha: float | None
    alpha_reason: str
    left_out: int = 0


def study_of(name: str, title: str, bias: str, runs: Sequence[Observed], left_out: int = 0) -> Study:
    """Count. Pure; slow the first time."""
    cells = dict.fromkeys(one.cell for one in runs)
    rows = [row_of(cell, [one for one in runs if one.cell == cell]) for cell in sorted(cells, key=_in_order)]
    value, reason = alpha_over([one.opinions for one in runs])
    return Study(
        name=name,
        title=title,
        bias=bias,
        rows=tuple(rows),
        contrasts=tuple(contrasts_of(rows)),
        observed=tuple(runs),
        alpha=value,
        alpha_reason=reason,
        left_out=left_out,
    )


def _in_order(cell: Cell) -> tuple[str, str, int]:
    return cell.subject, cell.style, CONDITIONS.index(cell.condition)


def row_of(cell: Cell, runs: Sequence[Observed]) -> Row:
    """One cell's numbers."""
    counted = Counter(one.result for one in runs)
    records = [one.record for one in runs if one.record]
    yes, no = counted["present"], counted["absent"]
    return Row(
        cell=cell,
        runs=len(runs),
        results={result: counted[result] for result in RESULTS},
        played=len(records),
        distinct=len(set(records)),
        frequency=proportion(yes, yes + no),
    )


def contrasts_of(rows: Sequence[Row]) -> list[Contrast]:
    """Treatment against control within each subject and style, and over all where there are several."""
    places = list(dict.fromkeys((row.cell.subject, row.cell.style) for row in rows))
    found = [_contrast(subject, style, [row for row in rows if (row.cell.subject, row.cell.style) == (subject, style)])
             for subject, style in places]  # fmt: skip
    compared = [contrast for contrast in found if contrast is not None]
    if len(places) > 1 and (overall := _contrast(ALL, ALL, rows)) is not None:
        compared.append(overall)
    return compared


def _contrast(subject: str, style: str, rows: Sequence[Row]) -> Contrast | None:
    """None where there are no two conditions."""
    if len({row.cell.condition for row in rows}) < 2:
        return None
    treatment, control = pooled(rows, "treatment"), pooled(rows, "control")
    return Contrast(
        subject=subject,
        style=style,
        treatment=treatment,
        control=control,
        difference=difference(treatment, control),
    )


def pooled(rows: Sequence[Row], condition: Condition) -> Proportion:
    """All cells of a condition taken together."""
    chosen = [row.frequency for row in rows if row.cell.condition == condition]
    return proportion(sum(one.k for one in chosen), sum(one.n for one in chosen))
