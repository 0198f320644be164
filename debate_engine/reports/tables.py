"""`scores.csv`: every score of a session as one tidy table, a row a score. `codebook.py` explains the columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from elenchus.debate_engine.printable import csv_cell
from elenchus.debate_engine.protocols.crit.schemas import DocumentQuality, Quality, ScoredReason
from elenchus.debate_engine.protocols.crit.scoring import by_topic
from elenchus.debate_engine.protocols.judging.schemas import Cell, PreferenceCell
from elenchus.debate_engine.protocols.sweep import report as sweep_report
from elenchus.debate_engine.reports import safe
from elenchus.debate_engine.reports.codebook import COLUMNS, codebook_markdown, sweep_codebook_markdown
from elenchus.debate_engine.reports.others import document_of, sweep_of
from elenchus.debate_engine.reports.view import DebateView

Row = dict[str, Any]
_ROUNDS = {"opening": 0}


def scores_csv(view: DebateView) -> str:
    """The table as CSV, with its header also where there is no score yet. A sweep has a table of its own."""
    if sweep := sweep_of(view):
        common = {"session": view.session_id}
        return _csv([*common, *sweep_report.CODEBOOK], ({**common, **row} for row in sweep_report.csv_rows(sweep)))
    return _csv([c.name for c in COLUMNS], rows(view))


def _csv(columns: list[str], lines: Iterable[Row]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, restval="", lineterminator="\n")
    writer.writeheader()
    for row in lines:
        writer.writerow({name: _shown(value) for name, value in row.items()})
    return out.getvalue()


def codebook_of(view: DebateView) -> str:
    """What the columns of this session's table mean."""
    return sweep_codebook_markdown(sweep_report.CODEBOOK) if sweep_of(view) else codebook_markdown()


def rows(view: DebateView) -> Iterator[Row]:
    """The rows: CRIT's sums by stage, CRIT's reasons, the judges, the comparison."""
    titles = {n: topic.title for n, topic in enumerate(view.course.agenda or (), 1)}
    models = {s.seat: s.model or "human" for s in view.speakers}
    for row in (*_crit(view), *_judges(view), *_comparison(view)):
        common = {"session": view.session_id, "simulated": "yes" if view.simulated else "no"}
        known = {"topic_title": titles.get(row.get("topic", 0), ""), "model": models.get(row["judge"], "")}
        yield {**common, **row, **known}


# ── CRIT ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _crit(view: DebateView) -> Iterator[Row]:
    for stage in view.course.stages():
        if stage.quality:
            yield from _sums(stage.name, stage.n, stage.quality)
        if stage.noise is not None:
            place = {"source": "crit", "judge": "crit", "stage": stage.name, "round": stage.n}
            yield {**place, "criterion": "noise", "value": stage.noise}
    yield from _reasons(view.course.quality.reasons if view.course.quality else ())
    if document := document_of(view):
        known = {"gamma": document.gamma, "standing": document.standing, "unreadable": document.unreadable}
        whole = Quality.model_validate({**known, "reasons": (*document.reasons, *document.rivals)})
        named = {"name": document.title, "claim": document.claim, "consulted": document.consulted}
        yield from _document((), DocumentQuality.model_validate({**named, "quality": whole}))


def _document(path: tuple[str, ...], document: DocumentQuality) -> Iterator[Row]:
    """A text's sums and reasons, then those of the texts that were consulted for it."""
    here = (*path, document.name)
    place = {"document": " → ".join(here)}
    if document.theta is not None:
        known = {"source": "crit", "judge": "crit", "criterion": "document_credibility"}
        yield {**place, **known, "value": document.theta}
    for row in (*_sums("", None, document.quality), *_reasons(document.quality.reasons)):
        yield {**place, **row}
    for consulted in document.consulted:
        yield from _document(here, consulted)


def _reasons(reasons: Sequence[ScoredReason]) -> Iterator[Row]:
    for item, reason in enumerate(reasons, 1):
        yield from _reason(item, reason)


def _sums(stage: str, n: int | None, quality: Quality) -> Iterator[Row]:
    place = {"source": "crit", "judge": "crit", "stage": stage, "round": n}
    why = f"{quality.unreadable} of {len(quality.reasons)} reasons could not be read"
    wholes = [("", quality.gamma, quality.standing), *((t.number, t.gamma, t.standing) for t in by_topic(quality))]
    for topic, gamma, standing in wholes:
        for criterion, value in (("argument_quality", gamma), ("claim_standing", standing)):
            yield {**place, "topic": topic, "criterion": criterion, "value": value, "missing": _why(value, why)}


def _reason(item: int, r: ScoredReason) -> Iterator[Row]:
    known = {
        "source": "crit",
        "judge": "crit",
        "stage": r.about,
        "round": _round_of(r.about),
        "topic": r.topic,
        "side": r.side,
        "item": item,
        "scored_by": r.document,
        "reason": r.reason,
        "quote": r.quote,
        "quotes_not_found": " ¦ ".join(r.missing_quotes),
        "source_named": r.source,
        "justification": r.justification,
    }
    for criterion, value in (("validity", r.gamma), ("credibility", r.theta)):
        yield {**known, "criterion": criterion, "value": value, "missing": _why(value, r.unread or "not readable")}


def _round_of(stage: str) -> int | None:
    number = stage.removeprefix("round ")
    return int(number) if number.isascii() and number.isdigit() else _ROUNDS.get(stage)


# ── judges ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _judges(view: DebateView) -> Iterator[Row]:
    for cell in view.course.verdict.cells if view.course.verdict else ():
        yield from _ruling(cell)


def _ruling(cell: Cell) -> Iterator[Row]:
    known = {
        "source": "judge",
        "judge": cell.judge,
        "topic": cell.topic,
        "configuration": f"{_side(cell.claimant)} claims",
        "justification": cell.ruling.rationale if cell.ruling else "",
    }
    scores = cell.ruling.model_dump() if cell.ruling else {}
    for letter in ("a", "b"):
        for criterion in ("validity", "credibility"):
            value = scores.get(f"{letter}_{criterion}")
            yield {**known, "side": _side(letter), "criterion": criterion, "value": value,
                   "missing": _why(value, cell.declined)}  # fmt: skip
    choice = _side(scores["winner"]) if scores else None
    yield {**known, "criterion": "winner", "choice": choice, "missing": _why(choice, cell.declined)}


def _side(letter: str) -> str:
    return {"a": "pro", "b": "con"}.get(letter.lower(), letter)


def _comparison(view: DebateView) -> Iterator[Row]:
    for cell in view.course.comparison.cells if view.course.comparison else ():
        yield from _preference(cell)


def _preference(cell: PreferenceCell) -> Iterator[Row]:
    order = ("debate", "plain answer") if cell.debate_first else ("plain answer", "debate")
    known = {
        "source": "comparison",
        "judge": cell.judge,
        "topic": cell.topic,
        "configuration": f"{order[0]} first",
        "justification": cell.preference.rationale if cell.preference else "",
    }
    scores = cell.preference.model_dump() if cell.preference else {}
    for place, text in zip(("first", "second"), order, strict=True):
        for criterion in ("depth", "balance", "accuracy"):
            value = scores.get(f"{place}_{criterion}")
            yield {**known, "side": text, "criterion": criterion, "value": value, "missing": _why(value, cell.declined)}
    named = {"first": order[0], "second": order[1], "tie": "tie"}
    choice = named[scores["preferred"]] if scores else None
    yield {**known, "criterion": "preferred", "choice": choice, "missing": _why(choice, cell.declined)}


# ── cells ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _why(value: Any, reason: str) -> str:
    return "" if value is not None else reason or "not readable"


def _shown(value: Any) -> str:
    """A cell: nothing for None; text that a spreadsheet cannot take for a formula."""
    if value is None:
        return ""
    if isinstance(value, int | float):
        return str(value)
    return csv_cell(safe.text(str(value)))
