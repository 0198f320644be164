"""`elenchus bench evaluator`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from elenchus.service.cli import checks, context, options
from elenchus.service.cli.bench.running import NoCache, context_in, measure, named
from elenchus.service.cli.exporting import written
from elenchus.service.cli.launching import Options, limits_of
from elenchus.service.cli.options import (
    BudgetTokens,
    BudgetUsd,
    DefaultModel,
    DryRun,
    Export,
    Json,
    PriceOption,
    Seed,
    UnpricedOk,
)
from elenchus.service.cli.output import Out

if TYPE_CHECKING:
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.detectors.evaluation.records import Record
    from elenchus.detectors.evaluation.schemas import EvaluatorConfig, EvaluatorResult


def evaluator(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Records with people's labels (.jsonl, .csv, .xlsx).", exists=False)
    ],
    model: DefaultModel = "",
    judge: Annotated[
        str,
        options.model("--judge", help="A model or human, where the file has no column judge."),
    ] = "",
    repeats: Annotated[int, typer.Option("--repeats", metavar="N", help="Judgements of each answer.")] = 3,
    no_cache: NoCache = False,
    dry_run: DryRun = False,
    budget_tokens: BudgetTokens = None,
    budget_usd: BudgetUsd = None,
    price: PriceOption = "",
    unpriced_ok: UnpricedOk = False,
    seed: Seed = None,
    export: Export = None,
    json: Json = False,
) -> None:
    """Compare a judge with people's labels: accuracy, Pearson's r, Cohen's kappa, agreement over repeats.

    The file has a column human (or human 1, human 2 ...). With columns judge, these are compared and nobody is asked.
    """
    from elenchus.detectors.evaluation.records import read_records

    checks.within(repeats, 1, 50, "--repeats", "3")
    limits = limits_of(budget_tokens, budget_usd, price, unpriced_ok=unpriced_ok)
    options = Options(Out(json), limits, seed, dry_run, export)
    options.check()
    records = read_records(file, needs=())
    _refuse_without_labels(file, records)
    if any(record.judge for record in records):
        _compare(records, judge, options)
        return
    raise typer.Exit(context.run(_evaluator(records, (judge, model), repeats, not no_cache, options)))


def _refuse_without_labels(file: Path, records: Sequence[Record]) -> None:
    """Raises UsageError naming the first row that nobody has labelled."""
    from elenchus.debate_engine.errors import UsageError
    from elenchus.detectors.evaluation.items import human_of

    judged = any(record.judge for record in records)
    for record in records:
        where = f"{file}, row {record.row}"
        if all(label is None for label in human_of(record)):
            raise UsageError(f"{where}: no person has labelled it: fill human, or presence of bias, with yes or no.")
        if not judged and not (record.answer and record.bias):
            raise UsageError(f"{where}: a judge needs an answer and the name of a bias.")


async def _evaluator(
    records: Sequence[Record], specs: tuple[str, str], repeats: int, cache: bool, options: Options
) -> int:
    from elenchus.detectors.evaluation.files import EVALUATOR
    from elenchus.detectors.evaluation.items import labelled_items
    from elenchus.detectors.evaluation.schemas import EvaluatorConfig
    from elenchus.detectors.labelled import SEAT
    from elenchus.service.lab.default_models import seated

    judge, model = specs
    seats, unnamed = await seated(
        context.settings(), model, lambda unnamed: {SEAT: judge.strip() or unnamed.judge(SEAT)}
    )

    def made(registry: Registry) -> EvaluatorConfig:
        return EvaluatorConfig(
            items=tuple(labelled_items(records)),
            repeats=repeats,
            seed=options.seed or 0,
            cache=cache,
            judge=named(seats[SEAT]),
            **context_in(registry, seats),
        )

    title = f"{len(records)} labelled answers, judge {named(seats[SEAT])}"
    return (await measure(EVALUATOR, title, seats, unnamed, made, options, judge=SEAT))[0]


def _compare(records: Sequence[Record], judge: str, options: Options) -> None:
    """Compare the labels that the file has itself. Raises UsageError."""
    from elenchus.debate_engine.errors import UsageError
    from elenchus.detectors.evaluation.files import markdown_of

    if judge or options.dry_run:
        raise UsageError("The file has the judge's answers itself, and nobody is asked: leave out --judge, --dry-run.")
    result = _result(records, options.seed or 0)
    options.out.document(result.model_dump(mode="json"))
    if not options.out.json:
        options.out.line("\n\n".join(markdown_of(result)))
    if options.export:
        _write(result, options.export, options.out)


def _result(records: Sequence[Record], seed: int) -> EvaluatorResult:
    from elenchus.detectors.evaluation.evaluator import result_of
    from elenchus.detectors.evaluation.items import human_of
    from elenchus.detectors.evaluation.schemas import Row

    rows = tuple(
        Row(item=record.id or f"row-{record.row}", bias=record.bias, human=human_of(record), judge=record.judge)
        for record in records
    )
    return result_of(rows, seed)


def _write(result: EvaluatorResult, folder: Path, out: Out) -> None:
    from elenchus.debate_engine.reports.files import check_folder, write_all
    from elenchus.detectors.evaluation.files import tables_of

    check_folder(folder)
    files = write_all(folder, {name: text.encode() for name, text in tables_of(result).items()})
    out.tell(written(files, folder))
