"""Who made the pairs that a model was trained with: told from the folders of its trainings. Blocks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

RUN = "run.json"
_LOCAL = "local:"
_DEEPEST = 10
"""Trainings upon trainings that are looked through."""


def referees_of(model: str) -> frozenset[str]:
    """The judges whose scores went into a local model (its spec), through all its trainings and its reward model.

    Empty for a model that is no training of ours, or whose data are not there any more.
    """
    return frozenset(
        referee
        for run in trainings_of(model)
        for file in (*_settings(run).get("data", ()), *_settings(run).get("held_out", ()))
        for referee in _named(Path(file))
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
    for further in (_settings(run).get("base"), _settings(run).get("reward")):
        if further:
            yield from _trainings(Path(further), deepest - 1)


def _settings(run: Mapping[str, Any]) -> Mapping[str, Any]:
    return run.get("settings") or {}


def _run(path: Path) -> Mapping[str, Any] | None:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _named(data: Path) -> Iterator[str]:
    """The referees that the rows of a file of an export name."""
    try:
        for line in data.read_text("utf-8").splitlines():
            if line.strip() and isinstance(referee := json.loads(line).get("referee"), str):
                yield referee
    except (OSError, ValueError, AttributeError):
        return
