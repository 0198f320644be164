"""How the benches are told: each by its table, its pictures, its section of the report."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import BaseModel

from elenchus.debate_engine.protocols.presentation import Column, Presentation, Scores
from elenchus.debate_engine.reports.blocks import Block, Heading, Paragraph
from elenchus.debate_engine.reports.document import Figure, Section
from elenchus.debate_engine.reports.scores_csv import codebook, scores_csv
from elenchus.debate_engine.reports.view import SessionView
from elenchus.detectors.evaluation import plots, tables
from elenchus.detectors.evaluation.schemas import EvaluatorResult, QuestionsResult, StaticResult, UnlabelledResult

if TYPE_CHECKING:
    from elenchus.debate_engine.reports.canvas import Picture

R = TypeVar("R", bound=BaseModel)
Plot = tuple[Callable[[R, str], "Picture"], Callable[[R], str]]
"""What draws a result under a line of text, and what says the same in words."""


class Bench(Generic[R]):
    """One bench's result: its Markdown tables, its rows with their columns, and its pictures."""

    def __init__(
        self,
        result: type[R],
        columns: Mapping[str, str],
        row: str,
        markdown: Callable[[R], Iterable[str]],
        rows: Callable[[R], Iterable[Mapping[str, Any]]],
        plots: Mapping[str, Plot[R]] | None = None,
    ) -> None:
        self._result, self._markdown, self._rows, self._plots = result, markdown, rows, plots or {}
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
        figures = [Figure(name, alt(result)) for name, (_, alt) in self._plots.items()]
        return [Section("bench", "What was measured", (*figures, *self._markdown(result)))]

    def _pictures(self, view: SessionView) -> Sequence[Picture]:
        simulated = " · simulated" if view.simulated else ""
        if (result := self._of(view)) is None:
            return ()
        return [draw(result, f"{view.title}{simulated}") for draw, _ in self._plots.values()]

    def _score_rows(self, view: SessionView) -> Iterable[Mapping[str, Any]]:
        return self._rows(result) if (result := self._of(view)) else ()


STATIC = Bench(
    StaticResult,
    tables.STATIC_COLUMNS,
    "an answer",
    tables.static_tables,
    tables.static_rows,
    {"frequencies": (plots.heat_map, plots.heat_map_alt), "bars": (plots.bars, plots.bars_alt)},
).presentation
UNLABELLED = Bench(
    UnlabelledResult,
    tables.UNLABELLED_COLUMNS,
    "what a method said of a text",
    tables.unlabelled_tables,
    tables.unlabelled_rows,
    {"methods": (plots.methods, plots.methods_alt)},
).presentation
EVALUATOR = Bench(
    EvaluatorResult, tables.EVALUATOR_COLUMNS, "an item", tables.evaluator_tables, tables.evaluator_rows
).presentation


def _written(view: SessionView, seats: Collection[str] = ()) -> Iterator[Block]:
    result = view.spec.outcome_of(view.outcome)
    if isinstance(result, QuestionsResult):
        yield Heading("written", "good")
        yield from (Paragraph(text, markdown=True) for text in tables.questions_tables(result))


QUESTIONS = Presentation(ended=_written)


def files_of(result: EvaluatorResult) -> dict[str, str]:
    """Labels that were compared without a session, as files by name: the tables, and the rows with their codebook."""
    assert EVALUATOR.scores is not None, "it has a table"
    scores = replace(EVALUATOR.scores, rows=lambda _: tables.evaluator_rows(result))
    return {
        "report.md": "\n\n".join(tables.evaluator_tables(result)) + "\n",
        "scores.csv": scores_csv(SessionView(), scores),
        "scores-codebook.md": codebook(scores),
    }
