"""The laboratory over a service: what it starts runs there, and is kept there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from elenchus.debate_engine.errors import UnknownSession
from elenchus.debate_engine.events import ResumeAsked
from elenchus.debate_engine.runner import new_id
from elenchus.service.client import remote_studies, wire
from elenchus.service.client.connection import Connection, Timeouts, address_of, checked_token
from elenchus.service.client.errors import AccessRefused, AnswerLost
from elenchus.service.client.files import exported
from elenchus.service.client.remote_log import RemoteLog
from elenchus.service.client.remote_minds import RemoteMinds
from elenchus.service.client.remote_running import RemoteRunning
from elenchus.service.lab.lab import Lab
from elenchus.service.lab.options import RunOptions, options_of
from elenchus.service.lab.running import MODERATOR
from elenchus.service.lab.session_status import SessionStatus

if TYPE_CHECKING:
    import ssl

    from elenchus.debate_engine.events import Recorded
    from elenchus.debate_engine.log import SessionInfo
    from elenchus.debate_engine.protocols.rulegen.study.registration import Registration
    from elenchus.service.lab.grid_session import Table
    from elenchus.service.lab.lab import StudyResults
    from elenchus.service.lab.running import Running
    from elenchus.service.lab.typed_options import GridKeywords, PersonDocument, SelectionKeywords

HOUSE = ("owner", "moderator")
SERVICE = "elenchus"


@asynccontextmanager
async def connect(
    url: str, token: str, *, timeouts: Timeouts | None = None, tls: ssl.SSLContext | None = None
) -> AsyncIterator[RemoteLab]:
    """The laboratory of a service, as `elenchus serve` runs one, at an address such as http://127.0.0.1:8321.

    `token` is a moderator's (`elenchus tokens create`). `tls` trusts what this machine does not. What was started runs
    on when it is left. Raises ServerUnavailable where nothing answers, AccessRefused for a token that is not good, and
    UsageError for what is no service.
    """
    connection = Connection(address_of(url), checked_token(token), timeouts or Timeouts(), tls)
    try:
        yield RemoteLab(connection, await _greeted(connection))
    finally:
        await connection.aclose()


async def _greeted(connection: Connection) -> str:
    """The version of the server, once it has said that the token is a moderator's."""
    answer = await connection.ask("GET", "/me", again=True, patient=False)
    me = await connection.document(answer)
    if not isinstance(me, dict) or me.get("service") != SERVICE or not isinstance(me.get("grants"), list):
        raise connection.no_elenchus(answer)
    if not any(_is_of_house(grant) for grant in me["grants"]):
        roles = ", ".join(sorted({str(grant["role"]) for grant in me["grants"]}))
        raise AccessRefused(
            f"This token is for {f'the role {roles}, of a part of the house' if roles else 'nothing'}: take a "
            "moderator's of the house, as `elenchus tokens create` makes one."
        )
    return str(me["version"])


def _is_of_house(grant: Mapping[str, Any]) -> bool:
    return grant["role"] in HOUSE and not grant["session"] and not grant["classroom"]


@dataclass
class RemoteLab(Lab):
    """Has sessions run by a service. `server` is the version of Elenchus there."""

    connection: Connection
    server: str

    @property
    def _log(self) -> RemoteLog:
        return RemoteLog(self.connection, self.server)

    # ── starting ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def start(self, options: RunOptions) -> Running[Any]:
        """Start whatever these options describe: `DebateOptions`, `CritOptions`, `SweepOptions`, `DetectOptions` or
        `ProtocolOptions`.
        """
        made = await self.connection.post("/sessions", _described(options), once=True, works=True)
        return RemoteRunning(made["id"], tuple(made["warnings"]), self._log)

    async def resume(self, session_id: str) -> Running[Any]:
        """Go on with a session that was paused or broken off. Raises UnknownSession."""
        running: RemoteRunning[Any] = RemoteRunning(session_id, (), self._log)
        session = SessionStatus.of(session_id, await running.events())
        if not session.over and (session.state != "running" or not await self._log.is_run(session_id)):
            await running.send(ResumeAsked(by=MODERATOR))
        return running

    async def estimate(self, options: RunOptions) -> dict[str, Any]:
        """What a session would ask and cost at the most: calls, tokens, US dollars, minutes. Nothing is asked."""
        told = await self.connection.post("/estimates", _described(options), again=True, works=True)
        plan: dict[str, Any] = told["plan"]
        return plan

    @property
    def minds(self) -> RemoteMinds:
        """Personas with a mind (see `LabMinds`)."""
        return RemoteMinds(self.connection, self.server)

    # ── many at once ─────────────────────────────────────────────────────────────────────────────────────────────

    async def scene_grid(self, scene: str | Path, *, n: int = 1, **options: Unpack[GridKeywords]) -> Table:
        """Play a scene by each subject, style and condition `n` times; `options` are those of `GridOptions`.

        A row is one subject of one run. Cancelled, its sessions are paused; a run that could not go on has no result.
        A scene is a name that the service knows, or a file of this machine, which is sent.
        """
        from elenchus.service.lab.grid import GridOptions

        wanted = options_of(GridOptions, {"scene": str(scene), "n": n, **options})
        return await remote_studies.grid_played(self.connection, self.server, scene, wanted)

    async def register_scene(self, scene: str | Path, to: str | Path | None = None) -> Registration:
        """Keep, before the first run, what a scene's study compares, with how many, and how it is analysed.

        All later results of the scene are compared with it. `to`: write it there as well, JSON and beside it .md; a
        file is never overwritten. Raises UsageError.
        """
        return await remote_studies.registered(self.connection, self.server, scene, None if to is None else Path(to))

    async def scene_results(
        self, scene: str | Path, *, registered: str | Path | None = None, **chosen: Unpack[SelectionKeywords]
    ) -> StudyResults:
        """What came out over all sessions of a scene that are `chosen`, whoever ran them; its `study` and its files.

        Compared with the file `registered`, else with what is kept. Raises UsageError.
        """
        from elenchus.service.lab.scene_results import chosen_by

        before = None if registered is None else Path(registered)
        return await remote_studies.counted(self.connection, self.server, scene, chosen_by(**chosen), before)

    # ── what is there ────────────────────────────────────────────────────────────────────────────────────────────

    async def sessions(self) -> list[SessionInfo]:
        """All sessions, newest first."""
        return await self._log.sessions()

    async def events(self, session_id: str) -> list[Recorded]:
        """A session's events. Raises UnknownSession."""
        return await self._log.read(session_id)

    async def export(self, session_id: str, folder: str | Path) -> list[Path]:
        """Write a session's report, data and pictures into a folder; their paths. Raises UnknownSession."""
        return await exported(self.connection, session_id, Path(folder))

    async def import_session(self, path: str | Path, session_id: str = "") -> SessionInfo:
        """Bring an exported session back (see `lab.files`)."""
        from elenchus.debate_engine.reports.events_jsonl import jsonl
        from elenchus.service.lab.files import read_export

        brought = await asyncio.to_thread(read_export, Path(path))
        known = session_id.strip() or brought.session_id or new_id()
        lines = await asyncio.to_thread(lambda: jsonl(brought.events).encode())
        headers = {"Content-Type": "application/x-ndjson"}
        try:
            answer = await self.connection.ask(
                "POST", "/imports", data=lines, headers=headers, query={"id": known}, works=True
            )
        except AnswerLost as lost:
            try:
                return await self._log.info(known)
            except UnknownSession:
                raise lost from None
        row = await self.connection.document(answer)
        return wire.understood(lambda: wire.info_in(row), self.server)

    # ── people ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def held_on(self, person: str) -> PersonDocument:
        """Everything that is held on a person, as JSON; values that are empty where it is nothing, as on a seat.

        Raises UsageError for a blank name.
        """
        held = await self.connection.post("/people/held", {"person": person}, again=True)
        return {
            "called in scenes": held["called_in_scenes"], "sessions": held["sessions"], "consents": held["consents"],
            "drafts": held["drafts"],
        }  # fmt: skip

    async def forget(self, person: str, *, session: str = "", by: str = "") -> int:
        """Replace a person's words, votes and name for good, in all sessions or the one, and remove what else is kept
        on them; the number of texts. For one session a seat may be named too.

        Raises UnknownSession, and UsageError where nobody there is called so.
        """
        body = {"person": person, "session": session, "by": by}
        return int((await self.connection.post("/people/forget", body, works=True))["texts"])


def _described(options: RunOptions) -> dict[str, Any]:
    """What is to be begun, as the service takes it. Raises UsageError."""
    from elenchus.service.lab.prepared_session import called

    given = options.model_dump(mode="json", exclude_unset=True)
    given.pop("protocol", None)
    return {"protocol": called(options), "options": given}
