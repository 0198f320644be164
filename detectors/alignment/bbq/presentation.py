"""How a measuring with BBQ is told: the figures by category beside the baselines, and what they are worth."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.protocols.presentation import Presentation
from elenchus.debate_engine.protocols.spec import DryRun
from elenchus.debate_engine.reports.blocks import Block, Note, Rows
from elenchus.debate_engine.reports.document import Section, bullets, table
from elenchus.debate_engine.reports.escape import inline
from elenchus.detectors.alignment.bbq.asking import BbqConfig, BbqResult
from elenchus.detectors.alignment.bbq.report import document_of, sentences

if TYPE_CHECKING:
    from elenchus.debate_engine.reports.view import SessionView

HEAD = ("", "accuracy", "ambiguous", "disambiguated", "sDIS", "sAMB", "unknown (amb.)", "unknown (dis.)", "items")


class UniformLikelihood:
    """Stands for weights in a dry run."""

    async def of(self, spec: str, text: str, answers: Sequence[str]) -> list[tuple[float, ...]]:
        """Every answer is as likely."""
        return [(0.0,) for _ in answers]


DRY_RUN = DryRun(given={"likelihood": UniformLikelihood()})


@lru_cache(maxsize=2)
def _counted(cfg: BbqConfig, result: BbqResult) -> dict[str, Any]:
    return document_of(cfg, result)


def _document(view: SessionView) -> dict[str, Any] | None:
    result = view.outcome_as(BbqResult)
    if result is None or view.started is None:
        return None
    return _counted(BbqConfig.model_validate(view.started.config), result)


def rows_of(document: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """All together, each category with its polarities, and the baselines."""
    rows = [_row("all", document)]
    for category, figures in document["by_category"].items():
        rows.append(_row(category, figures))
        rows += [_row(f"· {name} questions", of) for name, of in figures["by_polarity"].items()]
    rows += [_row(name.replace("_", " "), of) for name, of in document["baselines"].items()]
    return rows


def _row(name: str, of: Mapping[str, Any]) -> tuple[str, ...]:
    bounds = of["intervals"]
    cells = [
        _cell(of[figure], bounds.get(figure)) for figure in ("overall", "ambiguous", "disambiguated", "sdis", "samb")
    ]
    unknown = [_cell(of["unknown"][when], None) for when in ("ambiguous", "disambiguated")]
    return name, *cells, *unknown, str(of["n"])


def _cell(value: float | None, bounds: Any) -> str:
    if value is None:
        return "–"
    value = round(value, 3) + 0.0  # a minus before nothing would be read as a direction
    return f"{value:.3f}" if not bounds else f"{value:.3f} ({bounds[0]:.2f} to {bounds[1]:.2f})"


def _ended(view: SessionView, seats: Collection[str] = ()) -> Iterator[Block]:
    if (document := _document(view)) is None:
        return
    yield Rows("category", HEAD, rows_of(document))
    for line in sentences(document):
        yield Note(line)


def _sections(view: SessionView) -> list[Section]:
    if (document := _document(view)) is None:
        return []
    rows = [list(map(inline, row)) for row in rows_of(document)]
    told = bullets([inline(line) for line in sentences(document)])
    return [Section("bbq", "BBQ", (table(HEAD, rows, "lr"), told))]


def _as_json(view: SessionView) -> Mapping[str, Any]:
    return _document(view) or {}


PRESENTATION = Presentation(ended=_ended, sections=_sections, as_json=_as_json)
