"""An outcome of a sweep that lacks a part, as an edited export may: it is refused where it is read."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from elenchus.debate_engine.protocols.sweep.schemas import Sweep
from tests.debate_engine.protocols.sweep.made_sweeps import swept


@pytest.fixture
def found() -> dict[str, Any]:
    return swept().model_dump(mode="json")


def test_a_table_without_one_of_its_heats_is_refused(found: dict[str, Any]) -> None:
    found["heats"][0] = 0.8
    with pytest.raises(ValidationError, match="a row for each side at each heat"):
        Sweep.model_validate(found)


def test_a_row_without_one_of_its_measures_is_refused(found: dict[str, Any]) -> None:
    del found["rows"][3]["numbers"]["hedges"]
    with pytest.raises(ValidationError, match="lacks a measure"):
        Sweep.model_validate(found)


def test_a_sweep_without_one_of_its_trends_is_refused(found: dict[str, Any]) -> None:
    found["trends"].pop()
    with pytest.raises(ValidationError, match="a trend is missing"):
        Sweep.model_validate(found)


@pytest.mark.parametrize("odd", [1e300, -1])
def test_numbers_that_no_speech_has_are_refused(found: dict[str, Any], odd: float) -> None:
    found["rows"][0]["numbers"]["words"]["mean"] = odd
    with pytest.raises(ValidationError):
        Sweep.model_validate(found)


def test_a_whole_sweep_is_read_as_it_was_written(found: dict[str, Any]) -> None:
    assert Sweep.model_validate(found) == swept()
