"""What a training starts from: a Hugging Face folder. One that came from a GGUF says from which.

A GGUF is converted beside its place, in `.NAME.PROCESS.part`, which whoever converts it holds.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from elenchus.config.documents import read_text
from elenchus.debate_engine.errors import StorageError, UsageError
from elenchus.debate_engine.events import FrozenModel
from elenchus.detectors.alignment.training.folder import LOCK, held

LARGEST = 1_000_000
"""Bytes of a description."""
SOURCE = "elenchus-source.json"
"""Beside a model's weights: the GGUF whose metadata a trained model is written with."""


class Source(FrozenModel):
    """The GGUF that a base was converted from. `sha256` of its bytes."""

    gguf: Path
    sha256: str


def source_of(folder: Path) -> Source | None:
    """The GGUF that this folder's model came from; None where there is none, or where it is gone."""
    try:
        found = Source.model_validate_json(read_text(folder / SOURCE, LARGEST))
    except (OSError, ValueError):
        return None
    return found if found.gguf.is_file() else None


def config_of(folder: Path) -> dict[str, Any]:
    """What `config.json` says. Raises UsageError."""
    try:
        found = json.loads(read_text(folder / "config.json", LARGEST))
    except (OSError, ValueError) as error:
        raise UsageError(f"{folder / 'config.json'} cannot be read.") from error
    if not isinstance(found, dict):
        raise UsageError(f"{folder / 'config.json'} is no object.")
    return found


def is_llama(folder: Path) -> bool:
    """Whether the model has the Llama layout, which alone is written as GGUF."""
    return config_of(folder).get("model_type") == "llama"


# ── made of a GGUF ───────────────────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def being_converted(folder: Path) -> Iterator[Path]:
    """A folder to write into, put in place at the end, or removed where that fails. Raises OSError, StorageError."""
    part = folder.with_name(f".{folder.name}.{os.getpid()}.part")
    part.mkdir(parents=True)
    try:
        with held(part):
            yield part
            (part / LOCK).unlink(missing_ok=True)  # what is in place is nobody's
            if not folder.exists():  # else another process was faster
                part.rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def remove_unfinished(folder: Path) -> int:
    """Remove what conversions to this folder have left that were killed; the bytes that are free again."""
    freed = 0
    for part in folder.parent.glob(f".{folder.name}.*.part"):
        with suppress(StorageError), held(part):  # who still works in it holds it
            freed += sum(one.stat().st_size for one in part.iterdir())
            shutil.rmtree(part)
    return freed
