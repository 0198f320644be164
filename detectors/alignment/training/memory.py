"""How much memory a training takes, told before it starts: an estimate, which NOTES.md holds to what was seen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from elenchus.debate_engine.errors import UsageError
from elenchus.detectors.alignment.training.base import config_of
from elenchus.detectors.alignment.training.data import Example
from elenchus.detectors.alignment.training.settings import Stage, TrainingSettings

LIBRARIES = 0.8e9
"""Bytes of torch and the rest, once imported."""
_MODELS: dict[Stage, int] = {"sft": 1, "reward": 1, "dpo": 1, "rloo": 2, "ppo": 3}
"""Copies of the weights: RLOO has the reward model beside the policy, PPO a value model, too."""
_TRAINED: dict[Stage, int] = {"sft": 1, "reward": 1, "dpo": 1, "rloo": 1, "ppo": 2}
"""Models whose layers are kept for the way back: PPO's value model learns, too."""
_LOGITS: dict[Stage, int] = {"sft": 3, "reward": 0, "dpo": 6, "rloo": 3, "ppo": 3}
"""Copies of what is said of each token of the vocabulary; DPO has the reference's beside its own."""
_SIDES: dict[Stage, int] = {"sft": 1, "reward": 2, "dpo": 2, "rloo": 1, "ppo": 1}
_CHARACTERS = 3.0
"""Of a token, at the least (English; other scripts have fewer, and are cut at `max_length` in any case)."""


def needed(settings: TrainingSettings, base: Path, examples: Sequence[Example]) -> float:
    """Bytes at the peak. Raises UsageError."""
    config = config_of(base)
    weights = weights_of(base)
    models = weights * _MODELS[settings.stage]
    if settings.full:
        models += 3 * weights  # gradients, and Adam's two moments
    tokens = settings.micro_batch * _SIDES[settings.stage] * longest(settings, examples)
    return LIBRARIES + models + tokens * per_token(config, settings)


def weights_of(base: Path) -> float:
    """Bytes of the weights in memory, which is four a number; files may hold fewer."""
    size = sum(file.stat().st_size for file in base.glob("*.safetensors"))
    stored = str(config_of(base).get("dtype") or config_of(base).get("torch_dtype") or "float32")
    return size * (2 if "16" in stored else 1)


def longest(settings: TrainingSettings, examples: Sequence[Example]) -> int:
    """Tokens of the longest example, by its characters."""
    answer = settings.tokens * _CHARACTERS if settings.stage in ("ppo", "rloo") else 0.0
    most = max(
        (
            sum(len(content) for _, content in one.prompt) + (answer or max(len(one.chosen), len(one.rejected)))
            for one in examples
        ),
        default=0,
    )
    return min(settings.max_length, int(most / _CHARACTERS) + 64)


def per_token(config: dict[str, Any], settings: TrainingSettings) -> float:
    """Bytes of what is kept for the way back, a token: of every layer, or with checkpointing its input alone."""
    hidden, layers = int(config.get("hidden_size", 4_096)), int(config.get("num_hidden_layers", 32))
    inner, vocabulary = int(config.get("intermediate_size", 4 * hidden)), int(config.get("vocab_size", 50_000))
    layer = 20 * hidden + 6 * inner
    kept = layers * hidden + layer if settings.checkpointing else layers * layer
    return 4.0 * (_TRAINED[settings.stage] * kept + _LOGITS[settings.stage] * vocabulary)


def available() -> float:
    """Bytes that this machine, or the container, still has. Blocks for a moment."""
    import psutil  # type: ignore[import-untyped, unused-ignore]

    free = float(psutil.virtual_memory().available)
    limit, used = (_number(Path("/sys/fs/cgroup") / name) for name in ("memory.max", "memory.current"))
    return free if limit is None or used is None else min(free, limit - used)


def _number(file: Path) -> float | None:
    try:
        return float(file.read_text())
    except (OSError, ValueError):  # no such file, or "max"
        return None


def check_memory(settings: TrainingSettings, base: Path, examples: Sequence[Example], free: float) -> float:
    """The bytes needed. Raises UsageError where there are fewer."""
    wanted = needed(settings, base, examples)
    if wanted > free:
        advice = "--micro-batch 1, a smaller --max-length" if settings.micro_batch > 1 else "a smaller --max-length"
        more = "" if settings.checkpointing else " or --gradient-checkpointing"
        raise UsageError(
            f"This training needs about {wanted / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB are free: give "
            f"{advice}{more}, or take a smaller base."
        )
    return wanted
