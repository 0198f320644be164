"""`elenchus bench …`, which measures models and methods, and `elenchus cache …`, the answers that it keeps."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from elenchus.service.cli import context, options
from elenchus.service.cli.detection.commands import METHODS, WEIGHTS, Screen
from elenchus.service.cli.options import DefaultModel, Json, Model, whole
from elenchus.service.cli.output import CommandOutput

if TYPE_CHECKING:
    from elenchus.service.cli.launch import Options

bench = typer.Typer(no_args_is_help=True, help="Measure models and methods; each run is a session that can be resumed.")
cache = typer.Typer(no_args_is_help=True, help="Look at the answers kept by the bench, or remove them.")

NoCache = Annotated[bool, typer.Option("--no-cache", help="Ask everything anew, also what was answered before.")]
Limit = Annotated[int | None, whole("--limit", metavar="N", help="Take no more than N.")]


@bench.command("static")
@options.with_run_options("temperature", "seed", "dry_run", "export")
def static(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    how: Options,
    model: Annotated[
        list[str] | None, options.model("--model", help="A model under test; give it once for each.")
    ] = None,
    judge: Annotated[str, options.model("--judge", help="Who judges the answers, a model or human.")] = "",
    bias: Annotated[list[str] | None, options.bias("--bias", help="Only this bias; give it once for each.")] = None,
    questions: Annotated[
        Path | None, typer.Option("--questions", metavar="DIR", help="A folder of question files (default: our own).")
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option("--records", metavar="FILE", help="Records instead (.jsonl, .csv, .xlsx); answers are judged."),
    ] = None,
    repeats: Annotated[int, whole("--repeats", metavar="N", help="Answers of each model a question.")] = 1,
    judge_repeats: Annotated[
        int, whole("--judge-repeats", metavar="N", help="Judgements of each answer; most decide.")
    ] = 1,
    limit: Limit = None,
    no_cache: NoCache = False,
) -> None:
    """Ask models our questions, and count in how many answers each bias shows."""
    from elenchus.service.cli import checks
    from elenchus.service.cli.detection.bench import bias_ids, measure_static, static_items

    checks.in_bounds(repeats=repeats, judge_repeats=judge_repeats, limit=limit)
    items = static_items(questions, records, bias_ids(bias or ()), limit)
    work = measure_static(items, model or [], judge, (repeats, judge_repeats), how, cache=not no_cache)
    raise typer.Exit(context.run(work))


@bench.command("unlabelled")
@options.with_run_options("seed", "dry_run", "export")
def unlabelled(
    how: Options,
    method: Annotated[
        list[str] | None,
        options.choice("--method", "M", METHODS, f"{METHODS}; give it once for each (default: zero-shot and cot)."),
    ] = None,
    model: Model = "",
    texts: Annotated[
        Path | None,
        typer.Option("--texts", metavar="FILE", help="Texts with a bias or none (.jsonl, .csv, .xlsx); default: ours."),
    ] = None,
    weights: Annotated[
        str, typer.Option("--weights", metavar="NAME", help=f"For full: what the scores count for: {WEIGHTS}.")
    ] = "",
    screen: Screen = "",
    limit: Annotated[
        int | None,
        whole(
            "--limit",
            metavar="N",
            help="Take N texts, half with a bias, half without, drawn by the seed.",
        ),
    ] = None,
    no_cache: NoCache = False,
) -> None:
    """Compare the methods of detection over texts whose bias is known."""
    from elenchus.service.cli import checks
    from elenchus.service.cli.detection.bench import compare_methods, methods_named, samples_of

    checks.in_bounds(limit=limit)
    samples = samples_of(texts, limit, how.run.seed or 0)
    work = compare_methods(samples, methods_named(method), model, weights, screen, how, cache=not no_cache)
    raise typer.Exit(context.run(work))


@bench.command("evaluator")
@options.with_run_options("seed", "dry_run", "export")
def evaluator(
    how: Options,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Records with people's labels (.jsonl, .csv, .xlsx).", exists=False)
    ],
    model: DefaultModel = "",
    judge: Annotated[str, options.model("--judge", help="A model or human, where the file has no column judge.")] = "",
    repeats: Annotated[int, whole("--repeats", metavar="N", help="Judgements of each answer.")] = 3,
    no_cache: NoCache = False,
) -> None:
    """Compare a judge with people's labels: accuracy, Pearson's r, Cohen's kappa, agreement over repeats.

    The file has a column human (or human 1, human 2 ...). With columns judge, these are compared and nobody is asked.
    """
    from elenchus.service.cli import checks
    from elenchus.service.cli.detection.labelled import compare_labels, labelled_records, measure_judge

    checks.in_bounds(repeats=repeats)
    records = labelled_records(file)
    if any(record.judge for record in records):
        compare_labels(records, judge, how)
        return
    raise typer.Exit(context.run(measure_judge(records, (judge, model), repeats, how, cache=not no_cache)))


@bench.command("questions")
@options.with_run_options("seed", "dry_run")
def questions(
    how: Options,
    bias: Annotated[str, options.bias("--bias", help="What the questions are about.")],
    folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where the file of questions goes.")],
    model: Annotated[str, options.model("--model", help="Who writes them.")] = "",
    number: Annotated[int, whole("-n", metavar="N", help="How many.")] = 3,
) -> None:
    """Have more static questions written; they are marked as generated and not reviewed.

    Use them with: elenchus bench static --questions DIR.
    """
    from elenchus.service.cli import checks
    from elenchus.service.cli.detection.bench import bias_ids
    from elenchus.service.cli.detection.labelled import refuse_to_overwrite, write_questions

    checks.in_bounds(n=number)
    (bias_id,) = bias_ids([bias])
    refuse_to_overwrite(folder, bias_id)
    raise typer.Exit(context.run(write_questions(bias_id, folder, model, number, how)))


@cache.command("show")
def show(json: Json = False) -> None:
    """Show how many answers are kept of each model, and how often they were used again."""
    from elenchus.service.cli.detection.bench import show_cache

    context.run(show_cache(CommandOutput(json)))


@cache.command("clear")
def clear(json: Json = False) -> None:
    """Remove all kept answers, without a trace of them on disk; no session is touched."""
    from elenchus.service.cli.detection.bench import clear_cache

    context.run(clear_cache(CommandOutput(json)))
