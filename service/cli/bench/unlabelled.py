"""`elenchus bench unlabelled`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from elenchus.service.cli import checks, completing, context
from elenchus.service.cli.bench.running import NoCache, context_in, measure
from elenchus.service.cli.context import BudgetTokens, BudgetUsd, DryRun, Export, Json, PriceOption, Seed, UnpricedOk
from elenchus.service.cli.detect import METHODS, WEIGHTS, Screen
from elenchus.service.cli.launching import Options, limits_of
from elenchus.service.cli.output import Out

if TYPE_CHECKING:
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.detectors.evaluation.schemas import Sample, UnlabelledConfig
    from elenchus.detectors.schemas import Method

CHEAP = ("zero-shot", "cot")


def unlabelled(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    method: Annotated[
        list[str] | None,
        typer.Option(
            "--method",
            metavar="M",
            autocompletion=completing.one_of(METHODS),
            help=f"{METHODS}; give it once for each (default: zero-shot and cot).",
        ),
    ] = None,
    model: Annotated[str, completing.model("--model", help="Who does it all: provider:model.")] = "",
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
        typer.Option("--limit", metavar="N", help="Take N texts, half with a bias, half without, drawn by the seed."),
    ] = None,
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
    """Compare the methods of detection over texts whose bias is known."""
    if limit is not None:
        checks.within(limit, 1, 1_000_000, "--limit", "20")
    limits = limits_of(budget_tokens, budget_usd, price, unpriced_ok=unpriced_ok)
    options = Options(Out(json), limits, seed, dry_run, export)
    options.check()
    samples = _samples(texts, limit, seed or 0)
    methods = _methods(method or list(CHEAP))
    raise typer.Exit(context.run(_unlabelled(samples, methods, model, weights, screen, not no_cache, options)))


async def _unlabelled(
    samples: Sequence[Sample],
    methods: tuple[Method, ...],
    model: str,
    weights: str,
    screen: str,
    cache: bool,
    options: Options,
) -> int:
    from elenchus.debate_engine.errors import UsageError
    from elenchus.detectors.evaluation.files import UNLABELLED
    from elenchus.detectors.evaluation.schemas import UnlabelledConfig
    from elenchus.detectors.evaluation.unlabelled import unlabelled_seats
    from elenchus.detectors.schemas import SCREENED_METHODS
    from elenchus.service.lab.default_models import seated
    from elenchus.service.lab.detection import candidates_added, weights_named

    names = unlabelled_seats(methods)
    spec, unnamed = await seated(context.settings(), "", lambda unnamed: model.strip() or unnamed.debater(*names))
    seats = dict.fromkeys(names, spec)
    counted = weights_named(weights)
    if weights and "full" not in methods:
        raise UsageError("--weights counts the referees' scores, which only --method full has: leave it out.")
    near = candidates_added(screen, screened=any(method in SCREENED_METHODS for method in methods))

    def made(registry: Registry) -> UnlabelledConfig:
        return UnlabelledConfig(
            samples=tuple(samples),
            methods=methods,
            weights=counted,
            near=near,
            cache=cache,
            **context_in(registry, seats),
        )

    title = f"{len(samples)} texts, {spec}"
    return (await measure(UNLABELLED, title, seats, unnamed, made, options))[0]


def _samples(texts: Path | None, limit: int | None, seed: int) -> Sequence[Sample]:
    """The texts to look at. Raises UsageError."""
    from elenchus.debate_engine.errors import UsageError
    from elenchus.detectors.evaluation.samples import drawn, own_texts, read_samples

    found = read_samples(texts) if texts else own_texts()
    ids = [sample.id for sample in found]
    if twice := sorted({name for name in ids if ids.count(name) > 1}):
        raise UsageError(f"The id {twice[0]!r} stands at several texts: give each its own, or none.")
    return drawn(found, len(found) if limit is None else limit, seed)


def _methods(names: list[str]) -> tuple[Method, ...]:
    """The methods by name, each once. Raises UsageError."""
    from elenchus.service.lab.detection import method_named

    return tuple(dict.fromkeys(method_named(name) for name in names))
