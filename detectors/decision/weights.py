"""The decision of a match: each side's six scores times the weights; the higher sum wins. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from elenchus.config.json_and_yaml import read_yaml
from elenchus.debate_engine.events import FrozenModel

CRITERIA = ("support", "consistency", "refutation", "completeness", "persuasiveness", "reasonableness")
"""What the referees score, each 0–10, in the order of every vector of weights."""

DEFAULT = "dqn-genetic"
"""The paper's own choice."""

LARGEST = 100_000
"""Bytes of a file."""

_BUILT_IN = Path(__file__).with_name("weights.yaml")
_Finite = Annotated[float, Field(allow_inf_nan=False)]

Scores = Mapping[str, float]
"""One score for each criterion."""


class Weights(FrozenModel):
    """How much each of CRITERIA counts, in their order; `source` says where the numbers are from."""

    name: str
    source: str = ""
    values: tuple[_Finite, _Finite, _Finite, _Finite, _Finite, _Finite]

    def total(self, scores: Scores) -> float:
        """The weighted sum of one side's scores."""
        return math.fsum(weight * scores[name] for weight, name in zip(self.values, CRITERIA, strict=True))


@lru_cache
def built_in() -> Mapping[str, Weights]:
    """The weights that come with Elenchus, by name."""
    entries = read_yaml(_BUILT_IN, LARGEST)
    return {name: Weights(name=name, **entry) for name, entry in entries.items()}


def weights_of(name_or_file: str) -> Weights:
    """Weights by name, or from a YAML or JSON file. Raises ValueError saying what is wrong."""
    if known := built_in().get(name_or_file):
        return known
    path = Path(name_or_file)
    if path.suffix not in (".yaml", ".yml", ".json"):
        names = ", ".join(built_in())
        raise ValueError(f"there are no weights {name_or_file!r}: take one of {names}, or a .yaml or .json file")
    return _read(path)


def _read(path: Path) -> Weights:
    """A file: six numbers, or a mapping of CRITERIA to numbers, either of them also under `values`."""
    entry: Any = read_yaml(path, LARGEST, "weights' file")  # JSON is YAML too
    outer = entry if isinstance(entry, dict) and "values" in entry else {"values": entry}
    numbers = outer["values"]
    if isinstance(numbers, dict) and numbers.keys() == set(CRITERIA):
        numbers = [numbers[name] for name in CRITERIA]
    try:
        return Weights(name=path.name, source=str(outer.get("source") or "a file"), values=numbers)
    except ValidationError as error:
        wanted = f"six finite numbers, or one for each of {', '.join(CRITERIA)}"
        raise ValueError(f"the weights {path} do not hold {wanted}") from error


def decide(one: Scores | None, other: Scores | None, weights: Weights) -> bool | None:
    """Whether the one side wins; None for a tie, or where a side has no scores."""
    if one is None or other is None:
        return None
    a, b = weights.total(one), weights.total(other)
    return None if math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) else a > b
