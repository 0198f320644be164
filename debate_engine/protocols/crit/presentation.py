"""How CRIT on a document is told."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from elenchus.debate_engine.protocols.crit import report
from elenchus.debate_engine.protocols.crit.document import DocumentResult
from elenchus.debate_engine.protocols.crit.score_rows import SCORES
from elenchus.debate_engine.protocols.presentation import Presentation
from elenchus.debate_engine.reports.blocks import Block, Fact, Note, Paragraph, Rows
from elenchus.debate_engine.reports.document import Section
from elenchus.debate_engine.reports.words import number

if TYPE_CHECKING:
    from elenchus.debate_engine.reports.view import SessionView


def _ended(view: SessionView, seats: Collection[str] = ()) -> Iterator[Block]:
    """The claim, its reasons and rival reasons with their scores, the texts consulted, the sums, the analysis."""
    if (result := view.outcome_as(DocumentResult)) is None:
        return
    yield Fact("crit", f"{result.title}: {result.claim or 'no claim was found'}", "crit")
    for what, reasons in (("reason", result.reasons), ("rival reason", result.rivals)):
        rows = [[r.reason + (" (left unsaid)" if r.unsaid else ""), number(r.gamma), number(r.theta)] for r in reasons]
        if rows:
            yield Rows(what, (what, "validity", "credibility"), rows)
    for source in result.consulted:
        stands, theta = number(source.quality.standing), number(source.theta)
        yield Paragraph(f"consulted: {source.name}, its claim stands at {stands}, credibility {theta}", "dim")
    yield Fact("score", f"gamma {number(result.gamma)}, standing {number(result.standing)}", "crit")
    if result.unreadable:
        yield Note(f"{result.unreadable} reasons could not be scored; they count for nothing", "warn")
    if analysis := result.analysis:
        for name, text in (("how", analysis.how), ("would hold", analysis.holds), ("would fail", analysis.fails)):
            yield Fact(name, text)


def _sections(view: SessionView) -> list[Section]:
    result = view.outcome_as(DocumentResult)
    return [Section("crit", report.TITLE, tuple(report.of_document(result)))] if result else []


PRESENTATION = Presentation(ended=_ended, sections=_sections, scores=SCORES)
