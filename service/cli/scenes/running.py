"""`elenchus scene run`, `resume`, `results` and `forget-key`."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from elenchus.service.cli import completing, context
from elenchus.service.cli.context import (
    BudgetTokens,
    BudgetUsd,
    DefaultModel,
    DryRun,
    Export,
    Json,
    PriceOption,
    UnpricedOk,
)
from elenchus.service.cli.output import Out, clean

if TYPE_CHECKING:
    from elenchus.service.lab.grid import GridOptions

AtOnce = Annotated[
    int | None,
    typer.Option(
        "--at-once",
        metavar="N",
        help="Runs side by side (default: as many calls as the models' providers take at once).",
    ),
]
SceneName = Annotated[
    str,
    typer.Argument(
        metavar="SCENE", help="A scene's name (`scene list`), or its file.", autocompletion=completing.scenes
    ),
]


def run(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    scene: SceneName,
    model: DefaultModel = "",
    subject: Annotated[
        list[str] | None,
        completing.model("--subject", help="Who is the subject: provider:model, or human; once for each."),
    ] = None,
    style: Annotated[
        str, typer.Option("--style", metavar="A,B", help="How subjects decide, such as aggressive,conservative.")
    ] = "",
    condition: Annotated[
        str,
        typer.Option(
            "--condition",
            metavar="A,B",
            autocompletion=completing.one_of("treatment, control"),
            help="treatment, control (default: all there are).",
        ),
    ] = "",
    n: Annotated[int, typer.Option("-n", metavar="N", help="Runs of each combination.")] = 1,
    temperature: Annotated[float | None, typer.Option("--temperature", metavar="T", help="For the models.")] = None,
    confederate: Annotated[str, completing.model("--confederate", help="Who is the confederate.")] = "",
    moderator: Annotated[str, completing.model("--moderator", help="Who is the moderator.")] = "",
    others: Annotated[str, completing.model("--others", help="Everybody else, and the system agent.")] = "",
    judge: Annotated[
        list[str] | None,
        completing.model("--judge", help="A judge: provider:model, or human; once for each (default: three)."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="S", help="Of the whole grid; each run has its own.")
    ] = None,
    at_once: AtOnce = None,
    pilot: Annotated[
        bool, typer.Option("--pilot", help="To try things out: `scene results` leaves these runs out.")
    ] = False,
    dry_run: DryRun = False,
    budget_tokens: BudgetTokens = None,
    budget_usd: BudgetUsd = None,
    price: PriceOption = "",
    unpriced_ok: UnpricedOk = False,
    export: Export = None,
    json: Json = False,
) -> None:
    """Play a scene: each subject, style and condition N times, side by side, and count how often the bias is seen.

    With a person (--subject human, --judge human) it is played once, here. A budget is for all runs together.
    """
    from elenchus.service.cli import checks
    from elenchus.service.lab.grid import GridOptions
    from elenchus.service.lab.options import options_of

    given = {
        "scene": scene, "subjects": [spec.strip() for spec in subject or ()], "n": n, "temperature": temperature,
        "styles": [clean(one) for one in _parts(style)], "conditions": _parts(condition),
        "confederate": confederate.strip(), "moderator": moderator.strip(), "others": others.strip(),
        "judges": [spec.strip() for spec in judge or ()], "seed": seed, "model": model, "at_once": at_once,
        "pilot": pilot, "budget_tokens": budget_tokens, "budget_usd": budget_usd, "price": price,
        "unpriced_ok": unpriced_ok,
    }  # fmt: skip
    wanted = options_of(GridOptions, given, checks.option)
    raise typer.Exit(context.run(_run(wanted, export, Out(json), dry_run=dry_run)))


async def _run(wanted: GridOptions, export: Path | None, out: Out, *, dry_run: bool) -> int:
    if wanted.with_people:
        from elenchus.service.cli.scenes.with_people import play_with_people

        return await play_with_people(wanted, export, out, dry_run=dry_run)
    from elenchus.service.cli.scenes.gridding import start_grid

    return await start_grid(wanted, export, out, dry_run=dry_run)


def resume(
    grid: Annotated[str, typer.Argument(metavar="GRID", help="The id that `scene run` gave, or its beginning.")],
    at_once: AtOnce = None,
    budget_tokens: BudgetTokens = None,
    budget_usd: BudgetUsd = None,
    price: PriceOption = "",
    unpriced_ok: UnpricedOk = False,
    export: Export = None,
    json: Json = False,
) -> None:
    """Go on with the runs of a scene where they stopped: only what is missing is played."""
    from elenchus.service.cli import checks
    from elenchus.service.cli.launching import limits_of
    from elenchus.service.cli.scenes.gridding import resume_grid

    checks.at_once(at_once)
    limits = limits_of(budget_tokens, budget_usd, price, unpriced_ok=unpriced_ok)
    raise typer.Exit(context.run(resume_grid(grid, limits, at_once, export, Out(json))))


def results(
    scene: SceneName,
    grid: Annotated[
        str, typer.Option("--grid", metavar="GRID", help="Only these runs: the id that `scene run` gave.")
    ] = "",
    since: Annotated[
        datetime | None, typer.Option("--since", metavar="DATE", help="Only sessions begun then or later (UTC).")
    ] = None,
    subject: Annotated[
        list[str] | None,
        typer.Option(
            "--subject",
            metavar="WHO",
            autocompletion=completing.models,
            help="Only people, models, or a model (* for any); once for each.",
        ),
    ] = None,
    session: Annotated[
        list[str] | None, completing.session("--session", help="Only this session; once for each.")
    ] = None,
    pilots: Annotated[bool, typer.Option("--pilots", help="Count runs that were started with --pilot, too.")] = False,
    export: Export = None,
    json: Json = False,
) -> None:
    """Count how often the bias is seen over all sessions of a scene, whoever ran them, here or in Discord.

    Pilots are left out. Subjects are compared each with itself, never added up.
    """
    from elenchus.debate_engine.protocols.rulegen.study.gathering import Chosen
    from elenchus.service.cli.scenes.counting import show_results

    begun = since.replace(tzinfo=UTC) if since and since.tzinfo is None else since
    chosen = Chosen(grid.strip(), begun, tuple(subject or ()), tuple(session or ()), pilots)
    context.run(show_results(scene, chosen, export, Out(json)))


def forget_key(
    account: Annotated[
        str, typer.Option("--account", metavar="NAME", help="Only this person's (as `human:NAME`, or discord:NUMBER).")
    ] = "",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    json: Json = False,
) -> None:
    """Destroy the key from people's accounts to their made-up names in scenes: after that nobody can be told."""
    out = Out(json)
    whose = f"of {account}" if account else "of everybody"
    context.confirm(
        f"Destroy the key to the made-up {'name' if account else 'names'} {whose} for good", yes=yes or json
    )
    count = context.run(_forgotten(account))
    out.document({"account": account or None, "forgotten": count})
    if not out.json:
        out.line(f"the key {whose} is destroyed ({count} {'name' if count == 1 else 'names'})")


async def _forgotten(account: str) -> int:
    async with context.opened() as app:
        return int(await app.pseudonyms.forget(account)) if account else await app.pseudonyms.destroy()


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def add_to(app: typer.Typer) -> None:
    """Put the commands into the tree."""
    app.command("run")(run)
    app.command("resume")(resume)
    app.command("results")(results)
    app.command("forget-key")(forget_key)
