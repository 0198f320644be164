"""What a class is shown of numbers speaks of no few: not by a mean that few make, nor by more figures than it needs."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.protocols.rulegen.study.differences import NO_SPREAD
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE
from elenchus.service.lab.classes.disclosure import groups_of, rests_on_few
from elenchus.service.lab.classes.effects import FEW_MAKE, effects_of
from elenchus.service.lab.classes.publication import Effect, Group
from tests.service.lab.classes.test_publication import BETWEEN, cells_of, study

GUESSES = [700.0, 800, 900, 950, 1000, 1050, 1070, 1200, 1300, 1500, 2100, 2700]
HIGH = [1400.0, 2100, 2600, 3100, 3400, 3900, 4100, 4400, 5200, 6100, 7700]


def shown(low: list[float], high: list[float]) -> tuple[dict[str, Group], Effect]:
    """The groups by name, and the effect of a class of two versions."""
    outcomes: dict[str, list[Any]] = {"high/calm": high, "low/calm": low}
    groups = groups_of(cells_of(outcomes), BETWEEN, "beads")
    (effect,), _ = effects_of(study(outcomes, ["high/* - low/*"]), PEOPLE, groups)
    return {group.name: group for group in groups}, effect


@pytest.mark.parametrize(
    "low",
    [[*GUESSES, 1_000_000.0], [*GUESSES, 900_000.0, 1_000_000.0], [0.0] * 7 + [1.0], [0.0] * 8],
    ids=["a joker", "two jokers", "one who erred", "nobody who erred"],
)
def test_a_mean_that_few_answers_make_is_not_told_and_no_difference_from_which_it_follows(low: list[float]) -> None:
    groups, effect = shown(low, HIGH)
    assert groups["low/calm"].mean is None
    assert groups["low/calm"].median is not None
    assert groups["high/calm"].mean is not None
    assert (effect.difference, effect.low, effect.high, effect.p, effect.size) == (None, None, None, None, "")
    assert effect.why == FEW_MAKE
    assert effect.sentences[0].startswith("a median of 3,900 with high (11)")
    assert FEW_MAKE in effect.sentences[1]


def test_where_no_file_compares_means_either_nothing_else_is_said() -> None:
    outcomes: dict[str, list[Any]] = {"high/calm": [150.0] * 8, "low/calm": [100.0] * 8}
    found = study(outcomes, ["high/* - low/*"])
    (in_files,) = (one.why for one in found.contrasts if one.over == "versions")
    _, effect = shown(outcomes["low/calm"], outcomes["high/calm"])
    assert in_files == NO_SPREAD
    assert NO_SPREAD.partition(":")[0] in effect.why, "in the words of the files, and without saying that it is so"
    assert "but in all files" not in effect.why


def test_what_many_make_is_told() -> None:
    groups, effect = shown(GUESSES, HIGH)
    assert groups["low/calm"].mean == 1270.0
    assert (effect.difference, effect.why) == (2730.0, "")


def test_a_difference_of_means_has_three_figures_as_means_have() -> None:
    _, effect = shown([1234.567 + 3 * n for n in range(7)], [1111.111 + 5 * n * n for n in range(6)])
    for told in (effect.difference, effect.low, effect.high, effect.p):
        assert told is not None
        assert told == float(f"{told:.3g}"), "with all digits, and all others' answers, one's own could be reckoned"


def test_sentences_say_no_more_figures_than_the_numbers() -> None:
    _, effect = shown([12_345.0 + 3000 * n for n in range(7)], [81_111.0 + 5000 * n for n in range(6)])
    assert effect.difference == 72_300.0
    assert "72,300 on average" in effect.sentences[1]
    assert "(Holm)" not in effect.sentences[1], "it is one alone: nothing was corrected"


@given(st.lists(st.integers(0, 10).map(float), min_size=5, max_size=14), st.data())
def test_whoever_differs_from_five_who_say_the_same_makes_no_mean(same: list[float], data: st.DataObject) -> None:
    few = data.draw(st.lists(st.integers(0, 10).map(float), max_size=4))
    assert rests_on_few([same[0]] * len(same) + few), "as of yes and no: fewer than five said another thing"
