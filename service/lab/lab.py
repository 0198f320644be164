"""The laboratory for programs: `async with elenchus.open() as lab` (see docs/python.md).

Here, in this process (`local_lab`), or over a service that runs elsewhere (`service.client`).
"""

from __future__ import annotations

import asyncio
import contextvars
from abc import ABC, abstractmethod
from collections.abc import Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, Unpack

from elenchus.debate_engine.errors import UsageError
from elenchus.service.lab.options import CritOptions, DebateOptions, RunOptions, SweepOptions, options_of

if TYPE_CHECKING:
    from pathlib import Path

    from elenchus.debate_engine.events import Recorded
    from elenchus.debate_engine.log import SessionInfo
    from elenchus.debate_engine.protocols.crit.document import DocumentResult
    from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
    from elenchus.debate_engine.protocols.rulegen.study.registration import Registration
    from elenchus.debate_engine.protocols.socrasynth.schemas import Debate
    from elenchus.debate_engine.protocols.sweep.schemas import Sweep
    from elenchus.detectors.schemas import Detection
    from elenchus.service.lab.grid_session import Table
    from elenchus.service.lab.lab_minds import LabMinds
    from elenchus.service.lab.running import Running
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


class StudyResults(Protocol):
    """What came out over sessions of a scene: the `study` that counts them, and its files."""

    @property
    def study(self) -> Study:
        """All that was counted."""
        ...

    async def export(self, folder: str | Path, plan: Mapping[str, Any] | None = None) -> list[Path]:
        """Write all that there is to take home into a folder; their paths. `plan`: the grid's. Raises StorageError.

        What an earlier export has left there of sessions that were taken back since is removed.
        """
        ...


class Lab(ABC):
    """Runs sessions side by side, and keeps them in one log. Get one from `elenchus.open` or `elenchus.connect`.

    Whatever starts a session raises, before anything is spent, UsageError for what cannot be done as asked and
    MissingKey or another ProviderError for a model that is not to be had.
    """

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

        given = {"protocol": name, "config": config, "seats": seats or {}, **options}
        return await self.start(options_of(ProtocolOptions, given))

    @abstractmethod
    async def start(self, options: RunOptions) -> Running[Any]:
        """Start whatever these options describe: `DebateOptions`, `CritOptions`, `SweepOptions`, `DetectOptions` or
        `ProtocolOptions`.
        """

    @abstractmethod
    async def resume(self, session_id: str) -> Running[Any]:
        """Go on with a session that was paused or broken off. Raises UnknownSession."""

    @abstractmethod
    async def estimate(self, options: RunOptions) -> dict[str, Any]:
        """What a session would ask and cost at the most: calls, tokens, US dollars, minutes. Nothing is asked."""

    @property
    @abstractmethod
    def minds(self) -> LabMinds:
        """Personas with a mind (see `LabMinds`)."""

    # ── many at once ─────────────────────────────────────────────────────────────────────────────────────────────

    @abstractmethod
    async def scene_grid(self, scene: str | Path, *, n: int = 1, **options: Unpack[GridKeywords]) -> Table:
        """Play a scene by each subject, style and condition `n` times; `options` are those of `GridOptions`.

        A row is one subject of one run. Cancelled, its sessions are paused; a run that could not go on has no result.
        """

    @abstractmethod
    async def register_scene(self, scene: str | Path, to: str | Path | None = None) -> Registration:
        """Keep, before the first run, what a scene's study compares, with how many, and how it is analysed.

        All later results of the scene are compared with it. `to`: write it there as well, JSON and beside it .md; a
        file is never overwritten. Raises UsageError.
        """

    @abstractmethod
    async def scene_results(
        self, scene: str | Path, *, registered: str | Path | None = None, **chosen: Unpack[SelectionKeywords]
    ) -> StudyResults:
        """What came out over all sessions of a scene that are `chosen`, whoever ran them; its `study` and its files.

        Compared with the file `registered`, else with what is kept. Raises UsageError.
        """

    # ── what is there ────────────────────────────────────────────────────────────────────────────────────────────

    @abstractmethod
    async def sessions(self) -> list[SessionInfo]:
        """All sessions, newest first."""

    @abstractmethod
    async def events(self, session_id: str) -> list[Recorded]:
        """A session's events. Raises UnknownSession."""

    @abstractmethod
    async def export(self, session_id: str, folder: str | Path) -> list[Path]:
        """Write a session's report, data and pictures into a folder; their paths. Raises UnknownSession."""

    @abstractmethod
    async def import_session(self, path: str | Path, session_id: str = "") -> SessionInfo:
        """Bring an exported session back (see `lab.files`)."""

    # ── people ───────────────────────────────────────────────────────────────────────────────────────────────────

    @abstractmethod
    async def held_on(self, person: str) -> PersonDocument:
        """Everything that is held on a person, as JSON; values that are empty where it is nothing, as on a seat.

        Raises UsageError for a blank name.
        """

    @abstractmethod
    async def forget(self, person: str, *, session: str = "", by: str = "") -> int:
        """Replace a person's words, votes and name for good, in all sessions or the one, and remove what else is kept
        on them; the number of texts. For one session a seat may be named too.

        Raises UnknownSession, and UsageError where nobody there is called so.
        """


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
