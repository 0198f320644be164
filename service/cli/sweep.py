"""`elenchus sweep`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from service.cli import context
from service.cli.context import BudgetTokens, BudgetUsd, Export, Json
from service.cli.output import Out, clean


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
    budget_tokens: BudgetTokens = None,
    budget_usd: BudgetUsd = None,
    seed: Annotated[int | None, typer.Option("--seed", metavar="S", help="For our own chance and the models'.")] = None,
    export: Export = None,
    json: Json = False,
) -> None:
    """Have the same motion argued at several heats, and measure what changes."""
    from service.cli import checks

    checks.budget(budget_tokens, budget_usd)
    for value in heat or ():
        checks.within(value, 0, 1, "--heat", "0.5")
    checks.within(topics, 1, 10, "--topics", "2")
    checks.within(samples, 1, 50, "--samples", "1")
    config = {"motion": checks.motion(clean(motion)), "topics": topics, "samples": samples, "language": clean(language)}
    if heat:
        config["heats"] = heat
    if agenda:
        from service.cli.agenda_file import read_agenda

        config["agenda"] = [topic.model_dump() for topic in read_agenda(agenda)]
    settings = {
        "temperature": temperature,
        "budget_tokens": budget_tokens,
        "budget_usd": budget_usd,
        "seed_models": seed is not None,
    }
    raise typer.Exit(context.run(_sweep(config, (pro, con, crit), settings, seed, export, Out(json))))


async def _sweep(
    config: dict[str, Any],
    specs: tuple[str, str, str],
    limits: dict[str, Any],
    seed: int | None,
    export: Path | None,
    out: Out,
) -> int:
    import secrets
    from importlib.metadata import version

    from pydantic import ValidationError

    from config import defaults
    from debate_engine.errors import UsageError
    from debate_engine.events import Seat, SessionStarted
    from debate_engine.human import is_human
    from debate_engine.protocols.sweep.schemas import SweepConfig
    from service.cli.playing import play, sits_here
    from service.cli.starting import checked_models, prepare

    try:
        cfg = SweepConfig.model_validate(config)
    except ValidationError as error:
        raise UsageError(str(error.errors(include_url=False)[0]["msg"]).removeprefix("Value error, ")) from error
    settings = context.settings()
    seats = [
        Seat(name=name, spec=spec.strip() or defaults.debater(settings))
        for name, spec in zip(("pro", "con", "crit"), specs, strict=True)
    ]
    if any(is_human(seat.spec) for seat in seats):
        raise UsageError("A sweep compares models at many heats: give --pro, --con and --crit as provider:model.")
    async with checked_models(settings, seats):
        prepare(export, settings)
    async with context.opened(settings, interactive=sits_here() and not out.json) as app:
        started = SessionStarted(
            protocol="sweep",
            title=cfg.motion,
            config=cfg.model_dump(mode="json"),
            seats=tuple(seats),
            seed=secrets.randbelow(2**31) if seed is None else seed,
            version=version("elenchus"),
            **limits,
        )
        session_id = await app.runner.start(started)
        out.tell(f"session {session_id}")
        return await play(app, session_id, out, export=export)
