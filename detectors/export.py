"""What an export of a detection or a bench holds beyond that of any session. Pure, but for the pictures of a bench."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from elenchus.debate_engine.printable import csv_cell
from elenchus.debate_engine.reports.document import table
from elenchus.debate_engine.reports.export import More
from elenchus.debate_engine.reports.safe import text as safe
from elenchus.debate_engine.reports.view import DebateView
from elenchus.detectors.decision.weights import CRITERIA
from elenchus.detectors.schemas import Detection

CODEBOOK = {
    "session": "the session's id",
    "match": "the two biases of the debate, the one named earlier first",
    "place": "the place that the match was played for",
    "round": "the round of the tree, from 1",
    "referee": "analytical or intuitive",
    "side": "the bias whose side is scored",
    "shown_first": "the bias whose side was shown first",
    "criterion": "support, consistency, refutation, completeness, persuasiveness or reasonableness",
    "value": "the score, 0 to 10; empty where it could not be read",
    "missing": "why there is no score",
}
"""What each column of a detection's scores.csv means, in their order: one row a score of a referee."""


def scores_of(session: str, found: Detection) -> Iterator[dict[str, Any]]:
    """Every score of every referee, one a row."""
    for match in found.matches:
        known = {"match": f"{match.first} / {match.second}", "place": match.place, "round": match.round}
        for card in match.cards:
            of = {"referee": card.referee, "side": card.side, "shown_first": card.shown_first, "missing": card.unread}
            for name in CRITERIA:
                value = None if card.scores is None else card.scores[name]
                yield {"session": session, **known, **of, "criterion": name, "value": value}


def tables_of(columns: Mapping[str, str], rows: Iterable[Mapping[str, Any]], row: str) -> dict[str, str]:
    """scores.csv and its codebook, by name; `row` says what one row is."""
    return {"scores.csv": csv_of(columns, rows), "scores-codebook.md": codebook_of(columns, row)}


def csv_of(columns: Mapping[str, str], rows: Iterable[Mapping[str, Any]]) -> str:
    """RFC 4180, one header row; a text that a spreadsheet would take for a formula has an apostrophe before it."""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(columns), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: _cell(row.get(name)) for name in columns})
    return out.getvalue()


def _cell(value: Any) -> Any:
    return "" if value is None else csv_cell(" ".join(safe(value).split())) if isinstance(value, str) else value


def codebook_of(columns: Mapping[str, str], row: str) -> str:
    """What the columns mean."""
    head = f"# scores.csv\n\nOne row is {row}. UTF-8; an empty cell is a value that is not there, never 0.\n\n"
    return f"{head}{table(['column', 'meaning'], [list(column) for column in columns.items()])}\n"


def more_of(view: DebateView) -> More:
    """What an export adds for a detection or a bench; nothing for any other session. Draws pictures: blocks."""
    from elenchus.detectors import spec
    from elenchus.detectors.evaluation.spec import BENCHES

    protocol = view.started.protocol if view.started else ""
    if bench := BENCHES.get(protocol):
        return bench.more(view)
    return spec.more(view) if protocol == spec.NAME else More()
