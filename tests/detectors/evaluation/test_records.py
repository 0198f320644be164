"""Records from JSON lines, CSV and XLSX: the six fields, and clear errors for what cannot be read."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZipFile

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.errors import UsageError
from elenchus.detectors.evaluation.records import Record, read_records

HEAD = ["Question", "Evaluation tag", "Answer", "Model", "Presence of bias", "Name of bias"]
ROWS = [
    ["Go on?", "The past outlay decides.", "Yes, after three years; we go on.", "a:b", "yes", "Concorde fallacy"],
    ["Buy it?", "The first figure decides.", 'He said "no", and left.', "a:b", "No", "Anchoring effect"],
]
SIX = ("question", "criteria", "answer", "model", "bias")


def written(path: Path, rows: list[list[str]], mark: str = ",") -> Path:
    import csv

    with path.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file, delimiter=mark).writerows(rows)
    return path


def workbook(path: Path, rows: list[list[object]]) -> Path:
    from openpyxl import Workbook

    book = Workbook()
    assert book.active is not None
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


def expect_ours(records: tuple[Record, ...]) -> None:
    first, second = records
    assert (first.question, first.criteria, first.model) == ("Go on?", "The past outlay decides.", "a:b")
    assert (first.bias, first.present) == ("sunk-cost-fallacy", True)
    assert (second.bias, second.present, second.answer) == ("anchoring-effect", False, 'He said "no", and left.')
    assert [record.row for record in records] == sorted(record.row for record in records)


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_csv_is_read_whatever_divides_its_cells(tmp_path: Path, mark: str) -> None:
    expect_ours(read_records(written(tmp_path / "a.csv", [HEAD, *ROWS], mark), SIX))


def test_a_workbook_is_read(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", [[*HEAD], [], [*ROWS[0]], [*ROWS[1]]])
    expect_ours(read_records(path, SIX))


def test_json_lines_are_read_and_empty_lines_passed_over(tmp_path: Path) -> None:
    lines = [json.dumps(dict(zip(HEAD, row, strict=True))) for row in ROWS]
    path = tmp_path / "a.jsonl"
    path.write_text("\n\n".join(lines), encoding="utf-8")
    expect_ours(read_records(path, SIX))


@pytest.mark.parametrize("inside", ["\u2028", "\u2029", "\x85"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_line_of_json_ends_where_the_file_says_and_not_at_another_sign_within_a_text(
    tmp_path: Path, inside: str, end: str
) -> None:
    lines = [json.dumps({"text": f"One.{inside}Two."}, ensure_ascii=False), json.dumps({"text": "Three."})]
    path = tmp_path / "a.jsonl"
    path.write_bytes(end.join(lines).encode())
    assert [record.answer for record in read_records(path, ("answer",))] == [f"One.{inside}Two.", "Three."]


def test_labels_of_several_people_and_of_a_judges_repeats_are_read(tmp_path: Path) -> None:
    head = ["id", "human 1", "human_2", "judge_1", "judge_2", "notes"]
    (record,) = read_records(written(tmp_path / "a.csv", [head, ["x", "yes", "", "1", "false", "!"]]), ())
    assert (record.human, record.judge, record.id) == ((True, None), (True, False), "x")
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"human": [True, "no"], "judge": ["yes", None, False]}), encoding="utf-8")
    (record,) = read_records(path, ())
    assert (record.human, record.judge) == ((True, False), (True, None, False))


BAD = {
    "ragged.csv": ("a.csv, row 3: it has 2 cells, the header 6", [HEAD, ROWS[0], ["Go on?", "Why?"]]),
    "wide.csv": ("a.csv, row 2: it has 7 cells, the header 6", [HEAD, [*ROWS[0], "more"]]),
    "unknown bias.csv": ("a.csv, row 2: there is no bias 'Boat bias'", [HEAD, [*ROWS[0][:5], "Boat bias"]]),
    "presence.csv": ("a.csv, row 2: Presence of bias is yes or no, and 'maybe'", [HEAD, [*ROWS[0][:4], "maybe", ""]]),
    "missing.csv": ("a.csv, row 3: it lacks question and criteria", [HEAD, ROWS[0], ["", "", *ROWS[0][2:]]]),
    "no columns.csv": (r"row 2: it lacks .* \(it has: colour, size\)", [["colour", "size"], ["red", "large"]]),
    "only a header.csv": ("a.csv holds no records", [HEAD]),
}


@pytest.mark.parametrize("name", BAD)
def test_a_table_that_cannot_be_used_is_refused_with_its_row(tmp_path: Path, name: str) -> None:
    says, rows = BAD[name]
    with pytest.raises(UsageError, match=says):
        read_records(written(tmp_path / "a.csv", rows), SIX)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.jsonl", b'{"question": "x"}\n{"question": ', r"\(line 2: it is not valid JSON"),
        ("a.jsonl", b"[1, 2]\n", "row 1: a record is a JSON object, not list"),
        ("a.jsonl", b'{"question": {"a": 1}}\n', "row 1: question is to be a text, not dict"),
        ("a.jsonl", b"", "holds no records"),
        ("a.jsonl", b"\xff\xfe{}", "not UTF-8"),
        ("a.jsonl", b"[" * 200_000, r"\(line 1: lists and mappings stand more than 64 deep"),
        ("a.csv", b'question,bias\n"never closed, x\n', "no valid CSV"),
        ("a.csv", b"question\n" + b"x" * 500_000, "row 2: this is no valid CSV .field larger"),
        ("a.xlsx", b"no workbook", "no workbook that can be read"),
        ("a.txt", b"words", r"ends in \.jsonl, \.csv or \.xlsx"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_what_is_wrong(
    tmp_path: Path, name: str, content: bytes, says: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UsageError, match=says):
        read_records(tmp_path / name, ("question",))


def test_a_workbook_with_cells_beyond_its_header_is_refused_with_the_row(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", [["question", "bias"], ["x", "reactance", "more"]])
    with pytest.raises(UsageError, match="row 2: it has 3 cells, the header 2"):
        read_records(path, ("question",))


def damaged(path: Path, part: str, content: bytes | None) -> Path:
    """A workbook of which one part holds this, or is not there."""
    whole = workbook(path.with_name("whole.xlsx"), [["question", "bias"], ["x", "reactance"]])
    with ZipFile(whole) as held, ZipFile(path, "w") as made:
        for name in held.namelist():
            data = content if name.endswith(part) else held.read(name)
            if data is not None:
                made.writestr(name, data)
    return path


@pytest.mark.parametrize("content", [b"", b"not xml <", b"<worksheet><sheetData><row r='!'><c r='!!'/></row>", None])
@pytest.mark.parametrize("part", ["xl/workbook.xml", "sheet1.xml", "styles.xml", "[Content_Types].xml"])
def test_a_damaged_workbook_is_refused_and_never_a_stack_of_errors(
    tmp_path: Path, part: str, content: bytes | None
) -> None:
    path = damaged(tmp_path / "a.xlsx", part, content)
    try:
        assert [record.question for record in read_records(path, ("question",))] == ["x"], "not a part that is needed"
    except UsageError as error:
        assert "is no workbook that can be read: save it again" in str(error)


def test_a_workbook_without_a_sheet_of_cells_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no workbook that can be read"):
        read_records(damaged(tmp_path / "a.xlsx", "sheet1.xml", None), ())


def test_a_missing_file_and_a_huge_one_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot be read \(no such file"):
        read_records(tmp_path / "none.csv", ())
    with (tmp_path / "huge.csv").open("wb") as file:
        file.truncate(60_000_000)
    with pytest.raises(UsageError, match="larger than 50,000,000 bytes"):
        read_records(tmp_path / "huge.csv", ())


cells = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1).filter(str.strip)


@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=5))
def test_whatever_a_cell_says_comes_back(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]]) -> None:
    path = written(tmp_path_factory.mktemp("csv") / "a.csv", [["question", "answer"], *map(list, rows)])
    read = read_records(path, ("question", "answer"))
    assert [(record.question, record.answer) for record in read] == [(q.strip(), a.strip()) for q, a in rows]


@given(st.binary(max_size=300), st.sampled_from(["a.jsonl", "a.csv", "a.xlsx"]))
def test_any_bytes_are_records_or_one_clear_error(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, name: str
) -> None:
    path = tmp_path_factory.mktemp("any") / name
    path.write_bytes(content)
    try:
        assert read_records(path, ())
    except UsageError as error:
        assert str(path) in str(error)
