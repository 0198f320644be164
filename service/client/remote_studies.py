"""Studies of scenes over a service: a grid that it plays, what it registers, what came out."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import ElenchusError
from elenchus.debate_engine.protocols.rulegen.study.registration import Registration
from elenchus.debate_engine.reports.files import write_all
from elenchus.service.client.files import unpacked
from elenchus.service.client.wire import understood
from elenchus.service.lab import registration
from elenchus.service.lab.grid_session import Table
from elenchus.service.lab.study_document import study_in
from elenchus.service.lab.uploaded_scene import SentScene, to_be_sent

if TYPE_CHECKING:
    from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
    from elenchus.debate_engine.protocols.rulegen.study.selection import Selection
    from elenchus.service.client.connection import Connection
    from elenchus.service.lab.grid import GridOptions

FIRST_LOOK, LAST_LOOK = 0.2, 5.0
"""Seconds between two looks at how far a grid is; they grow."""
PAUSE_SECONDS = 10.0
"""So long a grid that is cancelled may take to pause."""


@dataclass(frozen=True)
class RemoteResults:
    """What came out over sessions of a service: its `study`, and its files, which the service makes."""

    study: Study
    _connection: Connection = field(repr=False)
    _asked: Mapping[str, Any] = field(repr=False)
    _withdrawn: tuple[str, ...] = field(repr=False)

    async def export(self, folder: str | Path, plan: Mapping[str, Any] | None = None) -> list[Path]:
        """Write all that there is to take home into a folder; their paths. `plan`: the grid's. Raises StorageError.

        What an earlier export has left there of sessions that were taken back since is removed.
        """
        body = {**self._asked, "plan": None if plan is None else dict(plan)}
        packed = await self._connection.post_for_bytes("/studies/files", body)

        def write() -> list[Path]:
            written = write_all(Path(folder), unpacked(packed))
            for session in self._withdrawn:
                (Path(folder) / f"events-{session}.jsonl").unlink(missing_ok=True)
            return written

        return await asyncio.to_thread(write)


async def grid_played(connection: Connection, server: str, scene: str | Path, options: GridOptions) -> Table:
    """Have a grid played, and wait until nothing of it runs any more. Cancelled, the grid is paused."""
    given = options.model_dump(mode="json", exclude_unset=True, exclude={"scene"})
    body = {"scene": await _sent(scene), "options": given}
    begin = partial(connection.post, "/grids", body, key=secrets.token_urlsafe(24), works=True)
    try:
        grid = (await begin())["id"]
        await _ended(connection, grid)
    except asyncio.CancelledError:
        await asyncio.shield(_paused(connection, begin))
        raise
    results = await connection.get(f"/grids/{grid}/results", works=True)
    study = await asyncio.to_thread(lambda: understood(lambda: study_in(results["study"]), server))
    return await asyncio.to_thread(Table.of, study)


async def _ended(connection: Connection, grid: str) -> None:
    """Wait while it runs, or is paused: then somebody else is to resume it."""
    pause = FIRST_LOOK
    while (await connection.get(f"/grids/{grid}"))["state"] in ("running", "paused"):
        await asyncio.sleep(pause)
        pause = min(LAST_LOOK, pause * 1.5)


async def _paused(connection: Connection, begin: Callable[[], Awaitable[Any]]) -> None:
    """Pause the grid; where it was cancelled as it began, it is begun once all the same, which tells its id."""
    try:
        async with asyncio.timeout(PAUSE_SECONDS):
            grid = (await begin())["id"]
            await connection.post(f"/grids/{grid}/commands", {"command": "pause"})
    except (ElenchusError, TimeoutError):
        pass  # it has ended, or the server is away: there is nobody to tell


async def registered(connection: Connection, server: str, scene: str | Path, to: Path | None) -> Registration:
    """Have a scene's study registered, and write the registration to a new file."""
    if to is not None:
        await asyncio.to_thread(registration.refuse_taken, to)
    made = await connection.post("/registrations", {"scene": await _sent(scene)}, works=True)
    found = understood(lambda: Registration.model_validate(made), server)
    if to is not None:
        await asyncio.to_thread(registration.write, found, to)
    return found


async def counted(
    connection: Connection, server: str, scene: str | Path, chosen: Selection, registered: Path | None
) -> RemoteResults:
    """What came out over the chosen sessions of a scene."""
    before = None if registered is None else await asyncio.to_thread(registration.read, registered)
    times = {name: at.isoformat() for name in ("since", "until") if (at := getattr(chosen, name)) is not None}
    body = {
        "scene": await _sent(scene), "chosen": {**asdict(chosen), "since": None, "until": None, **times},
        "registered": None if before is None else before.model_dump(mode="json"),
    }  # fmt: skip
    found = await connection.post("/studies", body, again=True, works=True)
    study = await asyncio.to_thread(lambda: understood(lambda: study_in(found["study"]), server))
    return RemoteResults(study, connection, body, tuple(found["withdrawn"]))


async def _sent(scene: str | Path) -> Any:
    """A scene as it is sent: its name, or its file with what stands beside it."""
    given = await asyncio.to_thread(to_be_sent, scene)
    return await asyncio.to_thread(given.model_dump, mode="json") if isinstance(given, SentScene) else given
