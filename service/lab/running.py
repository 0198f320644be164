"""A session that runs while a program goes on: its events as they come, and what comes out of it.

`local_running` has those that run in this process, `service.client` those that a service runs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from elenchus.debate_engine.errors import ElenchusError, UsageError
from elenchus.debate_engine.events import (
    Command,
    Event,
    PauseAsked,
    Recorded,
    ResumeAsked,
    SeatNamed,
    TurnAnswered,
    Voted,
)
from elenchus.debate_engine.reports.view import SessionView
from elenchus.service.lab import moderation, participation

if TYPE_CHECKING:
    from pathlib import Path

    from elenchus.debate_engine.run_ends import Run
    from elenchus.service.lab.session_status import SessionStatus

T = TypeVar("T")

MODERATOR = "moderator"
"""Who commands, where a program names nobody."""


class Unfinished(ElenchusError):
    """The session has no outcome: it is paused, stopped or failed, as `run` says. A paused one can be resumed."""

    def __init__(self, run: Run) -> None:
        super().__init__(f"{run.session_id} is {run.state}: {run.reason or 'it has no outcome'}")
        self.run, self.exit_code = run, run.exit_code


@dataclass(frozen=True, eq=False)
class Running(ABC, Generic[T]):
    """A session that a lab runs. Iterate over it for its events, await it for its outcome; both any number of times.

    `warnings` are what a reader of the outcome should know.
    """

    id: str
    warnings: tuple[str, ...]

    def __await__(self) -> Generator[Any, None, T]:
        """Wait for the end. Raises Unfinished where there is no outcome, StorageError, ProtocolBug."""
        return self._outcome().__await__()

    @abstractmethod
    async def _outcome(self) -> T: ...

    @abstractmethod
    def __aiter__(self) -> AsyncIterator[Event]:
        """Every event from the first, new ones as they come, until the session ends or nobody runs it."""

    @abstractmethod
    async def events(self) -> list[Recorded]:
        """All events so far, with their numbers and times."""

    async def send(self, command: Event) -> None:
        """Send a moderator's command, or a person's answer to an open turn (see `debate_engine.events.commands`)."""
        if not isinstance(command, Command | TurnAnswered | SeatNamed):
            called = getattr(command, "kind", type(command).__name__)
            raise UsageError(f"{called} is no command: send one of elenchus.debate_engine.events, such as PauseAsked.")
        await self._append(command)

    @abstractmethod
    async def export(self, folder: str | Path) -> list[Path]:
        """Write report, data and pictures into a folder; their paths. Raises StorageError."""

    # ── moderating and taking part; all raise UsageError for what makes no sense ──────────────────────────────────

    async def heat(self, value: float, *, by: str = MODERATOR) -> Recorded:
        """Set the heat of the next turn, 0–1."""
        return await self._send(moderation.heat(await self._open(), by, value))

    async def guide(self, text: str, *, to: str = moderation.BOTH, by: str = MODERATOR) -> Recorded:
        """Words to `pro`, `con` or `both`, heard before their next turn."""
        return await self._send(moderation.guidance(by, to, text))

    async def ask(self, side: str, text: str, *, by: str = MODERATOR) -> Recorded:
        """A question to one side, answered in its next turn."""
        return await self._send(moderation.question(by, side, text))

    async def pause(self, *, by: str = MODERATOR) -> Recorded:
        """Stand still before the next call, until `resume`."""
        if (session := await self._run_now()).state == "paused":
            raise UsageError(f"Session {session.id} is paused already.")
        return await self._send(PauseAsked(by=by))

    async def resume(self, *, by: str = MODERATOR) -> Recorded:
        """Go on after `pause`. What nobody runs any more, `lab.resume` goes on with."""
        session = await self._run_now()
        if session.state != "paused" and session.asked != "pause":
            raise UsageError(f"Session {session.id} is not paused.")
        return await self._send(ResumeAsked(by=by))

    async def stop(self, reason: str, *, by: str = MODERATOR) -> Recorded:
        """End the session for good; awaiting it then raises Unfinished."""
        command = moderation.stop(by, reason)
        await self._begun()
        return await self._send(command)

    async def answer(self, seat: str, value: Any, *, by: str = "") -> Recorded:
        """Answer the turn of a person's seat that has waited longest: a text, a form's document, None to pass."""
        turn = participation.open_turn((await self._open()).view, seat)
        if value is None:
            return await self._send(participation.no_answer(turn, by or seat))
        return await self._send(participation.answer(turn, by or seat, value))

    async def vote(self, side: str, *, by: str, when: str = "") -> Recorded:
        """A vote of the audience, `before` or `after` the debate or whichever is open; a voter's last counts."""
        view = SessionView.of(self.id, await self.events())
        return await self._send(participation.vote(view, by, side, when))

    async def _run_now(self) -> SessionStatus:
        await self._begun()
        session = await self._open()
        if self._is_left():
            raise UsageError(f"Session {self.id} is {session.state} and nobody runs it: lab.resume goes on with it.")
        return session

    async def _open(self) -> SessionStatus:
        return moderation.still_open(self.id, await self.events())

    async def _send(self, event: Command | TurnAnswered) -> Recorded:
        if not isinstance(event, Voted):  # the audience votes also when the verdict is there
            await self._open()
        return await self._append(event)

    # ── where it runs ────────────────────────────────────────────────────────────────────────────────────────────

    @abstractmethod
    async def _append(self, event: Event) -> Recorded:
        """Put what was checked into the log."""

    @abstractmethod
    async def _begun(self) -> None:
        """Wait until the run has begun: what was asked of a session before that does not count for it."""

    @abstractmethod
    def _is_left(self) -> bool:
        """Whether nobody runs it any more."""
