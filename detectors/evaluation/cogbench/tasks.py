"""What a run of the benchmark takes: tasks (a topic's questions and flows by iteration) and profiles. It blocks."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

from elenchus.debate_engine.errors import UsageError
from elenchus.detectors.evaluation.cogbench.in_words import flow_text
from elenchus.detectors.evaluation.cogbench.shapes import Json, check_iteration, questions_in, records_in


class Task(NamedTuple):
    """One iteration of a topic: its questions, and its flow as texts, none where there is nothing to read."""

    topic: str
    category: str
    iteration: int
    questions: tuple[str, ...]
    flow: tuple[str, ...]


def read_tasks(path: Path) -> dict[str, list[Task]]:
    """The iterations of each topic, in their order. Raises UsageError, UnreadableDocument.

    A topic has one questionnaire and each iteration once.
    """
    found: dict[str, list[Task]] = defaultdict(list)
    for n, record in enumerate(records_in(path), 1):
        task = _task(record, f"{path}, record {n}")
        for other in found[task.topic]:
            if other.iteration == task.iteration:
                raise UsageError(f"{path}, record {n}: iteration {task.iteration} of {task.topic} is there already.")
            if other.questions != task.questions:
                raise UsageError(
                    f"{path}, record {n}: its questions are not those of iteration {other.iteration} of {task.topic}: "
                    "a topic has one questionnaire."
                )
        found[task.topic].append(task)
    return {topic: sorted(tasks, key=lambda task: task.iteration) for topic, tasks in found.items()}


def _task(record: Json, where: str) -> Task:
    check_iteration(record, where)
    topic, category = record.get("topic"), record.get("category", "")
    if not isinstance(topic, str) or not topic.strip():
        raise UsageError(f"{where}: it lacks a topic.")
    flow = record.get("information_flow")
    if not isinstance(flow, list):
        raise UsageError(f"{where}: it lacks an information_flow, which is a list of texts or of objects of texts.")
    pieces = [flow_text(piece) for piece in flow]
    if None in pieces:
        raise UsageError(
            f"{where}: piece {pieces.index(None) + 1} of its information_flow is neither a text nor an object of texts."
        )
    questions = tuple(question["question"] for question in questions_in(record, where))
    texts = tuple(piece.strip() for piece in pieces if piece and piece.strip())
    return Task(topic, str(category or ""), record["iteration"], questions, texts)


def read_profiles(path: Path) -> list[dict[str, Any]]:
    """Profiles of texts, or of lists of texts, with a name each, all names different.

    Raises UsageError, UnreadableDocument.
    """
    profiles = records_in(path)
    names = set[str]()
    for n, profile in enumerate(profiles, 1):
        where = f"{path}, profile {n}"
        if odd := [name for name, value in profile.items() if _trait(value) is None]:
            raise UsageError(f"{where}: {odd[0]} is to be a text.")
        if not str(profile.get("Name", "")).strip():
            raise UsageError(f"{where}: it lacks a Name.")
        if (name := str(profile["Name"])) in names:
            raise UsageError(f"{where}: another one is called {name}, too.")
        names.add(name)
    return [{name: _trait(value) for name, value in profile.items()} for profile in profiles]


def _trait(value: Any) -> str | list[str] | None:
    """An attribute's text or texts; None for anything else."""
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return value
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else None
