"""From a session to be to one at this terminal: checked, then planned or played. Every command starts so."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from elenchus.service.cli import context
from elenchus.service.cli.output import Out

if TYPE_CHECKING:
    from elenchus.config.settings import Settings
    from elenchus.service.app import App
    from elenchus.service.cli.run_session import Ended
    from elenchus.service.lab.default_models import Unnamed
    from elenchus.service.lab.new_sessions import NewSession
    from elenchus.service.lab.options import RunOptions
    from elenchus.storage.vector_store import Progress


@dataclass(frozen=True, slots=True)
class Options:
    """What every command that starts a session is told, besides what it is about."""

    out: Out
    run: RunOptions
    dry_run: bool = False
    export: Path | None = None


@dataclass(frozen=True)
class Launch:
    """A session to be, and which of its seats were left to the default models."""

    session: NewSession
    unnamed: Unnamed
    ready: Callable[[App], Awaitable[object]] | None = None
    """Awaited with the application before the session is made."""
    long: bool = False
    """Whether people are told how long it will still take."""
    ended: Ended | None = None
    """What is done at its end, in place of `run_session.conclude`."""


async def launched(wanted: Launch, settings: Settings, options: Options, building: Progress | None = None) -> int:
    """Plan it, or play it; the exit code. Raises UsageError, MissingKey."""
    return (await launch(wanted, settings, options, building))[0]


async def launch(
    wanted: Launch, settings: Settings, options: Options, building: Progress | None = None
) -> tuple[int, str]:
    """The same, with the session's id ("" for a plan)."""
    from elenchus.debate_engine.dry_run.estimate import estimated
    from elenchus.service.cli.planning import tell_plan
    from elenchus.service.cli.run_session import play, sits_here
    from elenchus.service.cli.starting import checked_models, prepare, refuse_unpriced, tell_before

    out = options.out
    async with checked_models(settings, wanted.session.seats, dry_run=options.dry_run) as registry:
        started = wanted.session.first_event(registry, options.run)
        refuse_unpriced(registry, started.seats, options.run, out, dry_run=options.dry_run)
        if options.dry_run:
            await tell_plan(settings, registry, started, out, wanted.unnamed)
            return 0, ""
        calls = (await estimated(settings, registry, started))["calls"] if wanted.long else None
    prepare(options.export, settings)
    interactive = sits_here() and not out.json
    async with context.opened(settings, interactive=interactive, building=building) as app:
        if wanted.ready is not None:
            await wanted.ready(app)
        tell_before(out, started.seats, wanted.unnamed)
        session_id = await app.runner.create(started)
        out.tell(f"session {session_id}")
        return await play(app, session_id, out, export=options.export, calls=calls, ended=wanted.ended), session_id
