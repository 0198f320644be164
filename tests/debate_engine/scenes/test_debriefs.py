"""What a debrief may say of what the subject stated, and how often; and what it may not."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.scenes import canonical
from elenchus.debate_engine.scenes.debriefs import counts, names
from elenchus.debate_engine.scenes.faults import FaultyScene
from elenchus.debate_engine.scenes.scene import Scene
from elenchus.debate_engine.scenes.versions import versions
from tests.debate_engine.scenes.test_trials import FRAMES, LINES

MORE = LINES.replace(
    '{"right": "3", "s"', '{"right": "1", "s": "━", "before": "2, 2"},\n  {"right": "3", "s"'
)  # three items: the first is not critical


def played(text: str) -> Scene:
    return next(iter(versions(canonical.read(text)).values()))


def test_over_the_critical_items_errors_right_ones_and_each_option_are_counted() -> None:
    found = counts(played(MORE), {"lines_1": "1", "lines_2": "1", "lines_3": "2"})
    assert found == {
        "lines_errors": "1", "lines_right": "1", "lines_critical": "2",
        "lines_chosen_1": "1", "lines_chosen_2": "1", "lines_chosen_3": "0",
    }  # fmt: skip


def test_where_a_critical_answer_is_missing_nothing_is_counted_but_the_items() -> None:
    found = counts(played(MORE), {"lines_1": "1", "lines_2": "1"})
    assert found.pop("lines_critical") == "2"
    assert set(found.values()) == {"–"}


def test_a_rating_has_its_mean_and_no_errors() -> None:
    text = MORE.replace('"kind": "choice"', '"kind": "rating"').replace(', "options": ["1", "2", "3"]', "")
    text = text.replace(', "shuffle_options": true', "").replace("lines_errors", "lines_mean")
    for right in ('"right": "2", ', '"right": "1", ', '"right": "3", '):
        text = text.replace(right, "")
    found = counts(played(text), {"lines_1": 7, "lines_2": 4, "lines_3": 1})
    assert found == {"lines_critical": "2", "lines_mean": "4"}


def test_means_are_told_with_two_decimals_at_the_most() -> None:
    text = MORE.replace('"kind": "choice"', '"kind": "number"').replace(', "options": ["1", "2", "3"]', "")
    text = text.replace(', "shuffle_options": true', "").replace("lines_errors", "lines_mean")
    assert counts(played(text), {"lines_1": 1.0, "lines_2": 0.0, "lines_3": 1.0})["lines_mean"] == "0.67"
    assert counts(played(text), {"lines_1": 1.0, "lines_2": 1500.0, "lines_3": 1500.0})["lines_mean"] == "1,000.33"


@pytest.mark.parametrize(
    "place", ["lines_errors", "lines_right", "lines_critical", "lines_chosen_2", "lines_2", "others"]
)
def test_a_debrief_may_name_counts_answers_and_factors(place: str) -> None:
    assert canonical.read(LINES.replace("That was all.", f"So often: {{{place}}}.")).debrief


@pytest.mark.parametrize("place", ["lines_dreams", "lines_4", "Mika", "lines", "lines_chosen_7", "price"])
def test_an_unknown_name_in_a_debrief_is_refused_with_its_line_and_what_there_is(place: str) -> None:
    text = LINES.replace("That was all.", f"So often: {{{place}}}.")
    with pytest.raises(FaultyScene) as caught:
        canonical.read(text)
    (finding,) = caught.value.findings
    assert f"{{{place}}}" in finding.what
    assert "lines_errors" in finding.remedy
    assert text.split("\n")[finding.line - 1] == "# Debrief"


def test_what_varies_within_subjects_is_named_with_its_level() -> None:
    assert "risk_gain" in names(canonical.read(FRAMES))
    with pytest.raises(FaultyScene, match=r"\{risk\}"):
        canonical.read(FRAMES.replace("That was all.", "You said {risk}."))


def test_braces_that_are_no_place_stay() -> None:
    text = LINES.replace("That was all.", "A set {1, 2} and {{as such}}, {} too.")
    assert canonical.read(text).debrief == "A set {1, 2} and {{as such}}, {} too."
