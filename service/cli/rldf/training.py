"""`elenchus rldf base`, `train` and `reward-gate`: what was typed, checked; a process of its own does the work."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from elenchus.config.bias_type_catalogue import subject_of
from elenchus.config.validation import fault_told
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.llm.weights import SMOLLM2, locate
from elenchus.debate_engine.reports.files import check_folder
from elenchus.detectors.alignment.training.base import remove_unfinished
from elenchus.detectors.alignment.training.data import read_examples
from elenchus.detectors.alignment.training.folder import TrainingFolder, TrainingRun, model_in, verdict_on
from elenchus.detectors.alignment.training.memory import available, check_memory
from elenchus.detectors.alignment.training.process import check_packages, trained, worked
from elenchus.detectors.alignment.training.reward_gate import RewardVerdict
from elenchus.detectors.alignment.training.settings import (
    DEFAULTS,
    MAX_LENGTH,
    POLICIES,
    STAGES,
    Stage,
    TrainingSettings,
    rate_for,
)
from elenchus.service.cli import context, failures
from elenchus.service.cli.output import CommandOutput
from elenchus.service.cli.progress import Remaining, in_words
from elenchus.service.cli.tables import WordTable

if TYPE_CHECKING:
    from collections.abc import Mapping

LOCAL = "local:"
TOLD_EVERY = 5.0
"""Seconds between two words about how far a training is."""


# ── a base ───────────────────────────────────────────────────────────────────────────────────────────────────────────


async def convert(model: str, folder: Path, out: CommandOutput) -> int:
    """Write local weights as a Hugging Face folder; the exit code. Raises UsageError, ProviderError, StorageError."""
    check_packages()
    source = await asyncio.to_thread(locate, model.removeprefix(LOCAL), context.settings().models_dir)
    if source.suffix.lower() != ".gguf":
        raise UsageError(f"{model} is a Hugging Face folder already: give it as --base.")
    done = await _converted(source, _new(folder), out)
    out.document(done)
    if not out.json:
        out.line(f"{done['parameters']:,} parameters in {done['folder']}")
    return failures.OK


async def _converted(source: Path, folder: Path, out: CommandOutput) -> dict[str, Any]:
    check_folder(folder.parent)
    if freed := await asyncio.to_thread(remove_unfinished, folder):
        out.tell(f"removed what an earlier conversion that was killed has left there ({freed / 1e6:,.0f} MB)")
    out.tell(f"converting {source.name}")
    work = {"work": "base", "gguf": str(source), "out": str(folder)}
    done = await worked(work, context.settings().models_dir, lambda _: None)
    return {name: value for name, value in done.items() if name != "kind"}


async def base_of(given: str, out: CommandOutput) -> Path:
    """The Hugging Face folder that is meant by `--base`; local weights are converted once. Raises UsageError."""
    if given and not given.startswith(LOCAL):
        return model_in(absolute(given))
    model, models_dir = given.removeprefix(LOCAL) or SMOLLM2.name, context.settings().models_dir
    source = await asyncio.to_thread(locate, model, models_dir)
    if source.suffix.lower() != ".gguf":
        return model_in(source)
    folder = models_dir / "bases" / _named(source)
    if not is_there(folder):
        await _converted(source, folder, out)
    return model_in(folder)


def _named(source: Path) -> str:
    """Where a file's weights are kept: another file, or a newer one, is kept apart."""
    state = source.stat()
    told = f"{source} {state.st_size} {state.st_mtime_ns}"
    return f"{source.stem}-{hashlib.sha256(told.encode()).hexdigest()[:8]}"


def absolute(path: Path | str) -> Path:
    """A path as it was typed, for another process."""
    return Path(path).expanduser().absolute()


def is_there(folder: Path) -> bool:
    """Whether something is."""
    return folder.exists()


def _new(folder: Path) -> Path:
    if is_there(absolute(folder)):
        raise UsageError(f"{folder} is there already: choose another place for --out.")
    return absolute(folder)


# ── a training ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def train(
    stage: str, base: str, folder: Path, typed: Mapping[str, Any], out: CommandOutput, *, ungated: bool
) -> int:
    """Train, tell how far it is, and show how it ended; the exit code. Raises UsageError, StorageError."""
    if stage not in STAGES:
        raise UsageError(f"There is no training {stage!r}: take one of {', '.join(STAGES)}.")
    check_packages()
    check_folder(folder)
    path = absolute(folder)
    said = settings_of(stage, Path(base), {**typed, "ungated": ungated})  # numbers before any file is looked for
    settings = said.model_copy(update={"base": await base_of(base, out)})
    await asyncio.to_thread(TrainingFolder(path).check, settings)
    _refuse_ungated(settings, out)
    await asyncio.to_thread(_check, settings, out)
    run = await trained(settings, path, _TrainingProgress(out))
    _show(run, path, out)
    return failures.OK


def settings_of(stage: Stage, base: Path, typed: Mapping[str, Any]) -> TrainingSettings:
    """The settings with the stage's defaults where nothing was typed. Raises UsageError."""
    known, full = DEFAULTS[stage], bool(typed.get("full"))
    given = {name: value for name, value in typed.items() if value is not None}
    reward = given.pop("reward", None)
    defaults: dict[str, Any] = {
        "batch": known.batch, "micro_batch": min(known.micro_batch, int(given.get("batch", known.batch))),
        "beta": known.beta, "rate": rate_for(stage, full=full), "checkpointing": known.checkpointing,
    }  # fmt: skip
    if reward is not None and stage in POLICIES:
        given["reward"] = model_in(absolute(reward))
    for name in ("data", "held_out"):
        given[name] = tuple(map(absolute, given.get(name) or ()))
    try:
        return TrainingSettings.model_validate({"stage": stage, "base": base, **defaults, **given})
    except ValidationError as error:
        raise UsageError(_said(error)) from error


def _said(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    told = fault_told(first)
    if not first["loc"]:
        return f"{told}."
    name = str(first["loc"][0])
    return f"--{name.replace('_', '-')}: {told} (it was {first['input']!r})."


def _refuse_ungated(settings: TrainingSettings, out: CommandOutput) -> None:
    """Raises UsageError where the reward model has not passed its gate, unless that was agreed to."""
    if settings.reward is None:
        return
    verdict = verdict_on(settings.reward)
    if verdict is not None and verdict.passed:
        return
    why = "nobody has measured it: `elenchus rldf reward-gate`" if verdict is None else "; ".join(verdict.failed)
    if not settings.ungated:
        raise UsageError(
            f"The reward model in {settings.reward} has not passed its gate ({why}): a policy would learn its faults. "
            "Train another one, or say --ungated."
        )
    out.warn("the reward model has not passed its gate: what is learnt from it may be its faults")


def _check(settings: TrainingSettings, out: CommandOutput) -> None:
    """Read all data once, and estimate the memory. Raises UsageError."""
    examples, files = read_examples(settings.data, settings.stage)
    if settings.held_out:
        held_out, more = read_examples(settings.held_out, "reward")
        files = [*files, *more]
        trained_on = {subject_of(one.topic) for one in examples if one.topic}
        if shared := [one.topic for one in held_out if one.topic and subject_of(one.topic) in trained_on]:
            raise UsageError(f"Held-out pairs share topics with what is trained on ({min(shared)!r} is one).")
    if any(one.ungated for one in files):
        out.warn("these data name no judge that has passed the gate: what is trained with them shows nothing")
    if settings.device != "cuda":
        wanted = check_memory(settings, settings.base, examples, available())
        out.tell(f"{len(examples):,} examples; about {wanted / 1e9:.1f} GB of memory")


class _TrainingProgress:
    """Says how far a training is."""

    def __init__(self, out: CommandOutput) -> None:
        self._out, self._first, self._told = out, 0, -TOLD_EVERY
        self._remaining: Remaining | None = None

    def __call__(self, message: Mapping[str, Any]) -> None:
        match message["kind"]:
            case "begun":
                self._first = message["step"]
                self._remaining = Remaining(message["steps"] - self._first)
                begun = f"goes on after step {self._first} of" if self._first else "begins:"
                self._out.tell(f"the training {begun} {message['steps']} steps")
            case "step":
                if message["step"] == message["steps"] or time.monotonic() - self._told >= TOLD_EVERY:
                    self._told = time.monotonic()
                    self._out.tell(self._step(message))
            case _:
                self._out.tell(str(message["text"]))

    def _step(self, message: Mapping[str, Any]) -> str:
        figures = ", ".join(
            f"{name} {message[name]:.3g}" for name in ("loss", "reward", "kl", "length", "accuracy") if name in message
        )
        left = self._remaining.seconds(message["step"] - self._first) if self._remaining else None
        more = f", about {in_words(left)} left" if left is not None else ""
        return f"step {message['step']} of {message['steps']}: {figures}{more}"


def _show(run: TrainingRun, folder: Path, out: CommandOutput) -> None:
    out.document({**run.model_dump(mode="json"), "folder": str(folder)})
    if out.json:
        return
    cut = f", {run.truncated} of them cut" if run.truncated else ""
    out.line(f"{run.settings.stage}: {run.step} steps, {run.examples:,} examples{cut}, none dropped; it is in {folder}")
    if run.gate is not None and run.settings.stage == "reward":
        show_verdict(run.gate, out)
    if run.seat:
        out.line(f"seat it as {run.seat}")
    if run.note:
        out.line(run.note)


# ── the gate of a reward model ───────────────────────────────────────────────────────────────────────────────────────


async def gate(folder: Path, held_out: Sequence[Path], device: str, out: CommandOutput) -> int:
    """Measure a reward model with held-out pairs, and keep the verdict beside it; the exit code. Raises UsageError."""
    check_packages()
    path = absolute(folder)
    model_in(path)
    await asyncio.to_thread(read_examples, held_out, "reward")
    files = [str(absolute(one)) for one in held_out]
    work = {"work": "gate", "out": str(path), "held_out": files, "max_length": MAX_LENGTH, "device": device}
    done = await worked(work, path, lambda _: None)
    verdict = RewardVerdict.model_validate(done["verdict"])
    out.document(verdict.model_dump(mode="json"))
    if not out.json:
        show_verdict(verdict, out)
    return failures.OK


def show_verdict(verdict: RewardVerdict, out: CommandOutput) -> None:
    """The conditions as a table, and the verdict in a sentence."""
    rows = [
        (of.why, "–" if of.value is None else f"{of.value:.2f}",
         "–" if of.low is None or of.high is None else f"{of.low:.2f} to {of.high:.2f}", of.wanted, of.ended)
        for of in verdict.conditions
    ]  # fmt: skip
    out.show(WordTable.of(("condition", "figure", "95 %", "wanted", "ended"), rows))
    told = "passed: it may teach a policy" if verdict.passed else "failed: reinforcement learning is refused with it"
    out.line(f"\nThe gate of reward models: {told} ({verdict.pairs} pairs, {verdict.items} counterfactual questions).")
