"""Small grids over the scripted model, on a real log on disk."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from elenchus.debate_engine.protocols.rulegen.study.grid import Grid, SeatSpecs
from tests.debate_engine.protocols.rulegen.stage import ASKS, NAMES, TELLS, scene

MODEL = "scripted:demo"
TREATMENT = scene(ASKS, NAMES, TELLS).model_copy(update={"condition": "treatment"})
CONTROL = scene(ASKS, NAMES).model_copy(update={"condition": "control"})
CAST = SeatSpecs(confederate=MODEL, moderator=MODEL, other=MODEL, system=MODEL, judges=(MODEL, MODEL, MODEL))


def grid(**more: Any) -> Grid:
    """A grid of one subject and both conditions, twice."""
    given: dict[str, Any] = {
        "id": "g", "name": "tasting", "scenes": {"treatment": TREATMENT, "control": CONTROL}, "subjects": (MODEL,),
        "styles": ("",), "conditions": ("treatment", "control"), "cast": CAST, "n": 2, "seed": 1, "version": "0",
        "created": datetime(2026, 11, 21, tzinfo=UTC),
    }  # fmt: skip
    return Grid(**(given | more))
