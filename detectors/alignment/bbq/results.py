"""A measuring with BBQ as a file, with all that comparisons need: what was answered, summed by question.

`rldf bbq --out` writes it, `rldf compare` and `rldf report` read it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from pydantic import Field, ValidationError, model_validator

from elenchus.config.documents import UnreadableDocument, read_text
from elenchus.config.json_and_yaml import json_in
from elenchus.debate_engine.events import FrozenModel
from elenchus.detectors.alignment.bbq.asking import BbqConfig, BbqResult
from elenchus.detectors.alignment.bbq.items import BbqItem
from elenchus.detectors.alignment.bbq.report import answered, document_of
from elenchus.detectors.alignment.bbq.scores import sums_of
from elenchus.detectors.alignment.lineage import is_taught_by_script

LARGEST = 50_000_000
"""Bytes of a file."""
_READ = {"n": int, "by_category": Mapping, "baselines": Mapping, "controls": Mapping}
"""What is read of a document elsewhere."""
_Row = tuple[float, float, float, float, float]


class Measured(FrozenModel):
    """What `name` (a method: default, sft, rldf …) has made of questions. `sums`: see `scores.sums_of`, by question.

    `published`: whether all questions are BBQ's own. `scripted`: whether a script answered, and no model; `taught`:
    whether a script said any of what the model was trained on. `items` tells this set of questions from any other.
    """

    kind: str = "rldf-bbq"
    name: str
    base: str = ""
    model: str
    seed: int
    published: bool
    scripted: bool
    taught: bool = False
    items: str
    sums: Mapping[str, tuple[_Row, _Row]] = Field(min_length=1)
    document: Mapping[str, Any]

    @model_validator(mode="after")
    def _figures_that_are_read(self) -> Self:
        if not all(isinstance(self.document.get(name), kind) for name, kind in _READ.items()):
            raise ValueError("figures are missing")
        return self


def measured_of(cfg: BbqConfig, result: BbqResult, name: str, base: str, seed: int) -> Measured:
    """Of an outcome."""
    items, weights = answered(cfg, result.answers, "plain")
    questions = list(dict.fromkeys(item.cluster for item in items))
    sums = sums_of(items, weights).tolist()
    return Measured(
        name=name, base=base, model=cfg.model, seed=seed, published=all(item.published for item in cfg.items),
        scripted=cfg.model.startswith("scripted:"), taught=is_taught_by_script(cfg.model), items=hash_of(cfg.items),
        sums=dict(zip(questions, sums, strict=True)), document=document_of(cfg, result),
    )  # fmt: skip


def hash_of(items: Sequence[BbqItem]) -> str:
    """What tells these questions from others."""
    return sha256("\n".join(item.model_dump_json() for item in items).encode()).hexdigest()[:16]


def read_measured(path: Path) -> Measured:
    """Such a file. Raises UnreadableDocument."""
    name = f"The file {path}"
    try:
        return Measured.model_validate(json_in(read_text(path, LARGEST, "file of results"), name))
    except ValidationError as error:
        raise UnreadableDocument(name, "it was not written by `elenchus rldf bbq --out`") from error
