"""A bench's result as files, for one that is measured without a session: its tables and its scores."""

from __future__ import annotations

from elenchus.detectors.evaluation import tables
from elenchus.detectors.evaluation.schemas import EvaluatorResult

STATIC, UNLABELLED, EVALUATOR, QUESTIONS = "bench-static", "bench-unlabelled", "bench-evaluator", "bench-questions"
"""The bench's protocols."""


def tables_of(result: EvaluatorResult) -> dict[str, str]:
    """The result's Markdown, its CSV and what the CSV's columns mean, as files."""
    return {
        "report.md": "\n\n".join(tables.evaluator_tables(result)) + "\n",
        "scores.csv": tables.csv_of(tables.EVALUATOR_COLUMNS, tables.evaluator_rows(result)),
        "scores-codebook.md": tables.codebook_of(tables.EVALUATOR_COLUMNS, "an item"),
    }
