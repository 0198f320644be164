"""What is counted over runs, and what is not."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from debate_engine.protocols.rulegen.people.assignment import drawn
from debate_engine.protocols.rulegen.study.design import Cell
from debate_engine.protocols.rulegen.study.gathering import next_lot
from debate_engine.protocols.rulegen.study.observed import PEOPLE, RESULTS, Observed, observed
from debate_engine.protocols.rulegen.study.tally import ALL, Study, study_of
from debate_engine.reports.study.data import COLUMNS, runs_codebook, runs_csv
from debate_engine.reports.study.plot import alt_text, study_plot
from debate_engine.reports.study.report import study_markdown
from tests.debate_engine.protocols.rulegen.stage import ADA, BEN, CLEO, NAMES, TELLS, Stage, scene
from tests.debate_engine.protocols.rulegen.test_evaluation import opinion


def one(result: Any, condition: Any = "treatment", record: str = "", **more: Any) -> Observed:
    given = {"subject": "openai:x", "style": ""} | {key: more.pop(key) for key in ("subject", "style") if key in more}
    cell = Cell(condition=condition, **given)
    return Observed(session="s", role="Ada", cell=cell, result=result, record=record, seed=1, temperature=None, **more)


def study(*runs: Observed) -> Study:
    return study_of("tea", "The tasting", "Herd Following", runs)


def test_what_could_not_be_judged_stands_apart_and_is_never_a_no() -> None:
    (row,) = study(one("present"), one("absent"), *(one(result) for result in RESULTS[2:])).rows
    assert (row.runs, row.frequency.k, row.frequency.n) == (8, 1, 2)
    assert [row.results[result] for result in RESULTS] == [1] * 8


def test_distinct_records_are_counted_among_those_that_were_played_to_the_end() -> None:
    (row,) = study(
        one("present", record="a"), one("absent", record="a"), one("absent", record="b"), one("unfinished")
    ).rows
    assert (row.distinct, row.played, row.runs) == (2, 3, 4)


def test_conditions_are_compared_within_each_subject_and_over_all() -> None:
    runs = [
        *[one("present")] * 3, one("absent"), *[one("absent", "control")] * 4,
        *[one("present", subject="gemini:y")] * 2, *[one("absent", "control", subject="gemini:y")] * 2,
    ]  # fmt: skip
    found = {contrast.subject: contrast for contrast in study(*runs).contrasts}
    assert found["openai:x"].difference.difference == 0.75
    assert found["openai:x"].difference.p == pytest.approx(1 / 7), "3 of 4 against 0 of 4: (4 + 4) / 56, by hand"
    assert (found[ALL].treatment.k, found[ALL].treatment.n, found[ALL].control.k) == (5, 6, 0)


def test_agreement_runs_over_all_runs_of_the_study() -> None:
    """Four runs, two judges: they agree on three; by hand 0.5333 (see `test_evaluation`)."""
    given = [(True, True), (True, True), (False, False), (True, False)]
    runs = [one("present", opinions=(opinion("judge-1", a), opinion("judge-2", b))) for a, b in given]
    assert (study(*runs).alpha, study(*runs).alpha_reason) == (0.5333, "")
    assert study(*runs[:1]).alpha is None


def test_one_condition_alone_is_compared_with_nothing() -> None:
    assert study(one("present"), one("absent")).contrasts == ()


def test_report_data_and_picture_say_the_same() -> None:
    given = study(one("present", record="a"), one("absent", record="a"), one("unread"), one("absent", "control", "b"))
    text, alt = study_markdown(given, alt=alt_text(given)), alt_text(given)
    assert "1 unread" in text
    assert "50% (9% to 91%)" in text
    assert "50% (9% to 91%)" in alt
    assert "1 of 2" in text
    assert "word for word" in text, "two runs say the same"
    rows = list(csv.DictReader(io.StringIO(runs_csv(given))))
    assert [row["bias"] for row in rows] == ["1", "0", "", "0"]
    assert all(f"`{column.name}`" in runs_codebook() for column in COLUMNS)
    picture = study_plot(given)
    assert picture.png.startswith(b"\x89PNG")
    assert alt.replace("&", "&amp;").encode() in picture.svg
    assert study_plot(given).png == picture.png, "the same study gives the same bytes"


async def test_judges_whose_model_could_not_read_the_whole_record_are_counted_and_told() -> None:
    dora = ADA.model_copy(update={"name": "Dora"})
    rules = [NAMES, TELLS, NAMES.model_copy(update={"initiator": "Dora"})] * 4
    given = scene(*rules, roles=(ADA, BEN, CLEO, dora))
    stage = Stage(given, {"rulegen/answer": "a word " * 45}, judges=("judge-1", "judge-2"))
    stage.context_tokens = 1_500
    await stage.played()
    of_both = observed("s", await stage.log.read("s"))
    assert [(seen.role, seen.result, seen.shortened) for seen in of_both] == [
        ("Ada", "absent", 2),
        ("Dora", "absent", 2),
    ]
    counted = study(of_both[0], one("absent"))
    assert "In 1 of 2 runs a judge read a shortened record" in study_markdown(counted)
    assert [row["judges_shortened"] for row in csv.DictReader(io.StringIO(runs_csv(counted)))] == ["2", "0"]
    assert "shortened record" not in study_markdown(study(one("absent")))


async def test_a_report_says_where_scripts_or_the_small_model_speak_or_judge_beside_the_subject() -> None:
    stage = Stage(scene(NAMES, TELLS))
    await stage.played()
    (seen,) = observed("s", await stage.log.read("s"))
    assert (seen.others, seen.uses("scripted"), seen.uses("local")) == (("scripted:stage",), True, False)
    models = one("present", others=("gemini:y", "anthropic:z"))
    by_scripts, by_the_small = one("present", others=("scripted:demo",)), one("absent", others=("local:small",))
    simulated = "Scripts speak or judge beside the subject in 1 of 3 runs"
    weak = "The small model that comes along speaks or judges in 1 of 3 runs"
    told = study_markdown(study(models, by_scripts, by_the_small))
    assert (simulated in told, weak in told) == (True, True)
    assert "simulated" in study_plot(study(models, by_scripts)).svg.decode()
    alone = study_markdown(study(models))
    assert "1 run of the scene" in alone
    assert not [word for word in ("Simulated", "Weak") if word in alone]


def test_a_scene_that_was_never_played_has_a_report_too() -> None:
    nothing = study()
    assert "0 runs" in study_markdown(nothing)
    assert study_plot(nothing).alt.startswith("An empty plot")


def test_the_next_person_gets_a_condition_by_lot_that_fewest_have_played() -> None:
    person = {"subject": PEOPLE}

    def assigned(given: Study) -> set[str]:
        return {drawn(next_lot(given, seed)) for seed in range(30)}

    assert assigned(study()) == {"treatment", "control"}
    assert assigned(study(one("absent", **person))) == {"control"}
    withdrawn = study(one("absent", **person), one("ended early", "control", **person))
    assert assigned(withdrawn) == {"control"}, "who withdrew does not count"
    assert assigned(study(one("absent"))) == {"treatment", "control"}, "nor do models"
