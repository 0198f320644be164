"""What an export of a bench holds beyond that of any session: its table, its pictures, its section of the report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from elenchus.debate_engine.reports import words
from elenchus.debate_engine.reports.canvas import Picture
from elenchus.debate_engine.reports.document import Block, Figure, Section
from elenchus.debate_engine.reports.export import More
from elenchus.debate_engine.reports.view import DebateView
from elenchus.detectors.evaluation import tables
from elenchus.detectors.evaluation.schemas import EvaluatorResult, StaticResult, UnlabelledResult

STATIC, UNLABELLED, EVALUATOR, QUESTIONS = "bench-static", "bench-unlabelled", "bench-evaluator", "bench-questions"
"""The bench's protocols."""

T = TypeVar("T", bound=BaseModel)
_SCHEMAS: Mapping[str, type[BaseModel]] = {
    STATIC: StaticResult,
    UNLABELLED: UnlabelledResult,
    EVALUATOR: EvaluatorResult,
}


def more_of_bench(view: DebateView) -> More:
    """What an export adds; nothing for any other session, or while it is not finished. Draws pictures: blocks."""
    result = result_of(view)
    simulated = " · simulated" if view.simulated else ""
    match result:
        case StaticResult():
            return _more(result, [*_static_pictures(result, f"{view.motion}{simulated}")], "an answer")
        case UnlabelledResult():
            return _more(
                result, [*_method_pictures(result, f"{view.motion}{simulated}")], "what a method said of a text"
            )
        case EvaluatorResult():
            return _more(result, [], "an item")
    return More()


def result_of(view: DebateView) -> BaseModel | None:
    """The outcome, where the session was a bench and is finished."""
    if view.started is None or view.outcome is None:
        return None
    return read_result(view.started.protocol, view.outcome)


def read_result(protocol: str, outcome: Mapping[str, Any]) -> BaseModel | None:
    """The outcome of a bench of this kind; None for any other protocol, or what cannot be read."""
    schema = _SCHEMAS.get(protocol)
    try:
        return schema.model_validate(outcome) if schema else None
    except ValidationError:
        return None


def markdown_of(result: BaseModel | None) -> Iterator[str]:
    """The result's tables and what must be known with them."""
    match result:
        case StaticResult():
            yield from tables.static_tables(result)
        case UnlabelledResult():
            yield from tables.unlabelled_tables(result)
        case EvaluatorResult():
            yield from tables.evaluator_tables(result)


def tables_of(result: BaseModel) -> dict[str, str]:
    """The result's Markdown, its CSV and what the CSV's columns mean, as files."""
    columns, rows = _table(result)
    return {
        "report.md": "\n\n".join(markdown_of(result)) + "\n",
        "scores.csv": tables.csv_of(columns, rows),
        "scores-codebook.md": tables.codebook_of(columns, "an item"),
    }


def _more(result: BaseModel, pictures: Iterable[Picture], row: str) -> More:
    drawn = tuple(pictures)
    columns, rows = _table(result)
    figures = [Figure(p.name, p.alt, words.CAPTION.format(name=p.name)) for p in drawn]
    blocks: tuple[Block, ...] = (*figures, *markdown_of(result))
    files = {"scores.csv": tables.csv_of(columns, rows), "scores-codebook.md": tables.codebook_of(columns, row)}
    return More((Section("bench", "What was measured", blocks),), files, drawn)


def _table(result: BaseModel) -> tuple[Mapping[str, str], Iterable[Mapping[str, Any]]]:
    match result:
        case StaticResult():
            return tables.STATIC_COLUMNS, tables.static_rows(result)
        case UnlabelledResult():
            return tables.UNLABELLED_COLUMNS, tables.unlabelled_rows(result)
        case EvaluatorResult():
            return tables.EVALUATOR_COLUMNS, tables.evaluator_rows(result)
    raise TypeError(f"{type(result).__name__} is no result of a bench")


def _static_pictures(result: StaticResult, under: str) -> Iterator[Picture]:
    from elenchus.detectors.evaluation.plots import bars, heat_map

    yield heat_map(result, under)
    yield bars(result, under)


def _method_pictures(result: UnlabelledResult, under: str) -> Iterator[Picture]:
    from elenchus.detectors.evaluation.plots import methods

    yield methods(result, under)
