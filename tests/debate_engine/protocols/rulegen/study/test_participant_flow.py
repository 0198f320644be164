"""How far everybody came, and whether as many were lost in every version: people, and each model by itself."""

from __future__ import annotations

import pytest
from scipy.stats import fisher_exact  # type: ignore[import-untyped]

from elenchus.debate_engine.protocols.rulegen.study.report import study_markdown
from tests.debate_engine.protocols.rulegen.study.test_cases import run, study


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


def test_a_p_of_drawn_tables_is_not_called_exact() -> None:
    runs = [
        run(100 * k + n, version, True if n >= lost else None, result="not judged" if n >= lost else "ended early")
        for k, (version, lost) in enumerate([("low", 2), ("none", 1), ("other", 0)])
        for n in range(8)
    ]
    told = study_markdown(study(runs, "price >= 3"))
    assert "(exact)" not in told.partition("## How it was counted")[0]
    assert "(Fisher, Freeman and Halton's, by drawn tables)" in told


def test_of_those_alone_who_let_it_be_kept_nothing_is_said_of_how_many_were_lost() -> None:
    found = study([run(n, version, True) for n, version in enumerate(("low", "none") * 4)], "price >= 3")
    assert "0 of 8 who began did not finish" in study_markdown(found)
    told = study_markdown(found.model_copy(update={"kept_alone": True}))
    assert "did not finish;" not in told
    assert "0 of 8" not in told
    assert "whether as many were lost in every version cannot be told" in told
