"""What came of people who met the versions of a scene, without a session behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from elenchus.debate_engine.protocols.rulegen.study.grid import Cell
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE, Observation


def observed(outcomes: Mapping[str, Sequence[Any]]) -> list[Observation]:
    """One person for each outcome of a cell."""
    return [
        Observation(
            session=f"{cell}-{n}", role="Ada", cell=Cell(subject=PEOPLE, style="", condition=cell), result="not judged",
            record="r", seed=1, temperature=None, outcome=value,
        )
        for cell, values in outcomes.items()
        for n, value in enumerate(values)
    ]  # fmt: skip
