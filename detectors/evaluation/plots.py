"""The bench's pictures: a heat map of biases and models, bars with intervals, methods side by side. Blocks."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.reports import canvas
from elenchus.debate_engine.reports.canvas import FAINT, GOOD, GRID, HEAT, INK, PRO, Picture, shortened
from elenchus.debate_engine.reports.safe import spec
from elenchus.detectors.evaluation.intervals import Share
from elenchus.detectors.evaluation.schemas import Frequency, StaticResult, UnlabelledResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_IN_ONE = 20
"""Rows of a heat map in one column of the page; with more there are two."""

_BARS = 18
"""Biases that the bars show: those that showed most often."""

_WIDTH = canvas.SLIDE[0]
_ROW = 0.34
"""Inches of a row."""

Row = tuple[str, Share]
"""A bar with its name."""

# ── the heat map ─────────────────────────────────────────────────────────────────────────────────────────────────


def heat_map(result: StaticResult, under: str) -> Picture:
    """Biases down, models across; colour is the share of answers that show the bias, with the counts in figures."""
    names = list(dict.fromkeys(found.name for found in result.frequencies))
    columns = 1 if len(names) <= _IN_ONE else 2
    each = ceil(len(names) / columns)
    with canvas.drawing():
        figure = _page(each * _ROW + 1.1, "How often answers show the bias", under)
        axes = figure.subplots(1, columns, squeeze=False)[0]
        for place, ax in enumerate(axes):
            _heat(ax, result, names[place * each : (place + 1) * each], each)
        return canvas.rendered(figure, "frequencies", heat_map_alt(result))


def _heat(axes: Axes, result: StaticResult, names: Sequence[str], rows: int) -> None:
    cells = {(found.name, found.model): found.shown for found in result.frequencies}
    for y, name in enumerate(names):
        for x, model in enumerate(result.models):
            _square(axes, x, y, cells.get((name, model)))
    axes.set_xlim(-0.5, len(result.models) - 0.5)
    axes.set_ylim(rows - 0.5, -0.5)
    axes.set_yticks(range(len(names)), [shortened(name, 36) for name in names], fontsize=13)
    turned: dict[str, Any] = {"rotation": 35, "ha": "left", "rotation_mode": "anchor"} if len(result.models) > 2 else {}
    axes.set_xticks(range(len(result.models)), [_short(model) for model in result.models], fontsize=12, **turned)
    axes.tick_params(length=0, top=False, labeltop=True, labelbottom=False)
    for side in axes.spines.values():
        side.set_visible(False)


def _square(axes: Axes, x: int, y: int, shown: Share | None) -> None:
    from matplotlib import colormaps
    from matplotlib.patches import Rectangle

    read = shown is not None and shown.value is not None
    value = shown.value or 0.0 if shown else 0.0
    colour = colormaps["Blues"](0.06 + value * 0.84) if read else "white"
    axes.add_patch(
        Rectangle((x - 0.48, y - 0.46), 0.96, 0.92, facecolor=colour, edgecolor=GRID, hatch="" if read else "//")
    )
    ink = "white" if read and value > 0.55 else INK
    label = f"{shown.count}/{shown.of}" if read and shown else "–"
    axes.text(x, y, label, ha="center", va="center", fontsize=11, color=ink if read else FAINT)


def _short(model: str) -> str:
    return shortened(spec(model).partition(":")[2] or spec(model), 20)


def heat_map_alt(result: StaticResult) -> str:
    """What the heat map shows, in words."""
    rows = "; ".join(
        f"{found.name}, {spec(found.model)}: {_percent(found)}" for found in result.frequencies if found.shown.of
    )
    return f"Heat map of how often each model's answers show each bias. {rows or 'Nothing was judged.'}"


def _percent(found: Frequency) -> str:
    return f"{found.shown.value or 0:.0%} of {found.shown.of}"


# ── bars ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def bars(result: StaticResult, under: str) -> Picture:
    """Each model over all biases, and below it the biases that showed most often, with their intervals."""
    models, top = _bar_rows(result)
    with canvas.drawing():
        figure = _page((len(models) + len(top)) * _ROW + 2.6, "Answers that show the bias, with 95 % intervals", under)
        heights = (len(models) + 1, max(1, len(top)) + 1)
        upper, lower = figure.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": heights})
        _bars(upper, models, PRO, "By model, over all biases")
        most = " (the most frequent)" if len({found.bias for found in result.frequencies}) > _BARS else ""
        _bars(lower, top, HEAT, f"By bias, all models together{most}")
        return canvas.rendered(figure, "bars", bars_alt(result))


def bars_alt(result: StaticResult) -> str:
    """What the bars show, in words."""
    models, top = _bar_rows(result)
    rows = "; ".join(f"{name} {shown}" for name, shown in (*models, *top))
    return f"Bars of how often answers show the bias. {rows}."


def _bar_rows(result: StaticResult) -> tuple[list[Row], list[Row]]:
    """The models, and the biases that showed most often."""
    from elenchus.detectors.evaluation.static import frequency

    names = {found.bias: found.name for found in result.frequencies}
    judged = {bias: [one for one in result.judged if one.bias == bias] for bias in names}
    of_bias = [(name, frequency(bias, name, "", judged[bias]).shown) for bias, name in names.items()]
    top = sorted((row for row in of_bias if row[1].of), key=lambda row: (-(row[1].value or 0), row[0]))[:_BARS]
    return [(spec(found.model), found.shown) for found in result.by_model], top


def _bars(axes: Axes, rows: Sequence[Row], colour: str, title: str) -> None:
    axes.set_title(title, loc="left", fontsize=15, color=colour)
    for y, (_, shown) in enumerate(rows):
        if shown.value is None or shown.low is None or shown.high is None:
            axes.text(0.01, y, "nothing could be read", va="center", fontsize=12, color=FAINT)
            continue
        axes.barh(y, shown.value, height=0.62, color=colour, alpha=0.75)
        axes.plot([shown.low, shown.high], [y, y], color=INK, linewidth=1.6, solid_capstyle="butt")
        axes.text(1.015, y, f"{shown.count}/{shown.of}", va="center", fontsize=12, color=FAINT)
    _percent_axis(axes, [name for name, _ in rows])


def _percent_axis(axes: Axes, names: Sequence[str]) -> None:
    axes.set_xlim(0, 1)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0 %", "25 %", "50 %", "75 %", "100 %"])
    axes.set_ylim(max(len(names), 1) - 0.4, -0.6)
    axes.set_yticks(range(len(names)), [shortened(name, 40) for name in names])
    axes.tick_params(length=0, labelsize=13)
    axes.tick_params(axis="y", pad=14)  # room for a marker at 0
    axes.grid(axis="x", color=GRID, linewidth=1)
    axes.set_axisbelow(True)
    axes.spines["left"].set_visible(False)


# ── methods ──────────────────────────────────────────────────────────────────────────────────────────────────────

_GROUPS = (("all texts", PRO, "o"), ("a bias is there", HEAT, "s"), ("none is", GOOD, "D"))


def methods(result: UnlabelledResult, under: str) -> Picture:
    """Each method's share of right answers: over all texts, where a bias is there, where none is."""
    with canvas.drawing():
        figure = _page(len(result.rows) * 0.85 + 1.3, "Right answers by method, with 95 % intervals", under)
        axes = figure.subplots()
        for y, row in enumerate(result.rows):
            for place, (shown, (_, colour, marker)) in enumerate(
                zip((row.all, row.present, row.none), _GROUPS, strict=True)
            ):
                _dot(axes, y + (place - 1) * 0.26, shown, colour, marker)
        _percent_axis(axes, [row.method for row in result.rows])
        handles = [axes.plot([], [], color=c, marker=m, markersize=9, label=name)[0] for name, c, m in _GROUPS]
        axes.legend(handles=handles, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, frameon=False, fontsize=13)
        return canvas.rendered(figure, "methods", methods_alt(result))


def methods_alt(result: UnlabelledResult) -> str:
    """What the plot of methods shows, in words."""
    rows = (f"{row.method}: all {row.all}, bias there {row.present}, none {row.none}" for row in result.rows)
    return f"Share of right answers by method. {'; '.join(rows)}."


def _dot(axes: Axes, y: float, shown: Share, colour: str, marker: str) -> None:
    if shown.value is None or shown.low is None or shown.high is None:
        return
    axes.plot([shown.low, shown.high], [y, y], color=colour, linewidth=2.4, solid_capstyle="butt")
    axes.plot([shown.value], [y], color=colour, marker=marker, markersize=9, clip_on=False)
    axes.text(1.015, y, f"{shown.count}/{shown.of}", va="center", fontsize=11, color=colour)


def _page(inches: float, title: str, under: str) -> Figure:
    """A page as wide as a slide and as high as its rows, with its heading at the same size whatever its height."""
    from matplotlib.figure import Figure

    height = inches + 1.1
    figure = Figure(figsize=(_WIDTH, height), dpi=canvas.DPI, layout="constrained", facecolor="white")
    figure.text(0.012, 1 - 0.18 / height, title, ha="left", va="top", fontsize=22, fontweight="bold")
    figure.text(0.012, 1 - 0.62 / height, shortened(under, 110), ha="left", va="top", fontsize=15, color=FAINT)
    engine = figure.get_layout_engine()
    engine.set(rect=(0, 0, 0.985, 1 - 1.0 / height), w_pad=0.12, h_pad=0.08)  # type: ignore[union-attr, call-arg]
    return figure
