"""`elenchus detect`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from service.cli import context
from service.cli.context import BudgetTokens, BudgetUsd, DryRun, Export, Json, Seed
from service.cli.output import Out

if TYPE_CHECKING:
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
    model: Annotated[str, typer.Option("--model", metavar="SPEC", help="Who does it all: provider:model.")] = "",
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
    checks.seed(seed)
    wanted = Wanted(file, method, weights, labels, bias, repeats, session, speaker, top, screen)
    limits = {"budget_tokens": budget_tokens, "budget_usd": budget_usd, "seed_models": seed is not None}
    raise typer.Exit(context.run(_detect(wanted, model, limits, seed, dry_run, export, Out(json))))


async def _detect(
    wanted: Wanted, model: str, limits: dict[str, Any], seed: int | None, dry_run: bool, export: Path | None, out: Out
) -> int:
    from config import defaults
    from debate_engine.events import Seat
    from detectors.protocol import seats_of
    from service.cli.examining import config_of, refuse_a_person
    from service.cli.playing import play, sits_here
    from service.cli.starting import checked_models, prepare, warnings

    settings = context.settings()
    cfg = await config_of(wanted, settings)
    spec = model.strip() or defaults.debater(settings)
    refuse_a_person(spec)
    seats = [Seat(name=name, spec=spec) for name in seats_of(cfg)]
    async with checked_models(settings, seats, rehearsal=dry_run) as registry:
        cfg = cfg.model_copy(update={"context_tokens": registry.model(spec).context_tokens})
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
