"""What a training starts from: a Hugging Face folder. One that came from a GGUF says from which."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from elenchus.config.documents import read_text
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import FrozenModel

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
