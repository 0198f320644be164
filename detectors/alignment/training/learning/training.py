"""One training from its settings to its folder: read, check, train, merge, write, tell. Blocks for minutes to hours."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch  # type: ignore[import-not-found, unused-ignore]
from transformers import set_seed

from elenchus.debate_engine import events
from elenchus.debate_engine.errors import UsageError
from elenchus.detectors.alignment.training.base import is_llama, source_of
from elenchus.detectors.alignment.training.curves import curves
from elenchus.detectors.alignment.training.data import DataFile, Example, read_examples
from elenchus.detectors.alignment.training.folder import (
    GATE,
    Diverged,
    TrainingFailed,
    TrainingFolder,
    TrainingRun,
    verdict_on,
)
from elenchus.detectors.alignment.training.learning import models, policies, supervised
from elenchus.detectors.alignment.training.learning.conversion import write_gguf
from elenchus.detectors.alignment.training.learning.following import Following
from elenchus.detectors.alignment.training.learning.scoring import Scorer, verdict_of
from elenchus.detectors.alignment.training.learning.supervised import Prepared, Setting
from elenchus.detectors.alignment.training.memory import check_memory
from elenchus.detectors.alignment.training.process import PACKAGES
from elenchus.detectors.alignment.training.settings import MAX_LENGTH, TrainingSettings

Tell = Callable[[dict[str, Any]], None]

RESTARTED = (
    "PPO cannot go on with a checkpoint: it started again from its last merged policy, after step {step}; the value "
    "model and the optimizer began anew."
)


def train(work: dict[str, Any], tell: Tell) -> dict[str, Any]:
    """Train as `work` says, or go on with it; `run.json` at its end. Raises UsageError, StorageError, Diverged."""
    settings = TrainingSettings.model_validate(work["settings"])
    folder = TrainingFolder(Path(work["out"]))
    with folder.held():
        return {"run": _trained(settings, folder, tell).model_dump(mode="json")}


def _trained(settings: TrainingSettings, folder: TrainingFolder, tell: Tell) -> TrainingRun:
    """Begin or go on, to the end."""
    examples, files = read_examples(settings.data, settings.stage)
    began, device = time.monotonic(), models.device_of(settings.device)
    if device == "cuda":
        check_memory(settings, settings.base, examples, torch.cuda.mem_get_info()[0])
    run, reached = _begun(settings, folder, examples, files)
    folder.write(run := run.model_copy(update={"device": device}))
    folder.keep_rows(run.step)
    if run.note:
        tell({"kind": "told", "text": run.note})
    at = _setting(run, folder, tell)
    try:
        prepared = _prepared(at, examples, reached)
        run = run.model_copy(update={"truncated": prepared.truncated, "dropped": prepared.dropped})
        if prepared.dropped:
            raise TrainingFailed(f"{prepared.dropped} examples would be left out: nothing was trained.")
        if settings.stage == "ppo":
            prepared.trainer.train()
        else:
            prepared.trainer.train(resume_from_checkpoint=str(reached) if reached else None)
    except Diverged as error:
        folder.write(run.model_copy(update={"state": "failed", "failure": str(error), **_reached(at, run, began)}))
        raise
    return _finished(at, prepared, run.model_copy(update=_reached(at, run, began)), tell)


def _begun(
    settings: TrainingSettings, folder: TrainingFolder, examples: list[Example], files: list[DataFile]
) -> tuple[TrainingRun, Path | None]:
    """The run as it begins, with the checkpoint that it goes on from. Raises UsageError."""
    earlier = folder.check(settings)
    if earlier is not None and [one.sha256 for one in earlier.data] != [one.sha256 for one in files]:
        raise UsageError(f"The data have changed since the training in {folder.path} began: choose another --out.")
    step, reached = (folder.last_checkpoint() if earlier else None) or (0, None)
    run = TrainingRun(
        state="running", settings=settings, versions=versions(), data=tuple(files), examples=len(examples), step=step,
        attempts=(*(earlier.attempts if earlier else ()), step), created=earlier.created if earlier else events.now(),
        gate=verdict_on(settings.reward) if settings.reward else None,
        ungated=settings.ungated or any(one.ungated for one in files), seconds=earlier.seconds if earlier else 0.0,
        note=RESTARTED.format(step=step) if step and settings.stage == "ppo" else "",
    )  # fmt: skip
    return run, reached


def _finished(at: Setting, prepared: Prepared, run: TrainingRun, tell: Tell) -> TrainingRun:
    """Merge, write the model in both forms, draw the curves, and for a reward model pass its gate."""
    folder, settings = at.folder, at.settings
    tell({"kind": "told", "text": "merging and writing the model"})
    trained = prepared.trainer.model
    trained = getattr(trained, "policy", trained)
    model = models.merged(trained).to(dtype=torch.float32)
    models.save(model, at.tokenizer, at.base, folder.model)
    seat = ""
    if settings.stage != "reward":
        source = source_of(at.base)
        if source is not None and is_llama(folder.model):
            write_gguf(folder.model, source.gguf, folder.gguf)
        seat = f"local:{folder.gguf if source and is_llama(folder.model) else folder.model}"
    verdict, held_out = run.gate, run.held_out
    if settings.stage == "reward":
        tell({"kind": "told", "text": "the gate: held-out pairs and counterfactual questions"})
        pairs, files = read_examples(settings.held_out, "reward") if settings.held_out else ([], [])
        scorer = Scorer(folder.model, at.tokenizer, max(settings.max_length, MAX_LENGTH), at.device)
        verdict, held_out = verdict_of(scorer, pairs, files), tuple(files)
        folder.put(GATE, verdict.model_dump_json(indent=2).encode())
    for picture in curves(folder.rows(), settings):
        folder.put(f"{picture.name}.png", picture.png)
        folder.put(f"{picture.name}.svg", picture.svg)
    done = run.model_copy(update={
        "state": "finished", "gate": verdict, "held_out": held_out, "seat": seat, "peak_gb": peak(),
    })  # fmt: skip
    folder.write(done)
    return done


def _reached(at: Setting, run: TrainingRun, began: float) -> dict[str, Any]:
    """How far the trainer came."""
    return {
        "step": at.following.step, "steps": at.following.steps, "last": at.following.last,
        "seconds": round(run.seconds + time.monotonic() - began, 1), "peak_gb": peak(),
    }  # fmt: skip


def _setting(run: TrainingRun, folder: TrainingFolder, tell: Tell) -> Setting:
    """What the trainer is made of. One of PPO's that starts again draws other prompts than it has had."""
    settings = run.settings
    if settings.stage == "ppo":
        settings = settings.model_copy(update={"seed": settings.seed + run.step})
    return Setting(
        settings=settings, folder=folder, base=settings.base, tokenizer=models.tokenizer_of(settings.base),
        arguments=arguments(settings, folder, run.device), device=run.device,
        following=Following(folder, tell, run.step, counts_anew=settings.stage == "ppo"),
    )  # fmt: skip


def _prepared(at: Setting, examples: list[Example], reached: Path | None) -> Prepared:
    set_seed(at.settings.seed)  # the adapter is drawn before any trainer sets it
    match at.settings.stage:
        case "sft":
            return supervised.sft(at, examples)
        case "reward":
            return supervised.reward(at, examples)
        case "dpo":
            return supervised.dpo(at, examples)
        case "rloo":
            return policies.rloo(at, examples)
    return policies.ppo(at, examples, reached or at.base)


def arguments(settings: TrainingSettings, folder: TrainingFolder, device: str) -> dict[str, Any]:
    """What all trainers take. TRL's own defaults would want bfloat16 and a GPU, and tell services on the web."""
    cuda = device == "cuda"
    given: dict[str, Any] = {
        "output_dir": str(folder.checkpoints),
        "per_device_train_batch_size": settings.micro_batch,
        "gradient_accumulation_steps": settings.accumulation,
        "learning_rate": settings.rate,
        "num_train_epochs": settings.epochs,
        "gradient_checkpointing": settings.checkpointing,
        "bf16": cuda and torch.cuda.is_bf16_supported(),
        "use_cpu": not cuda,
        "seed": settings.seed,
        "logging_steps": 1,
        "logging_nan_inf_filter": False,
        "report_to": "none",
        "disable_tqdm": True,
        "dataloader_pin_memory": cuda,
        "save_strategy": "no",
    }
    if settings.stage != "ppo":
        given |= {"save_strategy": "steps", "save_steps": settings.save_every, "save_total_limit": 2}
        given |= {} if settings.steps is None else {"max_steps": settings.steps}
    return given


def versions() -> dict[str, str]:
    """Of all that the numbers depend on."""
    return {"elenchus": version("elenchus"), "python": sys.version.split()[0]} | {
        name: version(name) for name in PACKAGES
    }


def peak() -> float | None:
    """The most memory that this process had, in GB, where the system says."""
    if torch.cuda.is_available() and torch.cuda.max_memory_allocated():
        return round(torch.cuda.max_memory_allocated() / 1e9, 2)
    try:
        import resource
    except ImportError:
        return None
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(used * (1 if sys.platform == "darwin" else 1024) / 1e9, 2)
