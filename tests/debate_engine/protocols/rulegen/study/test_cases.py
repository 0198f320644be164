"""The table that is analysed: outcomes by the scene's own rule, who counts, how far everybody came; judges beside."""

from __future__ import annotations

from typing import Any

import pytest
from scipy.stats import fisher_exact  # type: ignore[import-untyped]
from statsmodels.stats.inter_rater import cohens_kappa  # type: ignore[import-untyped]

from elenchus.debate_engine.protocols.rulegen.study.analysis import StudiedScene, Study, study_of
from elenchus.debate_engine.protocols.rulegen.study.cases import Case, excluded_by
from elenchus.debate_engine.protocols.rulegen.study.grid import Cell
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE, Observation
from elenchus.debate_engine.protocols.rulegen.study.report import study_markdown
from elenchus.debate_engine.scenes.contrasts import Contrast
from elenchus.debate_engine.scenes.design import Design
from elenchus.debate_engine.scenes.measures import Stated
from elenchus.debate_engine.scenes.plan import Plan

VERSIONS = ("low", "high", "none")


def run(n: int, version: str, outcome: Stated | None, subject: str = PEOPLE, **more: Any) -> Observation:
    given: dict[str, Any] = {
        "cell": Cell(subject=subject, style="", condition=version),
        "result": "not judged",
        "record": f"r{n}",
    } | more
    return Observation(session=f"s{n}", role="Ada", seed=n, temperature=None, outcome=outcome, **given)


def study(runs: list[Observation], outcome: str = "price", **plan: Any) -> Study:
    return study_of(
        StudiedScene(name="tea", title="Tea", design=Design.between(VERSIONS), outcome=outcome, plan=Plan(**plan)), runs
    )


def test_numbers_are_shown_by_version_and_compared_with_the_last() -> None:
    values = {"low": [90.0, 110, 130], "high": [300.0, 340, 290], "none": [150.0, 160, 149]}
    runs = [run(int(value), version, value) for version, found in values.items() for value in found]
    runs += [run(1, "low", None), run(2, "low", 100, result="ended early")]
    given = study(runs)
    assert [(row.cell.condition, row.counted, row.apart) for row in given.rows] == [
        ("low", 3, {"no outcome": 1, "ended early": 1}), ("high", 3, {}), ("none", 3, {}),
    ]  # fmt: skip
    told = study_markdown(given)
    assert "| people | high | 3 | 310 (244 to 376) | 300 | – |" in told
    assert "| people | low − none | 3, 3 |" in told
    assert "g " in told
    assert "By the scene's own rule over what was stated, `price`: a number." in told


def test_yes_and_no_are_shares_and_models_stand_apart_from_people() -> None:
    runs = [run(n, "low", n < 3) for n in range(4)] + [run(10 + n, "none", n < 1) for n in range(4)]
    runs += [run(20 + n, version, True, "openai:x") for version in ("low", "none") for n in range(3)]
    given = study(runs, "price >= 3")
    assert [(row.cell.subject, row.cell.condition) for row in given.rows] == [
        (PEOPLE, "low"), (PEOPLE, "none"), ("openai:x", "low"), ("openai:x", "none"),
    ]  # fmt: skip
    told = study_markdown(given)
    assert "| people | low | 4 | 75% (30% to 95%) | – |" in told
    assert "| people | low − none | 4, 4 | +50 points" in told
    assert "odds ratio" in told
    assert "> Nobody is analysed in high: what needs it is not compared." in told


def test_the_contrasts_of_the_file_are_compared_and_no_others() -> None:
    runs = [run(n, version, 10.0 * n) for n, version in enumerate(VERSIONS * 5)]
    given = study(runs, contrasts=(Contrast(compare="high - low", expect="greater"),))
    assert [str(one.contrast) for one in given.contrasts] == ["high − low"]
    told = study_markdown(given)
    assert "as its file names them" in told
    assert "greater: as expected" in told
    assert "not told apart from no difference, which does not show that there is none" in told


def test_what_judges_saw_decides_nothing_where_the_scene_has_a_rule() -> None:
    """All judges see it in low and in nobody else; what was stated is the same in both."""
    runs = [run(n, "low", n < 2, result="present") for n in range(4)]
    runs += [run(10 + n, "none", n < 2, result="absent") for n in range(4)]
    given = study(runs, "price >= 3")
    (one,) = [one for one in given.contrasts if one.over == "versions" and one.contrast.one == "low"]
    assert one.shares is not None
    assert one.shares.difference == 0
    assert [(row.share.k, row.frequency.k) for row in given.rows if row.share] == [(2, 4), (2, 0)]
    assert study(runs, "").instrument == "judges"
    (alone,) = [one for one in study(runs, "").contrasts if one.contrast.one == "low"]
    assert alone.shares is not None
    assert alone.shares.difference == 1, "without a rule what judges saw is all there is"


def test_a_scene_without_a_rule_never_takes_what_was_stated_and_one_with_a_rule_never_what_judges_saw() -> None:
    runs = [run(1, "low", None, result="present"), run(2, "none", True, result="unread")]
    assert [row.counted for row in study(runs, "price >= 3").rows] == [0, 1]
    assert [row.counted for row in study(runs, "").rows] == [1, 0]


def test_the_two_instruments_agree_so_far() -> None:
    seen = [(True, "present")] * 6 + [(True, "absent")] * 2 + [(False, "present")] * 1 + [(False, "absent")] * 5
    runs = [run(n, "low", outcome, result=result) for n, (outcome, result) in enumerate(seen)]
    runs += [run(50, "low", True, result="unread"), run(51, "low", None, result="present")]
    second = study(runs, "price >= 3").second
    assert second is not None
    assert second.judged == 14
    assert second.agreement is not None
    assert second.agreement.raw == pytest.approx(11 / 14)
    by = cohens_kappa([[6, 2], [1, 5]])
    assert [second.agreement.kappa, second.agreement.low] == pytest.approx([by.kappa, by.kappa_low])
    told = study_markdown(study(runs, "price >= 3"))
    assert "| came out yes | 6 | 2 |" in told
    assert f"They say the same of 79%; Cohen's κ {by.kappa:.2f}" in told
    numbers = [run(n, "low", 10.0 * n, result=result) for n, (_, result) in enumerate(seen)]
    assert "which a yes or no cannot agree with" in study_markdown(study(numbers))
    assert study([run(1, "low", True)], "price >= 3").second is None


def test_how_far_everybody_came_is_told_by_version_with_every_reason() -> None:
    runs = [
        *(run(n, "low", True) for n in range(5)),
        run(10, "low", None, result="ended early", why="no consent", began=False),
        run(11, "low", None, result="ended early", why="withdrawn"),
        run(12, "low", True, excluded="known"),
        run(13, "low", None),
        *(run(20 + n, "none", False) for n in range(6)),
        run(30, "none", None, result="unfinished", began=False),
    ]
    low, none = study(runs, "price >= 3").flow
    assert (low.assigned, low.began, low.finished, low.analysed) == (9, 8, 7, 5)
    assert (low.gone, low.excluded) == ({"withdrawn": 1}, {"excluded: known": 1, "no outcome": 1})
    assert (none.assigned, none.began, none.finished, none.analysed) == (7, 6, 6, 6)
    told = study_markdown(study(runs, "price >= 3"))
    assert "| people | low | 9 | 8 | 7 | 2 | 5 | 1 withdrawn, 1 excluded: known, 1 no outcome |" in told


def test_attrition_is_compared_between_versions_by_an_exact_test() -> None:
    runs = [run(n, "low", True if n < 4 else None, result="not judged" if n < 4 else "ended early") for n in range(10)]
    runs += [run(20 + n, "none", True) for n in range(10)]
    (found,) = study(runs, "price >= 3").attrition
    assert (found.among, found.lost) == (20, 6)
    assert found.p == pytest.approx(fisher_exact([[6, 4], [0, 10]]).pvalue)
    assert "6 of 20 who began did not finish; of the versions being alike in that p = 0.011 (exact)." in study_markdown(
        study(runs, "price >= 3")
    )


def test_models_are_not_added_up_where_runs_of_them_ended_early() -> None:
    runs = [
        run(
            100 * place + n,
            version,
            True if n >= lost else None,
            model,
            result="not judged" if n >= lost else "ended early",
        )
        for place, (model, version, lost) in enumerate(
            [("m:x", "low", 4), ("m:x", "none", 0), ("m:y", "low", 0), ("m:y", "none", 4), ("m:z", "none", 0)]
        )
        for n in range(8)
    ]
    one, other = study(runs, "price >= 3").attrition
    assert (one.subject, one.by_version, other.subject, other.by_version) == (
        "m:x", {"low": 4, "none": 0}, "m:y", {"low": 0, "none": 4},
    )  # fmt: skip
    assert one.p == other.p == pytest.approx(fisher_exact([[4, 4], [0, 8]]).pvalue)


def test_who_was_excluded_is_counted_by_version_and_compared_as_attrition_is() -> None:
    runs = [run(n, "low", True, excluded="known" if n < 6 else "") for n in range(10)]
    runs += [run(20 + n, "none", True) for n in range(10)]
    told = study_markdown(study(runs, "price >= 3"))
    p = float(fisher_exact([[6, 4], [0, 10]]).pvalue)
    assert (
        f"People: 6 of 20 who finished were excluded (6 in low and 0 in none); of the versions being alike in that "
        f"p = {p:.3f} (exact)." in told
    )


def test_who_left_before_the_lot_is_no_attrition_of_a_version_and_in_no_contrast() -> None:
    runs = [run(n, version, True) for n, version in enumerate(("low", "none") * 4)]
    gone = [run(20 + n, "", None, result="ended early", why="withdrawn") for n in range(6)]
    given, without = study([*runs, *gone], "price >= 3"), study(runs, "price >= 3")
    assert given.attrition == without.attrition
    assert (given.versions, given.contrasts, given.rows) == (without.versions, without.contrasts, without.rows)
    assert "| people | before the lot | 6 | 6 | 0 | 0 | 0 | 6 withdrawn |" in study_markdown(given)


def test_failed_checks_are_counted_by_version_and_exclude_nobody_by_themselves() -> None:
    runs = [run(n, "low", True, failed=("attention",) if n < 2 else ()) for n in range(4)]
    (row,) = study(runs, "price >= 3").rows
    assert (row.failed, row.counted) == ({"attention": 2}, 4)
    assert "Failed attention check: 2 of 4 in low (people)." in study_markdown(study(runs, "price >= 3"))


def test_what_does_not_count_is_counted_by_its_reason() -> None:
    table = [
        Case(subject=PEOPLE, version="low", outcome=True),
        Case(subject=PEOPLE, version="low", outcome=True, excluded="excluded: known"),
        Case(subject=PEOPLE, version="low"),
    ]
    assert excluded_by(table) == {"excluded: known": 1, "no outcome": 1}


def test_a_model_that_says_the_same_at_temperature_0_gives_one_number() -> None:
    same = [run(n, "low", 5.0, "m:x", record="a") for n in range(10)]
    (row,) = study([*same, run(20, "low", 7.0, "m:x", record="b")]).rows
    assert row.mean is not None
    assert (row.counted, row.mean.n, row.mean.mean) == (11, 2, 6.0)


def test_what_so_many_can_find_goes_by_what_is_independent() -> None:
    def found(records: int) -> str:
        runs = [
            run(100 * place + n, version, n % records < records // 2, "m:x", record=f"{version}{n % records}")
            for place, version in enumerate(("low", "none"))
            for n in range(40)
        ]
        return study_markdown(study(runs, "price >= 3", contrasts=(Contrast(compare="low - none"),)))

    assert "| m:x | low − none | 40, 40 |" in found(40).partition("What so many can find")[2]
    assert "| m:x | low − none | 40, 40 (worth 10, 10) |" in found(10)
    assert "40, 40 (worth 2, 2) | no test at 0.05 is possible" in found(2)


def test_a_rule_that_gives_a_number_gives_one_also_where_nobody_counts() -> None:
    told = study_markdown(study([run(1, "low", None)], "price"))
    assert "`price`: a number." in told
    assert "`price >= 3`: a share of yes." in study_markdown(study([run(1, "low", None)], "price >= 3"))


def test_people_of_every_style_stand_against_every_model() -> None:
    cells = [(PEOPLE, "calm"), (PEOPLE, "hurried"), ("m:x", "")]
    runs = [
        run(10 * place + n, "low", n % 2 == 0, cell=Cell(subject=subject, style=style, condition="low"))
        for place, (subject, style) in enumerate(cells)
        for n in range(4)
    ]
    against = [one.contrast.compare for one in study(runs, "price >= 3").contrasts if one.over == "subjects"]
    assert against == ["people (calm) - m:x", "people (hurried) - m:x"]


def test_a_study_of_nobody_says_so() -> None:
    given = study([run(1, "low", None)])
    told = study_markdown(given)
    assert "> Nobody can be analysed yet: there is no result." in told
    assert all(one.p is None and one.why for one in given.contrasts)
