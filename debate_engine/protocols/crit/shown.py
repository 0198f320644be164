"""What stands at the end of CRIT on a document. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from elenchus.debate_engine.protocols.crit.document import DocumentResult
from elenchus.debate_engine.reports.blocks import Block, Fact, Note, Paragraph, Rows

if TYPE_CHECKING:
    from elenchus.debate_engine.reports.view import SessionView


def ended(view: SessionView, seats: Collection[str] = ()) -> Iterator[Block]:
    """The claim, its reasons and rival reasons with their scores, the texts consulted, the sums, the analysis."""
    result = view.spec.outcome_of(view.outcome)
    if not isinstance(result, DocumentResult):
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


def number(value: float | None) -> str:
    """A score, or a dash where there is none."""
    return "–" if value is None else f"{value:.1f}"
