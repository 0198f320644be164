"""Drawing with matplotlib without pyplot: one style, one lock, pictures as bytes. Blocks: call it off the event loop.

Colours are those of Okabe and Ito, which people with any colour vision tell apart; marks differ in shape as well.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.printable import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

PRO, CON, HEAT, GOOD = "#0072B2", "#D55E00", "#D55E00", "#009E73"
INK, FAINT, GRID = "#1f2328", "#57606a", "#d8dee4"
SLIDE = (12.8, 7.2)
"""Inches of a 16:9 slide; at DPI dots an inch 1920 × 1080."""
DPI = 150

_STYLE: dict[str, Any] = {
    "font.family": "sans-serif",
    "font.size": 16.0,
    "text.color": INK,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "svg.hashsalt": "elenchus",
    "hatch.color": GRID,
    "text.parse_math": False,
}
_WANTED = (
    "DejaVu Sans", "Noto Sans", "Noto Sans CJK SC", "Noto Sans CJK JP", "Microsoft YaHei", "PingFang SC",
    "Arial Unicode MS",
)  # fmt: skip
_LOCK = threading.Lock()  # matplotlib's settings and fonts are global


@dataclass(frozen=True, slots=True)
class Picture:
    """One drawing in two forms, and what it shows in words."""

    name: str
    png: bytes
    svg: bytes
    alt: str


@contextmanager
def drawing() -> Iterator[None]:
    """Around all drawing: our style, and nobody else at it."""
    import matplotlib

    style: Any = {**_STYLE, "font.sans-serif": _fonts()}
    with _LOCK, matplotlib.rc_context(style):
        yield


def slide() -> Figure:
    """An empty slide."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=SLIDE, dpi=DPI, layout="constrained", facecolor="white")
    figure.get_layout_engine().set(w_pad=0.15, h_pad=0.12, hspace=0.06)  # type: ignore[union-attr, call-arg]
    return figure


def rendered(figure: Figure, name: str, alt: str) -> Picture:
    """The slide as PNG and SVG, the same bytes for the same figures."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    FigureCanvasAgg(figure)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # laid out once, for both forms
    png, svg, described = io.BytesIO(), io.BytesIO(), _in_xml(alt)
    figure.savefig(png, format="png", dpi=DPI, metadata={"Software": "Elenchus", "Description": described})
    figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": "Elenchus", "Description": described})
    return Picture(name, png.getvalue(), svg.getvalue(), alt)


def _in_xml(text: str) -> str:
    """The printable text without the two signs that print nowhere and that no XML may hold."""
    return printable(text).translate(dict.fromkeys((0xFFFE, 0xFFFF)))


def headed(figure: Figure, title: str, under: str) -> None:
    """Title and a line below it, both from the left edge."""
    figure.text(0.012, 0.975, title, ha="left", va="top", fontsize=23, fontweight="bold")
    figure.text(0.012, 0.905, shortened(under, 105), ha="left", va="top", fontsize=16, color=FAINT)
    figure.get_layout_engine().set(rect=(0, 0, 1, 0.86))  # type: ignore[union-attr, call-arg]


def plain_axes(axes: Axes) -> None:
    """A quiet frame with lines to read values by."""
    axes.set_axisbelow(True)
    axes.tick_params(length=0, labelsize=15)
    axes.grid(axis="y", color=GRID, linewidth=1)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(side == "bottom")


def label(axes: Axes, x: float, y: float, text: str, **how: Any) -> Text:
    """Words beside a mark, offset by `offset` points, on white so that lines do not cross them."""
    offset = how.pop("offset", (0, 0))
    box = {"boxstyle": "round,pad=0.12", "facecolor": "white", "edgecolor": "none", "alpha": 0.85}
    return axes.annotate(text, (x, y), offset, textcoords="offset points", bbox=box, annotation_clip=False, **how)


# ── text of any script ───────────────────────────────────────────────────────────────────────────────────────────


def shortened(text: str, most: int) -> str:
    """The text on one line, without what no font here can draw, at most so many characters."""
    drawable = _drawable()
    line = " ".join("".join(c for c in printable(text) if ord(c) in drawable or c.isspace()).split())
    line = line.strip("· ")  # beside which nothing may be left
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


@lru_cache(maxsize=1)
def _fonts() -> list[str]:
    """The wanted fonts that are installed."""
    from matplotlib.font_manager import fontManager

    there = {entry.name for entry in fontManager.ttflist}
    return [name for name in _WANTED if name in there]


@lru_cache(maxsize=1)
def _drawable() -> frozenset[int]:
    """The code points that the fonts can draw, plain and bold: a name has many files, which hold different ones."""
    return frozenset().union(*(_signs(name, "normal") & _signs(name, "bold") for name in _fonts()))


def _signs(name: str, weight: str) -> frozenset[int]:
    from matplotlib.font_manager import FontProperties, fontManager, get_font

    return frozenset(get_font(fontManager.findfont(FontProperties(family=name, weight=weight))).get_charmap())
