"""The commands of `elenchus rldf` that go from debates to a report: the toy, experiments, ablations, the page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from elenchus.service.cli import context
from elenchus.service.cli.options import (
    BIAS_TYPES,
    Json,
    bias_types,
    choice,
    linear_judge,
    model as model_option,
    output,
    whole,
    with_run_options,
)
from elenchus.service.cli.rldf.measuring_commands import Bias, Limit, Together, Topic, Topics, names

if TYPE_CHECKING:
    from elenchus.service.cli.launch import Options

app = typer.Typer()

POLICIES_NAMED = "rloo, ppo or dpo"


@app.command("toy")
def toy(
    folder: Annotated[Path, output("--out", metavar="DIR", help="Where they go.")],
    json: Json = False,
) -> None:
    """Write the scripted teacher that comes along, with its topics: to see how a run goes where no model is at hand."""
    from elenchus.service.cli.output import CommandOutput
    from elenchus.service.cli.rldf.experiment_run import write_toy

    write_toy(folder, CommandOutput(json))


@app.command("experiment")
def experiment(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    folder: Annotated[Path, output("--out", metavar="DIR", help="Where all goes; what was broken off there goes on.")],
    method: Annotated[
        str, typer.Option("--method", metavar="A,B", help="default, cot, fairthinking, sft, rlaif, rldf.")
    ] = "",
    seeds: Annotated[
        int | None, whole("--seeds", metavar="N", help="Times with another seed, 1 to 20 (default: 3; of the toy 1).")
    ] = None,
    base: Annotated[
        str, typer.Option("--base", metavar="DIR", help="A Hugging Face folder (default: the embedded weights).")
    ] = "",
    data: Annotated[list[Path] | None, typer.Option("--data", metavar="FILE", help="BBQ's; once for each.")] = None,
    items: Annotated[int | None, whole("--items", metavar="N", help="So many questions.")] = None,
    rotations: Annotated[
        int | None, whole("--rotations", metavar="N", help="Orders of the options, 1 to 3 (default: 3; of the toy 1).")
    ] = None,
    controls: Annotated[
        bool | None, typer.Option("--controls/--no-controls", help="See `rldf bbq` (default: asked; of the toy not).")
    ] = None,
    teacher: Annotated[str, model_option("--teacher", help="Who debates and judges (default: the base itself).")] = "",
    judge: Annotated[str, linear_judge(help="linear:… scores all anew (default: the debates' referee).")] = "",
    bias: Annotated[
        str, bias_types(help=f"{BIAS_TYPES}, or your own .yaml files (default: all; of the toy age).")
    ] = "",
    topics: Topics = None,
    limit: Limit = None,
    roles: Annotated[int, whole("--roles", metavar="N", help="Of a debate, 2 to 6.")] = 3,
    rounds: Annotated[
        int | None, whole("--rounds", metavar="K", help="Of a debate, 1 to 10 (default: 5; of the toy 2).")
    ] = None,
    repeats: Annotated[int, whole("--repeats", metavar="N", help="Debates of each type on each topic.")] = 1,
    pairs: Annotated[int | None, whole("--pairs", metavar="N", help="Only so many pairs of the debates.")] = None,
    policy: Annotated[str, choice("--policy", "P", POLICIES_NAMED, f"{POLICIES_NAMED}.")] = "rloo",
    ungated: Annotated[bool, typer.Option("--ungated", help="Go on past gates that were not passed.")] = False,
    toy: Annotated[bool, typer.Option("--toy", help="The run that anyone can repeat: it proves the plumbing.")] = False,
    json: Json = False,
) -> None:
    """From debates over data, gates and training to BBQ and the report: methods of table 1, each with some seeds."""
    from elenchus.debate_engine.errors import UsageError
    from elenchus.service.cli import checks
    from elenchus.service.cli.output import CommandOutput
    from elenchus.service.cli.rldf.experiment_plan import Experiment
    from elenchus.service.cli.rldf.experiment_run import TOY_STEPS, TOY_TRAINING, experiment, methods_named

    checks.in_bounds(
        limit=limit, repeats=repeats, seeds=seeds, rotations=rotations, rounds=rounds, items=items, pairs=pairs
    )
    checks.within(roles, 2, 6, "--roles", "3")
    if toy and (bias or rounds):
        raise UsageError("--toy brings two rounds on age along: leave out --bias and --rounds.")
    checks.named(policy, POLICIES_NAMED, "--policy")
    of = Experiment(
        folder=folder, methods=methods_named(method, toy=toy), seeds=seeds or (1 if toy else 3), base=base,
        teacher=teacher, judge="linear:wordllama" if toy and not judge else judge, bias=bias or "all", topics=topics,
        limit=limit, roles=roles, rounds=rounds or 5, repeats=repeats, data=data or (), items=items,
        rotations=rotations or (1 if toy else 3), controls=not toy if controls is None else controls, policy=policy,
        steps=TOY_STEPS if toy else None, pairs=pairs, training=TOY_TRAINING if toy else {}, toy=toy, ungated=ungated,
    )  # fmt: skip
    raise typer.Exit(context.run(experiment(of, CommandOutput(json))))


@app.command("report")
def report(
    places: Annotated[
        list[Path], typer.Argument(metavar="PLACE...", help="Folders and files that `elenchus rldf` has written.")
    ],
    folder: Annotated[Path, output("--out", metavar="DIR", help="Where the page goes.")],
    together: Together = False,
    json: Json = False,
) -> None:
    """Write one page of all that was measured, beside the paper's tables, each figure with the verdict of its gate."""
    from elenchus.service.cli.output import CommandOutput
    from elenchus.service.cli.rldf.report import write_report

    write_report(places, folder, CommandOutput(json), together=together)


@app.command("ablate")
@with_run_options("temperature", "seed", "dry_run")
def ablate(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    how: Options,
    folder: Annotated[Path, output("--out", metavar="DIR", help="Where figures and plot go.")],
    axis: Annotated[str, choice("--axis", "A", "roles, rounds, pairs or topics")] = "rounds",
    values: Annotated[
        str, typer.Option("--values", metavar="A,B", help="Such as 2,3,4,5 (roles) or 1,3,5,10 (rounds).")
    ] = "",
    bias: Bias = "age",
    topic: Topic = None,
    topics: Topics = None,
    limit: Limit = None,
    roles: Annotated[int, whole("--roles", metavar="N", help="Where they are not what varies.")] = 3,
    rounds: Annotated[int, whole("--rounds", metavar="K", help="The same.")] = 5,
    repeats: Annotated[int, whole("--repeats", metavar="N", help="Debates of each type on each topic.")] = 1,
    model: Annotated[str, model_option("--model", help="Who debates and judges itself.")] = "",
    teacher: Annotated[str, model_option("--teacher", help="A better model that does so instead.")] = "",
    data: Annotated[
        list[Path] | None,
        typer.Option("--data", metavar="FILE", help="BBQ's: train on each value, and measure that (pairs need it)."),
    ] = None,
    base: Annotated[str, typer.Option("--base", metavar="DIR", help="What is trained, with --data.")] = "",
    judge: Annotated[str, linear_judge(help="linear:… scores anew, with --data.")] = "",
    items: Annotated[int | None, whole("--items", metavar="N", help="So many questions, with --data.")] = None,
    seeds: Annotated[
        int | None, whole("--seeds", metavar="N", help="Trainings of each, with --data (default: 3).")
    ] = None,
    policy: Annotated[
        str, choice("--policy", "P", POLICIES_NAMED, f"{POLICIES_NAMED}, with --data (default: rloo).")
    ] = "",
    ungated: Annotated[bool, typer.Option("--ungated", help="Go on past gates, with --data.")] = False,
    go_on: Annotated[str, typer.Option("--go-on", metavar="ID", help="Go on with debates that were broken off.")] = "",
    at_once: Annotated[int | None, whole("--at-once", metavar="N", help="Sessions side by side, at the most.")] = None,
) -> None:  # fmt: skip
    """See what the number of roles, rounds, pairs or topics does: a grid of debates, or with --data of trainings."""
    from elenchus.debate_engine.errors import UsageError
    from elenchus.service.cli import checks
    from elenchus.service.cli.rldf import ablation_run
    from elenchus.service.cli.rldf.debate import biases_named, topics_of
    from elenchus.service.cli.rldf.experiment_plan import Experiment
    from elenchus.service.lab.options import options_of
    from elenchus.service.lab.rldf import RldfOptions

    checks.in_bounds(limit=limit, at_once=at_once, repeats=repeats, seeds=seeds, rounds=rounds, items=items)
    checks.within(roles, 2, 6, "--roles", "3")
    if go_on:
        raise typer.Exit(context.run(ablation_run.resume(go_on, folder, how)))
    checks.named(policy or "rloo", POLICIES_NAMED, "--policy")
    known, wanted = ablation_run.axis_named(axis, values, trained=bool(data))
    of_trainings = {
        "--base": base,
        "--judge": judge,
        "--items": items,
        "--seeds": seeds,
        "--policy": policy,
        "--ungated": ungated,
    }
    of_debates = {
        "--detach": how.detach, "--dry-run": how.dry_run, "--topic": topic, "--model": model, "--at-once": at_once,
        **{f"--{name.replace('_', '-')}": value is not None and value is not False for name, value in how.run},
    }  # fmt: skip
    if passed_over := [name for name, given in (of_debates if data else of_trainings).items() if given]:
        raise UsageError(f"{passed_over[0]} does nothing {'with' if data else 'without'} --data: leave it away.")
    if data:
        of = Experiment(
            folder=folder, methods=("sft", "rldf"), seeds=seeds or 3, base=base, teacher=teacher, judge=judge,
            bias=bias, topics=topics, limit=limit, roles=roles, rounds=rounds, repeats=repeats, data=data, items=items,
            rotations=3, controls=False, policy=policy or "rloo", steps=None, training={}, ungated=ungated,
        )  # fmt: skip
        raise typer.Exit(context.run(ablation_run.trained(known, wanted, of, how.out)))
    given = {
        "roles": roles, "rounds": rounds, "repeats": repeats, "model": model, "teacher": teacher, "at_once": at_once,
        **dict(how.run),
    }  # fmt: skip
    options = options_of(RldfOptions, given, checks.option)
    biases = biases_named(names(bias))
    named = topics_of(biases, topic or (), topics, limit)
    raise typer.Exit(context.run(ablation_run.start(known, wanted, options, biases, named, folder, how)))
