"""The decision: scores times weights."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from elenchus.detectors.decision.weights import CRITERIA, DEFAULT, built_in, decide, weights_of

scores = st.fixed_dictionaries({name: st.integers(0, 10).map(float) for name in CRITERIA})


def test_the_papers_four_vectors_and_the_plain_mean_come_along() -> None:
    assert set(built_in()) == {"mean", "annealing", "genetic", "ant-colony", "dqn-genetic"}
    assert built_in()[DEFAULT].values == (
        1.13262848, 0.24727544, -0.90161614, -0.08157856, 0.53244014, 0.07085065,
    )  # fmt: skip
    assert built_in()["annealing"].values[2] == 0.000152
    assert sum(built_in()["mean"].values) == pytest.approx(1)


@given(scores, scores, st.sampled_from(sorted(built_in())))
def test_the_higher_sum_wins_and_turning_the_sides_round_turns_the_winner(
    one: dict[str, float], other: dict[str, float], name: str
) -> None:
    weights = built_in()[name]
    decided = decide(one, other, weights)
    assert decide(other, one, weights) == (None if decided is None else not decided)
    if decided is not None:
        assert decided == (weights.total(one) > weights.total(other))
    assert decide(one, one, weights) is None
    assert decide(one, None, weights) is None


@pytest.mark.parametrize(
    "content",
    [
        "[1, 2, 3, 4, 5, 6.5]",
        '{"values": [1, 2, 3, 4, 5, 6.5], "source": "us"}',
        "refutation: 3\nsupport: 1\nconsistency: 2\ncompleteness: 4\npersuasiveness: 5\nreasonableness: 6.5\n",
    ],
)
def test_weights_can_come_from_a_file(tmp_path: Path, content: str) -> None:
    file = tmp_path / "own.yaml"
    file.write_text(content)
    assert weights_of(str(file)).values == (1, 2, 3, 4, 5, 6.5)
    assert weights_of(str(file)).name == "own.yaml"


@pytest.mark.parametrize("content", ["", "[1, 2]", "[1, 2, 3, 4, 5, .nan]", "a: [", "text", "support: 1", "\x00", "5"])
def test_a_file_without_six_finite_numbers_is_refused_by_name(tmp_path: Path, content: str) -> None:
    file = tmp_path / "own.yaml"
    file.write_text(content)
    with pytest.raises(ValueError, match=r"own\.yaml"):
        weights_of(str(file))


def test_unknown_weights_are_refused_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="take one of mean, annealing"):
        weights_of("best")
    with pytest.raises(ValueError, match="cannot be read"):
        weights_of(str(tmp_path / "none.json"))
