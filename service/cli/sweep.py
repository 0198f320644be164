"""`elenchus sweep`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from service.cli import context
from service.cli.context import BudgetTokens, BudgetUsd, DryRun, Export, Json, Seed
from service.cli.output import Out, clean

if TYPE_CHECKING:
    from config.settings import Settings
    from debate_engine.events import Seat
    from debate_engine.protocols.sweep.schemas import SweepConfig


def sweep(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    motion: Annotated[str, typer.Argument(metavar="MOTION", help="What both sides speak about, in quotes.")],
    pro: Annotated[str, typer.Option("--pro", metavar="SPEC", help="Who argues for it: provider:model.")] = "",
    con: Annotated[str, typer.Option("--con", metavar="SPEC", help="Who argues against it.")] = "",
    crit: Annotated[
        str, typer.Option("--crit", metavar="SPEC", help="Who reads the speeches, without knowing their heat.")
    ] = "",
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
    seed: Seed = None,
    export: Export = None,
    json: Json = False,
) -> None:
    """Have the same motion argued at several heats, and measure what changes."""
    from service.cli import checks

    checks.temperature(temperature)
    checks.budget(budget_tokens, budget_usd)
    checks.seed(seed)
    given = {"motion": checks.motion(clean(motion)), "topics": topics, "samples": samples, "language": clean(language)}
    config = _config(given, heat or [], agenda)
    limits = {"temperature": temperature, "budget_tokens": budget_tokens, "budget_usd": budget_usd}
    raise typer.Exit(context.run(_sweep(config, (pro, con, crit), limits, seed, dry_run, export, Out(json))))


def _config(given: dict[str, Any], heats: list[float], agenda: Path | None) -> SweepConfig:
    """The sweep's settings. Raises UsageError."""
    from pydantic import ValidationError

    from debate_engine.errors import UsageError
    from debate_engine.protocols.sweep.schemas import SweepConfig
    from service.cli import checks
    from service.cli.agenda_file import read_agenda

    for value in heats:
        checks.within(value, 0, 1, "--heat", "0.5")
    checks.within(given["topics"], 1, 10, "--topics", "2")
    checks.within(given["samples"], 1, 50, "--samples", "1")
    by_hand = {"heats": heats or None, "agenda": read_agenda(agenda) if agenda else None}
    try:
        return SweepConfig.model_validate(given | {name: value for name, value in by_hand.items() if value})
    except ValidationError as error:
        raise UsageError(str(error.errors(include_url=False)[0]["msg"]).removeprefix("Value error, ")) from error


async def _sweep(
    cfg: SweepConfig,
    specs: tuple[str, str, str],
    limits: dict[str, Any],
    seed: int | None,
    dry_run: bool,
    export: Path | None,
    out: Out,
) -> int:
    from service.cli.playing import play, sits_here
    from service.cli.starting import checked_models, first_event, prepare, warnings

    settings = context.settings()
    seats = _seats(specs, settings)
    async with checked_models(settings, seats, rehearsal=dry_run) as registry:
        if dry_run:
            from debate_engine.protocols.sweep.plan import plan
            from service.cli.planning import tell_plan

            await tell_plan(settings, registry, lambda pace_of: plan(cfg, seats, pace_of), out)
            return 0
    prepare(export, settings)
    async with context.opened(settings, interactive=sits_here() and not out.json) as app:
        for warning in warnings(list(seats)):
            out.warn(warning)
        config = cfg.model_dump(mode="json")
        started = first_event(seed, protocol="sweep", title=cfg.motion, config=config, seats=seats, **limits)
        session_id = await app.runner.start(started)
        out.tell(f"session {session_id}")
        return await play(app, session_id, out, export=export)


def _seats(specs: tuple[str, str, str], settings: Settings) -> tuple[Seat, ...]:
    """Who speaks and who reads. Raises UsageError for a person."""
    from config import defaults
    from debate_engine.errors import UsageError
    from debate_engine.events import Seat
    from debate_engine.human import is_human

    models = [spec.strip() or defaults.debater(settings) for spec in specs]
    if any(map(is_human, models)):
        raise UsageError("A sweep compares models at many heats: give --pro, --con and --crit as provider:model.")
    return tuple(Seat(name=name, spec=spec) for name, spec in zip(("pro", "con", "crit"), models, strict=True))
