"""From a session to be to one at this terminal: checked, then planned or played. Every command starts so."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from elenchus.service.cli import context
from elenchus.service.cli.output import CommandOutput

if TYPE_CHECKING:
    from elenchus.config.settings import Settings
    from elenchus.service.app import App
    from elenchus.service.cli.session_outcome import Ended
    from elenchus.service.lab.default_models import DefaultModels
    from elenchus.service.lab.new_sessions import NewSession
    from elenchus.service.lab.options import RunOptions
    from elenchus.storage.vector_store import Progress


RunOptionsT = TypeVar("RunOptionsT", bound="RunOptions")
MIND_SEAT = "mind:"


@dataclass(frozen=True, slots=True)
class Options:
    """What every command that starts a session is told, besides what it is about."""

    out: CommandOutput
    run: RunOptions
    dry_run: bool = False
    export: Path | None = None
    detach: bool = False
    """Whether it is left to a worker; checked by `checks.detachable`."""

    @property
    def apart(self) -> bool:
        """Whether nothing is carried out here."""
        return self.dry_run or self.detach


@dataclass(frozen=True)
class Launch:
    """A session to be, and which of its seats were left to the default models."""

    session: NewSession
    unnamed: DefaultModels
    ready: Callable[[App], Awaitable[object]] | None = None
    """Awaited with the application before the session is made."""
    long: bool = False
    """Whether people are told how long it will still take."""
    readings: int = 0
    """How often it reads local weights beside its calls: they, too, take their time."""
    building: Progress | None = None
    """Told how far the knowledge library is, where the session needs it and it has to be built."""
    ended: Ended | None = None
    """What is done at its end, in place of `session_outcome.conclude`."""


async def launch_from(said: RunOptions, options: Options, model: str = "", **more: Any) -> int:
    """Plan or play what was said; the exit code. `model`: who takes every seat that nobody names; `more`: of `Launch`.

    Raises UsageError, MissingKey.
    """
    from elenchus.service.lab.session_from_options import session_from

    settings = context.settings()
    session, unnamed = await session_from(await with_minds_here(said, settings), settings, model)
    if any(seat.mind for seat in session.seats):
        from elenchus.service.lab.mind_seats import under_their_names

        async with context.opened(settings) as app:
            session = replace(session, seats=await under_their_names(session.seats, app.minds))
    return (await launch(Launch(session, unnamed, **more), settings, options))[0]


async def with_minds_here(said: RunOptionsT, settings: Settings) -> RunOptionsT:
    """The options with the minds found that take seats; nothing is opened where none does. Raises UsageError."""
    if MIND_SEAT not in str(said):
        return said
    from elenchus.service.lab.mind_seats import with_minds

    async with context.opened(settings) as app:
        return await with_minds(said, app.minds)


async def launch(wanted: Launch, settings: Settings, options: Options) -> tuple[int, str]:
    """Plan it, play it, or leave it to a worker; the exit code, and the id of a session that was played here, else "".

    Raises UsageError, MissingKey.
    """
    from elenchus.debate_engine.dry_run.estimate import estimated
    from elenchus.service.cli.preflight import checked_models, prepare, refuse_unpriced, tell_before, tell_plan
    from elenchus.service.cli.session_outcome import play, sits_here

    out = options.out
    async with checked_models(settings, wanted.session.seats, dry_run=options.dry_run) as registry:
        started = wanted.session.first_event(registry, options.run)
        refuse_unpriced(registry, started.seats, options.run, out, dry_run=options.dry_run)
        if options.dry_run:
            await tell_plan(settings, registry, started, out, wanted.unnamed, wanted.readings)
            return 0, ""
        calls = (await estimated(settings, registry, started))["calls"] + wanted.readings if wanted.long else None
    prepare(options.export, settings)
    interactive = sits_here() and not out.json and not options.detach
    async with context.opened(settings, interactive=interactive, building=wanted.building) as app:
        if wanted.ready is not None:
            await wanted.ready(app)
        tell_before(out, started.seats, wanted.unnamed)
        session_id = await app.runner.create(started)
        if options.detach:
            return await detached(app, session_id, out), ""
        out.tell(f"session {session_id}")
        return await play(app, session_id, out, export=options.export, calls=calls, ended=wanted.ended), session_id


async def detached(app: App, id_: str, out: CommandOutput, *, study: str = "", again: str = "") -> int:
    """Leave a session, or the runs of a study of this kind, to a worker, and print the id; the exit code.

    `again` is the command that tells what came of it, without its `elenchus`, where that is not the study's `resume`.
    Raises StorageError.
    """
    from elenchus.service.cli.failures import OK
    from elenchus.service.workers.queue import SESSIONS, STUDIES
    from elenchus.service.workers.queued_runner import QueuedRunner

    assert isinstance(app.runner, QueuedRunner), "`checks.detachable` has seen to it"
    queue = app.runner.queue
    if study:
        await queue.put_study(study, id_)
    else:
        await queue.put(id_, context.LEAVE_ON)
    if not await queue.is_served(STUDIES if study else SESSIONS):
        out.warn("no worker serves the queue now: it begins when `elenchus worker` is started")
    out.document({"id": id_})
    if not out.json:
        out.line(id_)
        told = again or f"{f'{study} resume' if study else 'sessions show'} {id_}"
        out.tell(f"a worker has it; what came of it: elenchus {told}")
    return OK
