"""Trainings in this process, and what tests look at afterwards. Imports torch, transformers and TRL."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer
from trl.experimental.utils import get_reward

from elenchus.detectors.alignment.training.data import Example
from elenchus.detectors.alignment.training.folder import TrainingRun
from elenchus.detectors.alignment.training.learning import models, scoring
from elenchus.detectors.alignment.training.learning.training import arguments, train
from elenchus.detectors.alignment.training.settings import Stage
from elenchus.service.cli.rldf.training import settings_of

__all__ = ["arguments", "models", "scoring"]

Told = list[dict[str, Any]]


def trained(stage: Stage, base: Path, data: Path, out: Path, told: Told | None = None, **more: Any) -> TrainingRun:
    """A training."""
    out.mkdir(exist_ok=True)
    typed = {"data": [data], "device": "cpu", "batch": 4, "tokens": 12, **more}
    settings = settings_of(stage, base, typed)
    work = {"settings": settings.model_dump(mode="json"), "out": str(out)}
    tell: Callable[[dict[str, Any]], None] = (told if told is not None else []).append
    return TrainingRun.model_validate(train(work, tell)["run"])


def interrupted(stage: Stage, base: Path, data: Path, out: Path, after: int, **more: Any) -> None:
    """A training whose process is interrupted when it tells of this step."""

    class Interrupting(list[dict[str, Any]]):
        def append(self, message: dict[str, Any]) -> None:
            if message.get("kind") == "step" and message["step"] == after:
                raise KeyboardInterrupt

    trained(stage, base, data, out, Interrupting(), **more)


def logits_of(folder: Path, text: str = "Some people differ.") -> torch.Tensor:
    """What a model says of each next token."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    with torch.no_grad():
        return AutoModelForCausalLM.from_pretrained(folder)(**tokenizer(text, return_tensors="pt")).logits  # type: ignore[no-any-return]


def differ(first: Path, second: Path) -> float:
    """The most that two models differ by."""
    return float((logits_of(first) - logits_of(second)).abs().max())


def scorer_of(model: Path) -> scoring.Scorer:
    """Our scorer of a reward model."""
    return scoring.Scorer(model, models.tokenizer_of(model), 2_048, "cpu")


def pad_of(model: Path) -> int:
    """The token that pads."""
    return int(models.tokenizer_of(model).pad_token_id)


def score_alone(model: Path, text: list[int]) -> float:
    """What a reward model says of one text by itself."""
    loaded = models.reward(model, pad_of(model), 0).eval()
    with torch.no_grad():
        return float(loaded(input_ids=torch.tensor([text])).logits[0, 0])


def as_ppo_scores(model: Path, example: Example) -> float:
    """The number that PPO has for a chosen answer, between padding on both sides."""
    tokenizer = models.tokenizer_of(model)
    pad = tokenizer.pad_token_id
    assert pad != tokenizer.eos_token_id
    prompt, answer = models.prompt_ids(tokenizer, example), models.answer_ids(tokenizer, example.chosen)
    loaded = models.reward(model, pad, 0).eval()
    with torch.no_grad():
        padded = torch.tensor([[pad] * 3 + prompt + answer + [pad] * 4])
        return float(get_reward(loaded, padded, pad, 3 + len(prompt))[1])


def moments_are_numbers(checkpoint: Path) -> bool:
    """Whether the optimizer in a checkpoint holds numbers."""
    state = torch.load(checkpoint / "optimizer.pt", weights_only=False)["state"]
    return all(bool(torch.isfinite(one["exp_avg"]).all()) for one in state.values())
