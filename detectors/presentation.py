"""How a detection is told."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.protocols.presentation import Column, Presentation, Scores
from elenchus.debate_engine.reports.blocks import Block, Heading, Paragraph
from elenchus.detectors.decision.weights import CRITERIA
from elenchus.detectors.examined_text import ExaminedText
from elenchus.detectors.report import of_detection, sections
from elenchus.detectors.schemas import DetectConfig, Detection

if TYPE_CHECKING:
    from elenchus.debate_engine.reports.document import Section
    from elenchus.debate_engine.reports.view import SessionView

COLUMNS = (
    Column("session", "the session's id"),
    Column("match", "the two biases of the debate, the one named earlier first"),
    Column("place", "the place that the match was played for"),
    Column("round", "the round of the tree, from 1"),
    Column("referee", "analytical or intuitive"),
    Column("side", "the bias whose side is scored"),
    Column("shown_first", "the bias whose side was shown first"),
    Column("criterion", "support, consistency, refutation, completeness, persuasiveness or reasonableness"),
    Column("value", "the score, 0 to 10; empty where it could not be read"),
    Column("missing", "why there is no score"),
)
_NOTHING: dict[str, Any] = {
    "verdict": None,
    "bias": None,
    "ranking": [],
    "candidates": [],
    "matches": [],
    "decision": None,
}
"""What a detection has that has not come to its end."""


def detection_of(view: SessionView) -> Detection | None:
    """The outcome, where the session is a detection and is finished."""
    found = view.spec.outcome_of(view.outcome)
    return found if isinstance(found, Detection) else None


def _ended(view: SessionView, seats: Collection[str] = ()) -> Iterator[Block]:
    if found := detection_of(view):
        yield Heading("the bias looked for", "good")
        yield Paragraph(of_detection(found), markdown=True)


def _sections(view: SessionView) -> list[Section]:
    found, cfg = detection_of(view), view.spec.config_of(view.started.config if view.started else None)
    return sections(found, ExaminedText.of(cfg)) if found and isinstance(cfg, DetectConfig) else []


def _rows(view: SessionView) -> Iterator[dict[str, Any]]:
    """Every score of every referee, one a row."""
    found = detection_of(view)
    for match in found.matches if found else ():
        known = {"match": f"{match.first} / {match.second}", "place": match.place, "round": match.round}
        for card in match.cards:
            of = {"referee": card.referee, "side": card.side, "shown_first": card.shown_first}
            for name in CRITERIA:
                value = None if card.scores is None else card.scores[name]
                missing = " ".join(card.unread.split())
                yield {**known, **of, "criterion": name, "value": value, "missing": missing}


def _as_json(view: SessionView) -> dict[str, Any]:
    return {**_NOTHING, **(view.outcome or {})}


PRESENTATION = Presentation(
    ended=_ended,
    sections=_sections,
    scores=Scores(COLUMNS, _rows, "One row is one score of a referee."),
    as_json=_as_json,
)
