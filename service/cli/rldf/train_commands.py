"""The commands of `elenchus rldf` that train: `base`, `train`, `reward-gate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from elenchus.service.cli import context
from elenchus.service.cli.options import (
    Json,
    choice,
    model as model_option,
    one_of,
    output,
    whole,
)

app = typer.Typer()

_STAGES = "sft, reward, ppo, rloo or dpo"


@app.command("base")
def base(
    folder: Annotated[Path, output("--out", metavar="DIR", help="The new folder.")],
    model: Annotated[
        str, model_option("--model", help="Local weights: local:smollm2-135m, or local:FILE.gguf.")
    ] = "local:smollm2-135m",
    json: Json = False,
) -> None:
    """Write local weights as a Hugging Face folder that a training starts from."""
    from elenchus.service.cli.output import CommandOutput
    from elenchus.service.cli.rldf.training import convert

    raise typer.Exit(context.run(convert(model, folder, CommandOutput(json))))


@app.command("train")
def train(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    stage: Annotated[str, typer.Argument(metavar="STAGE", help=f"{_STAGES}.", autocompletion=one_of(_STAGES))],
    data: Annotated[list[Path], typer.Option("--data", metavar="FILE", help="Of an export; once for each file.")],
    folder: Annotated[Path, output("--out", metavar="DIR", help="Where it goes; what was broken off there goes on.")],
    base: Annotated[
        str,
        typer.Option(
            "--base", metavar="DIR", help="A Hugging Face folder, another training's, or local:… (the embedded)."
        ),
    ] = "",
    reward: Annotated[
        Path | None, typer.Option("--reward", metavar="DIR", help="The reward model's training (ppo, rloo).")
    ] = None,
    ungated: Annotated[
        bool, typer.Option("--ungated", help="Go on although the reward model has not passed its gate.")
    ] = False,
    held_out: Annotated[
        list[Path] | None, typer.Option("--held-out", metavar="FILE", help="Pairs for the gate (reward).")
    ] = None,
    steps: Annotated[
        int | None, whole("--steps", metavar="N", help="So many at the most.")
    ] = None,
    epochs: Annotated[float, typer.Option("--epochs", metavar="X", help="Times through the data.")] = 1.0,
    batch: Annotated[
        int | None, whole("--batch", metavar="N", help="Examples a step (32; ppo, rloo 4).")
    ] = None,
    micro_batch: Annotated[
        int | None, whole("--micro-batch", metavar="N", help="Of them at once (4): memory.")
    ] = None,
    rate: Annotated[
        float | None, typer.Option("--rate", metavar="R", help="Learning rate (3e-4, policies 5e-5; --full: a tenth).")
    ] = None,
    full: Annotated[
        bool, typer.Option("--full", help="Train all weights, as the paper does, instead of LoRA.")
    ] = False,
    lora_rank: Annotated[int, whole("--lora-rank", metavar="N", help="Rank of LoRA.")] = 16,
    beta: Annotated[
        float | None, typer.Option("--beta", metavar="B", help="Weight of the KL (ppo, rloo .05, dpo .1); above 0.")
    ] = None,
    generations: Annotated[
        int, whole("--generations", metavar="N", help="Answers to a prompt (rloo); they divide the batch.")
    ] = 4,
    tokens: Annotated[int, whole("--tokens", metavar="N", help="Of an answer, at the most (ppo, rloo).")] = 128,
    max_length: Annotated[
        int, whole("--max-length", metavar="N", help="Tokens of an example; the right is cut.")
    ] = 2_048,
    seed: Annotated[int, whole("--seed", metavar="S", help="For all chance in it.")] = 0,
    device: Annotated[str, choice("--device", "D", "auto, cpu or cuda", "auto: a GPU where there is one.")] = "auto",
    threads: Annotated[int, whole("--threads", metavar="N", help="Of the processor; 0: OMP_NUM_THREADS, or all.")] = 0,
    save_every: Annotated[int, whole("--save-every", metavar="N", help="Steps between two checkpoints.")] = 10,
    checkpointing: Annotated[
        bool | None,
        typer.Option(
            "--gradient-checkpointing/--no-gradient-checkpointing", help="Less memory, more time (default: dpo alone)."
        ),
    ] = None,
    json: Json = False,
) -> None:  # fmt: skip
    """Train on what debates were exported as, in a process of its own: sft, then reward, then ppo or rloo; or dpo."""
    from elenchus.service.cli.output import CommandOutput
    from elenchus.service.cli.rldf.training import train as started

    typed = {
        "data": data, "held_out": held_out, "reward": reward, "steps": steps, "epochs": epochs, "batch": batch,
        "micro_batch": micro_batch, "rate": rate, "full": full, "lora_rank": lora_rank, "beta": beta,
        "generations": generations, "tokens": tokens, "max_length": max_length, "seed": seed, "device": device,
        "threads": threads, "save_every": save_every, "checkpointing": checkpointing,
    }  # fmt: skip
    raise typer.Exit(context.run(started(stage, base, folder, typed, CommandOutput(json), ungated=ungated)))


@app.command("reward-gate")
def reward_gate(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The reward model's training.")],
    data: Annotated[list[Path], typer.Option("--data", metavar="FILE", help="Held-out pairs; once for each file.")],
    device: Annotated[str, choice("--device", "D", "auto, cpu or cuda", "auto: a GPU where there is one.")] = "auto",
    json: Json = False,
) -> None:
    """Measure whether a reward model may teach: held-out pairs, counterfactual questions, lengths; and why not."""
    from elenchus.service.cli.output import CommandOutput
    from elenchus.service.cli.rldf.training import gate

    raise typer.Exit(context.run(gate(folder, data, device, CommandOutput(json))))
