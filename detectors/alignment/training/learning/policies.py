"""PPO and RLOO: a policy learns from the reward model, kept near the merged SFT model by a KL (section 3.4).

Both start from the *merged* SFT model: TRL's reference is the base below the adapter, and the KL is against that.
"""

from __future__ import annotations

import copy
import math
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from datasets import Dataset
from peft import inject_adapter_in_model
from transformers import TrainerCallback
from trl import RLOOConfig, RLOOTrainer
from trl.experimental.ppo import PPOConfig, PPOTrainer

from elenchus.debate_engine.errors import UsageError
from elenchus.detectors.alignment.training.data import Example, prompts_of
from elenchus.detectors.alignment.training.folder import COMPLETE
from elenchus.detectors.alignment.training.learning import models
from elenchus.detectors.alignment.training.learning.scoring import Scorer
from elenchus.detectors.alignment.training.learning.supervised import Prepared, Setting
from elenchus.detectors.alignment.training.settings import TrainingSettings

TEMPERATURE = 1.0
"""At which answers are drawn: the KL is then that of the models as they are."""


def rloo(at: Setting, examples: Sequence[Example]) -> Prepared:
    """REINFORCE with the other answers' mean as baseline (Ahmadian et al. 2024).

    Its loss is about 0 by construction: reward, KL and length say what happens.
    """
    rows = _prompts(at, examples)
    assert at.settings.reward is not None
    scorer = Scorer(at.settings.reward, at.tokenizer, at.settings.max_length, at.device)

    def reward(prompts: list[Any], completions: list[Any], completion_ids: list[list[int]], **_: Any) -> list[float]:
        """Scores of whole texts, in the form in which the reward model has learnt them."""
        asked = [Example(prompt=tuple((m["role"], m["content"]) for m in prompt)) for prompt in prompts]
        return scorer.scores([
            models.prompt_ids(at.tokenizer, one) + ids for one, ids in zip(asked, completion_ids, strict=True)
        ])  # fmt: skip

    trainer = RLOOTrainer(
        model=models.causal(at.base),
        reward_funcs=[reward],
        args=RLOOConfig(
            **at.arguments, beta=at.settings.beta, num_generations=at.settings.generations, temperature=TEMPERATURE,
            max_completion_length=at.settings.tokens,
        ),
        train_dataset=Dataset.from_list([{"prompt": one.messages} for one in rows]),
        processing_class=at.tokenizer,
        callbacks=[at.following],
        peft_config=models.lora(at.settings),
    )  # fmt: skip
    return Prepared(trainer, 0, len(rows) - len(trainer.train_dataset))


def ppo(at: Setting, examples: Sequence[Example], start: Path) -> Prepared:
    """Proximal policy optimisation, as the paper does it. `start` is a merged policy.

    `PPOTrainer.train()` cannot go on with a checkpoint: a run that was stopped starts again from its last merged
    policy, and the reference stays the SFT model.
    """
    rows, pad = _prompts(at, examples), at.tokenizer.pad_token_id
    settings = at.settings
    steps = settings.steps or max(1, math.ceil(settings.epochs * len(rows) / settings.batch))
    assert settings.reward is not None
    again = start != at.base
    watched = models.reward(settings.reward, pad, settings.seed)
    trainer = PPOTrainer(
        args=PPOConfig(
            **at.arguments, kl_coef=settings.beta, response_length=settings.tokens, temperature=TEMPERATURE,
            stop_token_id=at.tokenizer.eos_token_id, num_sample_generations=0,
            local_rollout_forward_batch_size=settings.micro_batch,
            total_episodes=(steps - at.following.step) * settings.batch,
        ),
        processing_class=at.tokenizer,
        model=models.causal(start),
        ref_model=models.causal(at.base) if again else None,
        reward_model=watched,
        value_model=_value_model(settings, pad),
        train_dataset=Dataset.from_list([{"input_ids": models.prompt_ids(at.tokenizer, one)} for one in rows]),
        callbacks=[at.following, KeepPolicies(at)],
        peft_config=models.lora(settings),
    )  # fmt: skip
    trainer.dataloader = lengths = _Lengths(trainer.dataloader, watched)
    at.following.also = lengths.take
    return Prepared(trainer, 0, len(rows) - trainer.train_dataset_len)


def _prompts(at: Setting, examples: Sequence[Example]) -> list[Example]:
    """Each prompt once; each leaves room for an answer. Raises UsageError."""
    found, at_once = prompts_of(examples), at.settings.batch
    if at.settings.stage == "rloo":
        at_once //= at.settings.generations
    if len(found) < at_once:
        raise UsageError(f"There are {len(found)} different prompts, and a step takes {at_once}: lower --batch.")
    for one in found:
        models.joined(models.prompt_ids(at.tokenizer, one), [0] * at.settings.tokens, at.settings.max_length)
    return found


def _value_model(settings: TrainingSettings, pad: int) -> Any:
    """What learns to foretell the reward: begins as the reward model; with LoRA its layers have adapters, too."""
    assert settings.reward is not None
    model = models.reward(settings.reward, pad, settings.seed)
    if (config := models.lora(settings)) is not None:
        inject_adapter_in_model(config, model)  # in place: the trainer looks for the layers under their own names
        for name, weight in model.named_parameters():
            weight.requires_grad_("lora_" in name or name.startswith("score"))
    return model


class _Lengths:
    """Measures the answers that the reward model is shown, as the trainer tells no lengths. Gives its batches.

    (What pads a batch would not know which one is at work: the next one is made ahead.)
    """

    def __init__(self, batches: Any, reward_model: Any) -> None:
        self._batches, self._width, self._found = batches, 0, list[float]()
        getattr(reward_model, reward_model.base_model_prefix).register_forward_pre_hook(self._look, with_kwargs=True)

    def __iter__(self) -> Iterator[Any]:
        for batch in self._batches:
            self._width = batch["input_ids"].shape[1]
            yield batch

    def _look(self, module: Any, args: Any, kwargs: dict[str, Any]) -> None:
        self._found += kwargs["attention_mask"][:, self._width :].sum(1).float().tolist()

    def take(self) -> dict[str, float]:
        """The mean length, in tokens with the end, since it was last asked."""
        found, self._found = self._found, []
        return {"length": sum(found) / len(found)} if found else {}


class KeepPolicies(TrainerCallback):
    """Writes the merged policy every so many steps, from where a stopped run of PPO starts again."""

    def __init__(self, at: Setting) -> None:
        self._at = at

    def on_step_end(self, args: Any, state: Any, control: Any, model: Any = None, **_: Any) -> None:
        """At the end of a step; what was kept before goes."""
        if state.global_step % self._at.settings.save_every or state.global_step >= state.max_steps:
            return
        earlier = self._at.folder.last_checkpoint()
        place = self._at.folder.checkpoints / f"merged-{self._at.following.step}"
        models.save(models.merged(copy.deepcopy(model.policy)), self._at.tokenizer, self._at.base, place)
        (place / COMPLETE).touch()
        if earlier is not None and earlier[1] != place:
            shutil.rmtree(earlier[1])
