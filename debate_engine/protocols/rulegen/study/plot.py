"""The picture of a study: what came out in each cell with its interval, and sizes beside published ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.protocols.rulegen.study import words
from elenchus.debate_engine.protocols.rulegen.study.analysis import Row, Study
from elenchus.debate_engine.protocols.rulegen.study.grid import Cell
from elenchus.debate_engine.protocols.rulegen.study.literature import Size, sizes_beside
from elenchus.debate_engine.reports import canvas
from elenchus.debate_engine.reports.canvas import CON, FAINT, GOOD, GRID, INK, PRO
from elenchus.debate_engine.scenes.scene import CONDITIONS, Condition

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHARES, NUMBERS = "frequency", "outcome"
"""What the picture is called."""
_MOST = 12
"""Rows that a slide holds; of more the first are drawn, and the report has them all."""
_MOST_POINTS = 200
"""Single subjects that are drawn of one cell; of more the first."""
_COLOURS = (CON, PRO, GOOD, "#CC79A7", "#E69F00", "#56B4E9")
_MARKS = "osD^vP"
"""Of the versions in their order: colours that all can tell apart, and shapes."""

_IN_A_ROW = 3
"""Versions beside one another in the legend."""

Place = tuple[str, str]


def study_plot(study: Study) -> canvas.Picture:
    """One line of marks for each subject and style. Imports matplotlib and draws: call it off the event loop."""
    places = list(dict.fromkeys((row.cell.subject, row.cell.style) for row in study.rows))
    numbers, sizes = _are_numbers(study), _sizes(study)
    with canvas.drawing():
        figure = canvas.slide()
        canvas.headed(figure, f"{_title(study)}: {canvas.shortened(study.title, 60)}", _under(study, places))
        axes = figure.subplots(1, 2, width_ratios=(3, 2)) if sizes else [figure.subplots()]
        conditions = _conditions(study)
        _frame(axes[0], places[:_MOST], conditions, numbers=numbers)
        axes[0].set_xlabel(_what(study, numbers=numbers))
        points = _points(study) if numbers else {}
        for row in study.rows:
            if (place := (row.cell.subject, row.cell.style)) in places[:_MOST]:
                few = len(places) <= 6 and not sizes
                _mark(axes[0], places.index(place), row, conditions, points.get(row.cell, ()), few=few)
        if not study.rows:
            axes[0].text(0.5, 0.5, "No run is there yet.", transform=axes[0].transAxes, ha="center", color=FAINT)
        if sizes:
            _beside(axes[1], sizes)
        return canvas.rendered(figure, NUMBERS if numbers else SHARES, alt_text(study))


def _what(study: Study, *, numbers: bool) -> str:
    """What the axis shows, in what unit."""
    if not numbers:
        return "runs in which the bias is seen" if study.instrument == "judges" else f"share of yes: {study.outcome}"
    unit = "" if study.unit in ("", study.outcome) else f", in {study.unit}"
    return canvas.shortened(f"{study.outcome}{unit}", 70)


def _are_numbers(study: Study) -> bool:
    return any(row.mean is not None and row.mean.n for row in study.rows)


def _title(study: Study) -> str:
    return "How often the bias is seen" if study.instrument == "judges" else "What came out"


def alt_text(study: Study) -> str:
    """What the picture shows, in sentences with its numbers."""
    if not study.rows:
        return "An empty plot: the scene has not been played yet."
    told = [
        f"{row.cell.subject}, {words.style(row.cell.style)}, {row.cell.condition}: {_counted(row)}, "
        f"{words.came_out(row, study.unit)}"
        for row in study.rows
    ]
    apart = [
        f"{words.apart(one, study.unit)} for {words.who(one)}, {one.contrast}{words.confounded(one.confounded)}"
        for one in study.contrasts
        if one.over == "versions" and one.found is not None and one.found.difference is not None
    ]
    contrast = f" Compared: {'; '.join(apart)}." if apart else ""
    sizes = "; ".join(f"{name}: {size}" for name, size, _ in _sizes(study))
    beside = f" Published sizes beside those found here: {sizes}." if sizes else ""
    unfounded = f" {left}" if (left := words.unfounded(study)) else ""
    what = f"how often {study.bias or 'the bias'} is seen" if study.instrument == "judges" else "what came out"
    drawn = "Dot plot with 95 % intervals" if study.has_intervals else "Dot plot"
    return f"{drawn} of {what}. {'; '.join(told)}.{contrast}{beside}{unfounded}"


def _counted(row: Row) -> str:
    return f"{row.share.k} of {row.share.n}" if row.share else f"{row.counted} analysed"


def _under(study: Study, places: list[Place]) -> str:
    runs = sum(row.counted for row in study.rows)
    rest = f" · the first {_MOST} of {len(places)} rows" if len(places) > _MOST else ""
    simulated = " · simulated" if any(run.uses("scripted") for run in study.observed) else ""
    by = "judged yes or no" if study.instrument == "judges" else "analysed"
    interval = "95 % intervals (Wilson)"
    if _are_numbers(study):
        interval = "means with 95 % intervals, and single subjects" if study.has_intervals else "single numbers"
    left = sum(run.result == "unfounded" for run in study.observed) if study.instrument == "judges" else 0
    unfounded = f" · {left} unfounded, left out" if left else ""
    confounded = " · confounded (see the report)" if any(one.confounded for one in study.contrasts) else ""
    return f"{study.bias or 'No bias is named'} · {runs} runs {by}, {interval}{unfounded}{rest}{confounded}{simulated}"


def _conditions(study: Study) -> tuple[Condition, ...]:
    """The versions that there are, in their order; of twins both."""
    found = tuple(dict.fromkeys(row.cell.condition for row in study.rows))
    return CONDITIONS if set(found) <= set(CONDITIONS) else tuple(one for one in study.design.cells if one in found)


def _points(study: Study) -> dict[Cell, list[float]]:
    """What came out of each analysed subject."""
    found: dict[Cell, list[float]] = defaultdict(list)
    for case in study.cases:
        for name, value in case.outcomes.items():
            if case.counts and value is not None:
                found[Cell(subject=case.subject, style=case.style, condition=name)].append(float(value))
    return found


def _frame(axes: Axes, places: list[Place], conditions: Sequence[Condition], *, numbers: bool) -> None:
    canvas.plain_axes(axes)
    axes.grid(axis="y", visible=False)
    axes.grid(axis="x", color=GRID, linewidth=1)
    if not numbers:
        axes.set_xlim(-0.02, 1.02)
        axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0 %", "25 %", "50 %", "75 %", "100 %"])
    names = [canvas.shortened(f"{subject}{f', {style}' if style else ''}", 34) for subject, style in places]
    axes.set_yticks(range(len(places)), names)
    axes.set_ylim(max(len(places), 1) - 0.4, -0.6)
    for n, condition in enumerate(conditions):
        row, column = divmod(n, _IN_A_ROW)
        x, y = column / _IN_A_ROW, 1.02 + 0.06 * ((len(conditions) - 1) // _IN_A_ROW - row)
        mark, colour = _MARKS[n % len(_MARKS)], _COLOURS[n % len(_COLOURS)]
        axes.plot([x + 0.015], [y], marker=mark, markersize=11, color=colour, clip_on=False, transform=axes.transAxes)
        how: dict[str, Any] = {"fontsize": 16, "fontweight": "bold", "transform": axes.transAxes}
        axes.text(x + 0.04, y, canvas.shortened(condition, 16), va="center", color=colour, **how)


def _mark(
    axes: Axes, place: int, row: Row, conditions: Sequence[Condition], points: Sequence[float], *, few: bool
) -> None:
    condition, of = row.cell.condition, row.share or row.mean
    n = conditions.index(condition)
    y = place + (0.32 if len(conditions) < 4 else 0.7) * (n - (len(conditions) - 1) / 2) / max(1, len(conditions) - 1)
    colour, mark = _COLOURS[n % len(_COLOURS)], _MARKS[n % len(_MARKS)]
    middle = row.share.share if row.share else row.mean.mean if row.mean else None
    if of is None or middle is None:
        where = axes.get_yaxis_transform()
        axes.text(0.02, y, f"{condition}: nobody counts", va="center", fontsize=13, color=FAINT, transform=where)
        return
    if points:
        jitter, drawn = Random(row.cell.condition), points[:_MOST_POINTS]
        spread = [y + jitter.uniform(-0.05, 0.05) for _ in drawn]
        axes.plot(drawn, spread, linestyle="", marker=".", markersize=6, color=colour, alpha=0.35, zorder=2)
    if of.low is not None and of.high is not None:
        axes.plot([of.low, of.high], [y, y], color=colour, linewidth=3, solid_capstyle="round", zorder=3, clip_on=False)
    axes.plot([middle], [y], marker=mark, markersize=12, color=colour, zorder=4, clip_on=False)
    if few and row.share and of.low is not None and of.high is not None:
        at, align, offset = (of.high, "left", (10, 0)) if of.high < 0.82 else (of.low, "right", (-10, 0))
        canvas.label(axes, at, y, _counted(row), offset=offset, ha=align, va="center", fontsize=14, color=colour)


# ── strata ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def strata_plots(study: Study) -> list[canvas.Picture]:
    """Differences in each stratum of the plan, and pooled; none where none could be told."""
    rows = [(one, of) for one in study.contrasts
            if one.over in ("pooled", "strata") and (of := one.found) and of.difference is not None]  # fmt: skip
    order = list(dict.fromkeys((one.subject, str(one.contrast)) for one, _ in rows))
    rows.sort(key=lambda row: (order.index((row[0].subject, str(row[0].contrast))), row[0].over == "pooled"))
    sizes = [
        (f"{one.subject}, {words.against(one)}: {one.stratum or 'pooled'}", Size(of.difference or 0.0, of.low, of.high),
         one.over == "pooled") for one, of in rows
    ]  # fmt: skip
    if not sizes:
        return []
    unit = "points (1 is 100 %)" if rows[0][0].in_points else study.unit or study.outcome
    told = "; ".join(f"{name}: {size}" for name, size, _ in sizes[:_MOST])
    with canvas.drawing():
        figure = canvas.slide()
        rest = f" · the first {_MOST} of {len(sizes)}" if len(sizes) > _MOST else ""
        under = f"differences with 95 % intervals; an open mark is pooled over strata{rest}"
        canvas.headed(figure, f"Within strata: {canvas.shortened(study.title, 60)}", under)
        axes = figure.subplots()
        _beside(axes, sizes[:_MOST], 60)
        axes.set_xlabel(canvas.shortened(f"difference, in {unit}", 70))
        alt = f"Differences in each stratum and pooled over them, in {unit}, with 95 % intervals. {told}."
        return [canvas.rendered(figure, "strata", alt)]


# ── published sizes ──────────────────────────────────────────────────────────────────────────────────────────────────

Named = tuple[str, Size, bool]
"""Whose size, the size, and whether its mark is open: it is published, or pooled."""


def _sizes(study: Study) -> list[Named]:
    """Every published size that may stand beside ours, and ours; of the first metric that there is."""
    found: list[Named] = []
    for source in study.plan.literature:
        ours = sizes_beside(study, source)
        metrics = {other.metric for other in study.plan.literature if sizes_beside(study, other)}
        if not ours or source.size is None or source.metric != min(metrics):
            continue
        found += [(f"{one.subject}, {one.contrast}", size, False) for one, size in ours]
        found.append((f"{source.citation} ({source.metric})", Size(source.size, source.low, source.high), True))
    return list(dict.fromkeys(found))[:_MOST]


def _beside(axes: Axes, sizes: Sequence[Named], letters: int = 30) -> None:
    canvas.plain_axes(axes)
    axes.grid(axis="y", visible=False)
    axes.grid(axis="x", color=GRID, linewidth=1)
    axes.axvline(0, color=FAINT, linewidth=1)
    axes.set_yticks(range(len(sizes)), [canvas.shortened(name, letters) for name, _, _ in sizes], fontsize=13)
    axes.set_ylim(len(sizes) - 0.4, -0.85)
    for y, (_, size, is_published) in enumerate(sizes):
        colour, mark = (INK, "D") if is_published else (CON, "o")
        if size.low is not None and size.high is not None:
            axes.plot([size.low, size.high], [y, y], color=colour, linewidth=3, solid_capstyle="round")
        axes.plot([size.value], [y], marker=mark, markersize=10, color=colour, mfc="white" if is_published else colour)
