"""datapackage.json: what lies in the folder, for programs (Frictionless Data Package, version 1). Pure.

https://specs.frictionlessdata.io/data-package/ and …/tabular-data-resource/; `withdrawals` is ours.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import PurePath
from typing import Any

from elenchus.debate_engine.printable import csv_cell, one_line
from elenchus.debate_engine.protocols.rulegen.study.export.table import Field, Table, when

_MEDIA = {
    "csv": "text/csv", "md": "text/markdown", "json": "application/json", "jsonl": "application/jsonl",
    "py": "text/x-python", "R": "text/x-r", "png": "image/png", "svg": "image/svg+xml",
    "jpg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
}  # fmt: skip
_DIALECT = {"delimiter": ",", "lineTerminator": "\n", "quoteChar": '"', "doubleQuote": True, "header": True}
_TIME = "%Y-%m-%dT%H:%M:%S.%fZ"


def package_of(
    name: str,
    title: str,
    tables: Sequence[Table],
    files: Mapping[str, bytes],
    withdrawn: Sequence[Mapping[str, str]],
    made: datetime,
    program: str,
) -> dict[str, Any]:
    """The descriptor of all `files`, the tables among them by their fields.

    `withdrawn`: the sessions of which nothing else is here, each with the day.
    """
    described = {table.file: table for table in tables}
    return {
        "profile": "data-package",
        "name": slug(name),
        "title": one_line(title),
        "description": "The data of a scene that elicits a bias, with what each column means (codebook.csv), scripts "
        "that count again (analysis.py, analysis.R) and the numbers of the report (figures.csv). People stand in it "
        "without their names. Of sessions from which somebody withdrew nothing is here but `withdrawals`; who holds "
        "older copies takes these sessions out.",
        "created": when(made),
        "version": program,
        "withdrawals": [dict(one) for one in withdrawn],
        "resources": [_resource(path, content, described.get(path)) for path, content in files.items()],
    }


def slug(name: str) -> str:
    """A name as data packages may have it: small letters, digits, `.` and `-`."""
    latin = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().casefold()
    plain = re.sub(r"[^a-z0-9.]+", "-", latin).strip("-.")
    return plain or "scene"


def _resource(path: str, content: bytes, table: Table | None) -> dict[str, Any]:
    place = PurePath(path)
    found: dict[str, Any] = {
        "name": table.name.replace("_", "-") if table else slug(path.replace("_", "-")),
        "path": path,
        "profile": "tabular-data-resource" if table else "data-resource",
        "format": place.suffix.removeprefix(".").lower(),
        "mediatype": _MEDIA.get(place.suffix.removeprefix("."), "application/octet-stream"),
        "encoding": "utf-8",
        "bytes": len(content),
        "hash": f"sha256:{hashlib.sha256(content).hexdigest()}",
    }
    if table is None:
        return found | {"type": "file"}
    return found | {"description": table.meaning, "dialect": _DIALECT, "schema": _schema(table)}


def _schema(table: Table) -> dict[str, Any]:
    found: dict[str, Any] = {"fields": [_field(field) for field in table.fields], "missingValues": [""]}
    if table.key:
        found["primaryKey"] = list(table.key)
    return found


def _field(field: Field) -> dict[str, Any]:
    found: dict[str, Any] = {"name": field.name, "type": field.type, "description": _described(field)}
    if field.type == "datetime":
        found["format"] = _TIME
    if field.unit:
        found["unit"] = field.unit
    bounds = {"minimum": field.low, "maximum": field.high} if field.type in ("integer", "number") else {}
    constraints: dict[str, Any] = {name: bound for name, bound in bounds.items() if bound is not None}
    if field.type == "integer":
        constraints = {name: int(bound) for name, bound in constraints.items()}
    if field.values:
        constraints["enum"] = [csv_cell(value) for value in field.values]
    if not field.empty:
        constraints["required"] = True
    return found | ({"constraints": constraints} if constraints else {})


def _described(field: Field) -> str:
    empty = f" Empty: {field.empty}." if field.empty else ""
    return f"{one_line(field.meaning)}.{empty}"
