"""`frequency`: how often the bias is seen in each cell, with its interval, treatment beside control."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from elenchus.debate_engine.protocols.rulegen.study import words
from elenchus.debate_engine.protocols.rulegen.study.analysis import Row, Study
from elenchus.debate_engine.reports import canvas
from elenchus.debate_engine.reports.canvas import CON, FAINT, GOOD, GRID, PRO
from elenchus.debate_engine.scenes.scene import CONDITIONS, Condition

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "frequency"
_MOST = 12
"""Rows that a slide holds; of more the first are drawn, and the report has them all."""
_COLOURS = (CON, PRO, GOOD, "#CC79A7", "#E69F00", "#56B4E9")
_MARKS = "osD^vP"
"""Of the conditions in their order: colours that all can tell apart, and shapes."""

Place = tuple[str, str]


def study_plot(study: Study) -> canvas.Picture:
    """One line of marks for each subject and style. Imports matplotlib and draws: call it off the event loop."""
    places = list(dict.fromkeys((row.cell.subject, row.cell.style) for row in study.rows))
    with canvas.drawing():
        figure = canvas.slide()
        canvas.headed(figure, f"How often the bias is seen: {canvas.shortened(study.title, 60)}", _under(study, places))
        axes = figure.subplots()
        conditions = _conditions(study)
        _frame(axes, places[:_MOST], conditions)
        for row in study.rows:
            if (place := (row.cell.subject, row.cell.style)) in places[:_MOST]:
                _mark(axes, places.index(place), row, conditions, few=len(places) <= 6)
        if not study.rows:
            axes.text(0.5, 0.5, "No run is there yet.", transform=axes.transAxes, ha="center", color=FAINT)
        return canvas.rendered(figure, NAME, alt_text(study))


def alt_text(study: Study) -> str:
    """What the picture shows, in sentences with its numbers."""
    if not study.rows:
        return "An empty plot: the scene has not been played yet."
    told = [
        f"{row.cell.subject}, {words.style(row.cell.style)}, {row.cell.condition}: "
        f"{row.frequency.k} of {row.frequency.n}, {words.share(row.frequency)}"
        for row in study.rows
    ]
    apart = [
        f"{words.difference(one.difference)} for {one.subject}, {words.style(one.style)}"
        f"{words.confounded(one.confounded)}"
        for one in study.contrasts
    ]
    if study.overall:
        apart.append(
            f"{words.difference(study.overall.difference)} within all subjects and styles"
            f"{words.confounded(study.overall.confounded)}"
        )
    contrast = f" Treatment minus control: {'; '.join(apart)}." if apart else ""
    unfounded = f" {left}" if (left := words.unfounded(study)) else ""
    shown = f"Dot plot with 95 % intervals of how often {study.bias or 'the bias'} is seen"
    return f"{shown}. {'; '.join(told)}.{contrast}{unfounded}"


def _under(study: Study, places: list[Place]) -> str:
    runs = sum(row.frequency.n for row in study.rows)
    rest = f" · the first {_MOST} of {len(places)} rows" if len(places) > _MOST else ""
    simulated = " · simulated" if any(run.uses("scripted") for run in study.observed) else ""
    counted = f"{runs} runs judged yes or no, with 95 % intervals (Wilson)"
    left = sum(run.result == "unfounded" for run in study.observed)
    unfounded = f" · {left} unfounded, left out" if left else ""
    confounded = " · confounded (see the report)" if any(one.confounded for one in study.contrasts) else ""
    return f"{study.bias or 'No bias is named'} · {counted}{unfounded}{rest}{confounded}{simulated}"


def _conditions(study: Study) -> tuple[Condition, ...]:
    """The conditions that there are, in their order; of twins both."""
    found = tuple(dict.fromkeys(row.cell.condition for row in study.rows))
    return CONDITIONS if set(found) <= set(CONDITIONS) else found


def _frame(axes: Axes, places: list[Place], conditions: Sequence[Condition]) -> None:
    canvas.plain_axes(axes)
    axes.grid(axis="y", visible=False)
    axes.grid(axis="x", color=GRID, linewidth=1)
    axes.set_xlim(-0.02, 1.02)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0 %", "25 %", "50 %", "75 %", "100 %"])
    names = [canvas.shortened(f"{subject}{f', {style}' if style else ''}", 34) for subject, style in places]
    axes.set_yticks(range(len(places)), names)
    axes.set_ylim(max(len(places), 1) - 0.4, -0.85)
    for n, condition in enumerate(conditions):
        x, mark, colour = n / max(5, len(conditions)), _MARKS[n % len(_MARKS)], _COLOURS[n % len(_COLOURS)]
        axes.plot([x + 0.01], [-0.7], marker=mark, markersize=11, color=colour, clip_on=False)
        axes.text(x + 0.028, -0.7, condition, va="center", fontsize=16, color=colour, fontweight="bold")


def _mark(axes: Axes, place: int, row: Row, conditions: Sequence[Condition], *, few: bool) -> None:
    condition, one = row.cell.condition, row.frequency
    n = conditions.index(condition)
    y = place + 0.32 * (n - (len(conditions) - 1) / 2) / max(1, len(conditions) - 1)
    if one.share is None or one.low is None or one.high is None:
        canvas.label(axes, 0.0, y, f"{condition}: no run could be judged", va="center", fontsize=13, color=FAINT)
        return
    colour = _COLOURS[n % len(_COLOURS)]
    axes.plot([one.low, one.high], [y, y], color=colour, linewidth=3, solid_capstyle="round", zorder=3, clip_on=False)
    axes.plot([one.share], [y], marker=_MARKS[n % len(_MARKS)], markersize=12, color=colour, zorder=4, clip_on=False)
    if few:
        at, align, offset = (one.high, "left", (10, 0)) if one.high < 0.82 else (one.low, "right", (-10, 0))
        text = f"{one.k} of {one.n}"
        canvas.label(axes, at, y, text, offset=offset, ha=align, va="center", fontsize=14, color=colour)
