"""The measured change as small multiples: support, hedges, polarising words and risk share against the heat."""

from __future__ import annotations

import io
import textwrap
from math import nan
from typing import TYPE_CHECKING, Any, NamedTuple

from elenchus.debate_engine.protocols.speech import SIDES, Side
from elenchus.debate_engine.protocols.sweep.report import EXPECTED, NAMES, trend_in_words
from elenchus.debate_engine.protocols.sweep.schemas import MeasureName, Sweep

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DRAWN: tuple[MeasureName, ...] = ("support", "polarising", "hedges", "risk_share")
_COLOURS: dict[Side, str] = {"pro": "#0072B2", "con": "#D55E00"}  # apart for colour-blind readers too
_MARKERS: dict[Side, str] = {"pro": "o", "con": "s"}
_INK, _QUIET, _RULE = "#222222", "#666666", "#dddddd"
_TITLES: dict[MeasureName, str] = {
    "support": "Support for the other side (1–10)",
    "polarising": "Polarising words per 100",
    "hedges": "Hedges per 100 words",
    "risk_share": "Risk words among risk and benefit words",
}
_FONT = "DejaVu Sans"  # comes with matplotlib
_LAYOUT = {"left": 0.05, "right": 0.975, "top": 0.775, "bottom": 0.09, "hspace": 0.42, "wspace": 0.15}


class Picture(NamedTuple):
    """An image in both formats, and what it shows for who cannot see it."""

    png: bytes
    svg: bytes
    alt: str


def plot_sweep(sweep: Sweep, *, simulated: bool = False) -> Picture:
    """Draw a sweep, marked where scripts spoke in it (`simulated`); the same sweep gives the same bytes.

    Takes about a second, so call it in a thread; not in two at once, since matplotlib's settings are global.
    """
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with mpl.rc_context({"font.family": _FONT, "font.size": 11, "svg.hashsalt": "elenchus", "text.parse_math": False}):
        figure = Figure(figsize=(12, 6.75), facecolor="white")
        FigureCanvasAgg(figure)
        _headed(figure, sweep, simulated=simulated)
        axes = figure.subplots(2, 2, sharex=True, gridspec_kw=_LAYOUT)
        for ax, measure in zip(axes.flat, DRAWN, strict=True):
            _panel(ax, sweep, measure)
        for ax in axes[1]:
            ax.set_xlabel("contentiousness (0 = agreement, 1 = devil's advocate)", color=_QUIET)
        return Picture(_saved(figure, "png"), _saved(figure, "svg"), alt_text(sweep))


def alt_text(sweep: Sweep) -> str:
    """What the picture shows, in sentences with its numbers."""
    heats = ", ".join(f"{heat:g}" for heat in sweep.heats)
    parts = [f"Four charts of how speeches for and against “{sweep.motion}” change with contentiousness ({heats})."]
    for measure in DRAWN:
        sides = [told for side in SIDES if (told := _series_in_words(sweep, measure, side))]
        parts.append(f"{NAMES[measure].capitalize()}: {'; '.join(sides) or 'not measured'}.")
    return " ".join(parts)


# ── parts ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _headed(figure: Figure, sweep: Sweep, *, simulated: bool) -> None:
    figure.text(0.05, 0.955, "The same motion at different heats", fontsize=20, weight="bold", color=_INK, va="center")
    motion = textwrap.shorten(f"“{sweep.motion}”", 110, placeholder=" …”")
    said = (motion if _drawable(motion) else "") + (" · simulated" if simulated else "")
    figure.text(0.05, 0.903, said, fontsize=13, color=_QUIET, va="center")
    for place, side in zip((0.975, 0.905), reversed(SIDES), strict=True):
        figure.text(place, 0.955, f"■ {side}" if side == "con" else f"● {side}", fontsize=14, color=_COLOURS[side],
                    weight="bold", ha="right", va="center")  # fmt: skip


def _drawable(text: str) -> bool:
    """Whether the font has all its characters; it has no Chinese, Japanese or Korean ones."""
    from matplotlib.font_manager import findfont, get_font

    known = get_font(findfont(_FONT)).get_charmap()
    return all(ord(char) in known for char in text)


def _panel(ax: Axes, sweep: Sweep, measure: MeasureName) -> None:
    ax.set_title(_TITLES[measure], loc="left", fontsize=13, weight="bold", color=_INK, pad=22)
    ax.text(0, 1.035, _caption(sweep, measure), transform=ax.transAxes, fontsize=10, color=_QUIET)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.spines["bottom"].set_color(_RULE)
    ax.grid(axis="y", color=_RULE, linewidth=0.8)
    ax.tick_params(length=0, pad=8, colors=_QUIET)
    ax.set_axisbelow(True)
    ax.set_xlim(-0.04, 1.04)
    ticks = sorted(sweep.heats) if len(sweep.heats) <= 8 else [0, 0.2, 0.4, 0.6, 0.8, 1]
    ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    drawn = [_series(ax, sweep, measure, side) for side in SIDES]
    if not any(drawn):
        ax.set_yticks([])
        ax.text(0.5, 0.5, "not measured", transform=ax.transAxes, ha="center", color=_QUIET, fontsize=14)
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


def _saved(figure: Figure, kind: str) -> bytes:
    to = io.BytesIO()
    fixed: dict[str, Any] = {"Date": None} if kind == "svg" else {"Software": None}
    figure.savefig(to, format=kind, dpi=160, metadata=fixed)
    return to.getvalue()
