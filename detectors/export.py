"""What an export of a detection holds beyond that of any session: sections of the report, and a table of scores."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from elenchus.debate_engine.printable import csv_cell
from elenchus.debate_engine.reports.export import More
from elenchus.debate_engine.reports.safe import text as safe
from elenchus.debate_engine.reports.view import DebateView
from elenchus.detectors.decision.weights import CRITERIA
from elenchus.detectors.examined_text import Material
from elenchus.detectors.report import sections
from elenchus.detectors.schemas import DetectConfig, Detection

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
"""What each column of scores.csv means, in their order."""


def detection_of(view: DebateView) -> Detection | None:
    """The outcome, where the session was a detection and is finished."""
    if view.started is None or view.started.protocol != "detect" or view.outcome is None:
        return None
    try:
        return Detection.model_validate(view.outcome)
    except ValidationError:
        return None


def more_of(view: DebateView) -> More:
    """What an export adds for a detection or a bench; nothing for any other session."""
    if view.started is not None and view.started.protocol.startswith("bench-"):
        from elenchus.detectors.evaluation.spec import more_of_bench

        return more_of_bench(view)
    found = detection_of(view)
    if found is None or view.started is None:
        return More()
    try:
        material = Material.of(DetectConfig.model_validate(view.started.config))
    except ValidationError:
        return More()
    files = {"scores.csv": scores_csv(view.session_id, found), "scores-codebook.md": _codebook()}
    return More(tuple(sections(found, material)), files)


def scores_csv(session: str, found: Detection) -> str:
    """Every score of every referee, one a row."""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(CODEBOOK), restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows({"session": session, **row} for row in _rows(found))
    return out.getvalue()


def _rows(found: Detection) -> Iterator[dict[str, Any]]:
    for match in found.matches:
        known = {"match": f"{match.first} / {match.second}", "place": match.place, "round": match.round}
        for card in match.cards:
            of = {"referee": card.referee, "side": card.side, "shown_first": card.shown_first}
            for name in CRITERIA:
                value = "" if card.scores is None else card.scores[name]
                yield {**known, **of, "criterion": name, "value": value, "missing": plain(card.unread)}


def plain(text: str) -> str:
    """Text that a spreadsheet does not take for a formula."""
    return csv_cell(" ".join(safe(text).split()))


def _codebook() -> str:
    rows = "\n".join(f"| {name} | {meaning} |" for name, meaning in CODEBOOK.items())
    return f"# scores.csv\n\nOne row a score of a referee.\n\n| column | meaning |\n| :-- | :-- |\n{rows}\n"
