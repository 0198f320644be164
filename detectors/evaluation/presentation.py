"""How the benches are told: each by its table, its pictures, its section of the report."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import BaseModel

from elenchus.debate_engine.protocols.spec import Column, Presentation, Scores
from elenchus.debate_engine.reports import words
from elenchus.debate_engine.reports.blocks import Block, Heading, Paragraph
from elenchus.debate_engine.reports.document import Figure, Section
from elenchus.detectors.evaluation import tables
from elenchus.detectors.evaluation.schemas import EvaluatorResult, StaticResult, UnlabelledResult

if TYPE_CHECKING:
    from elenchus.debate_engine.reports.canvas import Picture
    from elenchus.debate_engine.reports.view import SessionView

R = TypeVar("R", bound=BaseModel)


class Bench(Generic[R]):
    """One bench's result: its Markdown tables, its rows with their columns, and its pictures."""

    def __init__(
        self,
        result: type[R],
        columns: Mapping[str, str],
        row: str,
        markdown: Callable[[R], Iterable[str]],
        rows: Callable[[R], Iterable[Mapping[str, Any]]],
        drawn: Callable[[R, str], Sequence[Picture]] = lambda *_: (),
    ) -> None:
        self._result, self._markdown, self._rows, self._drawn = result, markdown, rows, drawn
        self._columns = [Column(name, meaning) for name, meaning in columns.items()]
        self._introduction = f"One row is {row}."

    @property
    def presentation(self) -> Presentation:
        """For the bench's spec."""
        scores = Scores(self._columns, self._score_rows, self._introduction)
        return Presentation(ended=self._ended, sections=self._sections, pictures=self._pictures, scores=scores)

    def _of(self, view: SessionView) -> R | None:
        found = view.spec.outcome_of(view.outcome)
        return found if isinstance(found, self._result) else None

    def _ended(self, view: SessionView, seats: Collection[str] = ()) -> Iterator[Block]:
        if result := self._of(view):
            yield Heading("measured", "good")
            yield from (Paragraph(text, markdown=True) for text in self._markdown(result))

    def _sections(self, view: SessionView) -> list[Section]:
        if (result := self._of(view)) is None:
            return []
        figures = [Figure(p.name, p.alt, words.CAPTION.format(name=p.name)) for p in self._pictures(view)]
        return [Section("bench", "What was measured", (*figures, *self._markdown(result)))]

    def _pictures(self, view: SessionView) -> Sequence[Picture]:
        simulated = " · simulated" if view.simulated else ""
        return self._drawn(result, f"{view.title}{simulated}") if (result := self._of(view)) else ()

    def _score_rows(self, view: SessionView) -> Iterable[Mapping[str, Any]]:
        return self._rows(result) if (result := self._of(view)) else ()


def _static_pictures(result: StaticResult, under: str) -> Sequence[Picture]:
    from elenchus.detectors.evaluation.plots import bars, heat_map

    return heat_map(result, under), bars(result, under)


def _method_pictures(result: UnlabelledResult, under: str) -> Sequence[Picture]:
    from elenchus.detectors.evaluation.plots import methods

    return (methods(result, under),)


STATIC = Bench(
    StaticResult, tables.STATIC_COLUMNS, "an answer", tables.static_tables, tables.static_rows, _static_pictures
).presentation
UNLABELLED = Bench(
    UnlabelledResult,
    tables.UNLABELLED_COLUMNS,
    "what a method said of a text",
    tables.unlabelled_tables,
    tables.unlabelled_rows,
    _method_pictures,
).presentation
EVALUATOR = Bench(
    EvaluatorResult, tables.EVALUATOR_COLUMNS, "an item", tables.evaluator_tables, tables.evaluator_rows
).presentation
