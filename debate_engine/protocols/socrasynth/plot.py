"""The pictures of a debate: `heat-and-quality`, stage by stage, and the judges' points.

Tenths of a second each: off the event loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from elenchus.debate_engine.protocols.judging.plot import judges
from elenchus.debate_engine.protocols.judging.strength import verdict as in_words
from elenchus.debate_engine.protocols.socrasynth.projection import debate_of
from elenchus.debate_engine.protocols.socrasynth.results import Stage
from elenchus.debate_engine.reports import canvas, words
from elenchus.debate_engine.reports.canvas import FAINT, GOOD, HEAT, PRO

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from elenchus.debate_engine.reports.view import SessionView

NAME = "heat-and-quality"
_LABELLED = 16
"""With more columns than this, values are not written beside the marks."""
_LOW = 2.0
"""A score below this has its label above its mark, where the axis leaves no room below it."""


def pictures(view: SessionView) -> Iterator[canvas.Picture]:
    """Heat and quality, then the judges' points, as far as the log has something to draw."""
    if (debate := debate_of(view)) is None:
        return
    simulated = " · simulated" if view.simulated else ""
    if stages := tuple(debate.stages()):
        yield _drawn(stages, f"{words.shortened(view.title, 88)}{simulated}")
    if verdict := debate.verdict:
        points = "" if verdict.a is None else f", {verdict.a:g} – {verdict.b:g} points"
        under = f"Verdict: {in_words(verdict, question=debate.question)}{points}{simulated}"
        names = {judge: view.name(judge) for judge in verdict.judges}
        yield judges(verdict, names, under, question=debate.question)


def heat_and_quality(stages: Sequence[Stage], under: str) -> canvas.Picture:
    """Two panels over one axis of stages: heat (0–1), and Γ with the claim's standing (1–10).

    A Γ that could not be read is a gap with the words for it. `under` stands below the title. Blocks.
    """
    with canvas.drawing():
        figure = canvas.slide()
        canvas.headed(figure, "Heat and argument quality by round", under)
        heat, quality = figure.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": (1, 1.5)})
        _heat(heat, stages)
        _quality(quality, stages)
        _columns(quality, stages)
        return canvas.rendered(figure, NAME, alt_text(stages))


_drawn = lru_cache(maxsize=4)(heat_and_quality)
"""Once for a thread's post and the report that follows it."""


def _heat(axes: Axes, stages: Sequence[Stage]) -> None:
    canvas.plain_axes(axes)
    axes.set_title("Contentiousness Δ: 0 = full agreement, 1 = devil's advocate", loc="left", fontsize=16, color=HEAT)
    axes.set_ylim(0, 1.08)
    axes.set_yticks([0, 0.5, 1], ["0", "0.5", "1"])
    points = [(x, s.heat) for x, s in enumerate(stages) if s.heat is not None]
    size, width = _weight(stages)
    axes.plot(*zip(*points, strict=True) if points else ((), ()), color=HEAT, linewidth=width, zorder=3)
    for x, y in points:
        by_hand = stages[x].set_by_moderator
        axes.plot([x], [y], marker="D" if by_hand else "o", markersize=size, color="white" if by_hand else HEAT,
                  markeredgecolor=HEAT, markeredgewidth=2.5, zorder=4, clip_on=False)  # fmt: skip
        if len(stages) <= _LABELLED:
            note = f"{y:.2f}" + ("\nby moderator" if by_hand else "")
            canvas.label(axes, x, y, note, offset=(0, 13 if y < 0.75 else -13), ha="center", fontsize=15, color=HEAT,
                         va="bottom" if y < 0.75 else "top")  # fmt: skip


def _quality(axes: Axes, stages: Sequence[Stage]) -> None:
    canvas.plain_axes(axes)
    axes.set_title("Argument quality Γ and standing of the claim: 1 to 10", loc="left", fontsize=16)
    axes.set_ylim(0.5, 10.5)
    axes.set_yticks([1, 4, 5.5, 7, 10], ["1", "4", "even 5.5", "7", "10"])
    axes.axhline(5.5, color=FAINT, linewidth=1.2, linestyle=(0, (4, 3)))
    _line(axes, [s.gamma for s in stages], PRO, "o", "-", _weight(stages))
    _line(axes, [s.standing for s in stages], GOOD, "s", "--", _weight(stages))
    for x, s in enumerate(stages):
        if s.unreadable:
            axes.axvspan(x - 0.28, x + 0.28, facecolor="#f6f8fa", edgecolor=canvas.GRID, hatch="//", linewidth=0)
            if len(stages) > _LABELLED and stages[x - 1].unreadable:
                continue  # one label for a run of gaps where columns are narrow
            canvas.label(axes, x, 8.0, words.NO_SCORE, ha="center", va="center", fontsize=14, color=FAINT,
                         rotation=90 if len(stages) > 8 else 0)  # fmt: skip
    if len(stages) <= _LABELLED:
        _values(axes, stages)
    _line_names(axes, stages)


def _weight(stages: Sequence[Stage]) -> tuple[float, float]:
    """Size of marks and width of lines, in points."""
    return (10, 3) if len(stages) <= _LABELLED else (5, 2)


def _line(
    axes: Axes, values: Sequence[float | None], colour: str, marker: str, dash: str, weight: tuple[float, float]
) -> None:
    for (x, y), (next_x, next_y) in pairwise(enumerate(values)):
        if y is not None and next_y is not None:
            axes.plot([x, next_x], [y, next_y], color=colour, linewidth=weight[1], linestyle=dash, zorder=3)
    points = [(x, y) for x, y in enumerate(values) if y is not None]
    axes.plot(*zip(*points, strict=True) if points else ((), ()), color=colour, marker=marker, markersize=weight[0],
              linestyle="none", zorder=4, clip_on=False)  # fmt: skip


def _values(axes: Axes, stages: Sequence[Stage]) -> None:
    for x, s in enumerate(stages):
        pairs = [(value, colour) for value, colour in ((s.gamma, PRO), (s.standing, GOOD)) if value is not None]
        pairs.sort(key=lambda pair: -pair[0])  # of equals, Γ first
        for place, (value, colour) in enumerate(pairs):
            above = place == 0 or value < _LOW
            lifted = place == 0 and pairs[-1][0] < _LOW and value - pairs[-1][0] < _LOW and len(pairs) == 2
            canvas.label(axes, x, value, f"{value:.1f}", offset=(0, (31 if lifted else 11) if above else -11),
                         ha="center", va="bottom" if above else "top", fontsize=15, color=colour)  # fmt: skip


def _line_names(axes: Axes, stages: Sequence[Stage]) -> None:
    """Each line's name at its right end, kept apart."""
    ends = [(value, name, colour) for value, name, colour in _ends(stages) if value is not None]
    ends.sort()
    low = 1.0
    for value, name, colour in ends:
        low = max(value, low)
        axes.annotate(name, (1.005, low), xycoords=("axes fraction", "data"), va="center", fontsize=16, color=colour,
                      fontweight="bold", annotation_clip=False)  # fmt: skip
        low += 1.1


def _ends(stages: Sequence[Stage]) -> Iterator[tuple[float | None, str, str]]:
    yield next((s.gamma for s in reversed(stages) if s.gamma is not None), None), "Γ quality", PRO
    yield next((s.standing for s in reversed(stages) if s.standing is not None), None), "standing", GOOD


def _columns(axes: Axes, stages: Sequence[Stage]) -> None:
    axes.set_xlim(-0.65 - (0.03 * len(stages) if len(stages) > _LABELLED else 0), max(len(stages), 1) - 0.5)
    every = max(1, len(stages) // _LABELLED)
    short = len(stages) > 8
    crowded = len(stages) > _LABELLED
    shown = [
        (x, s)
        for x, s in enumerate(stages)
        if not s.n or (s.n % every == 0 and not (crowded and (x < 4 or x > len(stages) - 4)))
    ]
    axes.set_xticks([x for x, _ in shown], [str(s.n) if short and s.n else s.name.capitalize() for _, s in shown])
    if short:
        axes.set_xlabel("Round")
    if not stages:
        canvas.label(axes, 0, 5.5, "The debate has not begun.", ha="center", va="center", color=FAINT)


# ── in words ─────────────────────────────────────────────────────────────────────────────────────────────────────


def alt_text(stages: Sequence[Stage]) -> str:
    """Heat, Γ and standing of every stage."""
    if not stages:
        return "An empty plot of heat and argument quality: the debate has not begun."
    return "Line plot by stage of the debate. " + " ".join(f"{_stage(s)}." for s in stages)


def _stage(s: Stage) -> str:
    by_hand = " (set by the moderator)" if s.set_by_moderator else ""
    parts = [f"heat {s.heat:.2f}{by_hand}"] if s.heat is not None else []
    if s.quality:
        parts += [f"argument quality {words.score(s.gamma)}", f"standing of the claim {words.score(s.standing)}"]
    return f"{s.name.capitalize()}: {', '.join(parts) or 'nothing recorded'}"
