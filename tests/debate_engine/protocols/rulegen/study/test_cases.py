"""The table that is analysed: outcomes by the scene's own rule, and who counts; judges beside."""

from __future__ import annotations

from typing import Any

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
