"""Named steps: look the key up in the log, else run the effect and record its result before anyone sees it.

After a crash the protocol's code runs again from its start; recorded steps answer at once, and the work goes on where
it stopped. A cancelled step leaves no record.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from elenchus.debate_engine.errors import ChangedInput, DuplicateStep, ElenchusError, NewerSchema
from elenchus.debate_engine.events import Event, Recorded, Said, StepDone
from elenchus.debate_engine.log import EventLog
from elenchus.debate_engine.tracing import span
from elenchus.debate_engine.waiting import Waits

_log = logging.getLogger(__name__)

RELEASE = "0.1"
"""This release of Elenchus (major and minor version). It goes on from what an older one has recorded, though it would
ask otherwise; what a newer one would ask otherwise is left to that.
"""
FIRST = "0.1"
"""The release whose fingerprints do not name it."""
_NAMED = re.compile(r"([0-9]{1,4}\.[0-9]{1,4}):")

Effect = Callable[[], Awaitable[Sequence[Event]]]
"""Does the work and returns the events to append together; the first one is the step's own (StepDone or Said)."""


class ReplayEnded(ElenchusError):
    """A replay that must not act has reached the first step without a record."""


def hash_of(inputs: Any, release: str = RELEASE) -> str:
    """The fingerprint of a step's input as a release records it: equal for equal JSON. `0.2:…` names the release."""
    digest = hashlib.sha256(_CANONICAL.encode(inputs).encode()).hexdigest()[:16]
    return digest if release == FIRST else f"{release}:{digest}"


def unknown_input(release: str) -> str:
    """The fingerprint of a step whose input that release can make no more: it is compared with nothing."""
    return "" if release == FIRST else f"{release}:"


def release_of(input_hash: str) -> str:
    """The release (major and minor version) that recorded a step with this fingerprint."""
    named = _NAMED.match(input_hash)
    return named[1] if named else FIRST


def order_of(release: str) -> list[int]:
    """By which releases are sorted."""
    return [int(part) for part in release.split(".")]


_CANONICAL = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"))


class Steps:
    """The recorded steps of one session, and the only way to record another.

    Invariant: a key is used at most once a run, and a record is never made twice. `release`: see `RELEASE`.
    """

    def __init__(
        self,
        log: EventLog,
        session_id: str,
        epoch: int,
        recorded: Sequence[Recorded],
        release: str = RELEASE,
    ) -> None:
        self._log, self._session_id, self._epoch = log, session_id, epoch
        self._release = release
        self._done: dict[str, StepDone | Said] = {
            r.event.step: r.event for r in recorded if isinstance(r.event, StepDone | Said)
        }
        self._used: set[str] = set()
        self._told = False
        self.waits = Waits()
        """Which of those that are at work only wait for people."""

    async def run(self, key: str, inputs: Any, effect: Effect) -> tuple[StepDone | Said, bool]:
        """The step's event, and whether it is fresh (made now) rather than found.

        Raises DuplicateStep, ChangedInput, NewerSchema, LostOwnership, and what `effect` raises.
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
        if inputs == inputs_of(found):
            return
        release = release_of(found.input_hash)
        fresh = hash_of(inputs, release)
        if found.input_hash in (fresh, unknown_input(release)):
            return
        if order_of(release) < order_of(self._release):
            self._tell(found.step, release)
        elif release != self._release:
            raise NewerSchema(
                f"Step {found.step!r} of session {self._session_id} was recorded by Elenchus {release}, and "
                f"{self._release} would ask otherwise: go on with {release}."
            )
        else:
            raise ChangedInput(
                f"step {found.step!r} was recorded with input {found.input_hash} and is now reached with {fresh}: "
                "the settings, a prompt or the code changed since; run it with the version that recorded it"
            )

    def _tell(self, step: str, release: str) -> None:
        if not self._told:
            _log.warning("step %r, at least, stands as Elenchus %s recorded it: this one asks otherwise", step, release)
        self._told = True


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
