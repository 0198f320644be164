"""The folder of a training: what lies where, and what of it is good after a kill. Blocks: call it off the event loop.

```
run.json      what is trained how with what, how far it is, and how it ended
log.jsonl     a line a step
curves.png, curves.svg
checkpoints/  of TRL's trainers; one that was written to its end holds `complete`
model/        merged, a Hugging Face folder (a reward model: with its head)
model.gguf    F16, where the base came from a GGUF of the Llama layout
gate.json     the gate's verdict on a reward model
train.log     what the libraries said
```
"""

from __future__ import annotations

import json
import shutil
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Literal

from pydantic import AwareDatetime, ValidationError

from elenchus.debate_engine.errors import ElenchusError, StorageError, UsageError
from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.reports.files import write_all
from elenchus.detectors.alignment.training.data import DataFile
from elenchus.detectors.alignment.training.reward_gate import RewardVerdict
from elenchus.detectors.alignment.training.settings import TrainingSettings

RUN, LOG, CHECKPOINTS, MODEL, GGUF, GATE, CHATTER = (
    "run.json", "log.jsonl", "checkpoints", "model", "model.gguf", "gate.json", "train.log",
)  # fmt: skip
COMPLETE = "complete"
_FREE_TO_CHANGE = {"device", "threads", "save_every", "micro_batch", "checkpointing"}
"""Settings that another attempt at the same training may have otherwise."""

State = Literal["running", "finished", "failed"]
Row = dict[str, Any]


class Diverged(UsageError):
    """The loss, or a weight, is no number any more: a lower rate may help."""


class TrainingFailed(ElenchusError):
    """The process of a training has died, or its libraries raised what nobody foresaw; the same command goes on."""

    exit_code = 3


class TrainingRun(FrozenModel):
    """`run.json`. `dropped` must be 0; `truncated` counts examples that were cut on the right. `step` of `steps`.

    `attempts` are the steps at which it was begun or gone on with. `gate`: the verdict on the reward model that was
    trained, or that teaches. `ungated`: something in it has passed no gate. `seat`: the spec by which it sits.
    """

    state: State
    settings: TrainingSettings
    versions: dict[str, str]
    data: tuple[DataFile, ...]
    held_out: tuple[DataFile, ...] = ()
    examples: int
    dropped: int = 0
    truncated: int = 0
    device: str = ""
    step: int = 0
    steps: int = 0
    attempts: tuple[int, ...] = ()
    last: dict[str, float] = {}  # noqa: RUF012 - pydantic copies it
    seconds: float = 0.0
    peak_gb: float | None = None
    gate: RewardVerdict | None = None
    ungated: bool = False
    seat: str = ""
    note: str = ""
    failure: str = ""
    created: AwareDatetime


class TrainingFolder:
    """One training's folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.model, self.gguf, self.checkpoints = path / MODEL, path / GGUF, path / CHECKPOINTS

    def held(self) -> AbstractContextManager[Any]:
        """Inside, no other process trains into it. Raises StorageError."""
        from filelock import FileLock, Timeout

        lock = FileLock(self.path / ".lock", blocking=False)
        try:
            return lock.acquire()
        except Timeout:
            raise StorageError(
                f"Another process trains into {self.path}: wait for it, or choose another --out."
            ) from None

    def run(self) -> TrainingRun | None:
        """What stands in `run.json`, None where there is none. Raises UsageError."""
        try:
            return TrainingRun.model_validate_json((self.path / RUN).read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValidationError) as error:
            raise UsageError(f"{self.path / RUN} cannot be read: choose another folder for --out.") from error

    def write(self, run: TrainingRun) -> None:
        """Put `run.json` in place. Raises StorageError."""
        self.put(RUN, json.dumps(run.model_dump(mode="json"), indent=2, ensure_ascii=False).encode() + b"\n")

    def put(self, name: str, content: bytes) -> None:
        """Put a file in place, whole. Raises StorageError."""
        write_all(self.path, {name: content})

    def check(self, settings: TrainingSettings) -> TrainingRun | None:
        """An unfinished attempt at the same training, None in a new folder. Raises UsageError for anything else."""
        found = self.run()
        if found is None:
            if self.path.is_dir() and any(one.name not in (CHATTER, ".lock") for one in self.path.iterdir()):
                raise UsageError(f"The folder {self.path} holds something else already: choose another one for --out.")
            return None
        if found.state == "finished":
            raise UsageError(f"The folder {self.path} holds a finished training already: choose another one for --out.")
        old, new = found.settings.model_dump(), settings.model_dump()
        if changed := [name for name in new if old[name] != new[name] and name not in _FREE_TO_CHANGE]:
            raise UsageError(
                f"The folder {self.path} holds another training, which differs in {', '.join(changed)}: choose "
                "another one for --out."
            )
        return found

    # ── checkpoints ──────────────────────────────────────────────────────────────────────────────────────────────────

    def last_checkpoint(self) -> tuple[int, Path] | None:
        """The last one that was written to its end, with its step; what a kill left half-written is removed."""
        good: dict[int, Path] = {}
        for place in self.checkpoints.glob("*-*") if self.checkpoints.is_dir() else ():
            step = place.name.rpartition("-")[2]
            if (place / COMPLETE).exists() and step.isdigit():
                good[int(step)] = place
            else:
                shutil.rmtree(place, ignore_errors=True)
        return max(good.items()) if good else None

    def rows(self) -> list[Row]:
        """The log, a row a step."""
        if not (self.path / LOG).exists():
            return []
        lines = (self.path / LOG).read_text("utf-8").splitlines()
        return [json.loads(line) for line in lines if line.endswith("}")]  # a kill may leave half a line

    def keep_rows(self, until: int) -> None:
        """Leave the log's rows up to this step: what comes after it is done again."""
        kept = [row for row in self.rows() if row["step"] <= until]
        self.put(LOG, "".join(f"{json.dumps(row)}\n" for row in kept).encode())

    def add_row(self, row: Row) -> None:
        """Add one. Raises OSError."""
        with (self.path / LOG).open("a", encoding="utf-8") as file:
            file.write(f"{json.dumps(row)}\n")

    # ── what another training takes from it ──────────────────────────────────────────────────────────────────────────

    def verdict(self) -> RewardVerdict | None:
        """The gate's verdict on the reward model in it, None where there is none. Raises UsageError."""
        try:
            return RewardVerdict.model_validate_json((self.path / GATE).read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValidationError) as error:
            raise UsageError(
                f"{self.path / GATE} cannot be read: measure it anew with `elenchus rldf reward-gate`."
            ) from error


def verdict_on(reward: Path) -> RewardVerdict | None:
    """The gate's verdict on the reward model in this folder, or of the training it belongs to. Raises UsageError."""
    inside = TrainingFolder(reward).verdict()
    return inside if inside is not None or reward.name != MODEL else TrainingFolder(reward.parent).verdict()


def model_in(folder: Path) -> Path:
    """The Hugging Face folder that is meant: the `model/` of a training, or the folder itself. Raises UsageError."""
    inner = folder / MODEL
    found = inner if (inner / "config.json").is_file() else folder
    if not (found / "config.json").is_file():
        what = "its training is not finished" if (folder / RUN).exists() else "there is no config.json in it"
        raise UsageError(f"{folder} is no Hugging Face folder: {what}.")
    if not any(found.glob("*.safetensors")):
        if any(found.glob("*.bin")):
            raise UsageError(
                f"{folder}: its weights are a pickle (*.bin), which can run any program: take a copy as *.safetensors."
            )
        raise UsageError(f"{folder} has no weights (*.safetensors): fetch or copy the whole folder.")
    return found
