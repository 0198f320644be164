"""`scores.csv`, a protocol's table of scores, and `scores-codebook.md`, which says what its columns mean."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.printable import csv_cell
from elenchus.debate_engine.protocols.faults import fault_in
from elenchus.debate_engine.reports import safe
from elenchus.debate_engine.reports.document import table
from elenchus.debate_engine.reports.escape import inline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from elenchus.debate_engine.protocols.presentation import Column, Scores
    from elenchus.debate_engine.reports.view import SessionView

_FORM = """# Codebook of scores.csv

{introduction}

UTF-8, comma-separated, quoted as in RFC 4180, one header row. An empty cell is a value that is not there, never 0. A
text that begins with = + - @ or a tab has an apostrophe put before it, so that a spreadsheet does not take it for a
formula.
"""


def score_files(view: SessionView) -> dict[str, str]:
    """Both files by name, none for a protocol without scores; of scores that cannot be made the codebook says so."""
    if (scores := view.spec.present.scores) is None:
        return {}
    try:
        return {"scores.csv": scores_csv(view, scores), "scores-codebook.md": codebook(scores)}
    except Exception as error:  # noqa: BLE001 - whatever a protocol's author did, the rest is exported
        fault = fault_in(view.spec.name, error, view.spec.run, "scores")
        view.note_fault(fault, error)
        return {"scores-codebook.md": f"# There is no scores.csv\n\n{inline(fault)}\n"}


def scores_csv(view: SessionView, scores: Scores) -> str:
    """The table as CSV, with its header also where there is no score yet.

    The columns `session` and `simulated` are filled in wherever a table has them.
    """
    out = io.StringIO()
    writer = csv.DictWriter(out, [column.name for column in scores.columns], restval="", lineterminator="\n")
    writer.writeheader()
    common = {"session": view.session_id, "simulated": "yes" if view.simulated else "no"}
    common = {name: value for name, value in common.items() if name in writer.fieldnames}
    for row in scores.rows(view):
        writer.writerow({name: _cell(value) for name, value in {**common, **row}.items()})
    return out.getvalue()


def codebook(scores: Scores) -> str:
    """What the columns mean, as Markdown."""
    parts = [_FORM.format(introduction=scores.introduction.strip()), "## Columns", _columns(scores.columns)]
    if scores.criteria:
        rows = [[_escaped(cell) for cell in row] for row in scores.criteria]
        parts += ["## Criteria", table([*scores.criteria_head], rows)]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _columns(columns: Sequence[Column]) -> str:
    rows = [[column.name, column.meaning, column.values, column.empty] for column in columns]
    wide = any(column.values for column in columns)
    head = ["column", "meaning", "values", "empty where"][: 4 if wide else 2]
    return table(head, [[_escaped(cell) for cell in row[: len(head)]] for row in rows])


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


def _cell(value: Any) -> str:
    """A cell: nothing for None; text that a spreadsheet cannot take for a formula."""
    if value is None:
        return ""
    if isinstance(value, int | float):
        return str(value)
    return csv_cell(safe.text(str(value)))
