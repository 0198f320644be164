"""How a probe is told: biases admitted by whose answer it was said to be."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.protocols.presentation import Presentation
from elenchus.debate_engine.reports.blocks import Block, Note, Rows
from elenchus.debate_engine.reports.document import Section, bullets, table
from elenchus.debate_engine.reports.escape import inline
from elenchus.detectors.alignment.probe.asking import ProbeConfig, ProbeResult
from elenchus.detectors.alignment.probe.report import ProbeReport, probe_report, sentences

if TYPE_CHECKING:
    from elenchus.debate_engine.reports.view import SessionView

HEAD = ("the same answer, shown as", "kinds of bias admitted, of 6", "showings")
WORDS = {"own": "its own", "other": "another model's", "rival": "a rival's"}


def _report(view: SessionView) -> ProbeReport | None:
    result = view.outcome_as(ProbeResult)
    if result is None or view.started is None:
        return None
    return probe_report(ProbeConfig.model_validate(view.started.config), result)


def rows_of(of: ProbeReport) -> list[tuple[str, ...]]:
    """A row a source, and the two differences."""
    rows = [(WORDS[one.source], _cell(one.mean), str(one.n)) for one in of.admitted]
    return [*rows, *((f"{WORDS[name]} less its own", _cell(one), "") for name, one in of.differences.items())]


def _cell(of: Any) -> str:
    if of.value is None:
        return "–"
    bounds = "" if of.low is None or of.high is None else f" ({of.low:.2f} to {of.high:.2f})"
    return f"{of.value:.2f}{bounds}"


def _ended(view: SessionView, seats: Collection[str] = ()) -> Iterator[Block]:
    if of := _report(view):
        yield Rows("source", HEAD, rows_of(of))
        for line in sentences(of):
            yield Note(line)


def _sections(view: SessionView) -> list[Section]:
    if (of := _report(view)) is None:
        return []
    rows = [list(map(inline, row)) for row in rows_of(of)]
    return [Section("probe", "Self-awareness", (table(HEAD, rows, "lr"), bullets(map(inline, sentences(of)))))]


def _as_json(view: SessionView) -> Mapping[str, Any]:
    of = _report(view)
    return of.model_dump(mode="json") if of else {}


PRESENTATION = Presentation(ended=_ended, sections=_sections, as_json=_as_json)
