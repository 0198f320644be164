"""`elenchus rldf base`, `train` and `reward-gate`: what is refused, and a training through its own process."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.detectors.alignment.training.made import pairs, statements, tiny_base, written
from tests.service.cli.program import PATIENCE, Program, Result
from tests.service.cli.test_full_disk import on_small_disk

Run = Callable[..., Result]

trains = pytest.mark.skipif(find_spec("trl") is None, reason="the extra `train` is missing: trainings are NOT tested")
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning", "ignore::UserWarning")


@pytest.fixture
def folder(elenchus: Program) -> Path:
    """A folder with data, and one that looks like a base."""
    base = elenchus.folder / "base"
    base.mkdir()
    (base / "config.json").write_text('{"hidden_size": 32, "num_hidden_layers": 2, "vocab_size": 400}')
    (base / "model.safetensors").touch()
    written(elenchus.folder / "sft.jsonl", statements(12))
    written(elenchus.folder / "pairs.jsonl", pairs(12))
    return elenchus.folder


@trains
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("train", "grpo", "--data", "sft.jsonl", "--out", "o"),
            "There is no training 'grpo': take one of sft, reward",
        ),
        (("train", "sft", "--base", "nowhere", "--data", "sft.jsonl", "--out", "o"), "is no Hugging Face folder"),
        (("train", "sft", "--base", "base", "--data", "pairs.jsonl", "--out", "o"), "line 1: `completion` is missing"),
        (("train", "dpo", "--base", "base", "--data", "sft.jsonl", "--out", "o"), "line 1: `chosen` is missing"),
        (("train", "sft", "--base", "base", "--data", "sft.jsonl", "--out", "sft.jsonl"), "is a file"),
        (("train", "sft", "--base", "base", "--data", "sft.jsonl", "--out", "."), "holds something else already"),
        (("train", "rloo", "--base", "base", "--data", "pairs.jsonl", "--out", "o"), "--reward is missing"),
        (
            ("train", "ppo", "--base", "base", "--reward", "base", "--data", "pairs.jsonl", "--out", "o"),
            "has not passed its gate (nobody has measured it",
        ),
        (("train", "sft", "--base", "base", "--data", "sft.jsonl", "--out", "o", "--rate", "0"), "--rate: "),
        (("train", "sft", "--base", "base", "--data", "sft.jsonl", "--out", "o", "--device", "tpu"), "--device: "),
        (
            ("train", "reward", "--base", "base", "--data", "pairs.jsonl", "--held-out", "pairs.jsonl", "--out", "o"),
            "share topics with what is trained on",
        ),
        (("base", "--model", "local:nowhere.gguf", "--out", "b"), "There is no file nowhere.gguf"),
        (("base", "--out", "base"), "is there already"),
        (("reward-gate", "sft.jsonl", "--data", "pairs.jsonl"), "is no Hugging Face folder"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(inside: Run, words: tuple[str, ...], said: str) -> None:
    refused = inside("rldf", *words)
    assert refused.code == 2, refused
    assert said in " ".join(refused.err.split()), refused.err
    assert "Traceback" not in refused.err


@trains
def test_a_reward_model_that_failed_its_gate_teaches_nobody_unless_that_is_agreed_to(folder: Path, inside: Run) -> None:
    condition = {"name": "person", "wanted": "lower bound above .50", "passed": False, "why": "the right person"}
    verdict = {
        "passed": False, "pairs": 6, "items": 200, "conditions": [condition], "version": "0",
        "created": "2026-01-01T00:00Z"
    }  # fmt: skip
    (folder / "base/gate.json").write_text(json.dumps(verdict))
    words = ("rldf", "train", "rloo", "--base", "base", "--reward", "base", "--data", "pairs.jsonl", "--out", "o")
    refused = " ".join(inside(*words).err.split())
    assert "has not passed its gate (the right person: none; wanted: lower bound above .50: failed)" in refused
    assert "say --ungated" in refused


@pytest.mark.skipif(find_spec("trl") is not None, reason="the extra `train` is installed here")
@pytest.mark.usefixtures("folder")
def test_without_its_packages_training_says_what_to_install(inside: Run) -> None:
    refused = inside("rldf", "train", "sft", "--base", "base", "--data", "sft.jsonl", "--out", "o")
    assert refused.code == 2
    assert 'install "elenchus[train]"' in " ".join(refused.err.split())


# ── through the process of its own ───────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def real(folder: Path) -> Path:
    """The same, with a base that is one."""
    return tiny_base(folder / "tiny").parent


def words(out: str, *more: str) -> tuple[str, ...]:
    return (
        "rldf", "train", "sft", "--base", "tiny", "--data", "sft.jsonl", "--out", out, "--batch", "4", "--device",
        "cpu", "--threads", "1", *more,
    )  # fmt: skip


@trains
@pytest.mark.slow
def test_a_training_that_is_killed_goes_on_where_it_was(real: Path, elenchus: Program) -> None:
    """SIGKILL to the program: its child notices that nobody reads it any more, and the same command goes on."""
    long = words("o", "--steps", "60", "--epochs", "100", "--save-every", "2")
    started = elenchus.start(*long)
    deadline = time.monotonic() + PATIENCE
    while not list((real / "o/checkpoints").glob("checkpoint-*/complete")):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    started.send_signal(signal.SIGKILL)
    started.wait()
    run: dict[str, Any] = json.loads((real / "o/run.json").read_text())
    assert run["state"] == "running"
    other = elenchus(*words("o", "--steps", "5"))
    assert other.code in (2, 5), "it is another training; or the child of the killed one still holds the folder"
    deadline = time.monotonic() + PATIENCE
    while (ended := elenchus(*long)).code == 5:
        assert "Another process trains into" in ended.err
        assert time.monotonic() < deadline
    assert ended.code == 0, ended.err
    assert "goes on after step" in ended.err
    assert "about" in ended.err
    run = json.loads((real / "o/run.json").read_text())
    assert (run["state"], run["step"], len(run["attempts"])) == ("finished", 60, 2)
    assert run["attempts"][1] >= 2
    steps = [json.loads(line)["step"] for line in (real / "o/log.jsonl").read_text().splitlines()]
    assert steps == list(range(1, 61))


@trains
@pytest.mark.slow
@pytest.mark.usefixtures("real")
def test_a_full_disk_is_told_in_a_sentence(elenchus: Program) -> None:
    script = 'mkdir -p disk/home; head -c 7500000 /dev/zero > disk/filler; "$@"'
    ended = on_small_disk(elenchus, script, *words("disk/o", "--steps", "3", "--save-every", "1"), megabytes=8)
    assert ended.code == 5, ended
    assert "full" in ended.err or "are free where" in ended.err
    assert "Traceback" not in ended.err


@trains
@pytest.mark.slow
def test_all_stages_follow_one_another_at_the_terminal(real: Path, elenchus: Program) -> None:
    """SFT, reward, RLOO: each takes the folder of the one before, and the last is one JSON document."""
    assert elenchus(*words("sft", "--steps", "1")).code == 0
    written(real / "held.jsonl", pairs(6, first=50))
    more = ("--batch", "4", "--steps", "1", "--device", "cpu", "--threads", "1")
    reward = elenchus(
        "rldf", "train", "reward", "--base", "sft", "--data", "pairs.jsonl", "--held-out", "held.jsonl", "--out", "rm",
        *more,
    )  # fmt: skip
    assert reward.code == 0, reward.err
    assert "reinforcement learning is refused with it" in reward.out
    rloo = ("rldf", "train", "rloo", "--base", "sft", "--reward", "rm", "--data", "pairs.jsonl", "--out", "rl", *more)
    assert "has not passed its gate" in elenchus(*rloo).err
    done = elenchus(*rloo, "--tokens", "8", "--ungated", "--json")
    assert done.code == 0, done.err
    assert (done.json["state"], done.json["dropped"], done.json["ungated"]) == ("finished", 0, True)
    again = elenchus("rldf", "reward-gate", "rm", "--data", "held.jsonl", "--device", "cpu", "--json")
    assert again.json["passed"] is False
