"""The four benches as protocols: their names, their forms, and what front ends, reports and exports show of them.

It is light to import: whatever runs, rehearses or draws is imported when it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from elenchus.debate_engine.events import Value
from elenchus.detectors import spec as detection
from elenchus.detectors.evaluation import schemas, tables

if TYPE_CHECKING:
    from elenchus.debate_engine.events import Seat
    from elenchus.debate_engine.rehearsal import PaceOf, Plan
    from elenchus.debate_engine.reports.document import Section
    from elenchus.debate_engine.reports.export import More
    from elenchus.debate_engine.reports.view import DebateView
    from elenchus.debate_engine.session import Session
    from elenchus.detectors.library import Library

STATIC, UNLABELLED, EVALUATOR, QUESTIONS = "bench-static", "bench-unlabelled", "bench-evaluator", "bench-questions"

STEP_WORDS = (
    (r"/answer$", "answers a question"),
    (r"^write/\d+$", "writes a question"),
    *detection.STEP_WORDS,
)
"""What a seat does in a step whose key holds this: the steps of a detection stand under those of the bench."""


@dataclass(frozen=True, slots=True)
class Bench:
    """One bench. `protocol` says where its function stands ("module:name"), `plots` are functions of `plots`.

    `columns` are those of its scores.csv with their meaning, of which `rows` gives the rows; `row` says what one is.
    """

    name: str
    config: type[Value]
    outcome: type[Value]
    protocol: str
    markdown: Callable[[Any], Iterable[str]]
    columns: Mapping[str, str] | None = None
    rows: Callable[[Any], Iterable[Mapping[str, Any]]] = tables.nothing
    row: str = ""
    plots: tuple[str, ...] = ()
    title: str = "What was measured"

    async def run(self, session: Session, config: dict[str, Any], library: Library | None = None) -> dict[str, Any]:
        """Run the bench; without a `library` the catalogue itself is what is known."""
        from elenchus.detectors.library import CatalogueLibrary

        protocol = resolve_name(f"elenchus.detectors.evaluation.{self.protocol}")
        outcome: dict[str, Any] = await protocol(session, config, library or CatalogueLibrary())
        return outcome

    def plan(self, cfg: Value, seats: Sequence[Seat], pace_of: PaceOf) -> Plan:
        """The calls at the most. Blocks, for a large bench some seconds; call it in a thread without an event loop."""
        from elenchus.detectors.dry_run import plan_bench

        return plan_bench(self.name, self.run, cfg, seats, pace_of)

    def read(self, outcome: Mapping[str, Any]) -> Value | None:
        """An outcome; None where it cannot be read."""
        try:
            return self.outcome.model_validate(outcome)
        except ValidationError:
            return None

    def outcome_of(self, view: DebateView) -> Value | None:
        """The outcome, where the session was this bench and is finished."""
        if view.started is None or view.started.protocol != self.name or view.outcome is None:
            return None
        return self.read(view.outcome)

    def more(self, view: DebateView) -> More:
        """What an export adds, its plots and tables; nothing where it is not finished. Draws: blocks."""
        from elenchus.debate_engine.reports import words
        from elenchus.debate_engine.reports.document import Figure, Section
        from elenchus.debate_engine.reports.export import More

        result = self.outcome_of(view)
        if result is None:
            return More()
        under = f"{view.motion}{' · simulated' if view.simulated else ''}"
        drawn = [resolve_name(f"elenchus.detectors.evaluation.plots:{name}")(result, under) for name in self.plots]
        figures = [Figure(p.name, p.alt, words.CAPTION.format(name=p.name)) for p in drawn]
        section = Section("bench", self.title, (*figures, *self.markdown(result)))
        return More((section,), self.tables(result), tuple(drawn))

    def sections(self, view: DebateView) -> list[Section]:
        """Those of the report; [] where it is not finished. Draws: blocks."""
        return list(self.more(view).sections)

    def files(self, view: DebateView) -> dict[str, str]:
        """What an export has in place of the table of debates; {} where it is not finished."""
        result = self.outcome_of(view)
        return self.tables(result) if result else {}

    def tables(self, result: Value) -> dict[str, str]:
        """The outcome's table with its codebook, by name; {} where it has none."""
        from elenchus.detectors.export import tables_of

        return tables_of(self.columns, self.rows(result), self.row) if self.columns else {}


BENCHES: Mapping[str, Bench] = {
    bench.name: bench
    for bench in (
        Bench(
            STATIC, schemas.StaticConfig, schemas.StaticResult, "static:bench_static",
            tables.static_tables, tables.STATIC_COLUMNS, tables.static_rows, "an answer", ("heat_map", "bars"),
        ),
        Bench(
            UNLABELLED, schemas.UnlabelledConfig, schemas.UnlabelledResult, "unlabelled:bench_unlabelled",
            tables.unlabelled_tables, tables.UNLABELLED_COLUMNS, tables.unlabelled_rows,
            "what a method said of a text", ("methods",),
        ),
        Bench(
            EVALUATOR, schemas.EvaluatorConfig, schemas.EvaluatorResult, "evaluator:bench_evaluator",
            tables.evaluator_tables, tables.EVALUATOR_COLUMNS, tables.evaluator_rows, "an item",
        ),
        Bench(
            QUESTIONS, schemas.QuestionsConfig, schemas.QuestionsResult, "questions:bench_questions",
            tables.questions_tables,
            title="What was written",
        ),
    )
}  # fmt: skip
"""By name."""


def markdown_of(protocol: str, outcome: Mapping[str, Any]) -> Iterator[str]:
    """An outcome's tables and what must be known with them; nothing where it has none, or for any other protocol."""
    bench = BENCHES.get(protocol)
    if bench and (result := bench.read(outcome)):
        yield from bench.markdown(result)
