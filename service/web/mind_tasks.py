"""What the minds of this service were given: carried out in tasks of this process, also after it was started again."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from elenchus.debate_engine.errors import ElenchusError, UsageError
from elenchus.debate_engine.protocols.cognition.projection import mind_of
from elenchus.debate_engine.tasks import cancelled
from elenchus.service.lab.lab_minds import MindWaits
from elenchus.service.lab.minds import PROTOCOL
from elenchus.service.lab.session_status import SessionStatus
from elenchus.service.web.problems import NotThere

if TYPE_CHECKING:
    from elenchus.debate_engine.events import GivenToMind, Recorded
    from elenchus.debate_engine.protocols.cognition.projection import Exchange, MindProjection, Reading, Survey
    from elenchus.debate_engine.run_context import Draft
    from elenchus.service.app import App
    from elenchus.service.web.session_runs import SessionRuns

_log = logging.getLogger(__name__)

NAMESPACE = "served-minds"
"""In the store: minds that were given something here and may not have carried it out yet."""

GivenState = Literal["waiting", "done", "kept"]
"""`waiting`: it is carried out, or soon will be; `kept`: it could not be, and is carried out with the next thing."""


class InputOutcome(NamedTuple):
    """What became of what a mind was given; `reason` says why it is kept."""

    state: GivenState
    reason: str = ""
    what: Reading | Survey | Exchange | None = None


@dataclass
class MindTasks:
    """Minds at work here. `own` says whether anything new is begun; `drafted` is told of what is being said,
    `run_ended` when nothing more is.
    """

    app: App
    own: SessionRuns
    drafted: Callable[[str, Draft], None]
    run_ended: Callable[[str], None]
    _tasks: dict[tuple[str, int], asyncio.Task[None]] = field(default_factory=dict)

    async def known(self, session: str) -> list[Recorded]:
        """The log of a mind of the house. Raises NotThere."""
        try:
            return await self.app.minds.events(session)
        except UsageError:
            raise NotThere(NO_MIND) from None

    async def mind(self, session: str) -> MindProjection:
        """The mind as it is now. Raises NotThere."""
        return mind_of(await self.known(session))

    async def give(self, session: str, event: GivenToMind) -> int:
        """Have a mind carry something out meanwhile; its number in the log. Raises UsageError, Problem."""
        self.own.check_open()
        await self.known(session)
        seq = await self.app.minds.give(session, event)
        await self.app.store.put(NAMESPACE, session, {})
        self._begin(session, seq)
        return seq

    async def came_of(self, session: str, seq: int) -> InputOutcome:
        """What became of what it was given under this number. Raises NotThere."""
        recorded = await self.known(session)
        mind = mind_of(recorded)
        if (what := mind.came_of(seq)) is not None:
            return InputOutcome("done", what=what)
        if seq not in mind.waiting:
            raise NotThere("The mind was not given anything under this number.")
        return (
            InputOutcome("waiting")
            if self.is_at_work(session)
            else InputOutcome("kept", self.reason_in(session, recorded))
        )

    def is_at_work(self, session: str) -> bool:
        """Whether something is carried out here."""
        return any(of == session for of, _ in self._tasks)

    @staticmethod
    def reason_in(session: str, recorded: list[Recorded]) -> str:
        """Why a mind does not carry out what waits."""
        status = SessionStatus.of(session, recorded)
        return status.view.reason or status.state

    async def resume_all(self) -> None:
        """Carry out what was given before the service ended, however it ended. Raises StorageError."""
        for session in await self.app.store.all(NAMESPACE):
            try:
                waiting = (await self.mind(session)).waiting
            except NotThere:
                waiting = {}
            if waiting:
                self._begin(session, max(waiting))
            else:
                await self.app.store.remove(NAMESPACE, session)

    async def aclose(self) -> None:
        """Pause what is at work: it goes on when the service starts again."""
        await cancelled(*self._tasks.values())

    def _begin(self, session: str, seq: int) -> None:
        task = asyncio.create_task(self._carry_out(session, seq), name=f"mind {session} {seq}")
        self._tasks[session, seq] = task
        task.add_done_callback(lambda _: self._tasks.pop((session, seq), None))

    async def _carry_out(self, session: str, seq: int) -> None:
        """Have it carried out; what hinders it stands in the mind's log, and is told from there."""
        try:
            await self.app.minds.carried_out(session, seq, on_draft=lambda draft: self.drafted(session, draft))
        except MindWaits as waits:
            _log.info("%s", waits)
        except ElenchusError as error:
            _log.error("the mind %s cannot go on: %s", session, error)
        except Exception:  # noqa: BLE001 - a mistake of ours ends one task, and is told
            _log.exception("the mind %s cannot go on", session)
        finally:
            self.run_ended(session)
        if all(of != session for of, other in self._tasks if other != seq):
            await self.app.store.remove(NAMESPACE, session)


NO_MIND = "There is no such persona here."


def is_mind(protocol: str) -> bool:
    """Whether a session of this protocol is a mind."""
    return protocol == PROTOCOL
