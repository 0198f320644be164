"""The benches of `elenchus bench`, as front ends and reports look them up."""

from __future__ import annotations

from elenchus.debate_engine.protocols.spec import ProtocolSpec
from elenchus.detectors.spec import STEP_WORDS

_WORDS = (
    (r"/answer$", "answers a question"),
    (r"^write/\d+$", "writes a question"),
    *STEP_WORDS,
)
_HERE = "elenchus.detectors.evaluation"

STATIC = ProtocolSpec(
    name="bench-static",
    run=f"{_HERE}.static:bench_static",
    needs=("library",),
    config=f"{_HERE}.schemas:StaticConfig",
    outcome=f"{_HERE}.schemas:StaticResult",
    step_words=_WORDS,
    dry_run="elenchus.detectors.dry_run:DRY_RUN",
    presentation=f"{_HERE}.presentation:STATIC",
)
UNLABELLED = ProtocolSpec(
    name="bench-unlabelled",
    run=f"{_HERE}.unlabelled:bench_unlabelled",
    needs=("library",),
    config=f"{_HERE}.schemas:UnlabelledConfig",
    outcome=f"{_HERE}.schemas:UnlabelledResult",
    step_words=_WORDS,
    dry_run="elenchus.detectors.dry_run:DRY_RUN",
    presentation=f"{_HERE}.presentation:UNLABELLED",
)
EVALUATOR = ProtocolSpec(
    name="bench-evaluator",
    run=f"{_HERE}.evaluator:bench_evaluator",
    needs=("library",),
    config=f"{_HERE}.schemas:EvaluatorConfig",
    outcome=f"{_HERE}.schemas:EvaluatorResult",
    step_words=_WORDS,
    dry_run="elenchus.detectors.dry_run:DRY_RUN",
    presentation=f"{_HERE}.presentation:EVALUATOR",
)
QUESTIONS = ProtocolSpec(
    name="bench-questions",
    run=f"{_HERE}.questions:bench_questions",
    config=f"{_HERE}.schemas:QuestionsConfig",
    outcome=f"{_HERE}.schemas:QuestionsResult",
    step_words=_WORDS,
    dry_run="elenchus.detectors.dry_run:DRY_RUN",
    presentation=f"{_HERE}.presentation:QUESTIONS",
)
