"""The objective decides as the detector does."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from elenchus.detectors.decision.data import Debate, ScoreSheet
from elenchus.detectors.decision.learning.objective import Objective, Table
from elenchus.detectors.decision.weights import CRITERIA, Weights
from elenchus.detectors.matches import by_scores
from elenchus.detectors.schemas import Card
from tests.detectors.decision.made_debates import debate

six = st.lists(st.integers(0, 10), min_size=6, max_size=6)
cards = st.tuples(st.sampled_from(["first", "second"]), st.sampled_from(["first", "second"]), st.none() | six)
weights = st.tuples(*[st.integers(-20, 20).map(lambda tenths: tenths / 10)] * 6)


@given(st.lists(cards, min_size=1, max_size=8), weights, st.sampled_from(["first", "second"]))
def test_a_debate_is_decided_as_the_detector_decides_a_match(
    drawn: list[tuple[str, str, list[int] | None]], values: tuple[float, ...], right: str
) -> None:
    held = [
        (side, shown, None if scores is None else dict(zip(CRITERIA, scores, strict=True)))
        for side, shown, scores in drawn
    ]
    of_detector = tuple(Card(referee="r", side=side, shown_first=shown, scores=scores) for side, shown, scores in held)
    winner, _ = by_scores(of_detector, "first", "second", Weights.model_validate({"name": "w", "values": values}))
    sheets = tuple(
        ScoreSheet.model_validate(
            {"referee": "r", "side": side, "shown_first": shown,
             "scores": None if scores is None else {name: float(score) for name, score in scores.items()}}
        )
        for side, shown, scores in held
    )  # fmt: skip
    one = Debate.model_validate({"first": "a", "second": "b", "right": right, "origin": "recorded", "sheets": sheets})
    assert Table.of([one]).accuracy(np.array(values)) == float((winner or "first") == right)


def test_a_tie_and_an_unread_side_let_the_first_go_on() -> None:
    like = [5] * 6
    table = Table.of([debate(like, like, "first"), debate(like, like, "second"), debate(None, like, "second")])
    assert table.accuracy(np.ones(6)) == pytest.approx(1 / 3)
    assert table.accuracy(-np.ones(6)) == pytest.approx(1 / 3)


@given(st.lists(st.tuples(six, six, st.booleans()), min_size=1, max_size=30), st.lists(weights, min_size=1, max_size=5))
def test_many_weights_at_once_are_measured_like_each_alone(
    drawn: list[tuple[list[int], list[int], bool]], herd: list[tuple[float, ...]]
) -> None:
    table = Table.of([debate(one, other, "first" if first else "second") for one, other, first in drawn])
    rows = np.array(herd)
    assert table.accuracies(rows).tolist() == pytest.approx([table.accuracy(row) for row in rows])


def test_the_best_weights_ever_tried_are_kept() -> None:
    objective = Objective(Table.of([debate([9, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0])]))
    assert objective(np.array([-1.0, 0, 0, 0, 0, 0])) == 0
    objective.many(np.array([[-1.0, 0, 0, 0, 0, 0], [2.0, 0, 0, 0, 0, 0]]))
    objective(np.array([-3.0, 0, 0, 0, 0, 0]))
    assert (objective.best.tolist(), objective.accuracy) == ([2, 0, 0, 0, 0, 0], 1.0)
    assert objective.evaluations == 4
