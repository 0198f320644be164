"""Scores of a debate as rows of `scores.csv`: CRIT by stage, CRIT's reasons, the judges, the comparison. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from elenchus.debate_engine.protocols.crit.score_rows import (
    COLUMNS,
    CRITERIA,
    CRITERIA_HEAD,
    INTRODUCTION,
    Row,
    reasons,
    sums,
    why,
)
from elenchus.debate_engine.protocols.judging.rubric import PREFERENCE, RULING
from elenchus.debate_engine.protocols.judging.schemas import Cell, PreferenceCell
from elenchus.debate_engine.protocols.presentation import Scores
from elenchus.debate_engine.protocols.socrasynth.projection import DebateProjection, debate_of

if TYPE_CHECKING:
    from elenchus.debate_engine.reports.view import SessionView


def rows(view: SessionView) -> Iterator[Row]:
    """The rows of a debate, as far as it has come."""
    if (debate := debate_of(view)) is None:
        return
    titles = {n: topic.title for n, topic in enumerate(debate.agenda or (), 1)}
    models = {s.seat: s.model or "human" for s in view.speakers}
    for row in (*_crit(debate), *_judges(debate), *_comparison(debate)):
        known = {"topic_title": titles.get(row.get("topic", 0), ""), "model": models.get(row["judge"], "")}
        yield {**row, **known}


_CRITERIA = (
    *CRITERIA,
    *RULING.codebook(),
    ("judge", "winner", "the side that the judge names for this topic", "pro, con, tie"),
    *PREFERENCE.codebook(),
    ("comparison", "preferred", "the text that the judge prefers", "debate, plain answer, tie"),
)
SCORES = Scores(COLUMNS, rows, INTRODUCTION, CRITERIA_HEAD, _CRITERIA)


def _crit(debate: DebateProjection) -> Iterator[Row]:
    for stage in debate.stages():
        if stage.quality:
            yield from sums(stage.name, stage.n, stage.quality)
        if stage.noise is not None:
            place = {"source": "crit", "judge": "crit", "stage": stage.name, "round": stage.n}
            yield {**place, "criterion": "noise", "value": stage.noise}
    yield from reasons(debate.quality.reasons if debate.quality else ())


# ── judges ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _judges(debate: DebateProjection) -> Iterator[Row]:
    for cell in debate.verdict.cells if debate.verdict else ():
        yield from _ruling(cell)


def _ruling(cell: Cell) -> Iterator[Row]:
    known = {
        "source": "judge",
        "judge": cell.judge,
        "topic": cell.topic,
        "configuration": f"{_side(cell.claimant)} claims",
        "justification": cell.ruling.rationale if cell.ruling else "",
    }
    for letter in ("a", "b"):
        scores = RULING.scores(cell.ruling, letter) if cell.ruling else {}
        for criterion in (c.name for c in RULING.criteria):
            value = scores.get(criterion)
            yield {**known, "side": _side(letter), "criterion": criterion, "value": value,
                   "missing": why(value, cell.declined)}  # fmt: skip
    choice = _side(cell.ruling.winner) if cell.ruling else None
    yield {**known, "criterion": "winner", "choice": choice, "missing": why(choice, cell.declined)}


def _side(letter: str) -> str:
    return {"a": "pro", "b": "con"}.get(letter.lower(), letter)


def _comparison(debate: DebateProjection) -> Iterator[Row]:
    for cell in debate.comparison.cells if debate.comparison else ():
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
    for place, text in zip(("first", "second"), order, strict=True):
        scores = PREFERENCE.scores(cell.preference, place) if cell.preference else {}
        for criterion in (c.name for c in PREFERENCE.criteria):
            value = scores.get(criterion)
            yield {**known, "side": text, "criterion": criterion, "value": value, "missing": why(value, cell.declined)}
    named = {"first": order[0], "second": order[1], "tie": "tie"}
    choice = named[cell.preference.preferred] if cell.preference else None
    yield {**known, "criterion": "preferred", "choice": choice, "missing": why(choice, cell.declined)}
