"""What a setting does to debates: the figures of a value, and their plot."""

from __future__ import annotations

import io

import matplotlib.image
import numpy as np
import pytest
from matplotlib.colors import to_rgb

from elenchus.debate_engine.protocols.rldf.schemas import Debated, Round, Statement
from elenchus.debate_engine.reports.canvas import PRO
from elenchus.detectors.alignment.ablation import Ablation, Point, alt_of, debates_point, drawn
from elenchus.detectors.evaluation.intervals import Estimate


def debated(topic: str, *rounds: tuple[int | None, ...]) -> Debated:
    def said(n: int, seat: int, score: int | None) -> Statement:
        return Statement(seat=f"role-{seat}", identity="x", round=n, place=seat, step="s", text="t", score=score)

    made = [
        Round(number=n, statements=tuple(said(n, seat, score) for seat, score in enumerate(of, 1)))
        for n, of in enumerate(rounds, 1)
    ]
    return Debated(
        bias="age", topic=topic, identities=("x",), marking="one", mode="self", sample=1, rounds=tuple(made)
    )  # fmt: skip


def test_first_and_last_round_share_of_high_and_rounds_with_a_pair_are_counted() -> None:
    point = debates_point(2, [debated("tea", (8, 2), (4, None)), debated("rain", (6, 6), (0, 0))])
    values = {name: one.value for name, one in point.figures.items()}
    assert values == pytest.approx({"first": 5.5, "last": 4 / 3, "high": 4 / 7, "pairs": 0.25})
    assert point.n == 2
    assert point.figures["last"].low is None, "two topics tell nothing of how topics differ"
    types = [debated("Tea", (n, 1)).model_copy(update={"bias": f"type {n}"}) for n in range(6)]
    assert debates_point(2, types).figures["last"].low is None, "one topic under six types of bias is one topic"
    many = debates_point(2, [debated(f"topic {n}", (8, 2), (n, None)) for n in range(6)]).figures["last"]
    assert many.low is not None
    assert many.high is not None
    assert 0 <= many.low < 2.5 < many.high <= 5


def test_where_nothing_was_scored_there_is_no_figure_and_the_plot_tells_all_in_words() -> None:
    points = (
        debates_point(1, [debated("tea", (None,))]),
        debates_point(3, [debated("tea", (8, 2)), debated("x", (1, 1))]),
    )
    assert points[0].figures["first"].value is None
    of = Ablation(axis="rounds", points=points, scripted=True)
    picture = drawn(of)
    assert picture.png.startswith(b"\x89PNG")
    assert picture.alt == alt_of(of)
    assert of.told == (
        "a script spoke: this shows the plumbing alone; no intervals: too few, or nothing differs; n 1 to 2"
    )
    many = debates_point(1, [debated(f"topic {n}", (8, n)) for n in range(6)])
    assert Ablation(axis="rounds", points=(many,), scripted=False).told == "debates of models; intervals of 95 %; n 6"
    assert "3 rounds: score, first round 3.00" in alt_of(of)


def test_a_point_on_the_edge_of_its_panel_is_drawn_whole() -> None:
    """Where every round gives a pair, the share stands at the very top."""

    def coloured(value: float) -> int:
        figures = {"pairs": Estimate(value=value)}
        points = tuple(Point(value=n, figures=figures, n=6) for n in (2, 3, 4))
        png = drawn(Ablation(axis="roles", points=points, scripted=True)).png
        picture = matplotlib.image.imread(io.BytesIO(png), format="png")[..., :3]
        return int((np.abs(picture - to_rgb(PRO)).max(axis=-1) < 0.05).sum())

    assert coloured(1) > 0.95 * coloured(0.5)
