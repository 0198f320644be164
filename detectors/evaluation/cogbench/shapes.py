"""The files of the CogBench release: tasks, profiles and results, read, checked, and written again as they were.

- tasks (`cogbench_a.json`, `cogbench_v.json`): a list of {topic, category?, iteration, questionnaire: [{question}],
  information_flow: [text | {field: text}]}
- profiles (`profile.json`): a list of {attribute: value}
- results (`eval_cogbench_*.json`): a list of {topic, iteration, profile, questionnaire: [{question, answer:
  {human_rating, METHOD: {profile, rating, reason, rationality}}}]}; −1 where nobody has rated yet

Fields that nobody asks for stay where they are. A file of another shape is refused in one sentence, which names the
file, the record (from 1) and what is wrong. Everything here blocks.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from elenchus.config.documents import read_text
from elenchus.config.json_and_yaml import json_in
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.reports.files import write_all
from elenchus.detectors.evaluation.cogbench.in_words import flow_text

LARGEST = 500_000_000
"""Bytes of a file: all 11,000 records of one half of the release, each with its flow and its reasons."""

UNRATED = -1
RATED_BY = "rationality_by"
"""Beside a rationality that a model gave: which one. People's has none."""
SCALE = (1, 2, 3, 4, 5)
Json = dict[str, Any]


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


# ── results ──────────────────────────────────────────────────────────────────────────────────────────────────────


def read_results(path: Path) -> Results:
    """A file of results. Raises UsageError, UnreadableDocument."""
    records = _records(path)
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
    _check_iteration(record, where)
    for place, question in enumerate(_questions(record, where), 1):
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


def write_json(path: Path, value: Any) -> None:
    """Write a file of any of the three shapes as the release writes it (indented by 4, letters as they are).

    Raises StorageError.
    """
    text = json.dumps(value, indent=4, ensure_ascii=False)
    write_all(path.parent, {path.name: text.encode()})


# ── tasks ────────────────────────────────────────────────────────────────────────────────────────────────────────


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
    for n, record in enumerate(_records(path), 1):
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
    _check_iteration(record, where)
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
    questions = tuple(question["question"] for question in _questions(record, where))
    texts = tuple(piece.strip() for piece in pieces if piece and piece.strip())
    return Task(topic, str(category or ""), record["iteration"], questions, texts)


# ── profiles ─────────────────────────────────────────────────────────────────────────────────────────────────────


def read_profiles(path: Path) -> list[dict[str, Any]]:
    """Profiles of texts, or of lists of texts, with a name each, all names different.

    Raises UsageError, UnreadableDocument.
    """
    profiles = _records(path)
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


# ── in common ────────────────────────────────────────────────────────────────────────────────────────────────────


def _records(path: Path) -> list[Json]:
    """The objects of a JSON list with at least one. Raises UsageError, UnreadableDocument."""
    value = json_in(read_text(path, LARGEST), f"The file {path}")
    if not isinstance(value, list) or not value:
        raise UsageError(f"{path} is to be a JSON list of records with at least one in it.")
    for n, record in enumerate(value, 1):
        if not isinstance(record, dict):
            raise UsageError(f"{path}, record {n}: a record is a JSON object, not {type(record).__name__}.")
    return value


def _check_iteration(record: Mapping[str, Any], where: str) -> None:
    iteration = record.get("iteration")
    if not isinstance(iteration, int) or isinstance(iteration, bool) or iteration < 0:
        raise UsageError(f"{where}: it lacks an iteration, which is a whole number from 0.")


def _questions(record: Mapping[str, Any], where: str) -> list[Json]:
    questions = record.get("questionnaire")
    if not isinstance(questions, list) or not questions:
        raise UsageError(f"{where}: it lacks a questionnaire with at least one question.")
    for place, question in enumerate(questions, 1):
        if not isinstance(question, dict) or not isinstance(question.get("question"), str):
            raise UsageError(f"{where}, question {place}: it is to be an object with the question's text.")
    return questions
