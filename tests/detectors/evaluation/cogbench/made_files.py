"""Files of the release's shapes, made by hand or by a seed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

Pairs = Sequence[tuple[Any, Any]]
"""A human rating and a method's, question by question."""


def record(
    iteration: int, pairs: Pairs, *, topic: str = "Yoga", name: str = "Greta", rationality: Any = 4, method: str = "CoT"
) -> dict[str, Any]:
    """One record, whose questions are called `Q0`, `Q1` and so on."""
    answers = [
        {
            "human_rating": human,
            method: {"profile": f"Name: {name}", "rating": rating, "reason": "I read it.", "rationality": rationality},
        }
        for human, rating in pairs
    ]
    questionnaire = [{"question": f"Q{n}", "answer": answer} for n, answer in enumerate(answers)]
    return {"topic": topic, "iteration": iteration, "profile": {"Name": name}, "questionnaire": questionnaire}


def noisy_records(seed: int, profiles: int = 3, iterations: Sequence[int] = range(11)) -> list[dict[str, Any]]:
    """Records of two topics in which people and method agree about half of the time."""
    chance = Random(seed)

    def pair() -> tuple[int, int]:
        human = chance.randint(1, 5)
        return human, human if chance.random() < 0.4 else chance.randint(1, 5)

    return [
        record(iteration, [pair() for _ in range(10)], topic=topic, name=f"P{n}", rationality=chance.randint(1, 5))
        for topic in ("Yoga", "Loans")
        for n in range(profiles)
        for iteration in iterations
    ]


def written(folder: Path, records: Any, name: str = "eval_cogbench_a.json") -> Path:
    """The file as the release writes it."""
    path = folder / name
    path.write_text(json.dumps(records, indent=4, ensure_ascii=False), encoding="utf-8")
    return path


def changed(records: list[dict[str, Any]], change: Callable[[dict[str, Any]], object]) -> list[dict[str, Any]]:
    """The records, the first of them changed."""
    change(records[0])
    return records


def task(iteration: int, *, topic: str = "Yoga", flow: Any = ("An article.",), **more: Any) -> Mapping[str, Any]:
    """A record of a tasks file."""
    questions = [{"question": "Yoga heals."}, {"question": "Yoga is dull."}]
    return {"topic": topic, "iteration": iteration, "questionnaire": questions, "information_flow": list(flow), **more}
