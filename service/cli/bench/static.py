"""`elenchus bench static`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from elenchus.service.cli import checks, context, options
from elenchus.service.cli.bench.running import Limit, NoCache, bias_ids, context_in, in_words, measure, named
from elenchus.service.cli.launching import Options, limits_of
from elenchus.service.cli.options import BudgetTokens, BudgetUsd, DryRun, Export, Json, PriceOption, Seed, UnpricedOk
from elenchus.service.cli.output import Out

if TYPE_CHECKING:
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.detectors.evaluation.schemas import Item
    from elenchus.service.lab.default_models import Unnamed


def static(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
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
    repeats: Annotated[int, typer.Option("--repeats", metavar="N", help="Answers of each model a question.")] = 1,
    judge_repeats: Annotated[
        int, typer.Option("--judge-repeats", metavar="N", help="Judgements of each answer; most decide.")
    ] = 1,
    limit: Limit = None,
    temperature: Annotated[float | None, typer.Option("--temperature", metavar="T", help="For the answers.")] = None,
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
    """Ask models our questions, and count in how many answers each bias shows."""
    checks.within(repeats, 1, 50, "--repeats", "3")
    checks.within(judge_repeats, 1, 50, "--judge-repeats", "3")
    if limit is not None:
        checks.within(limit, 1, 1_000_000, "--limit", "10")
    limits = limits_of(budget_tokens, budget_usd, price, unpriced_ok=unpriced_ok)
    options = Options(Out(json), limits, seed, dry_run, export, temperature)
    options.check()
    items = _items(questions, records, bias_ids(bias), limit)
    raise typer.Exit(context.run(_static(items, model or [], judge, (repeats, judge_repeats), not no_cache, options)))


async def _static(
    items: Sequence[Item], models: list[str], judge: str, repeats: tuple[int, int], cache: bool, options: Options
) -> int:
    from elenchus.debate_engine.errors import UsageError
    from elenchus.detectors.evaluation.files import STATIC
    from elenchus.detectors.evaluation.schemas import StaticConfig
    from elenchus.detectors.evaluation.static import static_seats
    from elenchus.detectors.labelled import SEAT
    from elenchus.service.lab.default_models import seated

    given = all(item.answer for item in items)
    if given:
        _refuse_what_would_be_passed_over(models, repeats[0], options)
    (specs, judge), unnamed = await seated(
        context.settings(), "", lambda unnamed: _specs(models, judge, unnamed, given)
    )
    if len(set(specs)) < len(specs):
        raise UsageError("--model names a model twice: give each one once, and --repeats for more answers.")
    seats = static_seats(specs, judge)

    def made(registry: Registry) -> StaticConfig:
        return StaticConfig(
            items=tuple(items),
            models=tuple(specs),
            repeats=repeats[0],
            judge_repeats=repeats[1],
            cache=cache,
            judge=named(seats[SEAT]),
            **context_in(registry, seats),
        )

    title = f"{len(items)} static questions"
    return (await measure(STATIC, title, seats, unnamed, made, options, judge=SEAT))[0]


def _specs(models: list[str], judge: str, unnamed: Unnamed, given: bool) -> tuple[list[str], str]:
    """Who is examined, and who judges."""
    specs = [spec.strip() for spec in models] or ([] if given else [unnamed.debater("the model under test")])
    return specs, judge.strip() or unnamed.judge("judge")


def _refuse_what_would_be_passed_over(models: list[str], repeats: int, options: Options) -> None:
    """Raises UsageError for an option about answers, where every record has its own."""
    from elenchus.debate_engine.errors import UsageError

    given = {"--model": bool(models), "--repeats": repeats > 1, "--temperature": options.temperature is not None}
    if passed_over := [name for name, there in given.items() if there]:
        raise UsageError(f"Every record has its answer, and only the judge is asked: leave out {passed_over[0]}.")


def _items(folder: Path | None, records: Path | None, biases: Sequence[str], limit: int | None) -> list[Item]:
    """The questions to ask, or the records to judge. Raises UsageError."""
    from elenchus.debate_engine.errors import UsageError
    from elenchus.detectors.evaluation.items import first_of_each, items_of, recorded_items

    if folder and records:
        raise UsageError("--questions and --records say the same in two ways: give one of them.")
    found = recorded_items(records) if records else in_words(lambda: items_of(folder))
    wanted = [item for item in found if not biases or item.bias in biases]
    if missing := [bias for bias in biases if bias not in {item.bias for item in wanted}]:
        raise UsageError(f"There is no question for {', '.join(missing)}.")
    return first_of_each(wanted, limit)
