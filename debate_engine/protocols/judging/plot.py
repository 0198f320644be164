"""`judges`: what each judge gave both sides, once with each side claiming."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from elenchus.debate_engine.protocols.judging.schemas import Judgement
from elenchus.debate_engine.protocols.judging.strength import verdict
from elenchus.debate_engine.protocols.judging.tally import Total
from elenchus.debate_engine.reports import canvas, words
from elenchus.debate_engine.reports.canvas import CON, FAINT, GRID, PRO

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NAME = "judges"
_NAME_LENGTH = 26
_PANELS = (("A", "When pro claims"), ("B", "When con claims"))


def judges(judgement: Judgement, names: Mapping[str, str], under: str, *, question: bool = False) -> canvas.Picture:
    """A panel for each configuration, a row for each judge, a mark for each side's points.

    A row without a score says so; one that misses topics says how many it has. `under` stands below the title. Blocks.
    """
    with canvas.drawing():
        figure = canvas.slide()
        canvas.headed(figure, "Points by judge and configuration", under)
        panels = figure.subplots(1, 2, sharex=True, sharey=True)
        size = max(8.0, min(17.0, 150 / max(1, len(judgement.judges))))
        _scale(panels[0], judgement)
        _names(panels[0], judgement, names, size)
        for axes, (first, title) in zip(panels, _PANELS, strict=True):
            _frame(axes, title)
            for total in judgement.totals:
                if total.first == first:
                    _row(axes, total, -float(judgement.judges.index(total.judge)), size)
        _key(figure, judgement, question=question)
        return canvas.rendered(figure, NAME, alt_text(judgement, names, question=question))


def _scale(axes: Axes, j: Judgement) -> None:
    """The span of all points with room for the numbers, and rows that do not drift apart where there are few."""
    most = 10.0 * max(1, len(j.topics))
    values = [value for t in j.totals for value in (t.a, t.b) if value is not None] or [0.4 * most, 0.7 * most]
    room = max((max(values) - min(values)) * 0.28, most * 0.08)
    axes.set_xlim(min(values) - room, max(values) + room)
    rows = len(j.judges)
    slack = max(0.7, (3.2 - rows) / 2)
    axes.set_ylim(-(rows - 1) - slack, slack)


def _names(axes: Axes, j: Judgement, names: Mapping[str, str], size: float) -> None:
    called = [canvas.shortened(names.get(judge, judge), _NAME_LENGTH) or judge for judge in j.judges]
    axes.set_yticks([-n for n in range(len(called))], called, fontsize=size, fontweight="bold")


def _frame(axes: Axes, title: str) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.set_axisbelow(True)
    axes.set_title(title, loc="left", fontsize=17, pad=12)
    axes.tick_params(length=0, pad=10)
    axes.tick_params(axis="x", labelsize=15, pad=6)
    axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    axes.grid(axis="x", color=GRID, linewidth=1)
    axes.spines["left"].set_visible(False)


def _row(axes: Axes, t: Total, y: float, size: float) -> None:
    axes.axhline(y, color=GRID, linewidth=1, zorder=1)
    if t.a is None or t.b is None:
        middle = sum(axes.get_xlim()) / 2
        canvas.label(axes, middle, y, words.NO_SCORE, ha="center", va="center", fontsize=size, color=FAINT)
        return
    axes.plot([t.a, t.b], [y, y], color=FAINT, linewidth=2.5, zorder=2)
    axes.plot([t.b], [y], marker="s", markersize=size * 0.9, color=CON, zorder=3)
    axes.plot([t.a], [y], marker="o", markersize=size * 0.8, color=PRO, markeredgecolor="white", zorder=4)
    ahead = t.a > t.b
    for value, colour, right in ((t.a, PRO, ahead), (t.b, CON, not ahead)):
        canvas.label(axes, value, y, f"{round(value, 1):g}", offset=(size * (0.8 if right else -0.8), 0), va="center",
                     ha="left" if right else "right", fontsize=size, color=colour, fontweight="bold")  # fmt: skip
    if t.read < t.asked:
        note = f"{t.read} of {t.asked} topics"
        canvas.label(axes, (t.a + t.b) / 2, y, note, offset=(0, -size), ha="center", va="top", fontsize=size * 0.8,
                     color=FAINT)  # fmt: skip


def _key(figure: Figure, j: Judgement, *, question: bool) -> None:
    from matplotlib.lines import Line2D

    pro, con = ("pro's answer", "con's answer") if question else ("for the motion (pro)", "against (con)")
    marks = [("o", PRO, pro), ("s", CON, con)]
    handles = [Line2D([], [], marker=m, color=c, linestyle="none", markersize=12, label=text) for m, c, text in marks]
    figure.legend(handles=handles, loc="upper right", bbox_to_anchor=(0.995, 0.985), ncols=2, frameon=False,
                  fontsize=16, handletextpad=0.2, columnspacing=1.2)  # fmt: skip
    figure.supxlabel(f"Points over {words.count(len(j.topics), 'topic')}, 1 to 10 each", fontsize=16)


# ── in words ─────────────────────────────────────────────────────────────────────────────────────────────────────


def alt_text(judgement: Judgement, names: Mapping[str, str], *, question: bool = False) -> str:
    """Both sides' points by judge and configuration, and the verdict."""
    totals = "; ".join(
        f"{names.get(t.judge, t.judge)}, {'pro' if t.first == 'A' else 'con'} claiming: {_told(t)}"
        for t in judgement.totals
    )
    return f"Dot plot of points by judge and configuration. {totals}. Verdict: {verdict(judgement, question=question)}."


def _told(t: Total) -> str:
    if t.a is None or t.b is None:
        return words.NO_SCORE
    some = "" if t.read == t.asked else f" ({t.read} of {t.asked} topics)"
    return f"pro {t.a:g}, con {t.b:g}{some}"
