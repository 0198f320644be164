"""Texts for the comparison of methods, and samples of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.errors import UsageError
from elenchus.detectors.evaluation.items import drawn, own_texts, read_samples

OURS = own_texts()


def test_ours_are_146_of_which_73_show_each_bias_once() -> None:
    assert len(OURS) == len({sample.id for sample in OURS}) == 146
    assert len({sample.bias for sample in OURS if sample.bias}) == 73
    assert sum(not sample.bias for sample in OURS) == 73


@given(st.integers(1, 160), st.integers(0, 5))
def test_a_sample_is_half_and_half_and_the_same_for_the_same_seed(most: int, seed: int) -> None:
    sample = drawn(OURS, most, seed)
    assert sample == drawn(OURS, most, seed)
    assert len(sample) == min(most, 146)
    biased = [s.bias for s in sample if s.bias]
    assert len(set(biased)) == len(biased) == min(most, 146) // 2
    assert [s for s in OURS if s in sample] == list(sample), "in the order in which they stand"


def test_no_text_comes_with_its_twin_while_there_are_others() -> None:
    sample = drawn(OURS, 70, 4)
    assert len({s.id.partition("/")[0] for s in sample}) == 70


def test_other_seeds_give_other_samples() -> None:
    assert len({drawn(OURS, 20, seed) for seed in range(5)}) == 5


def test_a_half_that_is_too_small_is_filled_up_from_the_other() -> None:
    only = [s for s in OURS if s.bias][:10] + [s for s in OURS if not s.bias][:2]
    assert sum(not s.bias for s in drawn(only, 8, 1)) == 2
    assert len(drawn(only, 8, 1)) == 8
    assert len(drawn(only[:10], 6, 1)) == 6


def test_a_users_texts_are_read(tmp_path: Path) -> None:
    lines = [{"text": "We go on.", "bias": "sunk cost fallacy"}, {"text": "We stop.", "bias": "none", "id": "b"}]
    path = tmp_path / "texts.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    first, second = read_samples(path)
    assert (first.id, first.bias, first.text) == ("row-1", "sunk-cost-fallacy", "We go on.")
    assert (second.id, second.bias) == ("b", "")
    path.write_text('{"text": ""}', encoding="utf-8")
    with pytest.raises(UsageError, match="row 1: it lacks answer"):
        read_samples(path)


def test_a_text_whose_bias_is_said_to_be_absent_shows_none(tmp_path: Path) -> None:
    row = {"answer": "We stop.", "name of bias": "sunk cost fallacy"}
    lines = [{**row, "presence of bias": said} for said in ("no", "yes", "")]
    path = tmp_path / "texts.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert [sample.bias for sample in read_samples(path)] == ["", "sunk-cost-fallacy", "sunk-cost-fallacy"]
    path.write_text('{"text": "We go on.", "present": true}', encoding="utf-8")
    with pytest.raises(UsageError, match="row 1: a bias is said to be there: name it, or say no"):
        read_samples(path)
