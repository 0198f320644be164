"""What gates say of a figure: those through which the data and the reward model of its model went. Blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from elenchus.detectors.alignment.lineage import trainings_of
from elenchus.detectors.alignment.training.reward_gate import has_passed


def gates_of(models: Iterable[str]) -> str:
    """In a few words, of all seeds together: `judge passed, reward FAILED`; `none needed` for what was not trained."""
    words = dict.fromkeys(word for model in models for word in _gates(model))
    return ", ".join(words) or "none needed"


def _gates(model: str) -> Iterator[str]:
    for run in trainings_of(model):
        files = (*run.get("data", ()), *run.get("held_out", ()))
        if files:
            yield "judge FAILED or not run" if any(of.get("ungated") for of in files) else "judge passed"
        if gate := run.get("gate"):
            yield "reward passed" if has_passed(gate) else "reward FAILED"
