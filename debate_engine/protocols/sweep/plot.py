"""The measured change as small multiples: support, hedges, polarising words and risk share against the heat."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING

from elenchus.debate_engine.protocols.speech import SIDES, Side
from elenchus.debate_engine.protocols.sweep.report import EXPECTED, NAMES, trend_in_words
from elenchus.debate_engine.protocols.sweep.schemas import MeasureName, Sweep
from elenchus.debate_engine.reports.canvas import CON, FAINT, PRO, Picture, drawing, headed, plain_axes, rendered, slide

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DRAWN: tuple[MeasureName, ...] = ("support", "polarising", "hedges", "risk_share")
_COLOURS: dict[Side, str] = {"pro": PRO, "con": CON}
_MARKERS: dict[Side, str] = {"pro": "o", "con": "s"}
_TITLES: dict[MeasureName, str] = {
    "support": "Support for the other side (1–10)",
    "polarising": "Polarising words per 100",
    "hedges": "Hedges per 100 words",
    "risk_share": "Risk words among risk and benefit words",
}


def plot_sweep(sweep: Sweep, *, simulated: bool = False) -> Picture:
    """Draw a sweep, marked where scripts spoke in it (`simulated`); the same sweep gives the same bytes. Blocks."""
    with drawing():
        figure = slide()
        said = "simulated · " if simulated else ""
        headed(figure, "The same motion at different heats", f"{said}“{sweep.motion}”")
        for place, side in zip((0.985, 0.905), reversed(SIDES), strict=True):
            name = f"■ {side}" if side == "con" else f"● {side}"
            figure.text(place, 0.975, name, color=_COLOURS[side], fontweight="bold", ha="right", va="top")
        axes = figure.subplots(2, 2, sharex=True)
        for ax, measure in zip(axes.flat, DRAWN, strict=True):
            _panel(ax, sweep, measure)
        for ax in axes[1]:
            ax.set_xlabel("contentiousness (0 = agreement, 1 = devil's advocate)", color=FAINT, fontsize=12)
        return rendered(figure, "sweep", alt_text(sweep))


def alt_text(sweep: Sweep) -> str:
    """What the picture shows, in sentences with its numbers."""
    heats = ", ".join(f"{heat:g}" for heat in sweep.heats)
    parts = [f"Four charts of how speeches for and against “{sweep.motion}” change with contentiousness ({heats})."]
    for measure in DRAWN:
        sides = [told for side in SIDES if (told := _series_in_words(sweep, measure, side))]
        parts.append(f"{NAMES[measure].capitalize()}: {'; '.join(sides) or 'not measured'}.")
    return " ".join(parts)


# ── parts ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _panel(ax: Axes, sweep: Sweep, measure: MeasureName) -> None:
    ax.set_title(_TITLES[measure], loc="left", fontsize=14, fontweight="bold", pad=22)
    caption = ax.text(0, 1.04, _caption(sweep, measure), transform=ax.transAxes, fontsize=9, color=FAINT)
    caption.set_in_layout(False)  # it is wider than its panel at times
    plain_axes(ax)
    ax.tick_params(labelsize=13, pad=8)
    ax.set_xlim(-0.04, 1.04)
    ticks = sorted(sweep.heats) if len(sweep.heats) <= 8 else [0, 0.2, 0.4, 0.6, 0.8, 1]
    ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    drawn = [_series(ax, sweep, measure, side) for side in SIDES]
    if not any(drawn):
        ax.set_yticks([])
        ax.text(0.5, 0.5, "not measured", transform=ax.transAxes, ha="center", color=FAINT)
    elif measure == "support":
        ax.set_ylim(0.5, 10.5)
        ax.set_yticks([1, 4, 7, 10])
    elif measure == "risk_share":
        ax.set_ylim(-0.05, 1.05)
        ax.set_yticks([0, 0.5, 1], ["0 %", "50 %", "100 %"])
    else:
        ax.set_ylim(0, max(1, ax.get_ylim()[1]))


def _series(ax: Axes, sweep: Sweep, measure: MeasureName, side: Side) -> bool:
    """Draw one side's single speeches and the line through the means; whether there was anything to draw."""
    takes = [(t.heat, value) for t in sweep.takes if t.side == side and (value := t.value(measure)) is not None]
    if not takes:
        return False
    colour, marker = _COLOURS[side], _MARKERS[side]
    shift = -0.006 if side == "pro" else 0.006  # equal values of both sides stay visible
    means = [(heat, nan if mean is None else mean) for heat, mean in _means(sweep, measure, side)]  # nan: a gap
    ax.plot([h + shift for h, _ in means], [m for _, m in means], color=colour, linewidth=2.2, marker=marker,
            markersize=8, markeredgecolor="white", zorder=3, clip_on=False)  # fmt: skip
    if sweep.samples > 1:
        ax.plot([h + shift for h, _ in takes], [v for _, v in takes], color=colour, linestyle="none", marker=marker,
                markersize=4, alpha=0.45, markeredgewidth=0, zorder=2, clip_on=False)  # fmt: skip
    return True


def _means(sweep: Sweep, measure: MeasureName, side: Side) -> list[tuple[float, float | None]]:
    return [(heat, sweep.row(heat, side).numbers[measure].mean) for heat in sorted(sweep.heats)]


def _caption(sweep: Sweep, measure: MeasureName) -> str:
    expected = {"falls": "falls with heat", "rises": "rises with heat"}.get(EXPECTED[measure], EXPECTED[measure])
    told = trend_in_words(sweep.trend(measure, "both"))
    return f"expected: {expected}" + (f"  ·  measured: {told}" if told else "")


def _series_in_words(sweep: Sweep, measure: MeasureName, side: Side) -> str:
    means = [f"{mean:.2f} at {heat:g}" for heat, mean in _means(sweep, measure, side) if mean is not None]
    return f"{side} {', '.join(means)}" if means else ""
