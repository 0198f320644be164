"""The benches of `elenchus bench`, as front ends and reports look them up."""

from __future__ import annotations

from elenchus.debate_engine.protocols.spec import ProtocolSpec
from elenchus.detectors.spec import STEP_WORDS

_WORDS = (
    (r"^label/\d+$", "looks for the bias"),
    *STEP_WORDS,
)
_HERE = "elenchus.detectors.evaluation"

STATIC = ProtocolSpec(
    name="bench-static",
    run=f"{_HERE}.static:bench_static",
    needs=("library",),
    outcome=f"{_HERE}.schemas:StaticResult",
    step_words=_WORDS,
    presentation=f"{_HERE}.presentation:STATIC",
)
UNLABELLED = ProtocolSpec(
    name="bench-unlabelled",
    run=f"{_HERE}.unlabelled:bench_unlabelled",
    needs=("library",),
    outcome=f"{_HERE}.schemas:UnlabelledResult",
    step_words=_WORDS,
    presentation=f"{_HERE}.presentation:UNLABELLED",
)
EVALUATOR = ProtocolSpec(
    name="bench-evaluator",
    run=f"{_HERE}.evaluator:bench_evaluator",
    needs=("library",),
    outcome=f"{_HERE}.schemas:EvaluatorResult",
    step_words=_WORDS,
    presentation=f"{_HERE}.presentation:EVALUATOR",
)
QUESTIONS = ProtocolSpec(
    name="bench-questions",
    run=f"{_HERE}.generator:bench_questions",
    outcome=f"{_HERE}.generator:QuestionsResult",
    step_words=_WORDS,
)
