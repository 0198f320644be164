"""The laboratory in the process of a program: `async with elenchus.open() as lab`."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from elenchus.debate_engine.dry_run.estimate import estimated
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.pictures import PictureStore
from elenchus.debate_engine.tasks import cancelled
from elenchus.service.lab import new_sessions
from elenchus.service.lab.files import import_session
from elenchus.service.lab.lab import Lab
from elenchus.service.lab.local_running import LocalRunning
from elenchus.service.lab.mind_seats import under_their_names, with_minds
from elenchus.service.lab.options import RunOptions, options_of
from elenchus.service.lab.personal_data import PersonalData, forgotten
from elenchus.service.lab.session_from_options import session_from

if TYPE_CHECKING:
    from elenchus.config.settings import Settings
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.debate_engine.log import EventLog, SessionInfo
    from elenchus.debate_engine.protocols.rulegen.study.registration import Registration
    from elenchus.debate_engine.run_ends import Run
    from elenchus.debate_engine.runner import Runner
    from elenchus.service.lab.grid_session import Table
    from elenchus.service.lab.minds import Minds
    from elenchus.service.lab.running import Running
    from elenchus.service.lab.scene_results import SceneResults
    from elenchus.service.lab.typed_options import GridKeywords, PersonDocument, SelectionKeywords


@dataclass
class LocalLab(Lab):
    """Runs sessions in one event loop of this process; leaving it pauses what still runs."""

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

    @property
    def minds(self) -> Minds:
        """Personas with a mind (see `LabMinds`)."""
        from elenchus.service.lab.minds import Minds

        return Minds(self.settings, self.registry, self.people, self.pictures)

    # ── starting ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def start(self, options: RunOptions) -> Running[Any]:
        """Start whatever these options describe: `DebateOptions`, `CritOptions`, `SweepOptions`, `DetectOptions` or
        `ProtocolOptions`.
        """
        self._check_open()
        session, _ = await session_from(await with_minds(options, self.minds), self.settings)
        session = replace(session, seats=await under_their_names(session.seats, self.minds))
        started = session.first_event(self.registry, options)
        new_sessions.refuse_uncounted(self.registry, session.seats, options)
        session_id = await self.runner.create(started)
        return self._run(session_id, started.protocol, tuple(new_sessions.warnings(session.seats)))

    async def resume(self, session_id: str) -> Running[Any]:
        """Go on with a session that was paused or broken off. Raises UnknownSession."""
        self._check_open()
        return self._run(session_id, (await self.log.info(session_id)).protocol)

    async def estimate(self, options: RunOptions) -> dict[str, Any]:
        """What a session would ask and cost at the most: calls, tokens, US dollars, minutes. Nothing is asked."""
        session, _ = await session_from(await with_minds(options, self.minds), self.settings)
        return await estimated(self.settings, self.registry, session.first_event(self.registry, options))

    def _run(self, session_id: str, protocol: str, warnings: tuple[str, ...] = ()) -> Running[Any]:
        claimed = asyncio.Event()
        task = asyncio.create_task(self.runner.run(session_id, on_claim=claimed.set), name=f"session {session_id}")
        task.add_done_callback(lambda _: claimed.set())
        self._tasks.add(task)
        return LocalRunning(session_id, warnings, protocol, self.log, task, claimed, self.pictures)

    # ── many at once ─────────────────────────────────────────────────────────────────────────────────────────────

    async def scene_grid(self, scene: str | Path, *, n: int = 1, **options: Unpack[GridKeywords]) -> Table:
        """Play a scene by each subject, style and condition `n` times; `options` are those of `GridOptions`.

        A row is one subject of one run. Cancelled, its sessions are paused; a run that could not go on has no result.
        """
        from elenchus.service.lab.grid import GridOptions
        from elenchus.service.lab.grid_session import play_grid

        self._check_open()
        wanted = options_of(GridOptions, {"scene": str(scene), "n": n, **options})
        return await play_grid(self, await with_minds(wanted, self.minds))

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
        return await forgotten(self.people, person, session, by)

    async def aclose(self) -> None:
        """Pause whatever still runs; nothing more can be done with this lab."""
        self._closed = True
        await cancelled(*self._tasks)

    def _check_open(self) -> None:
        if self._closed:
            raise UsageError("This lab is closed, as its `async with` was left: open another one with elenchus.open().")
