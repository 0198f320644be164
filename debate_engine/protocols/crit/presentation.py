"""How CRIT on a document is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from elenchus.debate_engine.protocols.crit import report
from elenchus.debate_engine.protocols.crit.document import DocumentResult
from elenchus.debate_engine.protocols.crit.scores import SCORES
from elenchus.debate_engine.protocols.crit.shown import ended
from elenchus.debate_engine.protocols.spec import Presentation
from elenchus.debate_engine.reports import words
from elenchus.debate_engine.reports.document import Section

if TYPE_CHECKING:
    from elenchus.debate_engine.reports.view import SessionView


def _sections(view: SessionView) -> list[Section]:
    result = view.spec.outcome_of(view.outcome)
    if not isinstance(result, DocumentResult):
        return []
    return [Section("crit", words.HEADINGS["crit"], tuple(report.of_document(result)))]


PRESENTATION = Presentation(ended=ended, sections=_sections, scores=SCORES)
