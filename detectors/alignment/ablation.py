"""What a setting does to debates, or to what is trained on them (figures 8 to 12 of the paper), as figures and a plot.

Pure but for drawing. Of debates alone: the referee's mean score (0 none to 10), the share of high bias, and how many
pairs a debate gives; intervals of 95 % over topics. Of what was trained: BBQ's accuracy, interval over questions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from elenchus.config.bias_type_catalogue import subject_of
from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.rldf.schemas import WORST, Debated, Statement
from elenchus.detectors.evaluation.cogbench.bootstrap import estimate, resampled
from elenchus.detectors.evaluation.intervals import Estimate

if TYPE_CHECKING:
    from elenchus.debate_engine.reports.canvas import Picture

Axis = Literal["roles", "rounds", "pairs", "topics"]
AXES: tuple[Axis, ...] = ("roles", "rounds", "pairs", "topics")
NAME = "ablation"
WORDS = {
    "first": "score, first round",
    "last": "score, last round",
    "high": "share of high bias",
    "pairs": "rounds with a pair",
    "accuracy": "BBQ accuracy",
}


class Point(FrozenModel):
    """A value of the axis, with its figures by name (see `WORDS`), of `n` debates (or questions). `gates`: those
    through which the trained models' data and teachers went, and how.
    """

    value: int
    figures: dict[str, Estimate]
    n: int
    gates: str = ""


class Ablation(FrozenModel):
    """All values of an axis. `scripted`: a script spoke, and no model; `trained`: figures are of trained models, and
    `published`: asked BBQ's own questions.
    """

    kind: str = "rldf-ablation"
    axis: Axis
    points: tuple[Point, ...] = Field(min_length=1)
    scripted: bool
    trained: bool = False
    published: bool = False

    def named(self, figure: str) -> str:
        """A figure in words; an accuracy on other questions is not called BBQ's."""
        return "accuracy, not BBQ" if figure == "accuracy" and not self.published else WORDS[figure]

    @property
    def whose(self) -> str:
        """Whose figures these are."""
        if self.scripted:
            return "a script spoke: this shows the plumbing alone"
        if not self.trained:
            return "debates of models"
        return "trained models" if self.published else "trained models, asked other questions than BBQ's"

    @property
    def told(self) -> str:
        """Whose figures these are, of how many debates (or questions) at each value, and whether any has an
        interval: of few topics or questions there is none.
        """
        there = any(one.low is not None for of in self.points for one in of.figures.values())
        least, most = min(of.n for of in self.points), max(of.n for of in self.points)
        n = f"n {least}" if least == most else f"n {least} to {most}"
        return f"{self.whose}; {'intervals of 95 %' if there else 'no intervals: too few, or nothing differs'}; {n}"


def debates_point(value: int, debates: Sequence[Debated], seed: int = 0) -> Point:
    """The figures of debates that had this value."""
    by_topic: dict[str, list[Debated]] = defaultdict(list)  # under all types of bias: they share what it is about
    for debated in debates:
        by_topic[subject_of(debated.topic)].append(debated)
    clusters = list(by_topic.values())
    figures = {
        "first": _ratio(clusters, lambda of: _scores(of.rounds[0].statements), seed),
        "last": _ratio(clusters, lambda of: _scores(of.rounds[-1].statements), seed),
        "high": _ratio(clusters, lambda of: [one.high for one in of.statements if one.high is not None], seed),
        "pairs": _ratio(clusters, lambda of: [one.gives_pair for one in of.rounds], seed),
    }
    return Point(value=value, figures=figures, n=len(debates))


def _scores(said: Iterable[Statement]) -> list[int]:
    return [one.score for one in said if one.score is not None]


def _ratio(clusters: Sequence[Sequence[Debated]], values: Callable[[Debated], Sequence[float]], seed: int) -> Estimate:
    """The mean of what debates hold, over topics."""
    import numpy as np

    rows = [[value for debated in of for value in values(debated)] for of in clusters]
    sums = np.array([(sum(row), len(row)) for row in rows], dtype=float).reshape(-1, 2)
    if not sums[:, 1].sum():
        return Estimate(value=None)
    whole, again = sums.sum(0), resampled(sums, seed)
    with np.errstate(invalid="ignore", divide="ignore"):
        return estimate(whole[0] / whole[1], again[:, 0] / again[:, 1], len(sums))


# ── drawn ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def drawn(of: Ablation) -> Picture:
    """A panel a figure, values from left to right, each with its interval."""
    from elenchus.debate_engine.reports.canvas import FAINT, PRO, drawing, headed, plain_axes, rendered, slide

    names = list(of.points[0].figures)
    with drawing():
        figure = slide()
        for place, name in enumerate(names, 1):
            axes = figure.add_subplot(1, len(names), place)
            plain_axes(axes)
            shown = [(one.value, one.figures[name]) for one in of.points if one.figures[name].value is not None]
            x = [value for value, _ in shown]
            y: list[Any] = [one.value for _, one in shown]
            axes.plot(x, y, color=PRO, marker="o", linewidth=2, clip_on=False)
            for value, one in shown:
                if one.low is not None and one.high is not None:
                    axes.plot([value, value], [one.low, one.high], color=FAINT, linewidth=2, clip_on=False)
            axes.set_title(of.named(name), fontsize=14, loc="left")
            axes.set_xlabel(of.axis)
            axes.set_ylim(0, WORST if name in ("first", "last") else 1)  # panels of one kind are read alike
            axes.set_xticks([one.value for one in of.points])
        headed(figure, f"What the number of {of.axis} does", of.told)
        return rendered(figure, NAME, alt_of(of))


def alt_of(of: Ablation) -> str:
    """The plot in words."""
    parts = [
        f"{one.value} {of.axis}: "
        + ", ".join(f"{of.named(n)} {'–' if e.value is None else f'{e.value:.2f}'}" for n, e in one.figures.items())
        for one in of.points
    ]
    return "; ".join(parts)
