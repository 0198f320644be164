"""What happens at each step of a trainer: a row of the log, a word on how far it is, and a stop where numbers end."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from transformers import TrainerCallback

from elenchus.detectors.alignment.training.curves import row_of
from elenchus.detectors.alignment.training.folder import COMPLETE, Diverged, Row, TrainingFolder
from elenchus.detectors.alignment.training.learning.models import finite


class Following(TrainerCallback):
    """Writes the log and marks whole checkpoints. `step` was reached before; if the trainer `counts_anew`, it is added.

    `also` measures what a trainer does not tell. Raises Diverged before anything that is no number is saved.
    """

    def __init__(self, folder: TrainingFolder, tell: Callable[[Row], None], step: int, *, counts_anew: bool) -> None:
        self._folder, self._tell, self._before = folder, tell, step if counts_anew else 0
        self.also: Callable[[], dict[str, float]] = dict
        last = (folder.rows() or [{}])[-1]
        self.last: dict[str, float] = {name: of for name, of in last.items() if name != "step"}
        self.step, self.steps = step, 0

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Say how many steps there are."""
        self.steps = self._before + state.max_steps
        self._tell({"kind": "begun", "step": self._before + state.global_step, "steps": self.steps})

    def on_log(self, args: Any, state: Any, control: Any, logs: Row | None = None, model: Any = None, **_: Any) -> None:
        """A row for a step; the trainer's summary at the end is none."""
        named = row_of(logs or {})
        if "loss" not in named:
            return
        self.step = self._before + state.global_step
        self._check(named, model)
        self.last = {**named, **self.also()}
        self._folder.add_row({"step": self.step, **self.last})
        self._tell({"kind": "step", "step": self.step, "steps": self.steps, **self.last})

    def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Mark the checkpoint: it was written to its end."""
        (Path(args.output_dir) / f"checkpoint-{state.global_step}" / COMPLETE).touch()

    def _check(self, named: dict[str, float], model: Any) -> None:
        trained = [one for one in model.parameters() if one.requires_grad] if model is not None else []
        if all(math.isfinite(value) for value in named.values()) and finite(trained):
            return
        kept = self._folder.last_checkpoint()
        told = f"the last good checkpoint is {kept[1]}" if kept else "there was no checkpoint yet"
        raise Diverged(
            f"The loss, or a weight, is no number from step {self.step} on, so that the training was stopped; {told}. "
            "Try a lower --rate, in another folder."
        )
