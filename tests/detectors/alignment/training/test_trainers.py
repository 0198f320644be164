"""Every trainer, a few steps each, on a tiny model: what TRL is given, and what comes out."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from elenchus.debate_engine.errors import UsageError
from elenchus.detectors.alignment.training.data import Example, read_examples
from elenchus.detectors.alignment.training.folder import Diverged, TrainingFolder
from elenchus.detectors.alignment.training.settings import Stage
from tests.detectors.alignment.training.made import pairs, statements, tiny_base, written

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("trl") is None, reason="the extra `train` is missing: trainings are NOT tested"),
    pytest.mark.xdist_group("training"),  # what they import takes seconds: once is enough
    pytest.mark.filterwarnings(
        "ignore::FutureWarning", "ignore::DeprecationWarning", "ignore::UserWarning", "ignore::ResourceWarning",
        "ignore::pytest.PytestUnraisableExceptionWarning",
    ),
]  # fmt: skip


@pytest.fixture(scope="module")
def kit() -> Any:
    """What imports torch and the rest, once."""
    from tests.detectors.alignment.training import in_process

    return in_process


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, kit: Any) -> Path:
    """A base, data, and an SFT and a reward model on them: made once."""
    folder = tmp_path_factory.mktemp("training")
    tiny_base(folder / "base")
    written(folder / "sft.jsonl", statements(12))
    written(folder / "pairs.jsonl", pairs(12))
    written(folder / "held.jsonl", pairs(6, first=100))
    kit.trained("sft", folder / "base", folder / "sft.jsonl", folder / "sft", steps=3, rate=0.01)
    kit.trained(
        "reward", folder / "sft/model", folder / "pairs.jsonl", folder / "reward", steps=2,
        held_out=[folder / "held.jsonl"],
    )  # fmt: skip
    return folder


def test_sft_changes_the_model_and_writes_it_merged_with_all_that_its_run_was(kit: Any, place: Path) -> None:
    run = TrainingFolder(place / "sft").run()
    assert run is not None
    assert (run.state, run.step, run.examples, run.dropped, run.attempts) == ("finished", 3, 12, 0, (0,))
    assert run.versions["trl"].startswith("1.12.")
    assert len(run.data[0].sha256) == 64
    assert run.seat == f"local:{place / 'sft/model'}", "it came from no GGUF, so that transformers runs it"
    assert kit.differ(place / "base", place / "sft/model") > 1e-3
    assert not list((place / "sft/model").glob("adapter*"))
    rows = TrainingFolder(place / "sft").rows()
    assert [row["step"] for row in rows] == [1, 2, 3]
    assert rows[-1]["loss"] < rows[0]["loss"]
    assert (place / "sft/curves.png").read_bytes().startswith(b"\x89PNG")


def test_libraries_ask_no_hub_and_no_gpu_and_tell_no_service(kit: Any, place: Path) -> None:
    """Their defaults would: bfloat16 on a GPU, files from the hub, reports to services on the web."""
    run = TrainingFolder(place / "sft").run()
    assert run is not None
    given = kit.arguments(run.settings, TrainingFolder(place / "sft"), "cpu")
    assert (given["bf16"], given["use_cpu"], given["report_to"]) == (False, True, "none")
    ours = "from elenchus.detectors.alignment.training.learning import __main__ as ours; ours._set_up({})"
    told = (
        "import os, sys; print(os.environ['HF_HUB_OFFLINE'], os.environ['HF_DATASETS_OFFLINE'], 'torch' in sys.modules)"
    )
    env = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    said = subprocess.run(
        [sys.executable, "-c", f"{ours}; {told}"], env=env, capture_output=True, text=True, check=True
    )
    assert said.stdout.split() == ["1", "1", "False"], "before they are imported"


def test_the_reward_models_gate_fails_a_toy_and_its_verdict_is_kept(kit: Any, place: Path) -> None:
    verdict = TrainingFolder(place / "reward").verdict()
    assert verdict is not None
    assert not verdict.passed
    assert (verdict.pairs, verdict.items) == (6, 200)
    assert {of.name for of in verdict.conditions} == {"held_out", "person", "answer", "unknown", "length"}


def test_pairs_that_are_too_long_are_cut_on_the_right_and_none_is_dropped(
    kit: Any, place: Path, tmp_path: Path
) -> None:
    rows = pairs(4)
    rows[1]["rejected"][0]["content"] *= 40
    run = kit.trained(
        "reward", place / "base", written(tmp_path / "p.jsonl", rows), tmp_path / "r", steps=1, max_length=96
    )
    assert (run.examples, run.truncated, run.dropped) == (4, 1, 0)


@pytest.mark.parametrize("stage", ["rloo", "ppo"])
def test_at_its_first_step_a_policy_is_the_merged_sft_model(
    kit: Any, place: Path, tmp_path: Path, stage: Stage
) -> None:
    """KL = 0: the reference is what SFT has made, not what was below its adapter."""
    run = kit.trained(
        stage, place / "sft/model", place / "pairs.jsonl", tmp_path / "p", steps=2, reward=place / "reward", rate=0.05,
        ungated=True,
    )  # fmt: skip
    first, second = TrainingFolder(tmp_path / "p").rows()
    assert abs(first["kl"]) < 1e-5
    assert abs(second["kl"]) > 2e-5, "and then it moves"
    assert 0 < first["length"] <= 12
    assert math.isfinite(first["reward"])
    assert (run.step, run.ungated) == (2, True)
    assert run.gate is not None
    assert not run.gate.passed
    assert (tmp_path / "p/model/config.json").is_file()


def test_dpo_begins_at_the_merged_sft_model_too(kit: Any, place: Path, tmp_path: Path) -> None:
    kit.trained("dpo", place / "sft/model", place / "pairs.jsonl", tmp_path / "d", steps=2)
    first = TrainingFolder(tmp_path / "d").rows()[0]
    assert (first["reward"], first["margin"]) == (0, 0)
    assert first["loss"] == pytest.approx(math.log(2), abs=1e-4)


def test_the_reward_is_read_where_it_was_learnt_by_ppo_as_by_rloo(kit: Any, place: Path) -> None:
    """The same number from what PPO calls, from ours, and from the row on which it was trained."""
    example = read_examples([place / "pairs.jsonl"], "reward")[0][0]
    scorer = kit.scorer_of(place / "reward/model")
    ours = scorer.scores([scorer.of(example, example.chosen)])[0]
    assert kit.as_ppo_scores(place / "reward/model", example) == pytest.approx(ours, abs=1e-4)


def test_texts_that_are_read_together_have_the_scores_of_texts_alone(kit: Any, place: Path) -> None:
    """Answers to one prompt, a text within another, the same one twice, padding behind one, one beyond a tree's size.

    What each has alone is said by the model itself, without our scorer.
    """
    scorer, pad = kit.scorer_of(place / "reward/model"), kit.pad_of(place / "reward/model")
    prompts = [Example(prompt=(("user", words),)) for words in ("Who was late?", "Who was late again?", "so " * 600)]
    texts = [scorer.of(one, answer) for one in prompts for answer in ("The cook.", "The cook was.", "Nobody knows.")]
    texts += [texts[0][:-2], texts[4], [*texts[1], pad, pad]]
    alone = [kit.score_alone(place / "reward/model", text) for text in texts]
    assert len({round(one, 4) for one in alone}) > 6, "they do differ"
    assert scorer.scores(texts) == pytest.approx(alone, abs=1e-5)


def test_a_model_with_windows_or_without_rotation_is_given_one_text_at_a_time(kit: Any) -> None:
    def config(**more: Any) -> SimpleNamespace:
        return SimpleNamespace(**{"rope_parameters": {"rope_theta": 1e4}, "sliding_window": None, **more})

    assert kit.scoring.reads_trees(config())
    assert kit.scoring.reads_trees(config(layer_types=["full_attention"]))
    assert not kit.scoring.reads_trees(config(layer_types=["linear_attention", "full_attention"]))
    assert not kit.scoring.reads_trees(config(sliding_window=4096))
    assert not kit.scoring.reads_trees(SimpleNamespace())


def test_a_loss_that_is_no_number_stops_it_and_leaves_the_last_good_checkpoint(
    kit: Any, place: Path, tmp_path: Path
) -> None:
    with pytest.raises(Diverged, match=r"no number from step 2 on.*checkpoint-1\. Try a lower --rate"):
        kit.trained("sft", place / "base", place / "sft.jsonl", tmp_path / "n", rate=1e12, full=True, save_every=1)
    folder = TrainingFolder(tmp_path / "n")
    run, last = folder.run(), folder.last_checkpoint()
    assert run is not None
    assert last is not None
    assert run.state == "failed"
    assert kit.moments_are_numbers(last[1])


def test_a_training_that_was_broken_off_ends_as_one_that_was_not(kit: Any, place: Path, tmp_path: Path) -> None:
    """Stopped after its second step, and gone on with: the same rows and the same weights."""
    how: dict[str, Any] = {"steps": 4, "save_every": 2}
    kit.trained("sft", place / "base", place / "sft.jsonl", tmp_path / "whole", **how)
    with pytest.raises(KeyboardInterrupt):
        kit.interrupted("sft", place / "base", place / "sft.jsonl", tmp_path / "two", after=3, **how)
    told: list[dict[str, Any]] = []
    run = kit.trained("sft", place / "base", place / "sft.jsonl", tmp_path / "two", told, **how)
    assert run.attempts == (0, 2)
    assert told[0] == {"kind": "begun", "step": 2, "steps": 4}
    whole, two = (TrainingFolder(tmp_path / name).rows() for name in ("whole", "two"))
    assert [row["step"] for row in two] == [1, 2, 3, 4]
    assert [row["loss"] for row in whole] == pytest.approx([row["loss"] for row in two], rel=1e-4)
    assert kit.differ(tmp_path / "whole/model", tmp_path / "two/model") < 1e-4


def test_ppo_starts_again_from_its_last_merged_policy_and_says_so(kit: Any, place: Path, tmp_path: Path) -> None:
    how: dict[str, Any] = {"steps": 3, "save_every": 1, "reward": place / "reward", "ungated": True, "rate": 0.05}
    with pytest.raises(KeyboardInterrupt):
        kit.interrupted("ppo", place / "sft/model", place / "pairs.jsonl", tmp_path / "p", after=3, **how)
    assert [one.name for one in (tmp_path / "p/checkpoints").iterdir()] == ["merged-2"]
    told: list[dict[str, Any]] = []
    run = kit.trained("ppo", place / "sft/model", place / "pairs.jsonl", tmp_path / "p", told, **how)
    assert told[0]["text"] == run.note
    assert "it started again from its last merged policy, after step 2" in run.note
    rows = TrainingFolder(tmp_path / "p").rows()
    assert [row["step"] for row in rows] == [1, 2, 3]
    assert abs(rows[-1]["kl"]) > 1e-3, "the reference is still the SFT model"


def test_a_half_written_checkpoint_counts_for_nothing(tmp_path: Path) -> None:
    folder = TrainingFolder(tmp_path)
    for step, whole in ((2, True), (10, True), (12, False)):
        place = folder.checkpoints / f"checkpoint-{step}"
        place.mkdir(parents=True)
        if whole:
            (place / "complete").touch()
    assert folder.last_checkpoint() == (10, folder.checkpoints / "checkpoint-10")
    assert not (folder.checkpoints / "checkpoint-12").exists()


def test_a_base_without_a_chat_template_is_refused(kit: Any, place: Path, tmp_path: Path) -> None:
    tiny_base(tmp_path / "plain", template="")
    with pytest.raises(UsageError, match="has no chat template: take a base that was tuned for chat"):
        kit.trained("sft", tmp_path / "plain", place / "sft.jsonl", tmp_path / "out", steps=1)


def test_what_fits_no_more_into_a_step_is_refused(kit: Any, place: Path, tmp_path: Path) -> None:
    few = written(tmp_path / "few.jsonl", pairs(2))
    with pytest.raises(UsageError, match="2 different prompts, and a step takes 4: lower --batch"):
        kit.trained("ppo", place / "sft/model", few, tmp_path / "p", reward=place / "reward", steps=1)
    long = written(tmp_path / "long.jsonl", pairs(4))
    with pytest.raises(UsageError, match="leaves no room for an answer: raise --max-length"):
        kit.trained("sft", place / "base", written(long, statements(4)), tmp_path / "l", max_length=16, steps=1)


def test_a_folder_of_another_training_is_left_as_it_is(kit: Any, place: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds a finished training already"):
        kit.trained("sft", place / "base", place / "sft.jsonl", place / "sft", steps=3, rate=0.01)
    (tmp_path / "some.txt").touch()
    with pytest.raises(UsageError, match="holds something else already"):
        kit.trained("sft", place / "base", place / "sft.jsonl", tmp_path)
    run = json.loads((place / "sft/run.json").read_text())
    (tmp_path / "x").mkdir()
    (tmp_path / "x/run.json").write_text(json.dumps(run | {"state": "running"}))
    with pytest.raises(UsageError, match="another training, which differs in rate"):
        kit.trained("sft", place / "base", place / "sft.jsonl", tmp_path / "x", steps=3, rate=0.02)
