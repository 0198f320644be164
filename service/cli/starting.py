"""What is checked and told before a session starts, while nothing is spent."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from elenchus.config.settings import DEFAULT_MODEL
from elenchus.debate_engine.errors import MissingKey, ProviderError, UsageError
from elenchus.service.cli import checks
from elenchus.service.cli.failures import USAGE
from elenchus.service.cli.output import Out
from elenchus.service.lab.options import RunOptions
from elenchus.service.lab.seats import specs_of

if TYPE_CHECKING:
    from elenchus.config.settings import Settings
    from elenchus.debate_engine.events import BudgetRaised, Recorded, Seat
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.service.app import App
    from elenchus.service.lab.default_models import Unnamed

REMEDIES = "give it with --price IN,OUT or as `usd:` in models.yaml, or say --unpriced-ok"
REMEDIES_LATER = "give it as `usd:` in models.yaml, or say --unpriced-ok"


@asynccontextmanager
async def checked_models(
    settings: Settings, seats: Sequence[Seat], *, dry_run: bool = False
) -> AsyncIterator[Registry]:
    """The models, all of them to be had. Nothing is called or stored. A dry run only names the keys that are missing.

    Raises UsageError for an unknown provider or missing weights, MissingKey (exit code 2) for a key that is not set.
    """
    from elenchus.debate_engine.llm.registry import Registry

    registry = Registry(settings, dry_run=dry_run)
    try:
        specs = specs_of(seats)
        for spec in specs:
            registry.model(spec)
        if missing := sorted({key for spec in specs if (key := registry.missing_key(registry.model_spec(spec)))}):
            Out().warn(f"before it can be run, set {', '.join(missing)} in the environment or in a file .env")
        yield registry
    except MissingKey as error:
        error.exit_code = USAGE  # nothing was spent: what was asked for cannot be done as asked
        raise
    except ProviderError as error:
        raise UsageError(str(error)) from error
    finally:
        await registry.aclose()


def prepare(export: Path | None, settings: Settings) -> None:
    """Raises UsageError for an export folder that cannot be written, StorageError for a disk without room.

    An export folder that holds another session's files is warned of.
    """
    from elenchus.debate_engine.reports.export import check_folder
    from elenchus.service.cli.exporting import tell_what_is_there

    checks.room(settings.home)
    if export is not None:
        check_folder(export)
        checks.room(export)
        tell_what_is_there(export, "", Out())


def refuse_unpriced(
    registry: Registry,
    seats: Sequence[Seat],
    run: RunOptions,
    out: Out,
    *,
    dry_run: bool = False,
    remedies: str = REMEDIES,
) -> None:
    """Raises UsageError where a budget of dollars cannot hold back a model, as nobody knows its price.

    A dry run, and somebody who has agreed to it, is told instead.
    """
    from elenchus.service.lab.new_sessions import uncounted

    if not (whose := uncounted(registry, seats, run.budget_usd)):
        return
    if run.unpriced_ok:
        out.warn(f"the budget of dollars does not count the calls of {whose}")
    elif dry_run:
        out.warn(f"the budget of dollars cannot hold back {whose}; before it can be run, {remedies}")
    else:
        raise UsageError(f"A budget of dollars cannot hold back {whose}: {remedies}.")


def refuse_unpriced_in(app: App, recorded: list[Recorded], out: Out, further: BudgetRaised | None = None) -> None:
    """The same for a session that is there: when a `further` limit is set, and before it goes on."""
    from elenchus.debate_engine.events import BudgetRaised
    from elenchus.debate_engine.runner import started_of as first_of

    started = first_of(recorded)
    raised = [r.event for r in recorded if isinstance(r.event, BudgetRaised)] + ([further] if further else [])
    usd = next((one.usd for one in reversed(raised) if one.usd is not None), started.budget_usd)
    agreed = started.unpriced_ok or any(one.unpriced_ok for one in raised)
    refuse_unpriced(
        app.registry, started.seats, RunOptions(budget_usd=usd, unpriced_ok=agreed), out, remedies=REMEDIES_LATER
    )


def tell_before(out: Out, seats: Sequence[Seat], unnamed: Unnamed) -> None:
    """Tell which models take the seats that nobody named, and what a reader of the result should know."""
    for line in unnamed.told():
        out.tell(line)
    from elenchus.service.lab.new_sessions import warnings

    for warning in warnings(seats, f"--model or {DEFAULT_MODEL}"):
        out.warn(warning)
