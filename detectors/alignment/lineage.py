"""Who made the pairs that a model was trained with: told from the folders of its trainings. Blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from elenchus.config.documents import UnreadableDocument, read_text
from elenchus.config.json_and_yaml import json_in
from elenchus.detectors.alignment.verdicts import Condition

RUN = "run.json"
LARGEST = 2_000_000_000
"""Bytes of a file."""
SCRIPT, TAUGHT = "a script", "taught by a script"
_LOCAL = "local:"
_DEEPEST = 10
"""Trainings upon trainings that are looked through."""


class _Settings(BaseModel):
    stage: str
    data: tuple[str, ...] = ()
    held_out: tuple[str, ...] = ()
    base: str | None = None
    reward: str | None = None


class _Gate(BaseModel):
    conditions: tuple[Condition, ...] = ()


class _Told(BaseModel):
    """What is read of a `run.json`, whichever version has written it."""

    settings: _Settings
    data: tuple[dict[str, Any], ...] = ()
    held_out: tuple[dict[str, Any], ...] = ()
    gate: _Gate | None = None


def is_training(document: Any) -> bool:
    """Whether a `run.json` is that of a training: an export of a session has such a file, and other programs do."""
    try:
        _Told.model_validate(document)
    except ValidationError:
        return False
    return True


def referees_of(model: str) -> frozenset[str]:
    """The judges whose scores went into a local model (its spec), through all its trainings and its reward model.

    Empty for a model that is no training of ours, or whose data are not there any more.
    """
    return _named_in_data(model, "referee")


def is_taught_by_script(model: str) -> bool:
    """Whether a script said any of what a local model (its spec) or its reward model was trained on."""
    said = _named_in_data(model, "speaker", "chosen_speaker", "rejected_speaker")
    return any(speaker.startswith("scripted:") for speaker in said)


def simulated_in(answered: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Of methods with their models (specs) those of which nothing real is told, each with what spoke or taught."""
    found = {}
    for name, model in dict.fromkeys(answered):
        if model.startswith("scripted:"):
            found[name] = SCRIPT
        elif is_taught_by_script(model):
            found.setdefault(name, TAUGHT)
    return found


def _named_in_data(model: str, *keys: str) -> frozenset[str]:
    return frozenset(
        name
        for run in trainings_of(model)
        for file in (*run["settings"].get("data", ()), *run["settings"].get("held_out", ()))
        for name in _named(Path(file), keys)
    )


def trainings_of(model: str) -> list[Mapping[str, Any]]:
    """What `run.json` says of each training that led to a local model (its spec), its reward model's too."""
    if not model.startswith(_LOCAL):
        return []
    return list(_trainings(Path(model.removeprefix(_LOCAL)).expanduser(), _DEEPEST))


def _trainings(place: Path, deepest: int) -> Iterator[Mapping[str, Any]]:
    run = next((found for at in (place, *place.parents[:1]) if (found := _run(at / RUN))), None)
    if run is None or not deepest:
        return
    yield run
    for further in (run["settings"].get("base"), run["settings"].get("reward")):
        if further:
            yield from _trainings(Path(further), deepest - 1)


def _run(path: Path) -> Mapping[str, Any] | None:
    if not path.exists():
        return None
    try:
        found = json_in(read_text(path, LARGEST, "training"), str(path))
    except UnreadableDocument:
        return None
    return found if is_training(found) else None


def _named(data: Path, keys: Sequence[str]) -> Iterator[str]:
    """What the rows of a file of an export have under these keys."""
    try:
        lines = read_text(data, LARGEST, "file of an export").split("\n")
        rows = [json_in(line, str(data), number) for number, line in enumerate(lines, 1) if line.strip()]
    except UnreadableDocument:
        return
    yield from (str(row[key]) for row in rows if isinstance(row, dict) for key in keys if key in row)
