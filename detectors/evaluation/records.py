"""Reads records from JSON lines, CSV and XLSX: MindScope's six fields (appendix B), and labels beside them.

The six: question, criteria (there: evaluation tag), answer, model, presence of bias, name of bias. Columns may come in
any order; those that nobody knows are passed over. Every error names the file, the row, and what is wrong with it.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from elenchus.config.catalogue import find_bias
from elenchus.config.documents import UnreadableDocument, read_bytes, text_in
from elenchus.config.json_and_yaml import json_in
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import FrozenModel

LARGEST = 50_000_000
"""Bytes of a file."""

LARGEST_INSIDE = 150_000_000
"""Bytes of everything in a workbook, unpacked."""

MOST_ROWS, MOST_CELLS = 200_000, 5_000_000

LONGEST_FIELD = 400_000
"""Characters of one cell."""

Rows = Iterator[tuple[int, dict[str, Any]]]
"""Rows by their number in the file, from 1; the header of a table is row 1."""

_NAMES = {
    "question": "question",
    "criteria": "criteria", "criterion": "criteria", "evaluation tag": "criteria", "tag": "criteria",
    "answer": "answer", "response": "answer", "reply": "answer", "text": "answer",
    "model": "model",
    "present": "present", "presence": "present", "presence of bias": "present", "bias present": "present",
    "bias": "bias", "name of bias": "bias", "bias name": "bias",
    "id": "id",
}  # fmt: skip
_LINE_END = re.compile(r"\r\n?|\n")
_LABELS = re.compile(r"(human|judge)(?: \d+)?")
_YES = frozenset({"yes", "y", "true", "1", "1.0", "present"})
_NO = frozenset({"no", "n", "false", "0", "0.0", "not", "absent"})
_NO_BIAS = frozenset({"", "none", "no", "no bias"})


class Record(FrozenModel):
    """One row. `bias` is an id of the catalogue, "" for none; `present` None where nobody said.

    `human` and `judge` hold the labels of people, and what a judge answered, in the order of their columns.
    """

    row: int
    id: str = ""
    question: str = ""
    criteria: str = ""
    answer: str = ""
    model: str = ""
    present: bool | None = None
    bias: str = ""
    human: tuple[bool | None, ...] = ()
    judge: tuple[bool | None, ...] = ()


def read_records(path: Path, needs: Sequence[str]) -> tuple[Record, ...]:
    """All records of a .jsonl, .csv or .xlsx file, each with the fields of `needs`. Raises UsageError."""
    return tuple(_record(path, row, found, needs) for row, found in read_rows(path))


def read_rows(path: Path) -> list[tuple[int, dict[str, Any]]]:
    """All rows of a .jsonl, .csv or .xlsx file, each with its number and its cells by column. Raises UsageError."""
    readers = {".jsonl": _from_jsonl, ".csv": _from_csv, ".xlsx": _from_xlsx}
    if (reader := readers.get(path.suffix.lower())) is None:
        raise UsageError(f"The file {path} is no file of records: give one that ends in .jsonl, .csv or .xlsx.")
    try:
        rows = list(islice(reader(path, read_bytes(path, LARGEST)), MOST_ROWS + 1))
    except UnreadableDocument as error:
        raise UsageError(f"{error}.") from error
    if len(rows) > MOST_ROWS:
        raise UsageError(f"{path} holds more than {MOST_ROWS:,} records: split it.")
    if not rows:
        raise UsageError(f"{path} holds no records.")
    return rows


# ── the forms ────────────────────────────────────────────────────────────────────────────────────────────────────


def _from_jsonl(path: Path, data: bytes) -> Rows:
    lines = _LINE_END.split(text_in(data, f"The file {path}"))  # a string may hold what `splitlines` takes for an end
    for row, line in enumerate(lines, 1):
        if not line.strip():
            continue
        found = json_in(line, f"The file {path}", row)
        if not isinstance(found, dict):
            raise UsageError(f"{path}, row {row}: a record is a JSON object, not {type(found).__name__}.")
        yield row, found


def _from_csv(path: Path, data: bytes) -> Rows:
    text = text_in(data, f"The file {path}")
    csv.field_size_limit(LONGEST_FIELD)
    mark = max(",;\t", key=text.partition("\n")[0].count)
    reader = csv.reader(io.StringIO(text), delimiter=mark, strict=True)
    try:
        yield from _from_table(path, ((reader.line_num, row) for row in reader))
    except csv.Error as error:
        raise UsageError(f"{path}, row {reader.line_num}: this is no valid CSV ({error}).") from error


def _from_xlsx(path: Path, data: bytes) -> Rows:
    try:
        from openpyxl import load_workbook
    except ImportError as error:
        raise UsageError('Reading .xlsx needs openpyxl: install "elenchus[detect]", or save as .csv.') from error

    try:
        _refuse_a_bomb(data, f"The workbook {path}")
        sheet = load_workbook(io.BytesIO(data), read_only=True, data_only=True).worksheets[0]
        sheet.reset_dimensions()  # what the sheet says of its own size may be anything
        cells = list(_cells(islice(sheet.iter_rows(values_only=True), MOST_ROWS + 2), f"The workbook {path}"))
    except UnreadableDocument:
        raise
    except Exception as error:  # of a damaged workbook openpyxl raises whatever it stumbles over
        raise UsageError(f"{path} is no workbook that can be read: save it again as .xlsx, or as .csv.") from error
    yield from _from_table(path, enumerate(cells, 1), padded=True)


def _cells(rows: Iterable[Sequence[Any]], name: str) -> Iterator[list[str]]:
    """The texts of all cells, row by row: one in a far column makes a row as wide as that."""
    total = 0
    for row in rows:
        total += len(row)
        if total > MOST_CELLS:
            raise UnreadableDocument(name, f"it has more than {MOST_CELLS:,} cells: split it")
        yield _trimmed(["" if cell is None else str(cell) for cell in row])


def _refuse_a_bomb(data: bytes, name: str) -> None:
    """Raises UnreadableDocument for an archive that unpacks to too much, or whose XML defines entities of its own.

    No part gives more bytes than it declares: zipfile reads no further.
    """
    from xml.parsers import expat
    from zipfile import ZipFile

    class Begun(Exception):
        """The first element: what defines entities stands before it."""

    def doctype(*_: object) -> None:
        raise UnreadableDocument(name, "its XML has a document type of its own, which no spreadsheet program writes")

    def begun(*_: object) -> None:
        raise Begun

    with ZipFile(io.BytesIO(data)) as archive:
        parts = archive.infolist()
        if sum(part.file_size for part in parts) > LARGEST_INSIDE:
            raise UnreadableDocument(name, f"unpacked it is larger than {LARGEST_INSIDE:,} bytes: split it")
        for part in parts:
            if not part.filename.endswith((".xml", ".rels")):
                continue
            parser = expat.ParserCreate()
            parser.StartDoctypeDeclHandler, parser.StartElementHandler = doctype, begun
            try:
                with archive.open(part) as file:
                    while piece := file.read(65_536):
                        parser.Parse(piece)
            except Begun:
                continue


def _from_table(path: Path, rows: Iterable[tuple[int, list[str]]], *, padded: bool = False) -> Rows:
    """Rows under a header. `padded`: a row that ends early has empty cells (a workbook does not store those)."""
    header: list[str] = []
    for n, row in rows:
        if not any(cell.strip() for cell in row):
            continue
        if not header:
            header = row
            continue
        if padded and len(row) < len(header):
            row = [*row, *[""] * (len(header) - len(row))]  # noqa: PLW2901 - the same row in its full width
        if len(row) != len(header):
            raise UsageError(f"{path}, row {n}: it has {len(row)} cells, the header {len(header)}.")
        yield n, dict(zip(header, row, strict=True))


def _trimmed(row: list[str]) -> list[str]:
    while row and not row[-1].strip():
        row.pop()
    return row


# ── one record ───────────────────────────────────────────────────────────────────────────────────────────────────


def _record(path: Path, row: int, found: dict[str, Any], needs: Sequence[str]) -> Record:
    where = f"{path}, row {row}"
    fields: dict[str, Any] = {"row": row, "human": [], "judge": []}
    for column, value in found.items():
        name = " ".join(re.split(r"[\W_]+", str(column).strip().casefold())).strip()
        if label := _LABELS.fullmatch(name):
            given = value if isinstance(value, list) else [value]
            fields[label[1]] += [_yes_or_no(one, where, column) for one in given]
        elif name in _NAMES:
            fields[_NAMES[name]] = _read(_NAMES[name], value, where, column)
    missing = [name for name in needs if fields.get(name) in (None, "", [])]
    if missing:
        held = ", ".join(str(column) for column in found) or "nothing"
        raise UsageError(f"{where}: it lacks {' and '.join(missing)} (it has: {held}).")
    return Record.model_validate(fields)


def _read(name: str, value: Any, where: str, column: str) -> Any:
    if name == "present":
        return _yes_or_no(value, where, column)
    if value is None:
        return ""
    if not isinstance(value, str | int | float):
        raise UsageError(f"{where}: {column} is to be a text, not {type(value).__name__}.")
    text = str(value).strip()
    return _bias(text, where) if name == "bias" else text


def _bias(text: str, where: str) -> str:
    if text.casefold() in _NO_BIAS:
        return ""
    try:
        return find_bias(text).id
    except ValueError as error:
        raise UsageError(f"{where}: {error}.") from error


def _yes_or_no(value: Any, where: str, column: str) -> bool | None:
    """A label; None for an empty cell."""
    text = str("" if value is None else value).strip().casefold()
    if not text:
        return None
    if text in _YES or text in _NO:
        return text in _YES
    raise UsageError(f"{where}: {column} is yes or no, and {str(value)[:40]!r} is neither.")
