"""The pictures of single subjects: a point each, and the middle with its interval, as the report counts it."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.protocols.rulegen.study.analysis import StudiedScene, study_of
from elenchus.debate_engine.protocols.rulegen.study.export.points import points_plots, strips_of
from elenchus.debate_engine.protocols.rulegen.study.withdrawal import WITHDRAWN
from elenchus.debate_engine.scenes.design import Design
from tests.debate_engine.protocols.rulegen.study.export.experiment import NUMBER, YES_NO, experiment, run
from tests.debate_engine.protocols.rulegen.study.export.test_scripts import of_experiment

MEASURES = {one.name: one for one in experiment().measures}


def test_an_outcome_of_yes_or_no_has_a_picture_of_it_and_one_of_the_number_behind_it() -> None:
    runs = [run(n, "low/cue", n > 2, stated={"price": 100.0 * n}) for n in range(5)]
    runs += [run(9, "high/cue", None, stated={"price": 7.0}, excluded="known")]
    study = of_experiment(runs, YES_NO)
    shares, prices = points_plots(study, MEASURES)
    assert (shares.name, prices.name) == ("points", "points-price")
    assert "people, low/cue: 40% (12% to 77%) (n = 5)" in shares.alt
    assert "price, euros. people, low/cue: 200 (3.68 to 396) (n = 5)" in prices.alt
    assert "high/cue" not in prices.alt, "who is left out is not drawn"
    assert shares.png.startswith(b"\x89PNG")
    assert points_plots(study, MEASURES)[0].png == shares.png, "the same study gives the same bytes"


def test_a_number_has_one_picture_with_its_unit_and_nobody_who_withdrew_is_a_point_in_it() -> None:
    runs = [run(n, "low/cue", 100.0 + n, stated={"price": 100.0 + n}) for n in range(3)]
    runs.append(run(8, "low/cue", None, result="ended early", why=WITHDRAWN))
    study = of_experiment(runs, NUMBER)
    (picture,) = points_plots(study, MEASURES)
    assert "What came out (price), euros. people, low/cue: 101 (98.5 to 103) (n = 3)" in picture.alt
    (strip,) = strips_of(study, MEASURES)
    assert len(strip.cases) == 3


@pytest.mark.parametrize("subjects", [1, 9])
def test_many_versions_and_subjects_are_drawn_as_far_as_they_fit(subjects: int) -> None:
    versions = [f"v{n}/{'a long name of a level ' * 2}" for n in range(15)]
    runs = [run(n, version, n % 2 == 0, f"m:{k}") for n, version in enumerate(versions) for k in range(subjects)]
    study = study_of(
        StudiedScene(name="many", title="Many – 价格", design=Design.between(versions), outcome="yes = 1"), runs
    )
    (picture,) = points_plots(study, {})
    assert b"the first 12 of 15 versions" in picture.svg
    assert (b"the first 6 of 9 subjects" in picture.svg) == (subjects == 9)


def test_a_study_without_anybody_has_no_picture_of_points() -> None:
    assert points_plots(of_experiment([run(1, "low/cue", None)], NUMBER), MEASURES) == []
    assert points_plots(of_experiment([], NUMBER), MEASURES) == []
