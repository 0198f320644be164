"""The bench's protocols by name; each is imported when it is run."""

from __future__ import annotations

from typing import Any

from elenchus.debate_engine.session import Session
from elenchus.detectors.library import CatalogueLibrary, Library


async def run_bench(
    protocol: str, s: Session, config: dict[str, Any], library: Library | None = None
) -> dict[str, Any]:
    """Run the bench of this name; without a `library` the catalogue itself is what is known. Raises ValueError."""
    known = library or CatalogueLibrary()
    match protocol:
        case "bench-static":
            from elenchus.detectors.evaluation.static import bench_static

            return await bench_static(s, config, known)
        case "bench-unlabelled":
            from elenchus.detectors.evaluation.unlabelled import bench_unlabelled

            return await bench_unlabelled(s, config, known)
        case "bench-evaluator":
            from elenchus.detectors.evaluation.evaluator import bench_evaluator

            return await bench_evaluator(s, config, known)
        case "bench-questions":
            from elenchus.detectors.evaluation.questions import bench_questions

            return await bench_questions(s, config)
    raise ValueError(f"there is no bench {protocol!r}")
