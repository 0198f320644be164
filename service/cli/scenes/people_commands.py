"""`elenchus scene …` for what people in scenes are promised: taking back, codes, removal, who may see what, the key."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from elenchus.service.cli import context, options
from elenchus.service.cli.options import Json, Yes
from elenchus.service.cli.output import CommandOutput

NamedScene = Annotated[
    str,
    typer.Argument(
        metavar="NAME",
        help="The scene's name, as `elenchus scene list` gives it, or its file.",
        autocompletion=options.scenes,
    ),
]
Mode = Annotated[
    str,
    options.choice(
        "--mode",
        "MODE",
        "demonstration, study",
        "demonstration (default): nothing personal is left after 24 hours; study: as its consent says.",
    ),
]
ConsentFile = Annotated[
    Path | None,
    typer.Option("--consent", metavar="FILE", help="A study's own consent: contact, purpose, retention_days and more."),
]

Approval = Annotated[
    str, typer.Option("--ethics-approval", metavar="TEXT", help="What an ethics board allowed; people are told.")
]


def add_to(app: typer.Typer) -> None:
    """Add them to the commands of scenes."""
    app.command("withdraw")(withdraw)
    app.command("code")(code)
    app.command("sweep")(sweep)
    app.command("datasheet")(datasheet)
    app.command("forget-key")(forget_key)


def withdraw(
    code: Annotated[str, typer.Argument(metavar="CODE", help="The code that was shown after the debriefing.")],
    json: Json = False,
) -> None:
    """Take back what you said in a scene, with the code that you were given: no account, no reason."""
    from elenchus.service.cli.scenes.promises import withdraw

    context.run(withdraw(code, CommandOutput(json)))


def code(
    code: Annotated[str, typer.Argument(metavar="CODE", help="A completion code, as a participant gives it.")],
    json: Json = False,
) -> None:
    """Say which ending a completion code stands for (complete, screened, withdrew, timed out), and nothing else."""
    from elenchus.service.cli.scenes.promises import check_code

    context.run(check_code(code, CommandOutput(json)))


def sweep(json: Json = False) -> None:
    """Remove the sessions with people whose time is over, as the program does by itself whenever it runs (for cron)."""
    from elenchus.service.cli.scenes.promises import sweep

    context.run(sweep(CommandOutput(json)))


def datasheet(
    scene: NamedScene,
    mode: Mode = "",
    consent: ConsentFile = None,
    others: Annotated[str, options.model("--others", help="The model that plays beside people.")] = "",
    json: Json = False,
) -> None:
    """Show who may see what of the people in a scene, and how long it is kept."""
    from elenchus.service.cli.scenes.promises import show_datasheet

    show_datasheet(scene, mode, consent, others, CommandOutput(json))


def forget_key(
    account: Annotated[
        str, typer.Option("--account", metavar="NAME", help="Only this person's (as `human:NAME`, or discord:NUMBER).")
    ] = "",
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Destroy the key from people's accounts to their made-up names in scenes: after that nobody can be told."""
    out = CommandOutput(json)
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
