"""A file of results: read, checked, and what people and each method have answered in it. Everything here blocks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from elenchus.debate_engine.errors import UsageError
from elenchus.detectors.evaluation.cogbench.shapes import (
    SCALE,
    UNRATED,
    Json,
    check_iteration,
    questions_in,
    records_in,
)

if TYPE_CHECKING:
    from elenchus.detectors.evaluation.cogbench.tasks import Task

RATED_BY = "rationality_by"
"""Beside a rationality that a model gave: which one. People's has none."""


class Answer(NamedTuple):
    """One question, as people and one method have answered it. None: not rated, or no score that could be read. `judge`
    is the model that gave the rationality, "" for people.
    """

    record: int
    topic: str
    profile: str
    iteration: int
    question: str
    human: int | None
    rating: int | None
    rationality: float | None
    reason: str
    judge: str = ""

    @property
    def cluster(self) -> tuple[str, str]:
        """What hangs together: a profile's answers on a topic, in all iterations."""
        return self.topic, self.profile


@dataclass(frozen=True, slots=True)
class Results:
    """A file of results. `records` are what stands in it; `named` says where it was read."""

    named: str
    records: Sequence[Json]

    @property
    def methods(self) -> list[str]:
        """The methods that have answered anything, in the order in which they come up."""
        found: dict[str, None] = {}
        for record in self.records:
            for question in record["questionnaire"]:
                found.update(dict.fromkeys(name for name in question["answer"] if name != "human_rating"))
        return list(found)

    def answers(self, method: str) -> list[Answer]:
        """Every question as people and this method have answered it. Raises UsageError for a method that is nowhere,
        or that has answered a part of a record's questions alone.
        """
        found = [answer for n, record in enumerate(self.records, 1) for answer in self._answers_in(n, record, method)]
        if not any(method in q["answer"] for record in self.records for q in record["questionnaire"]):
            known = ", ".join(self.methods) or "none"
            raise UsageError(f"{self.named} has no answers of the method {method!r}: it has those of {known}.")
        return found

    def _answers_in(self, n: int, record: Json, method: str) -> Iterator[Answer]:
        where = f"{self.named}, record {n}"
        questions = record["questionnaire"]
        answered = [method in question["answer"] for question in questions]
        if any(answered) and not all(answered):
            raise UsageError(
                f"{where}: {method} has answered {sum(answered)} of its {len(answered)} questions: all, or none."
            )
        for place, question in enumerate(questions, 1):
            there = f"{where}, question {place}"
            given = question["answer"].get(method, {"rating": UNRATED})
            if not isinstance(given, dict) or "rating" not in given:
                raise UsageError(f"{there}: the answer of {method} is to be an object with a rating.")
            yield Answer(
                record=n,
                topic=str(record.get("topic", "")),
                profile=who(record.get("profile")),
                iteration=record["iteration"],
                question=question["question"],
                human=_rating(question["answer"]["human_rating"], f"{there}: human_rating"),
                rating=_rating(given["rating"], f"{there}: the rating of {method}"),
                rationality=_mean_rating(given.get("rationality"), f"{there}: the rationality of {method}"),
                reason=str(given.get("reason", "")),
                judge=str(given.get(RATED_BY) or ""),
            )


def has_reason(question: Json, method: str) -> bool:
    """Whether a method has given this question a rating that could be read, and a reason that can be rated."""
    given = question["answer"].get(method, {})
    return given.get("rating", UNRATED) not in (UNRATED, None) and bool(str(given.get("reason", "")).strip())


def who(profile: Any) -> str:
    """What tells a profile from others: its name, else all of it."""
    if isinstance(profile, dict) and isinstance(profile.get("Name"), str):
        return str(profile["Name"])
    return profile if isinstance(profile, str) else json.dumps(profile, ensure_ascii=False, sort_keys=True)


def _rating(value: Any, what: str) -> int | None:
    """A whole number of the scale, None for −1 and null. Raises UsageError."""
    if value is None or (_number(value) and value == UNRATED):
        return None
    if not (_number(value) and value in SCALE):
        raise UsageError(f"{what} is {_shown(value)}: a rating is a whole number from 1 to 5, or −1 for none yet.")
    return int(value)


def _mean_rating(value: Any, what: str) -> float | None:
    """A number from 1 to 5, which may lie between two; None for −1 and null. Raises UsageError."""
    if value is None or (_number(value) and value == UNRATED):
        return None
    if not (_number(value) and SCALE[0] <= value <= SCALE[-1]):
        raise UsageError(f"{what} is {_shown(value)}: it is a number from 1 to 5, or −1 for none yet.")
    return value  # type: ignore[no-any-return]


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:40]}…"


# ── reading and checking ─────────────────────────────────────────────────────────────────────────────────────────────


def read_results(path: Path) -> Results:
    """A file of results. Raises UsageError, UnreadableDocument."""
    records = records_in(path)
    known: dict[tuple[str, str], int] = {}
    for n, record in enumerate(records, 1):
        where = f"{path}, record {n}"
        _check_result(record, where)
        _check_once(record, n, known, where)
    return Results(str(path), records)


def _check_once(record: Json, n: int, known: dict[tuple[str, str], int], where: str) -> None:
    """`known`: in which record each question of a topic, profile and iteration stands. Raises UsageError."""
    about = record.get("topic"), record.get("profile"), record["iteration"]
    if about[1] is None:
        return  # who answers is not said: it may be somebody else
    place = json.dumps(about, sort_keys=True)
    for question in record["questionnaire"]:
        if (before := known.setdefault((place, question["question"]), n)) != n:
            raise UsageError(
                f"{where}: iteration {about[2]} of {who(about[1])[:60]} on {str(about[0])[:60]} has the question "
                f"“{question['question'][:60]}” already, in record {before}."
            )


def _check_result(record: Json, where: str) -> None:
    check_iteration(record, where)
    for place, question in enumerate(questions_in(record, where), 1):
        answer = question.get("answer")
        if not isinstance(answer, dict) or "human_rating" not in answer:
            raise UsageError(f"{where}, question {place}: it lacks an answer with a human_rating.")


def with_flows(results: Results, tasks: Mapping[str, Sequence[Task]]) -> Results:
    """The results with what was read where they do not say so themselves. Raises UsageError where nothing fits."""
    flows = {(topic, task.iteration): list(task.flow) for topic, of in tasks.items() for task in of}
    places = [(str(record.get("topic")), record["iteration"]) for record in results.records]
    if not any(place in flows for place in places):
        raise UsageError(f"{results.named} has no topic and iteration of those tasks.")
    records = [
        {"information_flow": flows[place], **record} if place in flows else record
        for place, record in zip(places, results.records, strict=True)
    ]
    return Results(results.named, records)
