"""Scores of CRIT as rows of `scores.csv`: a document's, and the parts that a debate's table shares. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.protocols.crit.codebook import COLUMNS, CRITERIA, CRITERIA_HEAD, INTRODUCTION
from elenchus.debate_engine.protocols.crit.document import DocumentResult
from elenchus.debate_engine.protocols.crit.schemas import DocumentQuality, Quality, ScoredReason
from elenchus.debate_engine.protocols.crit.scoring import by_topic
from elenchus.debate_engine.protocols.spec import Scores

if TYPE_CHECKING:
    from elenchus.debate_engine.reports.view import SessionView

Row = dict[str, Any]
_ROUNDS = {"opening": 0}


def rows(view: SessionView) -> Iterator[Row]:
    """The rows of a document that was scored: its sums and reasons, then those of the texts consulted for it."""
    result = view.spec.outcome_of(view.outcome)
    if not isinstance(result, DocumentResult):
        return
    known = {"gamma": result.gamma, "standing": result.standing, "unreadable": result.unreadable}
    whole = Quality.model_validate({**known, "reasons": (*result.reasons, *result.rivals)})
    named = {"name": result.title, "claim": result.claim, "consulted": result.consulted}
    models = {s.seat: s.model or "human" for s in view.speakers}
    for row in _document((), DocumentQuality.model_validate({**named, "quality": whole})):
        yield {**row, "model": models.get(row["judge"], "")}


SCORES = Scores(COLUMNS, rows, INTRODUCTION, CRITERIA_HEAD, CRITERIA)


def _document(path: tuple[str, ...], document: DocumentQuality) -> Iterator[Row]:
    """A text's sums and reasons, then those of the texts that were consulted for it."""
    here = (*path, document.name)
    place = {"document": " → ".join(here)}
    if document.theta is not None:
        known = {"source": "crit", "judge": "crit", "criterion": "document_credibility"}
        yield {**place, **known, "value": document.theta}
    for row in (*sums("", None, document.quality), *reasons(document.quality.reasons)):
        yield {**place, **row}
    for consulted in document.consulted:
        yield from _document(here, consulted)


def reasons(scored: Sequence[ScoredReason]) -> Iterator[Row]:
    """Two rows for each reason."""
    for item, reason in enumerate(scored, 1):
        yield from _reason(item, reason)


def sums(stage: str, n: int | None, quality: Quality) -> Iterator[Row]:
    """Γ and the standing of the whole and of each topic after a stage (`n`: its round)."""
    place = {"source": "crit", "judge": "crit", "stage": stage, "round": n}
    unread = f"{quality.unreadable} of {len(quality.reasons)} reasons could not be read"
    wholes = [("", quality.gamma, quality.standing), *((t.number, t.gamma, t.standing) for t in by_topic(quality))]
    for topic, gamma, standing in wholes:
        for criterion, value in (("argument_quality", gamma), ("claim_standing", standing)):
            yield {**place, "topic": topic, "criterion": criterion, "value": value, "missing": why(value, unread)}


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
        yield {**known, "criterion": criterion, "value": value, "missing": why(value, r.unread or "not readable")}


def _round_of(stage: str) -> int | None:
    number = stage.removeprefix("round ")
    return int(number) if number.isascii() and number.isdigit() else _ROUNDS.get(stage)


def why(value: Any, reason: str) -> str:
    """Why there is no score, "" where there is one."""
    return "" if value is not None else reason or "not readable"
