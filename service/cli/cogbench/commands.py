"""The commands of `elenchus cogbench`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from elenchus.service.cli import context
from elenchus.service.cli.options import (
    Json,
    choice,
    model as model_option,
    output,
    whole,
    whole_number,
    with_run_options,
)
from elenchus.service.cli.output import CommandOutput

if TYPE_CHECKING:
    from elenchus.service.cli.launch import Options

WHAT = "rationality or ratings"

app = typer.Typer(no_args_is_help=True, help="Measure how personas change their minds, and how like people's that is.")

ResultsFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="Results in the shape of the release (eval_cogbench_*.json).")
]
Method = Annotated[str, typer.Option("--method", metavar="NAME", help="Whose answers count, as the file names it.")]
Resampled = Annotated[
    int, output("--seed", metavar="S", parser=whole_number, help="For the intervals, which come from resamples.")
]


Read = Annotated[
    Path | None,
    typer.Option("--tasks", metavar="FILE", help="cogbench_a.json: what was read, where the results do not say so."),
]


@app.command("score")
def score(
    file: ResultsFile,
    method: Method,
    against: Annotated[
        str,
        typer.Option("--against", metavar="NAME", help="A second method: how far the two differ, answer by answer."),
    ] = "",
    against_file: Annotated[
        Path | None,
        typer.Option("--against-file", metavar="FILE", help="Where the second stands (default: FILE)."),
    ] = None,
    seed: Resampled = 0,
    json: Json = False,
) -> None:
    """Score a method's answers: authenticity and rationality as the released scorer does, and figures beside them.

    What nobody has rated yet (-1) is left out and counted. With --against, or --against-file, the differences to a
    second method stand below, with paired intervals.
    """
    from elenchus.service.cli.cogbench.score import tell_score

    second = (against_file or file, against or method) if against or against_file else None
    tell_score(file, method, second, seed, CommandOutput(json))


@app.command("sheet")
def sheet(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    file: ResultsFile,
    folder: Annotated[Path, output("--out", metavar="DIR", help="Where the sheets go.")],
    what: Annotated[
        str,
        choice(
            "--what", "W", WHAT, "rationality: how well the reasons fit; ratings: what people would answer themselves."
        ),
    ] = "rationality",
    method: Annotated[
        list[str] | None,
        typer.Option("--method", metavar="NAME", help="Whose reasons are rated (default: all methods'); repeatable."),
    ] = None,
    raters: Annotated[int, whole("--raters", metavar="N", help="How many people rate.")] = 2,
    limit: Annotated[
        int | None,
        whole("--limit", metavar="N", help="N questions, or for ratings personas with a topic."),
    ] = None,
    seed: Annotated[int, whole("--seed", metavar="S", help="For ids, orders and what is drawn.")] = 0,
    tasks: Read = None,
    json: Json = False,
) -> None:
    """Write sheets on which people rate blind: a row an item, in random order, without a method's name."""
    from elenchus.service.cli.cogbench.sheets import results_in, write_sheets

    write_sheets(partial(results_in, file, tasks), folder, what, method or (), raters, limit, seed, CommandOutput(json))


@app.command("collect")
def collect(
    file: ResultsFile,
    key: Annotated[Path, typer.Argument(metavar="KEY", help="The key.json that was made along with the sheets.")],
    sheets: Annotated[list[Path], typer.Argument(metavar="SHEET...", help="Filled-in sheets (.csv or .xlsx).")],
    into: Annotated[
        Path | None, output("--out", metavar="FILE", help="Write the results with the majority there.")
    ] = None,
    json: Json = False,
) -> None:
    """Read filled-in sheets back: how far the raters agree, and what most of them say; the median decides ties."""
    from elenchus.service.cli.cogbench.sheets import collect

    collect(file, key, sheets, into, CommandOutput(json))


METHODS = "coggpt, cot, react, reflexion, no_information or everything_in_prompt"

Tasks = Annotated[
    Path | None,
    typer.Option(
        "--tasks", metavar="PLACE", help="cogbench_a.json, or a folder of topics like the small set (default: that)."
    ),
]
Into = Annotated[
    Path | None, output("--out", metavar="FILE", help="Write the results there; a file of results takes them in.")
]
AtOnce = Annotated[int | None, whole("--at-once", metavar="N", help="Sessions side by side, at the most.")]


@app.command("run")
@with_run_options("seed", "dry_run")
def run(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    how: Options,
    method: Annotated[str, choice("--method", "M", METHODS, f"What answers: {METHODS}.")] = "coggpt",
    model: Annotated[str, model_option("--model", help="Who the personas are: provider:model.")] = "",
    topics: Annotated[
        str, typer.Option("--topics", metavar="A,B", help="Only these topics (their names, or beginnings of them).")
    ] = "",
    profiles: Annotated[
        str, typer.Option("--profiles", metavar="A,B", help="Only these profiles (their names, or beginnings of them).")
    ] = "",
    tasks: Tasks = None,
    profile_file: Annotated[
        Path | None, typer.Option("--profile-file", metavar="FILE", help="profile.json, or YAML (default: the set's).")
    ] = None,
    control: Annotated[
        bool, typer.Option("--control", help="Everything once more with flows that push nobody, and the check of both.")
    ] = False,
    feedback: Annotated[
        Path | None,
        typer.Option("--feedback", metavar="FILE", help="For react, reflexion: results that people have rated."),
    ] = None,
    name: Annotated[
        str, output("--name", metavar="NAME", help="What the results call the method (default: as the paper).")
    ] = "",
    into: Into = None,
    at_once: AtOnce = None,
) -> None:
    """Run a method over topics and profiles: each pair is a session; they go side by side, and can be gone on with."""
    from elenchus.service.cli import checks
    from elenchus.service.cli.cogbench.run import Sources, start
    from elenchus.service.lab.cogbench import CogBenchOptions
    from elenchus.service.lab.options import options_of

    given = {
        "method": method.replace("-", "_"), "called": name, "topics": _names(topics), "profiles": _names(profiles),
        "control": control, "at_once": at_once, **dict(how.run),
    }  # fmt: skip
    wanted = options_of(CogBenchOptions, given, checks.option)
    raise typer.Exit(context.run(start(wanted, model, Sources(tasks, profile_file, feedback, into), how)))


def _names(typed: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in typed.split(",") if name.strip())


@app.command("resume")
@with_run_options()
def resume(
    how: Options,
    run_id: Annotated[str, typer.Argument(metavar="ID", help="The run's id, or the beginning of it.")],
    into: Into = None,
    at_once: AtOnce = None,
) -> None:
    """Go on with a run that was broken off; limits that are given replace the old ones."""
    from elenchus.service.cli import checks
    from elenchus.service.cli.cogbench.run import resume

    checks.in_bounds(at_once=at_once)
    raise typer.Exit(context.run(resume(run_id, at_once, into, how)))


@app.command("dynamics")
def dynamics(
    file: ResultsFile,
    control: Annotated[Path, typer.Argument(metavar="CONTROL", help="The results of the same with the control flows.")],
    method: Method,
    tasks: Tasks = None,
    json: Json = False,
) -> None:
    """Check whether ratings move where the articles push, and more for whoever is interested; nobody rates for it."""
    from elenchus.service.cli.cogbench.dynamics import tell_files

    tell_files(file, control, method, tasks, CommandOutput(json))


@app.command("generate")
@with_run_options("seed", "dry_run")
def generate(
    how: Options,
    topic: Annotated[
        list[str],
        typer.Option("--topic", metavar="NAME", help="One of CogBench's 50, or your own; repeatable; all for the 50."),
    ],
    folder: Annotated[Path, output("--out", metavar="DIR", help="Where opinions, profiles and the review go.")],
    opinions: Annotated[int, whole("--opinions", metavar="N", help="Opinions a topic.")] = 10,
    profiles: Annotated[int, whole("--profiles", metavar="N", help="Profiles of the likeliest supporters.")] = 20,
    language: Annotated[str, typer.Option("--language", metavar="L", help="Of the opinions (default: English).")] = "",
    model: Annotated[str, model_option("--model", help="Who writes.")] = "",
    checker: Annotated[str, model_option("--checker", help="Who checks the opinions (default: --model).")] = "",
) -> None:
    """Have opinions written on topics, checked, and profiles made of who would agree; people review it afterwards."""
    from elenchus.service.cli import checks
    from elenchus.service.cli.cogbench.generation import start_generating, topics_named

    checks.within(opinions, 1, 20, "--opinions", "10")
    checks.within(profiles, 0, 40, "--profiles", "20")
    topics = topics_named(topic)
    work = start_generating(topics, (opinions, profiles), language, (model, checker), folder, how)
    raise typer.Exit(context.run(work))


@app.command("review")
def review(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where generate has written, review.csv filled in.")],
    into: Annotated[Path, output("--out", metavar="DIR2", help="Where cogbench.json and profile.json go.")],
    flows: Annotated[
        Path | None, typer.Option("--flows", metavar="FOLDER", help="A folder a topic (night-trains), a file a flow.")
    ] = None,
    json: Json = False,
) -> None:
    """Take what people have kept of a generated benchmark, and write it in the shape of the release."""
    from elenchus.service.cli.cogbench.generation import review

    raise typer.Exit(context.run(review(folder, flows, into, CommandOutput(json))))


@app.command("judge")
@with_run_options("seed", "dry_run", "export")
def judge(
    how: Options,
    file: ResultsFile,
    method: Method,
    judge: Annotated[str, model_option("--judge", help="Who rates the reasons.")] = "",
    limit: Annotated[
        int | None, whole("--limit", metavar="N", help="So many: those first that people have rated, others drawn.")
    ] = None,
    tasks: Read = None,
    into: Annotated[
        Path | None, output("--out", metavar="FILE", help="Write the results with the judge's scores there.")
    ] = None,
) -> None:
    """Have a model rate how well a method's reasons fit, and show how far it agrees with people's ratings."""
    from elenchus.service.cli import checks
    from elenchus.service.cli.cogbench.generation import start_judging

    checks.in_bounds(limit=limit)
    raise typer.Exit(context.run(start_judging(file, method, judge, limit, tasks, into, how)))
