"""SFT, the reward model and DPO: what is learnt from examples as they are (sections 3.2 and 3.3 of the paper).

Examples are put into tokens and cut on the right before a trainer sees them: TRL's `RewardTrainer` *drops* longer ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from datasets import Dataset
from trl import DPOConfig, DPOTrainer, RewardConfig, RewardTrainer, SFTConfig, SFTTrainer

from elenchus.detectors.alignment.training.data import Example
from elenchus.detectors.alignment.training.folder import TrainingFolder
from elenchus.detectors.alignment.training.learning import models
from elenchus.detectors.alignment.training.learning.following import Following
from elenchus.detectors.alignment.training.settings import TrainingSettings


class Prepared(NamedTuple):
    """A trainer with how many of its examples were cut, and how many it left out."""

    trainer: Any
    truncated: int
    dropped: int


class Setting(NamedTuple):
    """What every trainer is made of. `arguments` are those that all of transformers' trainers take."""

    settings: TrainingSettings
    folder: TrainingFolder
    base: Path
    tokenizer: Any
    arguments: dict[str, Any]
    device: str
    following: Following


def sft(at: Setting, examples: Sequence[Example]) -> Prepared:
    """Learn statements of low bias; the loss is on the answer alone."""
    rows, cut = [], 0
    for one in examples:
        prompt = models.prompt_ids(at.tokenizer, one)
        ids, was_cut = models.joined(prompt, models.answer_ids(at.tokenizer, one.chosen), at.settings.max_length)
        rows.append({"input_ids": ids, "completion_mask": [0] * len(prompt) + [1] * (len(ids) - len(prompt))})
        cut += was_cut
    trainer = SFTTrainer(
        model=models.causal(at.base),
        args=SFTConfig(**at.arguments, max_length=None, completion_only_loss=True),
        train_dataset=Dataset.from_list(rows),
        processing_class=at.tokenizer,
        callbacks=[at.following],
        peft_config=models.lora(at.settings),
    )
    return _prepared(trainer, cut, len(rows))


def reward(at: Setting, examples: Sequence[Example]) -> Prepared:
    """Learn −log σ(R(x, chosen) − R(x, rejected)), with a linear head on the last token."""
    rows, cut = [], 0
    for one in examples:
        prompt = models.prompt_ids(at.tokenizer, one)
        sides = [
            models.joined(prompt, models.answer_ids(at.tokenizer, text), at.settings.max_length)
            for text in (one.chosen, one.rejected)
        ]
        rows.append({"chosen_ids": sides[0][0], "rejected_ids": sides[1][0]})
        cut += sides[0][1] or sides[1][1]
    trainer = RewardTrainer(
        model=models.reward(at.base, at.tokenizer.pad_token_id, at.settings.seed, new_head=True),
        args=RewardConfig(**at.arguments, max_length=at.settings.max_length),
        train_dataset=Dataset.from_list(rows),
        processing_class=at.tokenizer,
        callbacks=[at.following],
        peft_config=models.lora(at.settings),
    )
    return _prepared(trainer, cut, len(rows))


def dpo(at: Setting, examples: Sequence[Example]) -> Prepared:
    """Learn from pairs without a reward model, against the merged SFT model (Rafailov et al. 2023): the cheap way.

    The trainer puts conversations into tokens itself, and cuts them on the right.
    """
    rows, cut = [], 0
    for one in examples:
        prompt = models.prompt_ids(at.tokenizer, one)
        sides = (models.answer_ids(at.tokenizer, text) for text in (one.chosen, one.rejected))
        cut += any([models.joined(prompt, side, at.settings.max_length)[1] for side in sides])  # noqa: C419 - both are checked
        rows.append({
            "prompt": one.messages, "chosen": [{"role": "assistant", "content": one.chosen}],
            "rejected": [{"role": "assistant", "content": one.rejected}],
        })  # fmt: skip
    trainer = DPOTrainer(
        model=models.causal(at.base),
        args=DPOConfig(**at.arguments, max_length=at.settings.max_length, beta=at.settings.beta),
        train_dataset=Dataset.from_list(rows),
        processing_class=at.tokenizer,
        callbacks=[at.following],
        peft_config=models.lora(at.settings),
    )
    return _prepared(trainer, cut, len(rows))


def _prepared(trainer: Any, cut: int, examples: int) -> Prepared:
    return Prepared(trainer, cut, examples - len(trainer.train_dataset))
