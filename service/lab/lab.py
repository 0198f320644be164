"""The laboratory for programs: `async with elenchus.open() as lab` (see docs/python.md)."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from elenchus.debate_engine.dry_run.estimate import estimated
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.pictures import PictureStore
from elenchus.service.lab import new_sessions
from elenchus.service.lab.files import import_session
from elenchus.service.lab.options import CritOptions, DebateOptions, RunOptions, SweepOptions, options_of
from elenchus.service.lab.personal_data import PersonalData, check_person
from elenchus.service.lab.running import Running
from elenchus.service.lab.session_from_options import session_from

if TYPE_CHECKING:
    from elenchus.config.settings import Settings
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.debate_engine.log import EventLog, SessionInfo
    from elenchus.debate_engine.protocols.crit.document import DocumentResult
    from elenchus.debate_engine.protocols.rulegen.study.registration import Registration
    from elenchus.debate_engine.protocols.socrasynth.schemas import Debate
    from elenchus.debate_engine.protocols.sweep.schemas import Sweep
    from elenchus.debate_engine.runner import Run, Runner
    from elenchus.detectors.schemas import Detection
    from elenchus.service.lab.grid_session import Table
    from elenchus.service.lab.scene_results import SceneResults
    from elenchus.service.lab.typed_options import (
        CritKeywords,
        DebateKeywords,
        DetectKeywords,
        GridKeywords,
        PersonDocument,
        ProtocolKeywords,
        SelectionKeywords,
        SweepKeywords,
    )

T = TypeVar("T")


@dataclass
class Lab:
    """Runs sessions side by side in one event loop, and keeps them in one log. Get one from `elenchus.open`.

    Whatever starts a session raises, before anything is spent, UsageError for what cannot be done as asked and
    MissingKey or another ProviderError for a model that is not to be had.
    """

    settings: Settings
    log: EventLog
    registry: Registry
    runner: Runner
    people: PersonalData
    _tasks: set[asyncio.Task[Run]] = field(default_factory=set, repr=False)
    _closed: bool = field(default=False, repr=False)

    @property
    def pictures(self) -> PictureStore:
        """The pictures that sessions of scenes show."""
        return PictureStore(self.settings.pictures)

    # ── starting ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def debate(
        self, motion: str, *, pro: str = "", con: str = "", **options: Unpack[DebateKeywords]
    ) -> Running[Debate]:
        """Start a debate; `options` are those of `DebateOptions`. Await what comes for its outcome."""
        return await self.start(options_of(DebateOptions, {"motion": motion, "pro": pro, "con": con, **options}))

    async def crit(self, text: str, *, model: str = "", **options: Unpack[CritKeywords]) -> DocumentResult:
        """Score the claim of a text by its reasons and rival reasons; `options` are those of `CritOptions`."""
        running: Running[DocumentResult] = await self.start(
            options_of(CritOptions, {"document": text, "model": model, **options})
        )
        return await running

    async def sweep(self, motion: str, **options: Unpack[SweepKeywords]) -> Sweep:
        """Have a motion argued at several heats; `options` are those of `SweepOptions`."""
        running: Running[Sweep] = await self.start(options_of(SweepOptions, {"motion": motion, **options}))
        return await running

    async def detect(
        self, text: str, *, method: str = "full", model: str = "", **options: Unpack[DetectKeywords]
    ) -> Detection:
        """Find the cognitive bias in a text; `options` are those of `lab.detection.DetectOptions`."""
        from elenchus.service.lab.detection import DetectOptions, turn_of

        given = {"turns": (turn_of(text),), "method": method, "model": model, **options}
        running: Running[Detection] = await self.start(options_of(DetectOptions, given))
        return await running

    async def protocol(
        self,
        name: str,
        config: Mapping[str, Any],
        seats: Mapping[str, str] | None = None,
        **options: Unpack[ProtocolKeywords],
    ) -> Running[Any]:
        """Start a session of a protocol that an installed package brings; `options` are those of `ProtocolOptions`.

        Its outcome is of the model that the protocol has for it, else the mapping that it returned.
        """
        from elenchus.service.lab.protocol_session import ProtocolOptions

        given = {"protocol": name, "config": dict(config), "seats": dict(seats or {}), **options}
        return await self.start(options_of(ProtocolOptions, given))

    async def start(self, options: RunOptions) -> Running[Any]:
        """Start whatever these options describe: `DebateOptions`, `CritOptions`, `SweepOptions`, `DetectOptions` or
        `ProtocolOptions`.
        """
        self._check_open()
        session, _ = await session_from(options, self.settings)
        started = session.first_event(self.registry, options)
        new_sessions.refuse_uncounted(self.registry, session.seats, options)
        session_id = await self.runner.create(started)
        return self._run(session_id, tuple(new_sessions.warnings(session.seats)))

    async def resume(self, session_id: str) -> Running[Any]:
        """Go on with a session that was paused or broken off. Raises UnknownSession."""
        self._check_open()
        await self.log.info(session_id)
        return self._run(session_id)

    async def estimate(self, options: RunOptions) -> dict[str, Any]:
        """What a session would ask and cost at the most: calls, tokens, US dollars, minutes. Nothing is asked."""
        session, _ = await session_from(options, self.settings)
        return await estimated(self.settings, self.registry, session.first_event(self.registry, options))

    def _run(self, session_id: str, warnings: tuple[str, ...] = ()) -> Running[Any]:
        claimed = asyncio.Event()
        task = asyncio.create_task(self.runner.run(session_id, on_claim=claimed.set), name=f"session {session_id}")
        task.add_done_callback(lambda _: claimed.set())
        self._tasks.add(task)
        return Running(session_id, self.log, task, claimed, warnings, self.pictures)

    # ── many at once ─────────────────────────────────────────────────────────────────────────────────────────────

    async def scene_grid(self, scene: str | Path, *, n: int = 1, **options: Unpack[GridKeywords]) -> Table:
        """Play a scene by each subject, style and condition `n` times; `options` are those of `GridOptions`.

        A row is one subject of one run. Cancelled, its sessions are paused; a run that could not go on has no result.
        """
        from elenchus.service.lab.grid import GridOptions
        from elenchus.service.lab.grid_session import play_grid

        self._check_open()
        return await play_grid(self, options_of(GridOptions, {"scene": str(scene), "n": n, **options}))

    async def register_scene(self, scene: str | Path, to: str | Path | None = None) -> Registration:
        """Keep, before the first run, what a scene's study compares, with how many, and how it is analysed.

        All later results of the scene are compared with it. `to`: write it there as well, JSON and beside it .md; a
        file is never overwritten. Raises UsageError.
        """
        from elenchus.service.lab import registration
        from elenchus.service.lab.scene_results import PlayedScene

        self._check_open()
        played = await asyncio.to_thread(PlayedScene.found, str(scene), self.settings.own_scenes)
        return await registration.register(self.people.store, played, file=None if to is None else Path(to))

    async def scene_results(
        self, scene: str | Path, *, registered: str | Path | None = None, **chosen: Unpack[SelectionKeywords]
    ) -> SceneResults:
        """What came out over all sessions of a scene that are `chosen`, whoever ran them; its `study` and its files.

        Compared with the file `registered`, else with what is kept. Raises UsageError.
        """
        from elenchus.service.lab import registration
        from elenchus.service.lab.retention import Retention
        from elenchus.service.lab.scene_results import PlayedScene, chosen_by, over_scene

        self._check_open()
        played = await asyncio.to_thread(PlayedScene.found, str(scene), self.settings.own_scenes)
        before = None if registered is None else await asyncio.to_thread(registration.read, Path(registered))
        return await over_scene(Retention(self.people), played, chosen_by(**chosen), before, pictures=self.pictures)

    # ── what is there ────────────────────────────────────────────────────────────────────────────────────────────

    async def sessions(self) -> list[SessionInfo]:
        """All sessions, newest first."""
        self._check_open()
        return await self.log.sessions()

    async def events(self, session_id: str) -> list[Recorded]:
        """A session's events. Raises UnknownSession."""
        self._check_open()
        return await self.log.read(session_id)

    async def export(self, session_id: str, folder: str | Path) -> list[Path]:
        """Write a session's report, data and pictures into a folder; their paths. Raises UnknownSession."""
        from elenchus.debate_engine.reports.export import export

        return (await export(session_id, await self.events(session_id), Path(folder), self.pictures)).files

    async def import_session(self, path: str | Path, session_id: str = "") -> SessionInfo:
        """Bring an exported session back (see `lab.files`)."""
        self._check_open()
        return await import_session(self.log, Path(path), session_id)

    # ── people ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def held_on(self, person: str) -> PersonDocument:
        """Everything that is held on a person, as JSON; values that are empty where it is nothing, as on a seat.

        Raises UsageError for a blank name.
        """
        self._check_open()
        return await self.people.document(person)

    async def forget(self, person: str, *, session: str = "", by: str = "") -> int:
        """Replace a person's words, votes and name for good, in all sessions or the one, and remove what else is kept
        on them; the number of texts. For one session a seat may be named too.

        Raises UnknownSession, and UsageError where nobody there is called so.
        """
        self._check_open()
        if not session:
            return await self.people.forget(person, by)
        check_person(await self.events(session), person)
        return await self.people.forget_in(session, person, by)

    async def aclose(self) -> None:
        """Pause whatever still runs; nothing more can be done with this lab."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _check_open(self) -> None:
        if self._closed:
            raise UsageError("This lab is closed, as its `async with` was left: open another one with elenchus.open().")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end and return what it returns, also where an event loop runs already, as in Jupyter.

    There it runs in a thread with a loop of its own, and the cell waits; in a cell a plain `await` does without.
    Raises UsageError for what is no coroutine.
    """
    if not asyncio.iscoroutine(work):
        raise UsageError(f"elenchus.run takes a coroutine, as in elenchus.run(work()), not {work!r}.")
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1, thread_name_prefix="elenchus") as pool:
        return pool.submit(contextvars.copy_context().run, asyncio.run, work).result()
