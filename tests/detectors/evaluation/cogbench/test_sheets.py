"""Sheets for people: blind, in an order of their own, and read back into the results."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.printable import printable
from elenchus.detectors.evaluation.cogbench.collected import ratings_csv, read_key, read_sheets, with_majorities
from elenchus.detectors.evaluation.cogbench.raters import agreement_of
from elenchus.detectors.evaluation.cogbench.results import Results, read_results
from elenchus.detectors.evaluation.cogbench.rubric import What
from elenchus.detectors.evaluation.cogbench.sheets import SheetKey, Sheets, make_sheets
from tests.detectors.evaluation.cogbench.made_files import record, written

Rows = list[dict[str, str]]


def results_in(folder: Path) -> Results:
    """Two methods, two personas, iterations 0 to 2, two questions each."""
    records = []
    for name in ("Greta", "Jonas"):
        for iteration in (2, 0, 1):
            one = record(iteration, [(-1, 4), (-1, 2)], name=name, rationality=-1)
            for question in one["questionnaire"]:
                question["answer"]["CogGPT"] = {**question["answer"]["CoT"], "reason": "=1+1", "rating": 5}
            one["information_flow"] = [] if iteration == 0 else [f"Article {iteration}."]
            records.append(one)
    return read_results(written(folder, records))


def sheets_of(results: Results, what: What = "rationality", limit: int | None = None, seed: int = 1) -> Sheets:
    return make_sheets(results, what, results.methods if what == "rationality" else (), 2, limit, seed)


def rows_of(sheets: Sheets, rater: int = 1) -> Rows:
    return list(csv.DictReader(io.StringIO(sheets.files[f"sheet-{rater}.csv"].decode("utf-8-sig"))))


def filled(folder: Path, sheets: Sheets, score: Callable[[int, dict[str, str]], Any]) -> list[Path]:
    """The sheets with scores, as files; `score` is given the rater and the row."""
    paths = []
    for rater in (1, 2):
        rows = [{**row, "score": score(rater, row)} for row in rows_of(sheets, rater)]
        paths.append(folder / f"filled-{rater}.csv")
        with paths[-1].open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    return paths


def key_file(folder: Path, key: SheetKey) -> Path:
    path = folder / "key.json"
    path.write_text(key.model_dump_json())
    return path


def less(row: dict[str, str], by: int) -> int:
    """A score below the rating."""
    return max(1, int(row["rating"]) - by)


def test_every_answer_is_an_item_and_no_file_for_raters_names_a_method(tmp_path: Path) -> None:
    sheets = sheets_of(results_in(tmp_path))
    assert len(sheets.key.items) == 24
    assert {item.method for item in sheets.key.items.values()} == {"CoT", "CogGPT"}
    for content in sheets.files.values():
        assert b"CoT" not in content
        assert b"CogGPT" not in content


def test_an_answer_without_a_rating_or_a_reason_is_on_no_sheet_for_reasons(tmp_path: Path) -> None:
    records = [record(0, [(-1, 4), (-1, -1), (-1, 2)], rationality=-1)]
    records[0]["questionnaire"][2]["answer"]["CoT"]["reason"] = ""
    results = read_results(written(tmp_path, records))
    assert [row["statement"] for row in rows_of(sheets_of(results))] == ["Q0"]
    assert len(rows_of(sheets_of(results, "ratings"))) == 3, "people say themselves what they think"


def test_each_rater_has_an_order_of_their_own_that_the_seed_decides(tmp_path: Path) -> None:
    results = results_in(tmp_path)
    first, second = ([row["id"] for row in rows_of(sheets_of(results), rater)] for rater in (1, 2))
    assert first != second
    assert sorted(first) == sorted(second)
    assert first == [row["id"] for row in rows_of(sheets_of(results))]
    assert first != [row["id"] for row in rows_of(sheets_of(results, seed=2))]


def test_a_cell_is_no_formula(tmp_path: Path) -> None:
    assert "'=1+1" in {row["reason"] for row in rows_of(sheets_of(results_in(tmp_path)))}


def test_a_limit_draws_questions_each_with_every_methods_answer(tmp_path: Path) -> None:
    items = sheets_of(results_in(tmp_path), limit=3).key.items.values()
    assert len(items) == 6
    assert len({(item.record, item.question) for item in items}) == 3


def test_ratings_stand_by_persona_with_iterations_in_their_order(tmp_path: Path) -> None:
    sheets = sheets_of(results_in(tmp_path), "ratings")
    rows = rows_of(sheets)
    assert "reason" not in rows[0]
    assert len(rows) == 12
    for half in (rows[:6], rows[6:]):
        assert len({row["persona"] for row in half}) == 1
        assert [row["iteration"] for row in half] == ["0", "0", "1", "1", "2", "2"]


def test_the_material_says_who_and_what_was_read(tmp_path: Path) -> None:
    material = sheets_of(results_in(tmp_path)).files["material.md"].decode()
    assert "## Greta\n\n- Name: Greta" in material
    assert "## Yoga, iteration 2\n\nArticle 2." in material
    assert "## Yoga, iteration 0\n\n(nothing" in material


def test_filled_in_sheets_become_the_majority_in_the_results(tmp_path: Path) -> None:
    results = results_in(tmp_path)
    sheets = sheets_of(results)
    paths = filled(tmp_path, sheets, lambda rater, row: "" if row["persona"] == "Jonas" else less(row, rater))
    collected = read_sheets(read_key(key_file(tmp_path, sheets.key), results), paths)
    records = with_majorities(results, collected)
    greta, jonas = records[0]["questionnaire"], records[3]["questionnaire"]
    assert greta[0]["answer"]["CogGPT"]["rationality"] == 3, "4 and 3: the median lies between, 3 is nearer to 3"
    assert greta[0]["answer"]["CoT"]["rationality"] == 3, "3 and 2"
    assert jonas[0]["answer"]["CoT"]["rationality"] == -1, "nobody has rated it"
    assert results.records[0]["questionnaire"][0]["answer"]["CoT"]["rationality"] == -1, "nothing is changed in place"
    table = ratings_csv(results, collected).decode("utf-8-sig")
    assert table.count(",median") == 9
    assert agreement_of(collected.rated(results)).missing == 24


def test_what_people_say_of_a_reason_takes_the_place_of_what_a_model_said_of_it(tmp_path: Path) -> None:
    results = results_in(tmp_path)
    for one in results.records:
        one["questionnaire"][0]["answer"]["CoT"] |= {"rationality": 5, "rationality_by": "openai:judge"}
    sheets = sheets_of(results)
    records = with_majorities(results, read_sheets(sheets.key, filled(tmp_path, sheets, lambda rater, row: 2)))
    given = [q["answer"]["CoT"] for one in records for q in one["questionnaire"]]
    assert {answer["rationality"] for answer in given} == {2}
    assert not any("rationality_by" in answer for answer in given)


def test_nothing_in_the_material_drives_a_terminal(tmp_path: Path) -> None:
    results = results_in(tmp_path)
    for one in results.records:
        one |= {"topic": "\x1b[31mYoga", "profile": {"Name": "G\x9breta\u202e"}, "information_flow": ["\x1b]0;x\x07"]}
    material = sheets_of(results).files["material.md"].decode()
    assert "[31mYoga" in material
    assert printable(material) == material


def test_peoples_own_ratings_become_human_ratings(tmp_path: Path) -> None:
    results = results_in(tmp_path)
    sheets = sheets_of(results, "ratings")
    paths = filled(tmp_path, sheets, lambda rater, row: 4)
    records = with_majorities(results, read_sheets(sheets.key, paths))
    assert {q["answer"]["human_rating"] for r in records for q in r["questionnaire"]} == {4}


def test_a_sheet_may_come_back_as_a_workbook_with_rows_missing_and_in_another_order(tmp_path: Path) -> None:
    results = results_in(tmp_path)
    sheets = sheets_of(results)
    csv_path, _ = filled(tmp_path, sheets, lambda rater, row: 5)
    book = Workbook()
    table = book.active
    assert table is not None
    table.append(["Score", "ID"])
    for row in rows_of(sheets, 2)[3:]:
        table.append([5.0, row["id"]])
    book.save(tmp_path / "second.xlsx")
    collected = read_sheets(sheets.key, [csv_path, tmp_path / "second.xlsx"])
    assert sorted(collected.ratings.values(), key=str) == [(5, 5)] * 21 + [(5, None)] * 3


@pytest.mark.parametrize(
    ("cell", "said"),
    [*((cell, "is neither") for cell in ("6", "0", "good", "3.5", "４")), ("4", None), (" 4.0 ", None)],
)
def test_a_score_is_one_to_five_or_nothing(tmp_path: Path, cell: str, said: str | None) -> None:
    sheets = sheets_of(results_in(tmp_path))
    paths = filled(tmp_path, sheets, lambda rater, row: cell)
    if said is None:
        assert set(read_sheets(sheets.key, paths).ratings.values()) == {(4, 4)}
        return
    with pytest.raises(UsageError, match=said) as refused:
        read_sheets(sheets.key, paths)
    assert "filled-1.csv, row 2" in str(refused.value)


def test_what_is_no_sheet_of_this_key_is_refused(tmp_path: Path) -> None:
    sheets = sheets_of(results_in(tmp_path))
    first, second = filled(tmp_path, sheets, lambda rater, row: "")
    for content, said in (
        ("id,score\nzzzzzz,4\n", "is no id of these sheets"),
        ("id,remark\nzzzzzz,4\n", "the column score is missing"),
        (f"id,score\n{(twice := next(iter(sheets.key.items)))},4\n{twice},4\n", "is there twice"),
    ):
        second.write_text(content)
        with pytest.raises(UsageError, match=said):
            read_sheets(sheets.key, [first, second])
    with pytest.raises(UsageError, match="two raters or more"):
        read_sheets(sheets.key, [first])
    with pytest.raises(UsageError, match="two raters or more"):
        read_sheets(sheets.key, [first, first])


def test_sheets_that_nobody_has_filled_in_are_refused(tmp_path: Path) -> None:
    sheets = sheets_of(results_in(tmp_path))
    with pytest.raises(UsageError, match="Nobody has filled in"):
        read_sheets(sheets.key, filled(tmp_path, sheets, lambda rater, row: ""))


def test_a_key_of_other_results_is_refused(tmp_path: Path) -> None:
    key = sheets_of(results_in(tmp_path)).key
    other = read_results(written(tmp_path, [record(1, [(1, 1)])]))
    with pytest.raises(UsageError, match="key of sheets of other results"):
        read_key(key_file(tmp_path, key), other)
    (tmp_path / "key.json").write_text('{"what": "taste"}')
    with pytest.raises(UsageError, match="is no key of sheets"):
        read_key(tmp_path / "key.json", other)


@pytest.mark.parametrize("what", ["rationality", "ratings"])
@pytest.mark.parametrize(
    ("item", "said"),
    [
        ({"record": 99}, "stands for no"), ({"record": -1}, "is no key of sheets"), ({"question": 2}, "stands for no"),
        ({"question": -1}, "is no key of sheets"), ({"method": "CoT", "question": 0, "record": 0}, ""),
        ({"method": "Nobody"}, "key of sheets of other results"),
        ({"method": "human_rating"}, "key of sheets of other results"),
    ],
)  # fmt: skip
def test_a_key_that_fits_nothing_is_refused_in_a_sentence(
    tmp_path: Path, what: What, item: dict[str, Any], said: str
) -> None:
    """Also where somebody has written into it: an id beyond the results, before them, or of nobody's answer."""
    results = results_in(tmp_path)
    key = sheets_of(results, what).key.model_dump()
    first, second = list(key["items"])[:2]
    key["items"][first] |= item
    if not said:  # an answer that another id has already; of people's own ratings it is no question
        key["items"][second] |= item
        said = "stand for the same" if what == "rationality" else "stands for no answer of 'CoT'|other results"
    path = tmp_path / "key.json"
    path.write_text(json.dumps(key))
    with pytest.raises(UsageError, match=said) as refused:
        read_key(path, results)
    assert len(str(refused.value).splitlines()) == 1
