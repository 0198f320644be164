"""Personas with a mind as a laboratory has them, here (`minds`) or over a service (`service.client.remote_minds`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from elenchus.debate_engine.errors import ElenchusError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date
    from pathlib import Path

    from elenchus.debate_engine.events import GivenToMind
    from elenchus.debate_engine.log import SessionInfo
    from elenchus.debate_engine.protocols.cognition.projection import Exchange, MindProjection, Reading, Survey
    from elenchus.debate_engine.protocols.cognition.schemas import Flow
    from elenchus.service.lab.mind_options import MindOptions


class MindWaits(ElenchusError):
    """What the mind was given is kept and not carried out yet, as its session is in this state, for this reason."""

    def __init__(self, name: str, session: str, state: str, reason: str, exit_code: int = 1) -> None:
        kept = "what it was given is kept, and carried out when it goes on"
        super().__init__(f"{name} ({session}) is {state}: {reason}; {kept}")
        self.reason, self.exit_code = reason, exit_code


class LabMinds(Protocol):
    """Minds by name (see docs/minds.md); `by` says who does it. All raise UsageError where there is none of a name.

    Whatever is given is kept in the mind's log before it is carried out. MindWaits: it could not be, and will be with
    the next thing.
    """

    async def create(self, options: MindOptions, *, by: str) -> MindProjection:
        """Make a mind; of one that does not come to be nothing is left. Raises UsageError, ElenchusError."""
        ...

    async def all(self) -> list[SessionInfo]:
        """The minds, the newest first: `title` is the name."""
        ...

    async def look(self, name: str, *, day: date | None = None, iteration: int | None = None) -> MindProjection:
        """A mind now, at the end of a day (UTC), or after an iteration."""
        ...

    async def feed(self, name: str, flow: Flow, *, by: str) -> Reading:
        """Have it read something."""
        ...

    async def survey(self, name: str, questions: tuple[str, ...] = (), *, by: str) -> Survey:
        """Have it rate opinions, by default those it was made with."""
        ...

    async def ask(self, name: str, text: str, *, by: str) -> Exchange:
        """Say something to it."""
        ...

    async def rate(self, name: str, ratings: Mapping[str, int], *, by: str) -> None:
        """Say how a person takes the persona to rate opinions, such as it is now."""
        ...

    async def estimate(self, name: str, *given: GivenToMind) -> dict[str, Any]:
        """What it would ask and cost at the most to give it this. Nothing is asked."""
        ...

    async def export(self, name: str, folder: str | Path) -> list[Path]:
        """Write report, data and pictures into a folder; their paths. Raises StorageError."""
        ...

    async def delete(self, name: str) -> None:
        """Delete a mind with all that it holds."""
        ...
