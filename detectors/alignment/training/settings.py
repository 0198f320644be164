"""What a training is told: its stage, base, data and numbers, with defaults by stage. Pure.

The paper's rates belong to full fine-tuning: 3e-5 for the reward model, 5e-6 for the policy. LoRA takes about ten times
as much ("LoRA Without Regret", Schulman et al. 2025), so these are ours by default: 3e-4 and 5e-5.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple, get_args

from pydantic import Field, model_validator

from elenchus.debate_engine.events import FrozenModel

Stage = Literal["sft", "reward", "ppo", "rloo", "dpo"]
STAGES: tuple[Stage, ...] = get_args(Stage)
Device = Literal["auto", "cpu", "cuda"]
POLICIES: frozenset[Stage] = frozenset({"ppo", "rloo"})
"""Stages of reinforcement learning: what they learn from is a reward model."""

MAX_LENGTH = 2_048
"""Tokens of prompt and answer; the paper cuts there, on the right."""
PAPER_RATES: dict[Stage, float] = {"sft": 3e-5, "reward": 3e-5, "ppo": 5e-6, "rloo": 5e-6, "dpo": 5e-6}
"""For full fine-tuning. The paper gives none for SFT (the reward model's is taken), and has neither RLOO nor DPO."""
LORA_RATES: dict[Stage, float] = {stage: 10 * rate for stage, rate in PAPER_RATES.items()}


class Defaults(NamedTuple):
    """By stage: examples a step (the paper: 32 for the reward model, 4 for PPO), of them at once, β of the KL."""

    batch: int
    micro_batch: int
    beta: float = 0.0
    checkpointing: bool = False


DEFAULTS: dict[Stage, Defaults] = {
    "sft": Defaults(32, 4),
    "reward": Defaults(32, 4),
    "ppo": Defaults(4, 4, 0.05),
    "rloo": Defaults(4, 4, 0.05),
    "dpo": Defaults(32, 4, 0.1, checkpointing=True),
}


class TrainingSettings(FrozenModel):
    """One training. Paths are absolute. `batch` is examples a step (RLOO: answers), in micro-batches of `micro_batch`.

    `steps` None is as many as `epochs` take. `generations`: answers to a prompt (RLOO). `tokens`: of an answer.
    """

    stage: Stage
    base: Path
    data: tuple[Path, ...] = Field(min_length=1)
    held_out: tuple[Path, ...] = ()
    reward: Path | None = None
    ungated: bool = False
    steps: int | None = Field(None, ge=1, le=10_000_000)
    epochs: float = Field(1.0, gt=0, le=100)
    batch: int = Field(ge=1, le=4_096)
    micro_batch: int = Field(ge=1, le=4_096)
    rate: float = Field(gt=0, le=1e12)
    full: bool = False
    lora_rank: int = Field(16, ge=1, le=1_024)
    beta: float = Field(0.0, ge=0, le=10)
    generations: int = Field(4, ge=2, le=64)
    tokens: int = Field(128, ge=4, le=MAX_LENGTH)
    max_length: int = Field(MAX_LENGTH, ge=16, le=131_072)
    seed: int = Field(0, ge=0, lt=2**31)
    device: Device = "auto"
    threads: int = Field(0, ge=0, le=1_024)
    save_every: int = Field(10, ge=1, le=10_000_000)
    checkpointing: bool = False

    @model_validator(mode="after")
    def _fits(self) -> TrainingSettings:
        """What numbers must be to each other. The sentences are shown as they are."""
        if self.batch % self.micro_batch:
            raise ValueError(f"--batch {self.batch} is no multiple of --micro-batch {self.micro_batch}: choose another")
        if self.stage == "rloo" and self.batch % self.generations:
            raise ValueError(
                f"--batch {self.batch} is no multiple of --generations {self.generations}: all answers to a prompt go "
                "into one step"
            )
        if self.stage in (*POLICIES, "dpo") and self.beta <= 0:
            raise ValueError("--beta must be above 0: without it nothing keeps the policy near the SFT model")
        if self.stage in POLICIES and self.reward is None:
            raise ValueError("--reward is missing: reinforcement learning needs the folder of a reward model")
        if self.stage in POLICIES and self.tokens >= self.max_length:
            raise ValueError(
                f"--tokens {self.tokens} leaves no room for a prompt within --max-length {self.max_length}"
            )
        return self

    @property
    def accumulation(self) -> int:
        """Micro-batches a step."""
        return self.batch // self.micro_batch


def rate_for(stage: Stage, *, full: bool) -> float:
    """The learning rate where none is given."""
    return (PAPER_RATES if full else LORA_RATES)[stage]
