"""The commands of `elenchus rldf` that measure: BBQ, open answers rated by rubric, the probe."""

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
    model as model_option,
    output,
    whole,
    with_run_options,
)

if TYPE_CHECKING:
    from elenchus.service.cli.launch import Options

app = typer.Typer()

METHODS = "default, cot or fairthinking"
"""As `untrained_baselines.METHODS` has them."""

Statements = Annotated[
    Path | None, typer.Option("--statements", metavar="FILE", help="The gate's, of your own (default: our 360).")
]
Seed = Annotated[int, whole("--seed", metavar="S", help="For ids, orders and what is drawn.")]


@app.command("bbq")
@with_run_options("temperature", "seed", "dry_run", "export")
def bbq(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    how: Options,
    data: Annotated[
        list[Path], typer.Option("--data", metavar="FILE", help="BBQ's own .jsonl or .jsonl.gz; once for each file.")
    ],
    model: Annotated[str, model_option("--model", help="Who answers: provider:model.")] = "",
    method: Annotated[
        str,
        choice(
            "--method", "M", METHODS,
            "Of table 1: default; cot: thinks step by step first; fairthinking: hears a jury of roles first.",
        ),
    ] = "default",
    limit: Annotated[int | None, whole("--limit", metavar="N", help="So many items, of all categories alike.")] = None,
    rotations: Annotated[
        int, whole("--rotations", metavar="N", help="Orders of the options in which each question is asked, 1 to 3.")
    ] = 3,
    way: Annotated[
        str,
        choice(
            "--way", "W", "likelihood or schema",
            "likelihood: the option that local weights find likeliest (their default); schema: a letter is asked for.",
        ),
    ] = "",
    controls: Annotated[
        bool,
        typer.Option("--controls/--no-controls", help="Ask also with an irrelevant sentence, and in another form."),
    ] = True,
    into: Annotated[
        Path | None, output("--out", metavar="FILE", help="Write the results there, for compare and report.")
    ] = None,
    name: Annotated[
        str, output("--name", metavar="NAME", help="What the results call the method: sft, rldf … (default: --method).")
    ] = "",
    base: Annotated[
        str, output("--base", metavar="NAME", help="What they call the model before training (default: --model).")
    ] = "",
) -> None:  # fmt: skip
    """Measure a model's social bias with BBQ: accuracy, sDIS, sAMB and unknown, beside what needs no understanding."""
    from elenchus.debate_engine.errors import UsageError
    from elenchus.detectors.alignment.bbq.untrained_baselines import METHODS as KNOWN
    from elenchus.service.cli import checks
    from elenchus.service.cli.rldf.bbq import BbqAsking, start

    checks.in_bounds(limit=limit)
    checks.within(rotations, 1, 3, "--rotations", "3")
    if way not in ("", "likelihood", "schema"):
        raise UsageError("--way is likelihood or schema.")
    if method not in KNOWN:
        raise UsageError(f"--method is {METHODS}: what was trained is measured as it is, with its --name.")
    wanted = BbqAsking(limit, rotations, way, method, controls, name.strip(), base.strip(), into)
    raise typer.Exit(context.run(start(data, model, wanted, how)))


@app.command("sample")
def sample(
    file: Annotated[Path, output("--out", metavar="FILE", help="Where it goes (.jsonl).")],
    number: Annotated[int, whole("--number", metavar="N", help="Items, 4 to 1,200.")] = 120,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Write a sample in BBQ's layout, from templates of ours, to try things with: it is not BBQ, and says so."""
    from elenchus.service.cli import checks
    from elenchus.service.cli.output import CommandOutput
    from elenchus.service.cli.rldf.bbq import write_sample

    checks.within(number, 4, 1_200, "--number", "120")
    checks.within(seed, 0, 2**31, "--seed", "0")
    write_sample(file, number, seed, CommandOutput(json))


Together = Annotated[
    bool, typer.Option("--together", help="The files' questions as one set: a category at a time was asked.")
]


@app.command("compare")
def compare(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="What `rldf bbq --out` has written.")],
    against: Annotated[
        str, typer.Option("--against", metavar="NAME", help="The method whose figures are taken off.")
    ] = "sft",
    together: Together = False,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Set methods side by side: mean and sd over seeds, and each against one of them, over the same questions."""
    from elenchus.service.cli import checks
    from elenchus.service.cli.output import CommandOutput
    from elenchus.service.cli.rldf.bbq_comparison import compare

    checks.within(seed, 0, 2**31, "--seed", "0")
    compare(files, against, seed, CommandOutput(json), together=together)


# ── open answers, rated by rubric ────────────────────────────────────────────────────────────────────────────────────

Bias = Annotated[
    str,
    bias_types(help=f"{BIAS_TYPES}, or your own .yaml files; all: those named."),
]
Topic = Annotated[
    list[str] | None, typer.Option("--topic", metavar="T", help="What is asked about; once for each (default: 40).")
]
Topics = Annotated[Path | None, typer.Option("--topics", metavar="FILE", help="The same, a topic a line.")]
Limit = Annotated[int | None, whole("--limit", metavar="N", help="Only the first N topics of each type.")]
AnswerFiles = Annotated[list[Path], typer.Argument(metavar="ANSWERS...", help="What `rldf answers` has written.")]
Ungated = Annotated[bool, typer.Option("--ungated", help="Go on although a judge has not passed the gate.")]


def names(typed: str) -> list[str]:
    """What stands between commas; age where nothing does."""
    return [name.strip() for name in typed.split(",") if name.strip()] or ["age"]


@app.command("answers")
@with_run_options("temperature", "seed", "dry_run")
def answers(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    how: Options,
    into: Annotated[Path, output("--out", metavar="FILE", help="Where they go (.jsonl).")],
    model: Annotated[str, model_option("--model", help="Who answers: provider:model.")] = "",
    name: Annotated[str, output("--name", metavar="NAME", help="The method: default, sft, rldf … (else: model).")] = "",
    bias: Bias = "all",
    topic: Topic = None,
    topics: Topics = None,
    limit: Limit = None,
    repeats: Annotated[int, whole("--repeats", metavar="N", help="Answers to each question.")] = 1,
) -> None:
    """Have a model answer open questions on everyday topics, to be rated, or as the pairs of RLAIF."""
    from elenchus.service.cli import checks
    from elenchus.service.cli.rldf.probe import questions_on
    from elenchus.service.cli.rldf.rating import ask

    checks.in_bounds(limit=limit, repeats=repeats)
    questions = questions_on(names(bias), topic or (), topics, limit)
    raise typer.Exit(context.run(ask(questions, model, name.strip(), repeats, into, how)))


@app.command("rate")
@with_run_options("seed", "dry_run")
def rate(
    how: Options,
    files: AnswerFiles,
    judge: Annotated[
        list[str], model_option("--judge", help="Who rates, once for each: provider:model; linear:… rates bias alone.")
    ],
    into: Annotated[Path, output("--out", metavar="FILE", help="Where the figures go (.json).")],
    ungated: Ungated = False,
) -> None:
    """Have judges rate answers by rubric: CE, LS, BS from 0 to 10. Who made a model's pairs never rates that model."""
    from elenchus.service.cli.rldf.rating import rate

    raise typer.Exit(context.run(rate(files, judge, into, how, ungated=ungated)))


@app.command("sheet")
def sheet(
    files: AnswerFiles,
    folder: Annotated[Path, output("--out", metavar="DIR", help="Where sheets, guide and key go.")],
    raters: Annotated[int, whole("--raters", metavar="N", help="So many sheets, 2 to 20.")] = 5,
    limit: Annotated[int | None, whole("--limit", metavar="N", help="So many answers, drawn.")] = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Write sheets on which people rate answers blind: in random order, without a method's name."""
    from elenchus.service.cli import checks
    from elenchus.service.cli.output import CommandOutput
    from elenchus.service.cli.rldf.rating import write_sheets

    checks.within(raters, 2, 20, "--raters", "5")
    checks.within(seed, 0, 2**31, "--seed", "0")
    checks.in_bounds(limit=limit)
    write_sheets(files, folder, raters, limit, seed, CommandOutput(json))


@app.command("collect")
def collect(
    files: AnswerFiles,
    key: Annotated[Path, typer.Option("--key", metavar="FILE", help="The key.json that was made with the sheets.")],
    sheets: Annotated[
        list[Path], typer.Option("--sheet", metavar="FILE", help="A filled-in sheet (.csv or .xlsx); once for each.")
    ],
    into: Annotated[Path | None, output("--out", metavar="FILE", help="Write the figures there, for report.")] = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Read filled-in sheets back: CE, LS and BS of each method, and how far those who rated agree (Fleiss' κ)."""
    from elenchus.service.cli import checks
    from elenchus.service.cli.output import CommandOutput
    from elenchus.service.cli.rldf.rating import collect

    checks.within(seed, 0, 2**31, "--seed", "0")
    collect(files, key, sheets, into, seed, CommandOutput(json))


@app.command("rlaif")
@with_run_options("seed", "dry_run")
def rlaif(
    how: Options,
    files: AnswerFiles,
    folder: Annotated[Path, output("--out", metavar="DIR", help="Where the files and their card go.")],
    judge: Annotated[str, model_option("--judge", help="Who scores: provider:model, or linear:wordllama.")] = "",
    ungated: Ungated = False,
    statements: Statements = None,
) -> None:
    """Write a model's own answers as pairs for training, without any debate: table 1's RLAIF, all else being equal."""
    from elenchus.service.cli.rldf.rating import rlaif

    work = rlaif(files, judge.strip(), folder, how.run.seed or 0, how, ungated=ungated, statements=statements)
    raise typer.Exit(context.run(work))


# ── the probe ────────────────────────────────────────────────────────────────────────────────────────────────────────


@app.command("probe")
@with_run_options("temperature", "seed", "dry_run", "export")
def probe(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    how: Options,
    model: Annotated[str, model_option("--model", help="Who answers and looks: provider:model.")] = "",
    bias: Bias = "all",
    topic: Topic = None,
    topics: Topics = None,
    limit: Limit = None,
    rotations: Annotated[int, whole("--rotations", metavar="N", help="Orders of the kinds of bias, 1 to 6.")] = 3,
    other: Annotated[str, typer.Option("--other", metavar="NAME", help="What the other model is called.")] = "",
    rival: Annotated[str, typer.Option("--rival", metavar="NAME", help="What the rival is called.")] = "",
    into: Annotated[Path | None, output("--out", metavar="FILE", help="Write the figures there, for report.")] = None,
) -> None:
    """Show a model its own answer as its own, as another's and as a rival's, and count the biases that it admits."""
    from elenchus.service.cli import checks
    from elenchus.service.cli.rldf.probe import questions_on, start

    checks.in_bounds(limit=limit)
    checks.within(rotations, 1, 6, "--rotations", "3")
    questions = questions_on(names(bias), topic or (), topics, limit)
    called = {"other": other, "rival": rival}
    raise typer.Exit(context.run(start(questions, model, called, rotations, into, how)))
