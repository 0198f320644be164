from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from elenchus.debate_engine.errors import UsageError
from elenchus.detectors.alignment.training.curves import PANELS, curves, row_of, rows_and_columns
from elenchus.detectors.alignment.training.data import Example
from elenchus.detectors.alignment.training.memory import check_memory, needed
from elenchus.detectors.alignment.training.settings import (
    DEFAULTS,
    LORA_RATES,
    PAPER_RATES,
    STAGES,
    Stage,
    TrainingSettings,
)
from elenchus.service.cli.rldf.training import settings_of


def made(stage: Stage, **more: Any) -> TrainingSettings:
    return settings_of(stage, Path("/base"), {"data": [Path("x.jsonl")], **more})


def test_the_papers_rates_are_for_all_weights_and_lora_has_its_own() -> None:
    assert (PAPER_RATES["reward"], PAPER_RATES["ppo"]) == (3e-5, 5e-6)
    assert (made("reward").rate, made("reward", full=True).rate) == (LORA_RATES["reward"], 3e-5)
    assert all(LORA_RATES[stage] == pytest.approx(10 * PAPER_RATES[stage]) for stage in STAGES)
    assert (made("reward").batch, made("reward").max_length) == (32, 2_048)


@pytest.mark.parametrize(
    ("stage", "more", "said"),
    [
        (
            "rloo",
            {"reward": Path("r"), "batch": 6, "generations": 4, "micro_batch": 2},
            "no multiple of --generations 4",
        ),
        ("rloo", {"reward": Path("r"), "beta": 0.0}, "--beta must be above 0"),
        ("dpo", {"beta": 0.0}, "--beta must be above 0"),
        ("ppo", {}, "--reward is missing"),
        ("sft", {"batch": 5, "micro_batch": 2}, "--batch 5 is no multiple of --micro-batch 2"),
        ("sft", {"rate": float("nan")}, "--rate"),
        ("ppo", {"reward": Path("r"), "tokens": 64, "max_length": 64}, "leaves no room for a prompt"),
    ],
)
def test_numbers_that_do_not_fit_together_are_refused(
    stage: Stage, more: dict[str, Any], said: str, tmp_path: Path
) -> None:
    if "reward" in more:
        (tmp_path / "config.json").write_text("{}")
        (tmp_path / "model.safetensors").touch()
        more = more | {"reward": tmp_path}
    with pytest.raises(UsageError) as refused:
        made(stage, **more)
    assert said in str(refused.value)
    assert str(refused.value).endswith((".", ")."))


def test_settings_are_read_back_as_they_were_written() -> None:
    settings = made("dpo", seed=3)
    assert TrainingSettings.model_validate_json(settings.model_dump_json()) == settings
    with pytest.raises(ValidationError):
        TrainingSettings.model_validate(settings.model_dump() | {"more": 1})


# ── memory ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A folder that says that it holds a model of the embedded one's size."""
    (tmp_path / "config.json").write_text(
        '{"hidden_size": 576, "num_hidden_layers": 30, "intermediate_size": 1536, "vocab_size": 49152}'
    )
    with (tmp_path / "model.safetensors").open("wb") as file:
        file.truncate(538_090_408)
    return tmp_path


EXAMPLES = [Example(prompt=(("user", "x" * 300),), chosen="y" * 300, rejected="z" * 200)]


def test_too_little_memory_is_told_before_the_start(base: Path) -> None:
    with pytest.raises(
        UsageError, match=r"needs about \d\.\d GB of memory, and 1\.0 GB are free: give --micro-batch 1"
    ):
        check_memory(made("reward"), base, EXAMPLES, 1e9)
    assert check_memory(made("reward"), base, EXAMPLES, 64e9) > 1e9


def test_the_estimate_is_no_less_than_what_was_seen(base: Path) -> None:
    """Peaks of the embedded weights on the toy's data, four of up to 105 tokens at once; PPO was told 4.5, DPO 2.3."""
    one = Example(prompt=(("user", "x" * 175),), chosen="y" * 150, rejected="z" * 150)
    peaks: dict[Stage, float] = {"sft": 2.75, "reward": 3.57, "rloo": 2.87, "ppo": 5.23, "dpo": 2.87}
    for stage, seen in peaks.items():
        at = made("sft", micro_batch=4, max_length=256, tokens=48)
        at = at.model_copy(update={"stage": stage, "checkpointing": DEFAULTS[stage].checkpointing})
        assert seen <= needed(at, base, [one]) / 1e9 < 1.5 * seen, stage


def test_less_at_once_checkpoints_and_lora_need_less(base: Path) -> None:
    def of(stage: Stage, **more: Any) -> float:
        return needed(made(stage, **more), base, EXAMPLES)

    assert of("sft", micro_batch=1) < of("sft") < of("sft", full=True)
    assert of("dpo") < of("dpo", checkpointing=False)
    assert of("sft", max_length=64) < of("sft")


def test_the_kl_of_rloo_and_of_ppo_is_that_of_an_answer() -> None:
    """RLOO's trainer divides it by the tokens, PPO's does not."""
    rloo = {"loss": 0.0, "reward": 1.0, "kl": 0.01, "completions/mean_length": 30.0, "entropy": 1.0}
    ppo = {"loss/policy_avg": 0.0, "objective/scores": 1.0, "objective/kl": 0.3}
    assert row_of(rloo) == {"loss": 0, "reward": 1, "kl": pytest.approx(0.3), "length": 30}
    assert row_of(ppo) == {"loss": 0, "reward": 1, "kl": 0.3}


def test_every_curve_is_drawn_and_no_title_stands_upon_another() -> None:
    """Four side by side had no room for "loss (about 0 by construction)", and a fifth was left out."""
    assert [rows_and_columns(n) for n in (1, 3, 4, 5)] == [(1, 1), (1, 3), (2, 2), (2, 3)]
    rows = [{"step": n} | dict.fromkeys(PANELS, n / 2) for n in (1, 2)]
    (picture,) = curves(rows, made("sft"))
    assert all(f"{title} 0.5 at step 1" in picture.alt for title in PANELS.values())
