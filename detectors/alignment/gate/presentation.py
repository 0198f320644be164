"""How the judge gate is told: each condition with its figure, and the verdict."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.protocols.presentation import Presentation
from elenchus.debate_engine.reports.blocks import Block, Fact, Rows
from elenchus.debate_engine.reports.document import Section, table
from elenchus.debate_engine.reports.escape import inline
from elenchus.detectors.alignment.gate.asking import GateResult
from elenchus.detectors.alignment.verdicts import Condition, Verdict

if TYPE_CHECKING:
    from elenchus.debate_engine.reports.view import SessionView

HEAD = ("what", "figure", "wanted", "")


def rows_of(verdict: Verdict) -> list[tuple[str, ...]]:
    """A row a condition."""
    return [(of.why, _figure(of), of.wanted, of.ended) for of in verdict.conditions]


def _figure(of: Condition) -> str:
    if of.value is None:
        return "–"
    return f"{of.value:.2f}" if of.low is None or of.high is None else f"{of.value:.2f} ({of.low:.2f} to {of.high:.2f})"


def told(verdict: Verdict) -> str:
    """The verdict in a sentence."""
    ended = "passes: its scores may make training data" if verdict.passed else "fails: its scores make no training data"
    return f"{verdict.judge} {ended} ({verdict.shown})."


def _ended(view: SessionView, seats: Collection[str] = ()) -> Iterator[Block]:
    if result := view.outcome_as(GateResult):
        yield Rows("condition", HEAD, rows_of(result.verdict))
        yield Fact("gate", told(result.verdict))


def _sections(view: SessionView) -> list[Section]:
    if (result := view.outcome_as(GateResult)) is None:
        return []
    rows = [list(map(inline, row)) for row in rows_of(result.verdict)]
    return [Section("gate", "The judge gate", (inline(told(result.verdict)), table(HEAD, rows)))]


def document_of(verdict: Verdict) -> dict[str, Any]:
    """The verdict as JSON."""
    return {**verdict.model_dump(mode="json"), "passed": verdict.passed, "own": verdict.own}


def _as_json(view: SessionView) -> Mapping[str, Any]:
    result = view.outcome_as(GateResult)
    return document_of(result.verdict) if result else {}


PRESENTATION = Presentation(ended=_ended, sections=_sections, as_json=_as_json)
