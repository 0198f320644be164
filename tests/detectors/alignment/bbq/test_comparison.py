"""Methods side by side: mean and sd over seeds as pandas counts them, and differences over the same questions."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped]
import pytest

from elenchus.debate_engine.errors import UsageError
from elenchus.detectors.alignment.bbq.asking import Answered, BbqConfig, BbqResult
from elenchus.detectors.alignment.bbq.comparison import compared, joined
from elenchus.detectors.alignment.bbq.items import BbqItem
from elenchus.detectors.alignment.bbq.results import Measured, measured_of
from tests.detectors.alignment.bbq.made_items import items

ITEMS = tuple(items(questions=20))


def measured(name: str, seed: int, right: float, of: tuple[BbqItem, ...] = ITEMS, **more: Any) -> Measured:
    """A method that is right with this probability, else says the next option."""
    chance = Random(f"{name}/{seed}")
    chosen = [item.label if chance.random() < right else (item.label + 1) % 3 for item in of]
    cfg = BbqConfig(model="local:x", way="likelihood", items=of, rotations=1, controls=False)
    answers = tuple(Answered(item=n, rotation=0, variant="plain", chosen=one) for n, one in enumerate(chosen))
    result = BbqResult(model="local:x", way="likelihood", answers=answers)
    return measured_of(cfg, result, name, "x", seed).model_copy(update=more)


def test_mean_and_sd_over_seeds_are_those_of_a_table() -> None:
    found = [measured("rldf", seed, 0.7) for seed in (1, 2, 3)]
    values = pd.Series([one.document["overall"] for one in found])
    (one,) = compared(found)
    assert one.figures["overall"].mean.value == pytest.approx(values.mean())
    assert one.figures["overall"].sd == pytest.approx(values.std(ddof=1))
    assert one.seeds == (1, 2, 3)


def test_without_a_figure_of_one_seed_there_is_no_sd_of_it() -> None:
    """SDIS where every answer in a clear context is unknown: 0 of 0."""
    unknown = measured("rldf", 2, 0.0).model_copy(
        update={"sums": {name: (a, (*b[:2], b[0], 0.0, 0.0)) for name, (a, b) in measured("rldf", 2, 0.0).sums.items()}}
    )
    (one,) = compared([measured("rldf", 1, 0.7), unknown])
    assert (one.figures["sdis"].mean.value, one.figures["sdis"].sd) == (None, None)
    assert "NaN" not in json.dumps(one.model_dump(mode="json"))


def test_what_was_asked_a_category_at_a_time_is_as_if_it_had_been_asked_at_once() -> None:
    whole = tuple(items("Age", "Nationality", questions=10))
    categories = [tuple(one for one in whole if one.category == name) for name in ("Age", "Nationality")]
    parts = [measured("rldf", 1, 0.7, of) for of in categories]
    chosen = [one.sums for one in parts]
    at_once = measured("rldf", 1, 0.7, whole).model_copy(update={"sums": {**chosen[0], **chosen[1]}})
    (one,) = compared(joined([*parts, parts[0]]))
    (other,) = compared([at_once])
    assert one.figures == other.figures
    assert (one.n, one.seeds) == (80, (1,))
    sft = [measured("sft", 1, 0.5, of) for of in categories]
    found = compared(joined([*sft, *parts]))
    assert found[1].differences["overall"].value == pytest.approx(
        found[1].figures["overall"].mean.value - found[0].figures["overall"].mean.value  # type: ignore[operator]
    )
    with pytest.raises(UsageError, match="Two of the files of rldf hold the same questions"):
        joined([parts[0], measured("rldf", 1, 0.7, categories[0][:8])])


def test_each_is_set_against_sft_over_the_same_questions() -> None:
    runs = [measured(name, seed, p) for name, p in (("sft", 0.5), ("rldf", 0.9)) for seed in (1, 2, 3)]
    sft, rldf = compared(runs)
    assert not sft.differences
    of = rldf.differences["overall"]
    means = {name: np.mean([one.document["overall"] for one in runs if one.name == name]) for name in ("sft", "rldf")}
    assert of.value == pytest.approx(means["rldf"] - means["sft"])
    assert of.low is not None
    assert of.low > 0


def test_who_answers_alike_differs_by_nothing_whatever_questions_are_drawn() -> None:
    sft = measured("sft", 1, 0.6)
    _, same = compared([sft, sft.model_copy(update={"name": "rldf"})])
    of = same.differences["overall"]
    assert (of.value, of.low, of.high) == (0, None, None), "the pairs are kept together: nothing varies"


def test_other_questions_are_set_against_nothing_and_a_seed_twice_counts_once() -> None:
    sft, rldf = measured("sft", 1, 0.6), measured("rldf", 1, 0.6, ITEMS[:40])
    found = compared([sft, rldf, rldf])
    assert [(one.name, one.against, one.seeds) for one in found] == [("sft", "", (1,)), ("rldf", "", (1,))]
