"""What judges saw beside what came out: never added up over subjects or versions; against statsmodels."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import pytest
from statsmodels.stats.inter_rater import cohens_kappa  # type: ignore[import-untyped]

from elenchus.debate_engine.protocols.rulegen.study.observation import Observation, Result
from elenchus.debate_engine.protocols.rulegen.study.report import study_markdown
from tests.debate_engine.protocols.rulegen.study.test_cases import run, study

Table = tuple[int, int, int, int]
"""Both yes, the rule alone, judges alone, both no."""
CELLS: Sequence[tuple[bool, Result]] = (
    (True, "present"), (True, "absent"), (False, "present"), (False, "absent"),
)  # fmt: skip


def judged(version: str, table: Table, subject: str = "people") -> list[Observation]:
    each = [cell for cell, n in zip(CELLS, table, strict=True) for _ in range(n)]
    begin = 1000 * ["low", "none"].index(version) + 10_000 * (subject != "people")
    return [run(begin + n, version, came, subject, result=result) for n, (came, result) in enumerate(each)]


def test_the_two_instruments_agree_so_far() -> None:
    runs = [*judged("low", (6, 2, 1, 5)), run(50, "low", True, result="unread"), run(51, "low", None, result="present")]
    (second,) = study(runs, "price >= 3").second
    assert (second.subject, second.version, second.judged) == ("people", "low", 14)
    assert second.agreement is not None
    assert second.agreement.raw == pytest.approx(11 / 14)
    by = cohens_kappa([[6, 2], [1, 5]])
    assert [second.agreement.kappa, second.agreement.low] == pytest.approx([by.kappa, by.kappa_low])
    assert f"| people | low | 6 | 2 | 1 | 5 | 79% | {by.kappa:.2f} (" in study_markdown(study(runs, "price >= 3"))
    assert study([run(1, "low", True)], "price >= 3").second == ()


def test_over_versions_kappa_is_the_mean_of_theirs_and_not_that_of_all_added_up() -> None:
    """In each version the two agree as chance has it; added up, they would seem to, as versions differ."""
    runs = [*judged("low", (81, 9, 9, 1)), *judged("none", (2, 18, 18, 162))]
    low, none, within = study(runs, "price >= 3").second
    assert [one.agreement.kappa for one in (low, none, within) if one.agreement] == pytest.approx([0, 0, 0], abs=1e-9)
    assert cohens_kappa([[83, 27], [27, 163]]).kappa > 0.5
    assert within.version == ""
    errors = [cohens_kappa([[81, 9], [9, 1]]).std_kappa, cohens_kappa([[2, 18], [18, 162]]).std_kappa]
    assert within.agreement is not None
    half = 1.959964 * sqrt((100 * errors[0]) ** 2 + (200 * errors[1]) ** 2) / 300
    assert within.agreement.high == pytest.approx(half, rel=1e-5)
    assert "| people | within versions | 83 | 27 | 27 | 163 |" in study_markdown(study(runs, "price >= 3"))


def test_people_and_models_are_never_added_up_and_what_says_the_same_has_no_interval() -> None:
    model = [one.model_copy(update={"record": "the same words"}) for one in judged("low", (3, 1, 1, 3), "openai:robot")]
    people, robot = study([*judged("low", (3, 1, 1, 3)), *model], "price >= 3").second
    assert (people.subject, robot.subject) == ("people", "openai:robot")
    assert people.agreement is not None
    assert robot.agreement is not None
    assert people.agreement.kappa == robot.agreement.kappa == 0.5
    assert people.agreement.low is not None
    assert robot.agreement.low is None


def test_a_number_has_its_means_by_what_judges_saw() -> None:
    numbers = [run(n, "low", 10.0 * n, result=result) for n, (_, result) in enumerate([*CELLS, *CELLS, *CELLS])]
    (second,) = study(numbers).second
    assert second.seen is not None
    assert (second.seen.n, second.seen.mean) == (6, 50.0)
    told = study_markdown(study(numbers))
    assert "which a yes or no cannot agree with" in told
    assert "| people | low | 50 (" in told
