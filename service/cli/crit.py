"""`elenchus crit`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from service.cli import context
from service.cli.context import BudgetTokens, BudgetUsd, DryRun, Export, Json
from service.cli.output import Out, clean

LARGEST = 400_000
"""Bytes of a document."""


def crit(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A text or Markdown file that argues for something, or -."),
    ],
    source: Annotated[
        list[Path] | None, typer.Option("--source", metavar="FILE", help="A document that the text may rest on.")
    ] = None,
    model: Annotated[
        str, typer.Option("--model", metavar="SPEC", help="Who reads and scores: provider:model, or human.")
    ] = "",
    max_reasons: Annotated[
        int, typer.Option("--max-reasons", metavar="N", help="Reasons of each kind that are looked at, at the most.")
    ] = 5,
    temperature: Annotated[
        float | None, typer.Option("--temperature", metavar="T", help="For the model (default: each prompt's own).")
    ] = None,
    dry_run: DryRun = False,
    budget_tokens: BudgetTokens = None,
    budget_usd: BudgetUsd = None,
    export: Export = None,
    json: Json = False,
) -> None:
    """Score a document's claim by its reasons and rival reasons (CRIT)."""
    from service.cli import checks
    from service.cli.text_file import name_of_file_or_input

    checks.within(max_reasons, 1, 50, "--max-reasons", "5")
    checks.temperature(temperature)
    checks.budget(budget_tokens, budget_usd)
    config = {
        "title": name_of_file_or_input(file),
        "document": _text(file),
        "sources": [{"name": clean(path.name), "text": _text(str(path))} for path in source or ()],
        "max_reasons": max_reasons,
    }
    limits = {"temperature": temperature, "budget_tokens": budget_tokens, "budget_usd": budget_usd}
    raise typer.Exit(context.run(_crit(config, model, limits, dry_run, export, Out(json))))


def _text(file: str) -> str:
    from debate_engine.errors import UsageError
    from service.cli.text_file import name_of_file_or_input, text_of_file_or_input

    text = clean(text_of_file_or_input(file, LARGEST, "document")).strip()
    if not text:
        raise UsageError(f"The document {name_of_file_or_input(file)} is empty: give a text that argues for something.")
    return text


async def _crit(
    config: dict[str, Any], model: str, limits: dict[str, Any], dry_run: bool, export: Path | None, out: Out
) -> int:
    from config import defaults
    from debate_engine.events import Seat
    from service.cli.playing import play, sits_here
    from service.cli.starting import checked_models, context_of, first_event, prepare, warnings

    settings = context.settings()
    seat = Seat(name="crit", spec=model.strip() or defaults.debater(settings))
    async with checked_models(settings, [seat], rehearsal=dry_run) as registry:
        config |= context_of(registry, [seat])
        if dry_run:
            from debate_engine.protocols.crit.plan import plan
            from service.cli.planning import tell_plan

            await tell_plan(settings, registry, lambda pace_of: plan(config, [seat], pace_of), out)
            return 0
    prepare(export, settings)
    async with context.opened(settings, interactive=sits_here() and not out.json) as app:
        for warning in warnings([seat]):
            out.warn(warning)
        started = first_event(None, protocol="crit", title=config["title"], config=config, seats=(seat,), **limits)
        session_id = await app.runner.start(started)
        out.tell(f"session {session_id}")
        return await play(app, session_id, out, export=export)
