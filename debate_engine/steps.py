"""Named steps: look the key up in the log, else run the effect and record its result before anyone sees it.

After a crash the protocol's code runs again from its start; recorded steps answer at once, and the work goes on where
it stopped. A cancelled step leaves no record.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from elenchus.debate_engine.errors import ChangedInput, DuplicateStep, ElenchusError
from elenchus.debate_engine.events import Event, Recorded, Said, StepDone
from elenchus.debate_engine.log import EventLog
from elenchus.debate_engine.tracing import span
from elenchus.debate_engine.waiting import Waits

Effect = Callable[[], Awaitable[Sequence[Event]]]
"""Does the work and returns the events to append together; the first one is the step's own (StepDone or Said)."""


class ReplayEnded(ElenchusError):
    """A replay that must not act has reached the first step without a record."""


def hash_of(inputs: Any) -> str:
    """The fingerprint of a step's input: equal for equal JSON."""
    return hashlib.sha256(_CANONICAL.encode(inputs).encode()).hexdigest()[:16]


_CANONICAL = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"))


class Steps:
    """The recorded steps of one session, and the only way to record another.

    Invariant: a key is used at most once a run, and a record is never made twice.
    """

    def __init__(self, log: EventLog, session_id: str, epoch: int, recorded: Sequence[Recorded]) -> None:
        self._log, self._session_id, self._epoch = log, session_id, epoch
        self._done: dict[str, StepDone | Said] = {
            r.event.step: r.event for r in recorded if isinstance(r.event, StepDone | Said)
        }
        self._used: set[str] = set()
        self.waits = Waits()
        """Which of those that are at work only wait for people."""

    async def run(self, key: str, inputs: Any, effect: Effect) -> tuple[StepDone | Said, bool]:
        """The step's event, and whether it is fresh (made now) rather than found.

        Raises DuplicateStep, ChangedInput, LostOwnership, and what `effect` raises.
        """
        if key in self._used:
            raise DuplicateStep(f"step {key!r} is used twice in one run: give each step a key of its own")
        self._used.add(key)
        if found := self._done.get(key):
            self._compare(found, inputs)
            return found, False
        with span("step", step=key), self.waits.step():
            events = await self._perform(key, effect)
        own = events[0]
        assert isinstance(own, StepDone | Said)
        await self.append(events)
        return own, True

    def found(self, key: str) -> StepDone | Said | None:
        """What this run found recorded under a key; None for what it has recorded itself."""
        return self._done.get(key)

    async def append(self, events: Sequence[Event]) -> None:
        """Append as the session's owner. Raises LostOwnership."""
        await self._log.append(self._session_id, events, self._epoch)

    async def _perform(self, key: str, effect: Effect) -> Sequence[Event]:
        return await effect()

    def _compare(self, found: StepDone | Said, inputs: Any) -> None:
        if inputs != inputs_of(found) and (fresh := hash_of(inputs)) != found.input_hash:
            raise ChangedInput(
                f"step {found.step!r} was recorded with input {found.input_hash} and is now reached with {fresh}: "
                "the settings, a prompt or the code changed since; run it with the version that recorded it"
            )


def inputs_of(found: StepDone | Said) -> Any:
    """What a step was recorded with: equal inputs need no hash, which on a resume is most of what a step costs."""
    return (
        found.inputs if isinstance(found, StepDone) else said_inputs(found.speaker, found.to, found.text, found.about)
    )


def said_inputs(speaker: str, to: Sequence[str], text: str, about: str) -> list[Any]:
    """The inputs of a step in which something was said."""
    return [speaker, list(to), text, about]


class Replay(Steps):
    """A run that only reads: it accepts changed inputs, collects them by key, and ends where the record ends."""

    def __init__(self, log: EventLog, session_id: str, recorded: Sequence[Recorded]) -> None:
        super().__init__(log, session_id, 0, recorded)
        self.inputs: dict[str, Any] = {}

    def _compare(self, found: StepDone | Said, inputs: Any) -> None:
        self.inputs[found.step] = inputs

    async def _perform(self, key: str, effect: Effect) -> Sequence[Event]:
        raise ReplayEnded(key)

    async def append(self, events: Sequence[Event]) -> None:
        """Nothing is appended in a replay."""
