"""`elenchus detect` and `elenchus decision …`: finding a bias, and learning the weights by which that is decided."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from elenchus.debate_engine.errors import UsageError
from elenchus.service.cli import context, options
from elenchus.service.cli.options import Json, whole
from elenchus.service.cli.output import CommandOutput

if TYPE_CHECKING:
    from elenchus.service.cli.launch import Options

decision = typer.Typer(no_args_is_help=True, help="Learn the weights of the referees' criteria, and measure them.")

WEIGHTS = "mean, annealing, genetic, ant-colony, dqn-genetic (the default) or a file"
METHODS = "full, tree, candidates, zero-shot, cot, dialogue or group"
Screen = Annotated[
    str,
    typer.Option(
        "--screen", metavar="HOW", help="embeddings: 8 more candidates by meaning, from the library, at no cost."
    ),
]


@options.with_run_options("seed", "dry_run", "export")
def detect(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    how: Options,
    file: Annotated[str, typer.Argument(metavar="[FILE]", help="The text: a file, or - for standard input.")] = "",
    method: Annotated[str, options.choice("--method", "M", METHODS, f"How: {METHODS}.")] = "full",
    weights: Annotated[
        str, typer.Option("--weights", metavar="NAME", help=f"What the scores count for: {WEIGHTS}.")
    ] = "",
    labels: Annotated[
        str, options.bias("--labels", metavar="A,B", help="The candidates, instead of the screeners' suspicions.")
    ] = "",
    bias: Annotated[str, options.bias("--bias", help="Ask only whether this one is there.")] = "",
    repeats: Annotated[int, whole("--repeats", metavar="N", help="With --bias: ask so often.")] = 1,
    session: Annotated[str, options.session("--session", help="Look at what was said in a session.")] = "",
    speaker: Annotated[
        str, typer.Option("--speaker", metavar="NAME", help="With --session: examine only what this one said.")
    ] = "",
    screen: Screen = "",
    top: Annotated[int, whole("--top", metavar="K", help="Rank the first K biases.")] = 1,
    model: Annotated[str, options.model("--model", help="Who does it all: provider:model, or human.")] = "",
    detector: Annotated[
        str, options.model("--detector", help="Who looks for the bias in question (default: --model).")
    ] = "",
    referee: Annotated[str, options.model("--referee", help="Who judges the debates (default: --model).")] = "",
) -> None:
    """Find the cognitive bias in a text, by debates between the suspected ones."""
    from elenchus.service.cli.detection.detect import start_detection

    if bool(file) == bool(session):
        raise UsageError("Give what is to be examined, one thing only: a FILE, - for standard input, or --session ID.")
    if speaker and not session:
        raise UsageError("--speaker goes with --session: a text has no speakers.")
    given: dict[str, Any] = {
        "method": method, "weights": weights, "labels": labels.split(",") if labels else (), "bias": bias,
        "repeats": repeats, "screen": screen, "top": top, "model": model, "detector": detector, "referee": referee,
    }  # fmt: skip
    raise typer.Exit(context.run(start_detection(given, (file, session, speaker), how)))


# ── decision ─────────────────────────────────────────────────────────────────────────────────────────────────────

LEARNERS = "dqn-genetic, genetic, annealing, ant-colony or logistic"

Data = Annotated[
    Path | None, typer.Option("--data", metavar="FILE", help="Debates whose right side is known, as JSON lines.")
]
Simulate = Annotated[
    int,
    whole("--simulate", metavar="N", help="N simulated debates instead, drawn anew for every seed."),
]
Seeds = Annotated[
    int,
    whole("--seeds", metavar="K", help="So many seeds: each splits the debates and learns anew."),
]
PublishedReward = Annotated[
    bool,
    typer.Option("--published-reward", help="dqn-genetic: the paper's reward, which also pays for being inaccurate."),
]
LearntExport = Annotated[
    Path | None, typer.Option("--export", metavar="DIR", help="Write the learnt weights and all figures there.")
]


@decision.command("train")
def train(
    data: Data = None,
    simulate: Simulate = 0,
    learner: Annotated[str, options.choice("--learner", "L", LEARNERS, f"Who learns: {LEARNERS}.")] = "dqn-genetic",
    seeds: Seeds = 1,
    published_reward: PublishedReward = False,
    export: LearntExport = None,
    json: Json = False,
) -> None:
    """Learn weights with one learner; `elenchus detect --weights FILE` uses those that --export writes."""
    from elenchus.service.cli.detection.decision import LearningOptions, train

    chosen = LearningOptions(data, simulate, (learner,), seeds, published_reward, (), export)
    context.run(train(chosen, CommandOutput(json)))


@decision.command("evaluate")
def evaluate(
    data: Data = None,
    simulate: Simulate = 0,
    learner: Annotated[
        list[str] | None,
        options.choice("--learner", "L", LEARNERS, f"{LEARNERS} (default: all; may be repeated)."),
    ] = None,
    weights: Annotated[
        list[str] | None, typer.Option("--weights", metavar="FILE", help="Also measure these weights; may be repeated.")
    ] = None,
    seeds: Seeds = 5,
    published_reward: PublishedReward = False,
    export: LearntExport = None,
    json: Json = False,
) -> None:
    """Compare the learners with logistic regression, the plain mean and the paper's weights, on the same debates."""
    from elenchus.service.cli.detection.decision import LearningOptions, evaluate

    chosen = LearningOptions(
        data, simulate, tuple(learner or ()), seeds, published_reward, tuple(weights or ()), export
    )
    context.run(evaluate(chosen, CommandOutput(json)))


@decision.command("record")
def record(
    out: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write the debates, as JSON lines.")],
    session: Annotated[str, options.session("--session", help="Take this detection (default: all).")] = "",
    label: Annotated[str, options.bias("--label", help="With --session: the bias that its text really shows.")] = "",
    json: Json = False,
) -> None:
    """Write the debates of finished detections of labelled texts, as data to learn from."""
    from elenchus.service.cli.detection.decision import record

    context.run(record(out, session, label, CommandOutput(json)))
