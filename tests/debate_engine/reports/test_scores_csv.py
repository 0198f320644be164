from __future__ import annotations

import csv
import json
from io import StringIO
from math import isclose

from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.protocols.crit.score_rows import COLUMNS
from elenchus.debate_engine.protocols.judging.rubric import PREFERENCE, RULING
from elenchus.debate_engine.protocols.socrasynth.score_rows import SCORES
from elenchus.debate_engine.reports.export import contents_of
from elenchus.debate_engine.reports.scores_csv import codebook, scores_csv
from elenchus.debate_engine.reports.view import SessionView
from tests.debate_engine.reports.debates import debated, failing
from tests.debate_engine.reports.test_view import outcome_of

Row = dict[str, str]


def scores(events: list[Recorded]) -> list[Row]:
    return list(csv.DictReader(StringIO(scores_csv(SessionView.of("demo", events), SCORES))))


def where(rows: list[Row], **values: str) -> list[Row]:
    return [row for row in rows if all(row[name] == value for name, value in values.items())]


def test_every_ruling_is_five_rows_with_its_numbers(debate: list[Recorded]) -> None:
    rows, outcome = scores(debate), outcome_of(debate)
    assert outcome.judgement is not None
    assert len(where(rows, source="judge")) == 5 * len(outcome.judgement.cells)
    for cell in outcome.judgement.cells:
        claims = "pro claims" if cell.claimant == "A" else "con claims"
        own = where(rows, source="judge", judge=cell.judge, topic=str(cell.topic), configuration=claims)
        assert cell.ruling is not None
        assert where(own, side="pro", criterion="validity")[0]["value"] == str(
            RULING.scores(cell.ruling, "a")["validity"]
        )
        assert where(own, side="con", criterion="credibility")[0]["value"] == str(
            RULING.scores(cell.ruling, "b")["credibility"]
        )
        assert where(own, criterion="winner")[0]["choice"] == "pro"
        assert {row["topic_title"] for row in own} == {outcome.agenda[cell.topic - 1].title}


def test_every_reason_is_two_rows_and_the_sums_can_be_computed_from_them(debate: list[Recorded]) -> None:
    rows, outcome = scores(debate), outcome_of(debate)
    assert outcome.quality is not None
    validity, credibility = (where(rows, source="crit", criterion=c) for c in ("validity", "credibility"))
    assert len(validity) == len(credibility) == len(outcome.quality.reasons)
    assert [row["reason"] for row in validity] == [r.reason for r in outcome.quality.reasons]
    theta = [float(row["value"]) for row in credibility]
    gamma = sum(t * float(v["value"]) for t, v in zip(theta, validity, strict=True)) / sum(theta)
    whole = where(rows, criterion="argument_quality", stage="closing", topic="")[0]
    assert isclose(float(whole["value"]), gamma)
    rounds = [row["value"] for row in where(rows, criterion="argument_quality", topic="") if row["round"]]
    assert [float(value) for value in rounds] == [r.gamma for r in outcome.rounds]


def test_the_noise_by_which_rounds_end_is_in_table_report_and_run(debate: list[Recorded]) -> None:
    noise = {r.n: r.noise for r in outcome_of(debate).rounds if r.noise is not None}
    assert noise
    rows = where(scores(debate), source="crit", criterion="noise")
    assert {int(row["round"]): float(row["value"]) for row in rows} == noise
    made = contents_of("demo", debate)
    told = {each["round"]: each["noise"] for each in json.loads(made["run.json"])["rounds"]}
    assert {n: value for n, value in told.items() if value is not None} == noise
    report = made["report.md"].decode()
    assert "| its noise |" in report
    assert all(f"| {value:.2f} |" in report for value in noise.values())
    assert "takes as independent" in report
    assert "| crit | noise |" in made["scores-codebook.md"].decode()


def test_every_preference_is_seven_rows(debate: list[Recorded]) -> None:
    rows, outcome = scores(debate), outcome_of(debate)
    assert outcome.comparison is not None
    own = where(rows, source="comparison")
    assert len(own) == 7 * len(outcome.comparison.cells)
    shown = where(own, configuration="plain answer first", side="plain answer", criterion="depth")
    cells = [c for c in outcome.comparison.cells if not c.debate_first]
    assert [row["value"] for row in shown] == [
        str(PREFERENCE.scores(c.preference, "first")["depth"]) for c in cells if c.preference
    ]
    assert {row["choice"] for row in where(own, configuration="debate first", criterion="preferred")} == {"debate"}


async def test_what_could_not_be_read_is_empty_and_says_why_and_is_never_zero() -> None:
    rows = scores(await debated(answers=failing("judge-2", "crit")))
    unread = where(rows, judge="judge-2")
    assert len(unread) == 20
    reason = "unreadable after one repair"
    assert {(row["value"], row["choice"], row["missing"]) for row in unread} == {("", "", reason)}
    assert all((row["value"] == "") != (row["missing"] == "") or row["choice"] for row in rows)
    assert not [row for row in rows if row["value"] in ("0", "0.0", "None", "nan")]


def test_the_codebook_explains_every_column_and_every_criterion(debate: list[Recorded]) -> None:
    rows, told = scores(debate), codebook(SCORES)
    assert list(rows[0]) == [column.name for column in COLUMNS]
    for column in COLUMNS:
        assert f"| {column.name} | {column.meaning} |" in told
    known = {(source, name) for source, names, *_ in SCORES.criteria for name in names.split(", ")}
    assert {(row["source"], row["criterion"]) for row in rows} <= known
    assert {row["simulated"] for row in rows} == {"yes"}


def test_a_column_is_empty_only_where_the_codebook_allows_it(debate: list[Recorded]) -> None:
    always = [column.name for column in COLUMNS if column.empty == "never"]
    for row in scores(debate):
        assert all(row[name] for name in always), row


def test_no_cell_is_a_formula(hostile_debate: list[Recorded]) -> None:
    rows = scores(hostile_debate)
    assert rows
    for row in rows:
        assert not [value for value in row.values() if value.startswith(("=", "+", "-", "@", "\t"))]


def test_a_session_without_scores_has_a_table_without_rows(debate: list[Recorded]) -> None:
    assert scores(debate[:3]) == []
    assert scores_csv(SessionView.of("demo", debate[:3]), SCORES).startswith("session,simulated,source,")
