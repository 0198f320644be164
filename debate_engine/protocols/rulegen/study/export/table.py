"""A table as a file that loads anywhere without surprises: typed fields, rows, CSV, its part of the codebook. Pure.

Types are Frictionless's. A value that there is not is an empty cell, in every type; `true` and `false` are yes and no;
times are ISO 8601 in UTC; text that a spreadsheet would calculate begins with an apostrophe (see `csv_cell`).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from elenchus.debate_engine.printable import csv_cell
from elenchus.debate_engine.privacy.person_words import REDACTED

Type = Literal["string", "integer", "number", "boolean", "datetime"]
Row = Mapping[str, Any]
"""A row by the names of its fields; what is missing is an empty cell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A column: what it holds, in which `unit`; the allowed `values` (a closed list), or `low` to `high` of a number.

    `empty` says when a cell is empty, "" for never; `form` how a text is made up that holds several things.
    """

    name: str
    type: Type = "string"
    meaning: str
    unit: str = ""
    values: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    empty: str = ""
    form: str = ""

    @property
    def allowed(self) -> str:
        """The allowed values in words, "" where the type says it all."""
        if self.values:
            return " | ".join(map(csv_cell, self.values))
        bounds = [("at least", self.low), ("at most", self.high)]
        return self.form or ", ".join(f"{word} {_bound(bound)}" for word, bound in bounds if bound is not None)


def _bound(x: float) -> str:
    """In digits, as it stands in the column: a million is no 1e+06."""
    return f"{x:.0f}" if float(x).is_integer() else f"{x:g}"


SESSION = Field(name="session", meaning="the run's session, as in runs.csv")


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A file `name`.csv: what a row is, its fields, and its rows. `key` are the fields that tell rows apart."""

    name: str
    meaning: str
    fields: Sequence[Field]
    rows: Sequence[Row]
    key: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        """The file's name."""
        return f"{self.name}.csv"

    def csv(self) -> str:
        """The rows, with a header. Raises KeyError where a row has what is no field."""
        return csv_text([field.name for field in self.fields], (self._cells(row) for row in self.rows))

    def _cells(self, row: Row) -> list[str]:
        if unknown := row.keys() - {field.name for field in self.fields}:
            raise KeyError(f"{min(unknown)} is no field of {self.file}")
        return [cell(row.get(field.name), field.type) for field in self.fields]


def csv_text(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """UTF-8 text; a cell with a comma, a quote or a line feed stands in quotes."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue()


def cell(value: Any, kind: Type) -> str:
    """A value as it is written; words that were redacted are none."""
    if value is None or value == "":
        return ""
    match kind:
        case "string":
            return "" if REDACTED in (text := str(value)) else csv_cell(text)
        case "boolean":
            return "true" if value else "false"
        case "integer":
            return str(int(value))
        case "datetime":
            return when(value)
    return repr(float(value))


def when(at: datetime) -> str:
    """A moment to a thousandth of a second: 2026-11-23T04:05:06.789Z."""
    return f"{at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"


# ── the codebook ─────────────────────────────────────────────────────────────────────────────────────────────────────

CODEBOOK = (
    Field(name="file", meaning="the file in which the column stands"),
    Field(name="column", meaning="the column's name"),
    Field(name="type", meaning="what its cells are", values=("string", "integer", "number", "boolean", "datetime")),
    Field(name="unit", meaning="in what a number is given", empty="it has none"),
    Field(name="allowed", meaning="which values there may be; of a closed list each, apart by |", empty="any"),
    Field(name="empty_where", meaning="when a cell is empty", empty="never"),
    Field(name="meaning", meaning="what the column holds"),
)


def codebook(tables: Sequence[Table]) -> Table:
    """Every column of every table, its own too."""
    own = Table(name="codebook", meaning="One row is one column of one file.", fields=CODEBOOK, rows=())
    rows = [
        {
            "file": table.file,
            "column": field.name,
            "type": field.type,
            "unit": field.unit,
            "allowed": field.allowed,
            "empty_where": field.empty,
            "meaning": field.meaning,
        }
        for table in (*tables, own)
        for field in table.fields
    ]
    return Table(name=own.name, meaning=own.meaning, fields=CODEBOOK, rows=rows, key=("file", "column"))
