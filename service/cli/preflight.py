"""What is checked and told before a session starts, while nothing is spent; with `--dry-run` its plan."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elenchus.config.settings import DEFAULT_MODEL
from elenchus.debate_engine.errors import MissingKey, ProviderError, UsageError
from elenchus.service.cli import checks
from elenchus.service.cli.failures import USAGE
from elenchus.service.cli.output import CommandOutput
from elenchus.service.cli.progress import in_words
from elenchus.service.lab.options import RunOptions
from elenchus.service.lab.seats import specs_of

if TYPE_CHECKING:
    from elenchus.config.settings import Settings
    from elenchus.debate_engine.events import BudgetRaised, Recorded, Seat, SessionStarted
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.service.app import App
    from elenchus.service.lab.default_models import DefaultModels

_HOURS_FROM = 180
"""Minutes from which a time is told in hours."""
READING = 0.6
"""Seconds in which a core has read once how likely the embedded model finds the options of a question of BBQ."""
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
            CommandOutput().warn(f"before it can be run, set {', '.join(missing)} in the environment or in a file .env")
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
    from elenchus.service.cli.session_outcome import tell_what_is_there

    checks.room(settings.home)
    if export is not None:
        check_folder(export)
        checks.room(export)
        tell_what_is_there(export, "", CommandOutput())


def refuse_unpriced(
    registry: Registry,
    seats: Sequence[Seat],
    run: RunOptions,
    out: CommandOutput,
    *,
    dry_run: bool = False,
    remedies: str = REMEDIES,
) -> None:
    """Raises UsageError where a budget of dollars cannot hold back a model, as nobody knows its price.

    A dry run, and somebody who has agreed to it, is told instead.
    """
    from elenchus.service.lab.new_sessions import refuse_uncounted, uncounted

    if not (whose := uncounted(registry, seats, run.budget_usd)):
        return
    if run.unpriced_ok:
        out.warn(f"the budget of dollars does not count the calls of {whose}")
    elif dry_run:
        out.warn(f"the budget of dollars cannot hold back {whose}; before it can be run, {remedies}")
    else:
        refuse_uncounted(registry, seats, run, remedies)


def refuse_unpriced_in(
    app: App, recorded: list[Recorded], out: CommandOutput, further: BudgetRaised | None = None
) -> None:
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


def tell_before(out: CommandOutput, seats: Sequence[Seat], unnamed: DefaultModels) -> None:
    """Tell which models take the seats that nobody named, and what a reader of the result should know."""
    for line in unnamed.told():
        out.tell(line)
    from elenchus.service.lab.new_sessions import warnings

    for warning in warnings(seats, f"--model or {DEFAULT_MODEL}"):
        out.warn(warning)


# ── a dry run ────────────────────────────────────────────────────────────────────────────────────────────────────


async def tell_plan(
    settings: Settings, registry: Registry, started: SessionStarted, out: CommandOutput, unnamed: DefaultModels,
    readings: int = 0,
) -> None:  # fmt: skip
    """Play the session dry, and tell calls, tokens, money and minutes, who takes the seats that nobody named, and the
    `readings` of local weights that it takes beside its calls.
    """
    from elenchus.debate_engine.dry_run.estimate import estimated
    from elenchus.debate_engine.protocols.registry import spec_of

    document = await estimated(settings, registry, started)
    drawn = spec_of(started.protocol).dry.drawn
    more = ({"seed": started.seed} if drawn else {}) | ({"readings": readings} if readings else {})
    out.document({**document, "defaults": unnamed.document(), **more})
    for line in unnamed.told():
        out.tell(line)
    if not out.json:
        _tell(out, document)
        if readings:
            out.line(
                f"and {readings:,} readings of local weights: about {in_words(readings * READING)} with the embedded "
                "model on one core, longer with a larger one; what was read before is not read again"
            )
        if drawn:
            out.line(f"who merges and drafts is drawn: this is the plan of --seed {started.seed}")


def tell_document(document: dict[str, Any], out: CommandOutput) -> None:
    """A plan that was made elsewhere."""
    out.document(document)
    if not out.json:
        _tell(out, document)


def _tell(out: CommandOutput, document: dict[str, Any]) -> None:
    from elenchus.service.cli.tables import WordTable

    headings = ("seat", "model", "what", "calls", "tokens in", "tokens out", "money")
    counted = ("count", "input_tokens", "output_tokens")
    rows = [
        (
            row["seat"],
            row["model"],
            row["what"].partition("/")[2],
            *(f"{row[n]:,}" for n in counted),
            dollars(row["usd"]),
        )
        for row in document["by_seat"]
    ]
    out.show(WordTable.of(headings, rows, numbers=4))
    tell_turns(document["of_people"], out)
    out.line(
        f"\n{document['calls']:,} calls, {document['input_tokens']:,} tokens in, {document['output_tokens']:,} out, "
        f"{costing(document)}, about {lasting(document['minutes'])} ({_chained(document['longest_chain'])})"
    )
    tell_assumed(document, out)


def tell_turns(turns: Sequence[dict[str, Any]], out: CommandOutput) -> None:
    """What people will be asked, and how often."""
    for seat, who in dict.fromkeys((one["seat"], one["who"]) for one in turns):
        asked = [f"{one['count']} × {one['what'].partition('/')[2]}" for one in turns if one["seat"] == seat]
        times = sum(one["count"] for one in turns if one["seat"] == seat)
        out.line(f"{seat} ({who}) will be asked {times} time{'s' * (times > 1)}, at the most: {', '.join(asked)}")


def lasting(minutes: float) -> str:
    """A time in words: minutes, and hours from three of them on."""
    return f"{max(1, round(minutes))} min" if minutes < _HOURS_FROM else f"{round(minutes / 60)} h"


def _chained(calls: int) -> str:
    return "no call waits for another" if calls <= 1 else f"{calls} calls wait for one another"


def costing(document: dict[str, Any]) -> str:
    """The most that it costs, and what is expected."""
    most = dollars(document["usd"])
    return f"{most} (expected: {dollars(document['expected_usd'])})" if document["usd"] else most


def tell_assumed(document: dict[str, Any], out: CommandOutput) -> None:
    """What the figures of a plan hold and what not."""
    from elenchus.debate_engine.dry_run.estimate import EXPECTED_SHARE

    out.line(document["assumed"])
    if document["usd"]:
        out.line(
            f"expected is an assumption: {EXPECTED_SHARE:.0%} of the most, as few replies are as long as they may be"
        )
    if document["reasoning_tokens"]:
        out.line(
            f"the models' hidden reasoning comes on top: at the most {document['reasoning_tokens']:,} tokens out "
            f"({dollars(document['reasoning_usd'])}), and time"
        )


def dollars(usd: float | None) -> str:
    """Money in words."""
    if usd is None:
        return "unknown price"
    return f"${usd:.2f}" if usd == 0 or usd >= 1 else f"${usd:.4f}"
