"""`elenchus detect`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from service.cli import context
from service.cli.context import BudgetTokens, BudgetUsd, DryRun, Export, Json, Seed
from service.cli.output import Out

if TYPE_CHECKING:
    from config.settings import Settings
    from debate_engine.events import Seat, SessionStarted
    from detectors.schemas import DetectConfig
    from service.cli.examining import Wanted
    from storage.vectors import Progress

WEIGHTS = "mean, annealing, genetic, ant-colony, dqn-genetic (the default) or a file"
METHODS = "full, tree, candidates, zero-shot, cot, dialogue or group"
Screen = Annotated[
    str,
    typer.Option(
        "--screen", metavar="HOW", help="embeddings: 8 more candidates by meaning, from the library, at no cost."
    ),
]


def detect(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    file: Annotated[str, typer.Argument(metavar="[FILE]", help="The text: a file, or - for standard input.")] = "",
    method: Annotated[str, typer.Option("--method", metavar="M", help=f"How: {METHODS}.")] = "full",
    weights: Annotated[
        str, typer.Option("--weights", metavar="NAME", help=f"What the scores count for: {WEIGHTS}.")
    ] = "",
    labels: Annotated[
        str, typer.Option("--labels", metavar="A,B", help="The candidates, instead of the screeners' suspicions.")
    ] = "",
    bias: Annotated[str, typer.Option("--bias", metavar="NAME", help="Ask only whether this one is there.")] = "",
    repeats: Annotated[int, typer.Option("--repeats", metavar="N", help="With --bias: ask so often.")] = 1,
    session: Annotated[str, typer.Option("--session", metavar="ID", help="Look at what was said in a session.")] = "",
    speaker: Annotated[
        str, typer.Option("--speaker", metavar="NAME", help="With --session: examine only what this one said.")
    ] = "",
    screen: Screen = "",
    top: Annotated[int, typer.Option("--top", metavar="K", help="Rank the first K biases.")] = 1,
    model: Annotated[
        str, typer.Option("--model", metavar="SPEC", help="Who does it all: provider:model, or human.")
    ] = "",
    detector: Annotated[
        str, typer.Option("--detector", metavar="SPEC", help="Who looks for the bias in question (default: --model).")
    ] = "",
    referee: Annotated[
        str, typer.Option("--referee", metavar="SPEC", help="Who judges the debates (default: --model).")
    ] = "",
    seed: Seed = None,
    dry_run: DryRun = False,
    budget_tokens: BudgetTokens = None,
    budget_usd: BudgetUsd = None,
    export: Export = None,
    json: Json = False,
) -> None:
    """Find the cognitive bias in a text, by debates between the suspected ones."""
    from service.cli import checks
    from service.cli.examining import Wanted

    checks.budget(budget_tokens, budget_usd)
    wanted = Wanted(file, method, weights, labels, bias, repeats, session, speaker, top, screen)
    limits = {"budget_tokens": budget_tokens, "budget_usd": budget_usd, "seed_models": seed is not None}
    who = {"model": model, "detector": detector, "referee": referee}
    raise typer.Exit(context.run(_detect(wanted, who, limits, seed, dry_run, export, Out(json))))


async def _detect(
    wanted: Wanted,
    who: dict[str, str],
    limits: dict[str, Any],
    seed: int | None,
    dry_run: bool,
    export: Path | None,
    out: Out,
) -> int:
    from service.cli.examining import config_of
    from service.cli.playing import play, sits_here
    from service.cli.starting import checked_models, context_of, prepare, warnings

    settings = context.settings()
    cfg = await config_of(wanted, settings)
    seats = _seats(cfg, who, settings)
    async with checked_models(settings, seats, rehearsal=dry_run) as registry:
        cfg = cfg.model_copy(update=context_of(registry, seats))
        if dry_run:
            from detectors.plan import plan
            from service.cli.planning import tell_plan

            await tell_plan(settings, registry, lambda pace_of: plan(cfg, seats, pace_of), out)
            return 0
    prepare(export, settings)
    interactive = sits_here() and not out.json
    async with context.opened(settings, interactive=interactive, building=_building(out)) as app:
        await app.library.names()  # built where it is not there yet, and told where it cannot be had, before any cost
        for warning in warnings(seats):
            out.warn(warning)
        session_id = await app.runner.start(started(cfg, seats, limits, seed))
        out.tell(f"session {session_id}")
        return await play(app, session_id, out, export=export)


def _seats(cfg: DetectConfig, who: dict[str, str], settings: Settings) -> list[Seat]:
    """Everyone's seat. Raises UsageError for an option about a seat that this way of detecting does not have."""
    from config import defaults
    from debate_engine.errors import UsageError
    from debate_engine.events import Seat
    from detectors.protocol import seats_of
    from detectors.referees import RATIONAL, REFEREES

    names = seats_of(cfg)
    kinds = {"detector": ("detector",), "referee": (*REFEREES, RATIONAL)}
    taken = {option: [name for name in names if name in kinds[option]] for option in kinds}
    if idle := [option for option in kinds if who[option].strip() and not taken[option]]:
        raise UsageError(f"--{idle[0]}: with --method {cfg.method} nobody sits there: leave it out.")
    model = who["model"].strip() or defaults.debater(settings)
    own = {name: who[option].strip() for option in kinds for name in taken[option]}
    return [Seat(name=name, spec=own.get(name) or model) for name in names]


def _building(out: Out) -> Progress:
    return lambda done, of: out.tell(f"building the knowledge library: {done} of {of} biases")


def started(cfg: DetectConfig, seats: list[Seat], limits: dict[str, Any], seed: int | None) -> SessionStarted:
    """The first event of a session that looks for a bias."""
    import secrets
    from importlib.metadata import version

    from debate_engine.events import SessionStarted

    return SessionStarted(
        protocol="detect",
        title=cfg.title,
        config=cfg.model_dump(mode="json"),
        seats=tuple(seats),
        seed=secrets.randbelow(2**31) if seed is None else seed,
        source=cfg.source,
        version=version("elenchus"),
        **limits,
    )
