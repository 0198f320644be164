"""Single subjects by version, with the mean or the share and its interval: what came out, and the numbers behind it.

Imports matplotlib and draws: call it off the event loop.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from elenchus.debate_engine.protocols.rulegen.study import words
from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
from elenchus.debate_engine.protocols.rulegen.study.cases import NO_OUTCOME, Case, Sample, are_shares
from elenchus.debate_engine.protocols.rulegen.study.means import Mean, mean_of
from elenchus.debate_engine.protocols.rulegen.study.observation import Observation
from elenchus.debate_engine.protocols.rulegen.study.statistics import Proportion
from elenchus.debate_engine.protocols.rulegen.study.withdrawal import WITHDRAWN
from elenchus.debate_engine.reports import canvas
from elenchus.debate_engine.reports.canvas import CON, FAINT, GOOD, INK, PRO
from elenchus.debate_engine.scenes.measures import Choice, FreeText, Measure, Number
from elenchus.debate_engine.scenes.outcome import UnreadableRule, names_in

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_VERSIONS, _MOST_SUBJECTS, _MOST_POINTS, _MOST_PLOTS = 12, 6, 200, 4
"""What a slide holds: of more the first are drawn, and the caption says so."""
_COLOURS = (PRO, CON, GOOD, "#CC79A7", "#E69F00", "#56B4E9")
_MARKS = "os^DvP"
"""Of the subjects in their order: colours that all can tell apart, and shapes."""

Series = tuple[str, str]
"""Who plays, in which style."""
Cells = Mapping[tuple[Series, str], Sequence[Case]]
"""The analysed cases of each series in each version."""


@dataclass(frozen=True)
class StripPlot:
    """One picture: what is drawn of each analysed subject (`title`, in `unit`); `shares`: it is yes or no."""

    name: str
    title: str
    unit: str
    cases: Sequence[Case]

    @property
    def shares(self) -> bool:
        """Whether it is yes or no."""
        return are_shares(self.cases)

    @property
    def cells(self) -> dict[tuple[Series, str], list[Case]]:
        """The analysed cases by who and version."""
        found: dict[tuple[Series, str], list[Case]] = defaultdict(list)
        for case in self.cases:
            if case.counts:
                found[(case.subject, case.style), case.version].append(case)
        return dict(found)

    @property
    def has_intervals(self) -> bool:
        """Whether any cell has enough for an interval."""
        return any(self.summary(own).low is not None for own in self.cells.values())

    def summary(self, cases: Sequence[Case]) -> Proportion | Mean:
        """The share or the mean of a cell, as the report counts it."""
        sample = Sample.of(cases)
        return sample.share if self.shares else mean_of(sample.numbers)


def points_plots(study: Study, measures: Mapping[str, Measure]) -> list[canvas.Picture]:
    """What came out, and the numbers of which its rule is made, a picture each; none of a study without a subject."""
    return [_drawn(study, strip) for strip in strips_of(study, measures) if strip.cells][:_MOST_PLOTS]


def strips_of(study: Study, measures: Mapping[str, Measure]) -> list[StripPlot]:
    """What is to be drawn."""
    what = "What came out" if study.instrument == "outcome" else "Whether judges see the bias"
    title = f"{what}{f' ({study.outcome})' if study.outcome else ''}"
    unit = study.unit or _unit(measures.get(study.outcome))
    found = [StripPlot("points", title, unit, [one for _, _, one in _in_cells(study)])]
    for name in _named(study.outcome):
        measure = measures.get(name)
        if measure is None or isinstance(measure, Choice | FreeText) or name == study.outcome:
            continue
        own = [
            case.model_copy(update={"outcome": _number(run.stated.get(f"{name}_{level}" if level else name))})
            for run, level, case in _in_cells(study)
        ]
        found.append(StripPlot(f"points-{name}", name, _unit(measure), own))
    return found


def _in_cells(study: Study) -> Iterator[tuple[Observation, str, Case]]:
    """Each subject in each cell that it met, with what the cell's level is called in the names of measures."""
    for run, case in zip(study.observed, study.cases, strict=True):
        if run.why == WITHDRAWN:
            continue
        levels = {cell: level for level, cell in study.design.met.get(case.version, ())}
        for cell, value in case.outcomes.items():
            excluded = "" if case.counts else case.excluded or NO_OUTCOME
            update: dict[str, object] = {"version": cell, "outcome": value, "levels": {}, "excluded": excluded}
            yield run, levels.get(cell, ""), case.model_copy(update=update)


def _unit(measure: Measure | None) -> str:
    return measure.unit if isinstance(measure, Number) else ""


def _named(rule: str) -> Sequence[str]:
    try:
        return names_in(rule) if rule else ()
    except UnreadableRule:
        return ()


def _number(value: object) -> bool | float | None:
    return value if isinstance(value, bool) else float(value) if isinstance(value, int | float) else None


def _drawn(study: Study, strip: StripPlot) -> canvas.Picture:
    cells = strip.cells
    versions = [one for one in study.design.cells if any(version == one for _, version in cells)]
    order = dict.fromkeys((row.cell.subject, row.cell.style) for row in study.rows)
    series = [who for who in order if any(one == who for one, _ in cells)]
    with canvas.drawing():
        figure = canvas.slide()
        title = f"{canvas.shortened(strip.title, 50)}: {canvas.shortened(study.title, 40)}"
        canvas.headed(figure, title, _under(study, strip, versions, series))
        axes = figure.subplots()
        _frame(axes, strip, versions[:_MOST_VERSIONS])
        for n, who in enumerate(series[:_MOST_SUBJECTS]):
            _legend(axes, n, who, rows=2 if len(series) > 3 else 1)
            for x, version in enumerate(versions[:_MOST_VERSIONS]):
                own = cells.get((who, version), ())
                at = x + _beside(n, min(len(series), _MOST_SUBJECTS))
                _mark(axes, strip, own, at, n)
        return canvas.rendered(figure, strip.name, alt_text(study, strip))


def alt_text(study: Study, strip: StripPlot) -> str:
    """What the picture shows, in sentences with its numbers."""
    cells = strip.cells
    told = [
        f"{subject}{f', {style}' if style else ''}, {version}: {_told(strip.summary(own))} (n = {len(own)})"
        for version in study.design.cells
        for ((subject, style), of), own in cells.items()
        if of == version
    ]
    unit = f", {strip.unit}" if strip.unit else ""
    intervals = " with 95 % intervals" if strip.has_intervals else ""
    return f"Strip plot of single subjects by version{intervals}. {strip.title}{unit}. {'; '.join(told)}."


def _told(of: Proportion | Mean) -> str:
    return words.share(of) if isinstance(of, Proportion) else words.mean(of)


def _under(study: Study, strip: StripPlot, versions: Sequence[str], series: Sequence[Series]) -> str:
    counted = sum(len(own) for own in strip.cells.values())
    told = f"{counted} analysed, a point each"
    if strip.has_intervals:
        told += f"; {'shares (Wilson)' if strip.shares else 'means'}, 95 % intervals"
    some = [
        f"the first {most} of {len(of)} {name}"
        for of, most, name in ((versions, _MOST_VERSIONS, "versions"), (series, _MOST_SUBJECTS, "subjects"))
        if len(of) > most
    ]
    simulated = ["simulated"] if any(run.uses("scripted") for run in study.observed) else []
    return " · ".join([*simulated, *some, told, study.bias or "no bias is named"])


def _frame(axes: Axes, strip: StripPlot, versions: Sequence[str]) -> None:
    canvas.plain_axes(axes)
    many = len(versions) > 6
    names = [canvas.shortened(version, 14 if many else 22) for version in versions]
    axes.set_xticks(range(len(versions)), names, rotation=20 if many else 0, ha="right" if many else "center")
    axes.set_xlim(-0.6, len(versions) - 0.4)
    for x in range(1, len(versions)):
        axes.axvline(x - 0.5, color=FAINT, linewidth=0.5, alpha=0.4)
    if strip.shares:
        axes.set_ylim(-0.12, 1.12)
        axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["no", "25 %", "50 %", "75 %", "yes"])
    elif strip.unit:
        axes.set_ylabel(canvas.shortened(strip.unit, 30))


def _legend(axes: Axes, n: int, who: Series, *, rows: int) -> None:
    x, y = (n % 3) / 3, 1.04 + 0.06 * (rows - 1 - n // 3)
    axes.plot([x + 0.01], [y], marker=_MARKS[n], markersize=11, color=_COLOURS[n], clip_on=False,
              transform=axes.transAxes)  # fmt: skip
    subject, style = who
    name = canvas.shortened(f"{subject}{f', {style}' if style else ''}", 28)
    axes.text(x + 0.025, y, name, va="center", fontsize=15, color=_COLOURS[n], transform=axes.transAxes)


def _beside(n: int, of: int) -> float:
    """How far left or right of its version the n-th of so many subjects stands."""
    return 0.72 * (n - (of - 1) / 2) / of


def _mark(axes: Axes, strip: StripPlot, own: Sequence[Case], at: float, n: int) -> None:
    """The points of one subject in one version, and beside them the middle with its interval."""
    if not own:
        return
    chance, wide = Random(f"{at:.3f}"), 0.04
    values = [float(case.outcome or 0) for case in own[:_MOST_POINTS]]
    xs = [at - 0.03 + chance.uniform(-wide, wide) for _ in values]
    ys = [value + chance.uniform(-0.06, 0.06) for value in values] if strip.shares else values
    axes.plot(xs, ys, linestyle="", marker=_MARKS[n], markersize=6, color=_COLOURS[n], alpha=0.35, mew=0, zorder=2)
    of = strip.summary(own)
    middle = of.share if isinstance(of, Proportion) else of.mean
    if middle is None:
        return
    if of.low is not None and of.high is not None:
        axes.plot([at + 0.05] * 2, [of.low, of.high], color=INK, linewidth=2.5, solid_capstyle="round", zorder=3)
    axes.plot([at + 0.05], [middle], marker=_MARKS[n], markersize=11, color=_COLOURS[n], mec=INK, zorder=4)
