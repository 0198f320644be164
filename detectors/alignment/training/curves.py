"""How a training went, by step: what trainers call what, and the curves of loss, reward, KL and length. Blocks to draw.

The KL of all stages is in nats an answer, as the reward is reduced by it: the mean over answers of log p − log q, each
summed over its tokens. It is an estimate from what was drawn, and may fall below 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from elenchus.debate_engine.reports import canvas
from elenchus.detectors.alignment.training.folder import Row
from elenchus.detectors.alignment.training.settings import POLICIES, TrainingSettings

NAMES = {
    "loss": "loss", "loss/policy_avg": "loss",
    "reward": "reward", "objective/scores": "reward", "mean_reward": "reward", "rewards/chosen": "reward",
    "kl": "kl", "objective/kl": "kl",
    "completions/mean_length": "length", "length": "length",
    "accuracy": "accuracy", "rewards/accuracies": "accuracy", "mean_token_accuracy": "accuracy",
    "margin": "margin", "rewards/margins": "margin", "grad_norm": "gradient", "learning_rate": "rate", "lr": "rate",
    "val/num_eos_tokens": "ended", "completions/clipped_ratio": "cut",
}  # fmt: skip
"""What trainers call what, and what it is called in the log and in the curves."""

PANELS = {
    "loss": "loss", "reward": "reward", "kl": "KL to the SFT model (nats an answer)", "length": "length (tokens)",
    "accuracy": "accuracy",
}  # fmt: skip
"""What is drawn, in this order, under these titles."""
_WIDE = 3
"""Panels that have room for their titles side by side."""
_WINDOW = 5
"""Steps over which the thick line is averaged."""
_ABOUT_NOUGHT = "loss (about 0 by construction)"


def row_of(logs: Mapping[str, Any]) -> Row:
    """A trainer's figures of a step under our names. RLOO tells its KL for a token, PPO for an answer: see above."""
    row = {NAMES[name]: float(value) for name, value in logs.items() if name in NAMES}
    if "kl" in logs and "completions/mean_length" in logs:
        row["kl"] *= row["length"]
    return row


def curves(rows: Sequence[dict[str, Any]], settings: TrainingSettings) -> list[canvas.Picture]:
    """The picture; none without a step."""
    names = [name for name in PANELS if any(name in row for row in rows)]
    if not names:
        return []
    title = f"Training: {settings.stage}"
    under = f"{len(rows)} steps of {settings.batch}, rate {settings.rate:g}, seed {settings.seed}" + (
        f", β {settings.beta:g}" if settings.stage in (*POLICIES, "dpo") else ""
    )
    with canvas.drawing():
        figure = canvas.slide()
        canvas.headed(figure, title, under)
        grid = iter(figure.subplots(*rows_and_columns(len(names)), squeeze=False).flat)
        for name, axes in zip(names, grid, strict=False):
            _panel(axes, rows, name, _ABOUT_NOUGHT if (settings.stage, name) == ("rloo", "loss") else PANELS[name])
        for axes in grid:
            axes.set_axis_off()
        return [canvas.rendered(figure, "curves", f"{title}: {'; '.join(_in_words(rows, n) for n in names)}.")]


def rows_and_columns(panels: int) -> tuple[int, int]:
    """How so many are laid out, so that no title stands upon another."""
    return (1, panels) if panels <= _WIDE else (2, math.ceil(panels / 2))


def _panel(axes: Any, rows: Sequence[dict[str, Any]], name: str, title: str) -> None:
    from matplotlib.ticker import MaxNLocator

    points = _points(rows, name)
    steps, values = [step for step, _ in points], [value for _, value in points]
    canvas.plain_axes(axes)
    axes.plot(steps, values, color=canvas.FAINT, linewidth=1, marker="o", markersize=4 if len(points) < 40 else 0)
    means = [sum(part) / len(part) for n in range(len(values)) if (part := values[max(0, n - _WINDOW + 1) : n + 1])]
    axes.plot(steps, means, color=canvas.PRO, linewidth=3)
    axes.set_title(title, fontsize=16, loc="left")
    axes.set_xlabel("step")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=4))


def _points(rows: Sequence[dict[str, Any]], name: str) -> list[tuple[int, float]]:
    return [(row["step"], row[name]) for row in rows if name in row]


def _in_words(rows: Sequence[dict[str, Any]], name: str) -> str:
    points = _points(rows, name)
    return f"{PANELS[name]} {points[0][1]:.3g} at step {points[0][0]}, {points[-1][1]:.3g} at step {points[-1][0]}"
