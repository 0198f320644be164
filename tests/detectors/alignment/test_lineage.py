"""Who made the pairs of a model, told from the folders of its trainings."""

from __future__ import annotations

import json
from pathlib import Path

from elenchus.detectors.alignment.lineage import is_taught_by_script, referees_of, simulated_in
from elenchus.detectors.alignment.report.gates import gates_of


def trained(
    folder: Path, *, referee: str = "", base: Path | None = None, reward: Path | None = None, **more: object
) -> Path:
    folder.mkdir()
    data = folder / "data.jsonl"
    data.write_text(json.dumps({"referee": referee}) + "\n" if referee else "")
    settings = {"stage": "x", "data": [str(data)], "base": str(base or "elsewhere"), "reward": reward and str(reward)}
    (folder / "run.json").write_text(json.dumps({"settings": settings, "data": [{"ungated": False}], **more}))
    (folder / "model").mkdir()
    return folder


def test_referees_are_found_through_all_trainings_and_the_reward_model(tmp_path: Path) -> None:
    sft = trained(tmp_path / "sft", referee="openai:a")
    reward = trained(tmp_path / "reward", referee="linear:b", base=sft / "model", gate={"passed": False})
    rloo = trained(tmp_path / "rloo", base=sft / "model", reward=reward / "model", gate={"passed": False})
    assert referees_of(f"local:{rloo / 'model.gguf'}") == {"openai:a", "linear:b"}
    assert referees_of(f"local:{sft / 'model'}") == {"openai:a"}
    assert gates_of([f"local:{rloo / 'model.gguf'}"]) == "judge passed, reward FAILED"


def test_that_a_script_said_what_was_trained_on_is_found_through_all_trainings(tmp_path: Path) -> None:
    sft = trained(tmp_path / "sft", referee="linear:b")
    assert not is_taught_by_script(f"local:{sft / 'model.gguf'}")
    row = {"referee": "linear:b", "chosen_speaker": "openai:a", "rejected_speaker": "scripted:t.yaml"}
    (sft / "data.jsonl").write_text(f"{json.dumps(row)}\n")
    dpo = trained(tmp_path / "dpo", referee="linear:b", base=sft / "model")
    assert is_taught_by_script(f"local:{dpo / 'model.gguf'}")
    assert simulated_in([("rldf", f"local:{dpo / 'model.gguf'}"), ("default", "local:x"), ("cot", "scripted:x")]) == {
        "rldf": "taught by a script",
        "cot": "a script",
    }


def test_what_is_no_training_of_ours_has_none(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("[]")
    assert referees_of(f"local:{tmp_path / 'model.gguf'}") == set()
    other: list[object] = [[1], {"data": []}, {"stage": "sft", "data": None}, {"stage": "sft", "data": [7]}]
    for settings in other:
        (tmp_path / "run.json").write_text(json.dumps({"settings": settings}))
        assert referees_of(f"local:{tmp_path / 'model.gguf'}") == set()
    assert referees_of("local:smollm2-135m") == referees_of("openai:gpt") == set()
    assert gates_of(["openai:gpt"]) == "none needed"
