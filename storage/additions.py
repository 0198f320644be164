"""Events to append, all or none of each addition; which of them are allowed, and with which numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from elenchus.debate_engine.errors import ElenchusError, StorageError
from elenchus.debate_engine.events import Event, Recorded
from elenchus.debate_engine.log import last_state, rules
from elenchus.storage.database import EventRow, Head
from elenchus.storage.event_rows import Body, is_small, to_body


@dataclass(slots=True)
class Addition:
    """Events to append, all or none. `epoch` None lets anybody append.

    `birth` is that of the session that this log object claimed under the epoch, None where it claimed none; then it
    is afterwards that of the session that was found.
    """

    session_id: str
    events: Sequence[Event]
    epoch: int | None
    birth: int | None = None
    bodies: list[Body] = field(default_factory=list)
    unstorable: StorageError | None = None
    outcome: list[Recorded] | ElenchusError = field(default_factory=list)

    @property
    def is_small(self) -> bool:
        """Whether `prepare` is done in no time, so that the event loop need not fear it."""
        return len(self.events) == 1 and is_small(self.events[0])

    def prepare(self) -> None:
        """Make the bodies, which takes its time where the events are large, or find out why there are none."""
        if self.bodies:
            return
        try:
            self.bodies = [to_body(event) for event in self.events]
        except StorageError as error:
            self.unstorable = error

    @property
    def state(self) -> str | None:
        """What its events make of the session, None where they change nothing."""
        states = [body.state for body in self.bodies if body.state]
        return last_state(states) if states else None

    def refusal(self, head: Head | None) -> ElenchusError | None:
        """Why this may not be appended to a session that stands there, None where it may."""
        if self.unstorable:
            return self.unstorable
        if head is None:
            return rules.unknown(self.session_id)
        if self.epoch is not None and self.epoch != head.epoch:
            return rules.lost(self.session_id, self.epoch, head.epoch)
        if self.birth not in (None, head.birth):
            return rules.replaced(self.session_id)
        return None

    def place(self, head: Head, at: datetime) -> None:
        """Give the events their numbers, as the outcome, and move the head behind them."""
        self.outcome = [
            Recorded(seq=head.seq + n, at=at, event=body.event) for n, body in enumerate(self.bodies, start=1)
        ]
        self.birth = head.birth
        head.seq += len(self.bodies)
        states = [state for state in (head.state, self.state) if state]
        head.state = last_state(states) if states else None

    def rows(self, stamp: str, origin: str) -> Iterator[EventRow]:
        """The rows of events that have their numbers."""
        assert isinstance(self.outcome, list)
        for recorded, body in zip(self.outcome, self.bodies, strict=True):
            yield self.session_id, recorded.seq, stamp, body.kind, body.text, origin


def settle(additions: Sequence[Addition], heads: Mapping[str, Head], at: datetime) -> list[Addition]:
    """Give every addition its outcome, in their order, and move the heads; those of which events are to be stored."""
    placed: list[Addition] = []
    for addition in additions:
        head = heads.get(addition.session_id)
        if refusal := addition.refusal(head):
            addition.outcome = refusal
        elif head is not None and addition.bodies:
            addition.place(head, at)
            placed.append(addition)
    return placed
