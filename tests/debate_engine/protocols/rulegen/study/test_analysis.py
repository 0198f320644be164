"""What is counted over runs, and what is not: by judges, where the scene has no rule for what came out."""

from __future__ import annotations

import csv
import io
from itertools import count
from typing import Any

import pytest

from elenchus.bot.scenes.results_command import table_of
from elenchus.debate_engine.events import CallRecord
from elenchus.debate_engine.protocols.rulegen.study.analysis import StudiedScene, Study, study_of
from elenchus.debate_engine.protocols.rulegen.study.contrasts import Compared
from elenchus.debate_engine.protocols.rulegen.study.export.runs import runs_table
from elenchus.debate_engine.protocols.rulegen.study.grid import Cell
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE, RESULTS, Observation, observations_in
from elenchus.debate_engine.protocols.rulegen.study.plot import alt_text, study_plot
from elenchus.debate_engine.protocols.rulegen.study.report import study_markdown
from elenchus.debate_engine.reports.spending import CallUsage
from tests.debate_engine.protocols.rulegen.stage import ADA, BEN, CLEO, NAMES, TELLS, Stage, scene

_sessions = count(1)


def one(result: Any, condition: Any = "treatment", record: str = "", **more: Any) -> Observation:
    given = {"subject": "openai:x", "style": ""} | {key: more.pop(key) for key in ("subject", "style") if key in more}
    made = {
        "session": f"s{next(_sessions)}",
        "role": "Ada",
        "cell": Cell(condition=condition, **given),
        "result": result,
        "seed": 1,
    }
    return Observation.model_validate({**made, "record": record, "temperature": None, **more})


def study(*runs: Observation) -> Study:
    return study_of(StudiedScene(name="tea", title="The tasting", bias="Herd Following"), runs)


def test_what_could_not_be_judged_stands_apart_and_is_never_a_no() -> None:
    (row,) = study(one("present"), one("absent"), *(one(result) for result in RESULTS[2:])).rows
    assert (row.runs, row.frequency.k, row.frequency.n) == (8, 1, 2)
    assert [row.results[result] for result in RESULTS] == [1] * 8


def test_distinct_records_are_counted_among_those_that_were_played_to_the_end() -> None:
    (row,) = study(
        one("present", record="a"), one("absent", record="a"), one("absent", record="b"), one("unfinished")
    ).rows
    assert (row.distinct, row.played, row.runs) == (2, 3, 4)


def of_versions(given: Study, subject: str = "openai:x") -> Compared:
    (found,) = [one for one in given.contrasts if (one.over, one.subject) == ("versions", subject)]
    return found


def test_versions_are_compared_within_each_subject_and_its_styles() -> None:
    runs = [
        *[one("present") for _ in range(3)], one("absent"), *[one("absent", "control") for _ in range(4)],
        *[one("present", style="bold") for _ in range(2)], *[one("absent", "control", style="bold") for _ in range(2)],
    ]  # fmt: skip
    found = of_versions(study(*runs))
    assert found.shares is not None
    assert found.shares.difference == pytest.approx((0.75 * 2 + 1.0 * 1) / 3), "weights 4·4/8 and 2·2/4"
    assert (str(found.contrast), found.n, found.strata) == ("treatment − control", (6, 6), 2)
    plain = of_versions(study(*runs[:8]))
    assert plain.p == pytest.approx(1 / 7), "3 of 4 against 0 of 4: (4 + 4) / 56, by hand"
    alone = study_markdown(study(*runs[:8]))
    assert "| openai:x | treatment − control | 4, 4 | +75 points" in alone
    assert "| openai:x | treatment | 4 | 3 | 1 |" in alone, "no column of styles where nobody was given one"


def test_two_groups_without_any_difference_show_none_however_they_are_mixed() -> None:
    """People (80 %) and models (20 %), each the same in both versions, but unevenly played."""
    people: dict[str, Any] = {"subject": PEOPLE}
    runs = [
        *[one("present", **people) for _ in range(8)], *[one("absent", **people) for _ in range(2)],
        *[one("present", "control", **people) for _ in range(40)],
        *[one("absent", "control", **people) for _ in range(10)],
        *[one("present") for _ in range(10)], *[one("absent") for _ in range(40)],
        *[one("present", "control") for _ in range(2)], *[one("absent", "control") for _ in range(8)],
    ]  # fmt: skip
    given = study(*runs)
    for subject in (PEOPLE, "openai:x"):
        found = of_versions(given, subject)
        assert found.shares is not None
        assert (found.shares.difference, found.p) == pytest.approx((0, 1))
    assert "−40" not in study_markdown(given) + alt_text(given)
    (apart,) = [one for one in given.contrasts if one.over == "subjects"]
    assert (str(apart.contrast), apart.strata) == ("people − openai:x", 2)


def test_a_group_that_played_one_version_alone_is_compared_with_nothing() -> None:
    given = study(one("present"), one("absent", "control"), one("present", subject="gemini:y"))
    assert of_versions(given, "gemini:y").why == "nobody counts in control"
    assert "gemini:y, treatment − control: nobody counts in control" in study_markdown(given)


def test_runs_with_the_same_record_widen_the_interval_and_count_once_in_the_test() -> None:
    same = [one("present", record="a") for _ in range(10)]
    same += [one("absent", "control", record="b") for _ in range(10)]
    other = [one("present", record=f"a{n}") for n in range(10)]
    other += [one("absent", "control", record=f"b{n}") for n in range(10)]
    (row, _), (fresh, _) = study(*same).rows, study(*other).rows
    assert (row.frequency.k, row.frequency.n, row.frequency.effective) == (10, 10, 1)
    assert row.frequency.low is not None
    assert fresh.frequency.low is not None
    assert row.frequency.low < 0.21 < fresh.frequency.low
    assert of_versions(study(*same)).p == 1
    p = of_versions(study(*other)).p
    assert p is not None
    assert p < 1e-4


def test_people_and_models_with_values_alone_say_the_same_by_chance_and_each_counts() -> None:
    """Ten people who all choose the same have the same record where all else is fixed."""
    people = [one("present", record="a", subject=PEOPLE) for _ in range(10)]
    chosen = [one("present", record="a", choices=True) for _ in range(10)]
    cold = [one("present", record="a", choices=True, temperature=0.0) for _ in range(10)]
    found = [study(*runs).rows[0].frequency.effective for runs in (people, chosen, cold)]
    assert found == [10, 10, 1]
    told = [study_markdown(study(*runs)) for runs in (people, chosen, cold)]
    assert ["> Some runs say the same, word for word" in one for one in told] == [False, False, True]


def test_subjects_of_one_session_hang_together() -> None:
    pair = [one("present", session=f"p{n // 2}", subject=PEOPLE) for n in range(10)]
    assert study(*pair).rows[0].frequency.effective == 5


def test_runs_of_one_row_with_other_models_beside_the_subject_or_another_temperature_are_told_to_be_mixed() -> None:
    ben = (("Ben", "a:b"),)
    for other in (one("present"), one("present", others=ben, temperature=0.5)):
        assert "differ in who speaks or judges" in study_markdown(study(one("present", others=ben), other))
    assert "differ in who" not in study_markdown(study(one("present", others=ben), one("absent", "control")))


JUDGED_BY_YES, JUDGED_BY_NO = (("Ben", "a:b"), ("judges", "a:yes")), (("Ben", "a:b"), ("judges", "a:no"))


@pytest.mark.parametrize(
    ("treatment", "control", "named"),
    [
        ({"others": JUDGED_BY_YES}, {"others": JUDGED_BY_NO}, "judges"),
        ({"temperature": 1.0}, {"temperature": 0.0}, "temperature"),
        ({"others": JUDGED_BY_YES, "temperature": 1.0}, {"others": JUDGED_BY_NO}, "judges and temperature"),
        ({"others": (("Ben", "a:c"),)}, {"others": (("Ben", "a:b"),)}, "Ben"),
    ],
)
def test_what_differs_between_the_compared_versions_beside_themselves_is_told_wherever_their_difference_is(
    treatment: dict[str, Any], control: dict[str, Any], named: str
) -> None:
    """Judges of another severity, or another temperature, make a difference of their own."""
    runs = [
        *(one("present", record=f"t{n}", **treatment) for n in range(10)),
        *(one("absent", "control", record=f"c{n}", **control) for n in range(10)),
    ]
    given = study(*runs)
    report, alt = study_markdown(given), alt_text(given)
    told = f"confounded: not the same {named}"
    assert told in report
    assert "**Confounded.** Versions of openai:x" in report
    assert "is no effect" in report
    assert told in alt
    assert b"confounded" in study_plot(given).svg
    assert f"**Confounded**, openai:x: the versions were not played with the same {named}" in str(table_of(given))
    rows = list(csv.DictReader(io.StringIO(runs_table(given).csv())))
    assert {row["confounded"] for row in rows} == {named.replace(" and ", "; ")}
    alike = study(*(run.model_copy(update={"others": JUDGED_BY_NO, "temperature": 1.0}) for run in runs))
    assert "onfounded" not in study_markdown(alike) + alt_text(alike) + str(table_of(alike))
    assert {row["confounded"] for row in csv.DictReader(io.StringIO(runs_table(alike).csv()))} == {""}


def test_versions_that_were_played_under_the_same_settings_but_not_equally_often_are_confounded_too() -> None:
    hot: dict[str, Any] = {"temperature": 1.0}
    cold: dict[str, Any] = {"temperature": 0.0}
    uneven = [*[one("present", **hot)] * 3, one("absent", **cold), one("present", "control", **hot)]
    uneven += [one("absent", "control", **cold)] * 3
    assert of_versions(study(*uneven)).confounded == ("temperature",)
    even = [*[one("present", **hot)] * 2, one("absent", **cold), *[one("present", "control", **hot)] * 4]
    even += [one("absent", "control", **cold)] * 2
    assert of_versions(study(*even)).confounded == ()


def test_one_condition_alone_is_compared_with_nothing() -> None:
    given = study(one("present"), one("absent"))
    assert given.contrasts == ()
    assert "There is one version alone: nothing is compared." in study_markdown(given)


def test_report_data_and_picture_say_the_same() -> None:
    given = study(one("present", record="a"), one("absent", record="a"), one("unread"), one("absent", "control", "b"))
    text, alt = study_markdown(given, alt=alt_text(given)), alt_text(given)
    assert "1 unread" in text
    assert "50% (5% to 95%)" in text, "the two say the same: one observation"
    assert "50% (5% to 95%)" in alt
    assert "1 of 2" in text
    assert "word for word" in text, "two runs say the same"
    rows = list(csv.DictReader(io.StringIO(runs_table(given).csv())))
    assert [row["bias"] for row in rows] == ["1", "0", "", "0"]
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
    of_both = observations_in("s", await stage.log.read("s"))
    assert [(seen.role, seen.result, seen.shortened) for seen in of_both] == [
        ("Ada", "absent", 2),
        ("Dora", "absent", 2),
    ]
    counted = study(of_both[0], one("absent"))
    assert "In 1 of 2 runs a judge read a shortened record" in study_markdown(counted)
    assert [row["judges_shortened"] for row in csv.DictReader(io.StringIO(runs_table(counted).csv()))] == ["2", "0"]
    assert "shortened record" not in study_markdown(study(one("absent")))


async def test_a_report_says_where_scripts_or_the_small_model_speak_or_judge_beside_the_subject() -> None:
    stage = Stage(scene(NAMES, TELLS))
    await stage.played()
    (seen,) = observations_in("s", await stage.log.read("s"))
    assert (dict(seen.others)["judges"], seen.uses("scripted"), seen.uses("local")) == (
        " + ".join(["scripted:stage"] * 3), True, False,
    )  # fmt: skip
    models = one("present", others=(("Ben", "gemini:y"), ("judges", "anthropic:z")))
    by_scripts, by_the_small = (
        one("present", others=(("judges", "a:b + scripted:demo"),)),
        one("absent", others=(("Ben", "local:small"),)),
    )
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


def test_what_was_used_is_told_with_the_calls_that_no_price_is_known_of() -> None:
    def call(usd: float | None) -> CallRecord:
        return CallRecord(model="a:b", input_tokens=1_000, output_tokens=10, seconds=0.1, outcome="ok", cost_usd=usd)

    use = CallUsage()
    assert f"{use}" == "0 calls, 0 tokens in, 0 out, $0.00"
    use.add(call(2.5))
    assert f"{use}" == "1 call, 1,000 tokens in, 10 out, $2.50"
    use.add(call(None))
    assert f"{use}" == "2 calls, 2,000 tokens in, 20 out, $2.50 (1 call without a known price: not in the sum)"
    other = CallUsage()
    other.add(call(None))
    assert f"{other}" == "1 call, 1,000 tokens in, 10 out, no known price"
