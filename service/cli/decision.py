"""`elenchus decision …`: learning the weights by which detections decide."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from elenchus.service.cli import context, options
from elenchus.service.cli.options import Json
from elenchus.service.cli.output import Out

app = typer.Typer(no_args_is_help=True, help="Learn the weights of the referees' criteria, and measure them.")

LEARNERS = "dqn-genetic, genetic, annealing, ant-colony or logistic"

Data = Annotated[
    Path | None, typer.Option("--data", metavar="FILE", help="Debates whose right side is known, as JSON lines.")
]
Simulate = Annotated[
    int, typer.Option("--simulate", metavar="N", help="N simulated debates instead, drawn anew for every seed.")
]
Seeds = Annotated[
    int, typer.Option("--seeds", metavar="K", help="So many seeds: each splits the debates and learns anew.")
]
PublishedReward = Annotated[
    bool,
    typer.Option("--published-reward", help="dqn-genetic: the paper's reward, which also pays for being inaccurate."),
]
Export = Annotated[
    Path | None, typer.Option("--export", metavar="DIR", help="Write the learnt weights and all figures there.")
]


@app.command("train")
def train(
    data: Data = None,
    simulate: Simulate = 0,
    learner: Annotated[
        str,
        typer.Option(
            "--learner", metavar="L", autocompletion=options.one_of(LEARNERS), help=f"Who learns: {LEARNERS}."
        ),
    ] = "dqn-genetic",
    seeds: Seeds = 1,
    published_reward: PublishedReward = False,
    export: Export = None,
    json: Json = False,
) -> None:
    """Learn weights with one learner; `elenchus detect --weights FILE` uses those that --export writes."""
    from elenchus.service.cli.learning import Wanted, train

    wanted = Wanted(data, simulate, (learner,), seeds, published_reward, (), export)
    context.run(train(wanted, Out(json)))


@app.command("evaluate")
def evaluate(
    data: Data = None,
    simulate: Simulate = 0,
    learner: Annotated[
        list[str] | None,
        typer.Option(
            "--learner",
            metavar="L",
            autocompletion=options.one_of(LEARNERS),
            help=f"{LEARNERS} (default: all; may be repeated).",
        ),
    ] = None,
    weights: Annotated[
        list[str] | None, typer.Option("--weights", metavar="FILE", help="Also measure these weights; may be repeated.")
    ] = None,
    seeds: Seeds = 5,
    published_reward: PublishedReward = False,
    export: Export = None,
    json: Json = False,
) -> None:
    """Compare the learners with logistic regression, the plain mean and the paper's weights, on the same debates."""
    from elenchus.service.cli.learning import Wanted, evaluate

    wanted = Wanted(data, simulate, tuple(learner or ()), seeds, published_reward, tuple(weights or ()), export)
    context.run(evaluate(wanted, Out(json)))


@app.command("record")
def record(
    out: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write the debates, as JSON lines.")],
    session: Annotated[str, options.session("--session", help="Take this detection (default: all).")] = "",
    label: Annotated[str, options.bias("--label", help="With --session: the bias that its text really shows.")] = "",
    json: Json = False,
) -> None:
    """Write the debates of finished detections of labelled texts, as data to learn from."""
    from elenchus.service.cli.learning import record

    context.run(record(out, session, label, Out(json)))
