"""Attitudes over time, a small chart an opinion: the mind's ratings, and people's majority where there is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, nan
from typing import TYPE_CHECKING

from elenchus.debate_engine.protocols.cognition.report import ATTITUDES, Curve, curves, marks
from elenchus.debate_engine.reports.canvas import (
    CON,
    FAINT,
    PRO,
    Picture,
    drawing,
    headed,
    plain_axes,
    rendered,
    shortened,
    slide,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from elenchus.debate_engine.protocols.cognition.projection import MindProjection

MOST_DRAWN = 9
"""Charts on a slide; the table has the others."""
_TITLE = {1: 100, 2: 56, 3: 36}
"""Characters of a chart's title, by how many charts stand in a row."""
People = Mapping[str, Sequence[tuple[int, int | None]]]
"""People's majority by opinion: after which iteration, and the rating."""


def pictures(mind: MindProjection, *, simulated: bool = False) -> list[Picture]:
    """The attitudes of a mind, where it was asked for any. Blocks."""
    found = curves(mind.surveys)
    if not found or mind.mind is None:
        return []
    people = {opinion: [(one.iteration, one.rating) for one in of] for opinion, of in mind.people.items()}
    return [plot_attitudes(found, mind.mind.profile.name, people, simulated=simulated)]


def plot_attitudes(
    found: Sequence[Curve], name: str, people: People | None = None, *, simulated: bool = False
) -> Picture:
    """Draw curves; the same curves give the same bytes. Blocks."""
    drawn = found[:MOST_DRAWN]
    with drawing():
        figure = slide()
        said = "simulated · " if simulated else ""
        headed(figure, "How the ratings move", f"{said}{name} · 1 strongly disagree to 5 strongly agree")
        figure.text(0.985, 0.975, "● the persona", color=PRO, fontweight="bold", ha="right", va="top")
        if people:
            figure.text(0.985, 0.925, "■ people's majority", color=CON, fontweight="bold", ha="right", va="top")
        columns = min(3, len(drawn))
        axes = figure.subplots(ceil(len(drawn) / columns), columns, sharex=True, sharey=True, squeeze=False)
        for ax, curve in zip(axes.flat, drawn, strict=False):
            _panel(ax, curve, (people or {}).get(curve.opinion, ()), _TITLE[columns])
        for ax in list(axes.flat)[len(drawn) :]:
            ax.set_visible(False)
        for ax in axes[-1]:
            ax.set_xlabel("texts read", color=FAINT, fontsize=11)
        return rendered(figure, ATTITUDES, alt_text(found, people, simulated=simulated))


def alt_text(found: Sequence[Curve], people: People | None = None, *, simulated: bool = False) -> str:
    """What the picture shows, in sentences with its numbers."""
    said = " (simulated)" if simulated else ""

    def of_people(opinion: str) -> str:
        rated = ", ".join(f"{rating} after {iteration}" for iteration, rating in (people or {}).get(opinion, ()))
        return f"; people's majority: {rated}" if rated else ""

    told = " ".join(f"“{curve.opinion}”: {curve.in_words}{of_people(curve.opinion)}." for curve in found[:MOST_DRAWN])
    more = f" {len(found) - MOST_DRAWN} further opinions are in the table." if len(found) > MOST_DRAWN else ""
    return f"Ratings{said} from 1 to 5 by opinion, after how many texts. {told}{more}"


def _panel(ax: Axes, curve: Curve, people: Sequence[tuple[int, int | None]], most: int) -> None:
    """One chart; people's line is the broader one below, so that both are seen where both say the same."""
    ax.set_title(" ", fontsize=12, pad=10)  # its room; the title itself is wider than its chart at times
    title = ax.annotate(
        shortened(curve.opinion, most), (0, 1), (0, 8), "axes fraction", "offset points", fontsize=12, fontweight="bold"
    )
    title.set_in_layout(False)
    plain_axes(ax)
    ax.tick_params(labelsize=12)
    ax.set_ylim(0.6, 5.4)
    ax.set_yticks([1, 2, 3, 4, 5])
    for points, colour, marker, width in ((people, CON, "s", 2.4), (curve.points, PRO, "o", 1)):
        if not points:
            continue
        steps = [iteration for iteration, _ in points]
        ratings = [nan if rating is None else rating for _, rating in points]
        ax.plot(steps, ratings, color=colour, linewidth=2.2 * width, marker=marker, markersize=7 * width**0.7,
                markeredgecolor="white", clip_on=False, zorder=3)  # fmt: skip
    last = max((iteration for iteration, _ in (*curve.points, *people)), default=0)
    ax.set_xticks(marks(last))
