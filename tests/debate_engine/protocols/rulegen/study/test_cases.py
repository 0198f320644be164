"""Outcomes of a scene in its report: counted by version, compared within subjects, apart from what judges saw."""

from __future__ import annotations

from elenchus.debate_engine.protocols.rulegen.study.analysis import study_of
from elenchus.debate_engine.protocols.rulegen.study.grid import Cell
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE, Observation, Result
from elenchus.debate_engine.protocols.rulegen.study.report import study_markdown
from elenchus.debate_engine.scenes.measures import Stated

VERSIONS = ("low", "high", "none")


def run(
    n: int, version: str, outcome: Stated | None, subject: str = PEOPLE, result: Result = "not judged"
) -> Observation:
    cell = Cell(subject=subject, style="", condition=version)
    return Observation(
        session=f"s{n}", role="Ada", cell=cell, result=result, record=f"r{n}", seed=n, temperature=None, outcome=outcome
    )


def test_numbers_are_shown_by_version_and_compared_with_the_last() -> None:
    values = {"low": [90.0, 110, 130], "high": [300.0, 340, 290], "none": [150.0, 160, 149]}
    runs = [run(n, version, value) for version, found in values.items() for n, value in enumerate(found)]
    runs += [run(90, "low", None), run(91, "low", 100, result="ended early")]
    study = study_of("tea", "Tea", "", runs, versions=VERSIONS)
    assert [(row.version, row.counted, row.apart) for row in study.outcomes] == [
        ("low", 3, {"no outcome": 1, "ended early": 1}), ("high", 3, {}), ("none", 3, {}),
    ]  # fmt: skip
    told = study_markdown(study)
    assert "| people | high | 3 | 310 (244 to 376) | – |" in told
    assert "| people | low − none | 3, 3 |" in told
    assert "g " in told
    assert "apart from what judges saw" in told


def test_yes_and_no_are_shares_and_models_stand_apart_from_people() -> None:
    runs = [run(n, "low", n < 3) for n in range(4)] + [run(n, "none", n < 1) for n in range(4)]
    runs += [run(n, version, True, "openai:x") for version in ("low", "none") for n in range(3)]
    study = study_of("tea", "Tea", "", runs, versions=VERSIONS)
    assert [(row.subject, row.version) for row in study.outcomes] == [
        (PEOPLE, "low"), (PEOPLE, "none"), ("openai:x", "low"), ("openai:x", "none"),
    ]  # fmt: skip
    told = study_markdown(study)
    assert "| people | low | 4 | 75% (30% to 95%) | – |" in told
    assert "| people | low − none | 4, 4 | +50 points" in told


def test_a_study_without_outcomes_says_nothing_of_them() -> None:
    study = study_of("tea", "Tea", "", [run(1, "low", None)], versions=VERSIONS)
    assert (study.outcomes, study.compared) == ((), ())
    assert "What came out" not in study_markdown(study)
