"""`elenchus sweep`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from elenchus.service.cli import context, options
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
from elenchus.service.cli.output import Out, clean

if TYPE_CHECKING:
    from elenchus.debate_engine.events import Seat
    from elenchus.debate_engine.protocols.sweep.schemas import SweepConfig
    from elenchus.service.cli.launching import Options
    from elenchus.service.lab.default_models import Unnamed


def sweep(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    motion: Annotated[str, typer.Argument(metavar="MOTION", help="What both sides speak about, in quotes.")],
    model: DefaultModel = "",
    pro: Annotated[str, options.model("--pro", help="Who argues for it: provider:model.")] = "",
    con: Annotated[str, options.model("--con", help="Who argues against it.")] = "",
    crit: Annotated[str, options.model("--crit", help="Who reads the speeches, without knowing their heat.")] = "",
    heat: Annotated[
        list[float] | None, typer.Option("--heat", help="A heat; give it once for each (default: .9 .7 .5 .3 0).")
    ] = None,
    topics: Annotated[int, typer.Option("--topics", metavar="K", help="Topics of the agenda, 1 to 10.")] = 2,
    samples: Annotated[int, typer.Option("--samples", metavar="N", help="Speeches of each side at each heat.")] = 1,
    agenda: Annotated[Path | None, typer.Option("--agenda", metavar="FILE", help="Topics by hand.")] = None,
    language: Annotated[str, typer.Option("--language", metavar="L", help="Of the speeches.")] = "",
    temperature: Annotated[float | None, typer.Option("--temperature", metavar="T", help="For the models.")] = None,
    dry_run: DryRun = False,
    budget_tokens: BudgetTokens = None,
    budget_usd: BudgetUsd = None,
    price: PriceOption = "",
    unpriced_ok: UnpricedOk = False,
    seed: Seed = None,
    export: Export = None,
    json: Json = False,
) -> None:
    """Have the same motion argued at several heats, and measure what changes."""
    from elenchus.service.cli import checks
    from elenchus.service.cli.launching import Options, limits_of

    limits = limits_of(budget_tokens, budget_usd, price, unpriced_ok=unpriced_ok)
    options = Options(Out(json), limits, seed, dry_run, export, temperature)
    options.check()
    given = {"motion": checks.motion(clean(motion)), "topics": topics, "samples": samples, "language": clean(language)}
    config = _config(given, heat or [], agenda)
    raise typer.Exit(context.run(_sweep(config, (pro, con, crit), model, options)))


def _config(given: dict[str, Any], heats: list[float], agenda: Path | None) -> SweepConfig:
    """The sweep's settings. Raises UsageError."""
    from pydantic import ValidationError

    from elenchus.debate_engine.errors import UsageError
    from elenchus.debate_engine.protocols.sweep.schemas import SweepConfig
    from elenchus.service.cli import checks
    from elenchus.service.cli.agenda_file import read_agenda

    for value in heats:
        checks.within(value, 0, 1, "--heat", "0.5")
    checks.within(given["topics"], 1, 10, "--topics", "2")
    checks.within(given["samples"], 1, 50, "--samples", "1")
    by_hand = {"heats": heats or None, "agenda": read_agenda(agenda) if agenda else None}
    try:
        return SweepConfig.model_validate(given | {name: value for name, value in by_hand.items() if value})
    except ValidationError as error:
        raise UsageError(str(error.errors(include_url=False)[0]["msg"]).removeprefix("Value error, ")) from error


async def _sweep(cfg: SweepConfig, specs: tuple[str, str, str], model: str, options: Options) -> int:
    from elenchus.debate_engine.protocols.sweep.plan import plan
    from elenchus.service.cli.launching import Launch, launched
    from elenchus.service.lab.default_models import seated

    settings = context.settings()
    seats, unnamed = await seated(settings, model, lambda unnamed: _seats(specs, unnamed))
    wanted = Launch("sweep", cfg.motion, seats, unnamed, lambda _: cfg, plan, long=True, drawn=True)
    return await launched(wanted, settings, options)


def _seats(specs: tuple[str, str, str], unnamed: Unnamed) -> tuple[Seat, ...]:
    """Who speaks and who reads. Raises UsageError for a person who is to speak."""
    from elenchus.debate_engine.errors import UsageError
    from elenchus.debate_engine.events import Seat
    from elenchus.debate_engine.human import is_human

    given = zip(("pro", "con", "crit"), specs, strict=True)
    seats = tuple(Seat(name=name, spec=spec.strip() or unnamed.debater(name)) for name, spec in given)
    if any(is_human(seat.spec) for seat in seats[:2]):
        raise UsageError("A sweep has models speak at many heats: give --pro and --con as provider:model.")
    return seats
