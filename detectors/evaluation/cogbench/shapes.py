"""The files of the CogBench release: tasks, profiles and results, and what holds for all of them.

- tasks (`cogbench_a.json`, `cogbench_v.json`): a list of {topic, category?, iteration, questionnaire: [{question}],
  information_flow: [text | {field: text}]}
- profiles (`profile.json`): a list of {attribute: value}
- results (`eval_cogbench_*.json`): a list of {topic, iteration, profile, questionnaire: [{question, answer:
  {human_rating, METHOD: {profile, rating, reason, rationality}}}]}; −1 where nobody has rated yet

`results` reads the last of these, `tasks` the others. Fields that nobody asks for stay as they are. A file of another
shape is refused in one sentence, which names the file, the record (from 1) and what is wrong. Everything here blocks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from elenchus.config.documents import read_text
from elenchus.config.json_and_yaml import json_in
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.reports.files import write_all

LARGEST = 500_000_000
"""Bytes of a file: all 11,000 records of one half of the release, each with its flow and its reasons."""

UNRATED = -1
SCALE = (1, 2, 3, 4, 5)
Json = dict[str, Any]


def records_in(path: Path) -> list[Json]:
    """The objects of a JSON list with at least one. Raises UsageError, UnreadableDocument."""
    value = json_in(read_text(path, LARGEST), f"The file {path}")
    if not isinstance(value, list) or not value:
        raise UsageError(f"{path} is to be a JSON list of records with at least one in it.")
    for n, record in enumerate(value, 1):
        if not isinstance(record, dict):
            raise UsageError(f"{path}, record {n}: a record is a JSON object, not {type(record).__name__}.")
    return value


def check_iteration(record: Mapping[str, Any], where: str) -> None:
    """Raises UsageError for a record without one."""
    iteration = record.get("iteration")
    if not isinstance(iteration, int) or isinstance(iteration, bool) or iteration < 0:
        raise UsageError(f"{where}: it lacks an iteration, which is a whole number from 0.")


def questions_in(record: Mapping[str, Any], where: str) -> list[Json]:
    """The questions of a record, at least one. Raises UsageError."""
    questions = record.get("questionnaire")
    if not isinstance(questions, list) or not questions:
        raise UsageError(f"{where}: it lacks a questionnaire with at least one question.")
    for place, question in enumerate(questions, 1):
        if not isinstance(question, dict) or not isinstance(question.get("question"), str):
            raise UsageError(f"{where}, question {place}: it is to be an object with the question's text.")
    return questions


def write_json(path: Path, value: Any) -> None:
    """Write a file of any of the three shapes as the release writes it (indented by 4, letters as they are).

    Raises StorageError.
    """
    text = json.dumps(value, indent=4, ensure_ascii=False)
    write_all(path.parent, {path.name: text.encode()})
