"""What the engine needs of a log (`EventLog`) and what it computes from one (projections).

The log is the truth; a projection can be thrown away and rebuilt.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from elenchus.debate_engine.events import (
    EVERYONE,
    AnswerRejected,
    CallFailed,
    CallRecord,
    Event,
    EventLost,
    OwnerStarted,
    PauseAsked,
    Recorded,
    ResumeAsked,
    Said,
    SeatLeft,
    SessionFailed,
    SessionFinished,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    SessionStopped,
    StepDone,
    TurnAnswered,
    TurnExtended,
    TurnOpened,
    TurnReminded,
    Withdrawn,
)
from elenchus.debate_engine.llm.client import Usage

RESCUED = "rescued"
"""The state of a session of whose log a part is lost, whatever else its events say."""


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """A row of the list of sessions; the title is on one line (`printable.one_line`).

    `state` is running, paused, finished, stopped or failed, as the log says, or `rescued` where a part of the log is
    lost: that one is only to be read. A session that is `running` although nobody has a hold was interrupted: `owner`
    (host and process of who has the hold now) is None then.
    """

    id: str
    title: str
    protocol: str
    state: str
    created: datetime
    owner: str | None = None


class Ownership(Protocol):
    """The right to run a session, from a successful `claim` on. It is two things, and a log needs both.

    - an **epoch**, the number of this claim, kept with the session. It is the fence: a write under an epoch that is not
      the session's latest is refused, however late it comes, so that a process which was frozen cannot do harm.
    - a **hold**, which only keeps others from claiming by mistake. It begins with the claim and ends with `release`,
      with the `aclose` of the log object that claimed, with the death of its process, or when somebody takes over.

    How a log learns that a holder is gone is its own affair: a lock of the operating system, a lease that is renewed,
    a database connection that breaks. It may be wrong for a while, for the epoch keeps the session safe either way.
    """

    @property
    def session_id(self) -> str:
        """Whose session this is."""
        ...

    @property
    def epoch(self) -> int:
        """What to give to `append` and `rewrite`. A later claim of the session has a higher one."""
        ...

    async def release(self) -> None:
        """End the hold; the epoch stays the latest until the next claim.

        Safe to call twice, and after somebody took over, whose hold it leaves alone. Raises StorageError.
        """
        ...


class EventLog(Protocol):
    """An append-only store of sessions; each is a list of events that are numbered 1, 2, 3 … without gaps.

    This is all that the engine relies on. `tests/storage/test_every_log.py` and its neighbours ask it of each log, of
    one from elsewhere too: `pytest tests/storage --event-log PACKAGE.MODULE:FUNCTION` (see CONTRIBUTING.md).

    **Who calls.** A log object belongs to one event loop, where any task may call any method at any time. Unless it is
    private to its process, other log objects, in this process or in others, use the same store at the same time: what
    is said here of one session holds whoever writes. Each log object is a possible owner of its own.

    **Time.** No method blocks the event loop: disk, network and whatever takes more than a millisecond go to a thread.
    A method may wait for others' writes, for seconds at most, then it raises StorageError.

    **Atomic.** `create`, `claim`, `append`, `send`, `rewrite`, `restore` and `delete` happen wholly or not at all, also
    when the process dies or the caller is cancelled amid them, and one after the other. What one of them returned from
    survives the death of the process. Appends and sends of one log object take effect in the order of their calls.

    **Events** come back as they come from JSON (`EVENTS.dump_json`, `EVENTS.validate_json`): what `append` returns
    equals what `read` gives later. Every `at` is in UTC and has a zone; it is the time of the append.

    **The session's state** is that of its events (`state_after`); its title and protocol are those of event 1.

    **Errors.** UnknownSession for an id that is not there, in every method that takes an id but `create`, `restore` and
    `derived_from`. Whatever the store itself suffers is a StorageError that says what to do: DiskFull, DamagedLog,
    NewerSchema or a plain one; no error of a library comes through. What is refused has changed nothing. `log.rules`
    has the checks and the words that all logs share, `followers` the delivery to them within a process.
    """

    async def create(self, session_id: str, started: SessionStarted) -> None:
        """Make a session that nobody owns, with epoch 0; `started` becomes its event 1.

        Raises UsageError if the id exists or is unusable (`log.rules.check_id`).
        """
        ...

    async def sessions(self) -> list[SessionInfo]:
        """All sessions, newest first by the time of event 1; of the same time, the one that was made later."""
        ...

    async def info(self, session_id: str) -> SessionInfo:
        """One session; `owner` names the holder (`log.rules.holder_name`) as long as there is a hold."""
        ...

    async def derived_from(self, session_id: str) -> list[str]:
        """The ids, in any order, of the sessions whose event 1 has this one as its `source`; it need not exist."""
        ...

    async def claim(self, session_id: str, *, take_over: bool = False) -> Ownership:
        """Become the one owner: in one transaction raise the epoch by one and append OwnerStarted with the new epoch.

        Raises SessionHeld, naming the holder, while anybody has a hold, be it this very log object. `take_over` ends
        that hold instead, without asking: the former owner learns of it from LostOwnership at its next write. It is
        meant for the holder of that moment: of several claims that see the same epoch one wins, also when all would
        take over, and the others meet SessionHeld. A claim that is cancelled leaves no hold.
        """
        ...

    async def append(self, session_id: str, events: Sequence[Event], epoch: int) -> list[Recorded]:
        """Append all or nothing, if `epoch` is the session's latest, which is compared in the same transaction.

        Gives the events as recorded, with numbers that follow one another. Without events it only compares. Whoever has
        the latest epoch may append, with a hold or not. Raises LostOwnership.
        """
        ...

    async def send(self, session_id: str, event: Event) -> Recorded:
        """Append a command or an answer, whoever owns the session and whatever its epoch is."""
        ...

    async def read(self, session_id: str, after: int = 0) -> list[Recorded]:
        """Events with `seq` > `after`, in order, as of one moment; [] beyond the last, all for a negative `after`.

        Sees every write that returned before the call.
        """
        ...

    def follow(self, session_id: str, after: int = 0) -> AsyncGenerator[Recorded]:
        """Events with `seq` > `after`, then each new one within 50 ms of its commit by any process.

        In order, none twice, none left out; a rewrite of one that was given already is not told. Never ends by itself:
        it ends when this log object is closed, and raises UnknownSession once the session is deleted. A follower that
        is slow, stops or is cancelled holds up neither writers nor other followers.
        """
        ...

    async def rewrite(self, session_id: str, events: Sequence[Recorded], epoch: int) -> None:
        """Put these events in the places of those with their numbers; the times stay, and so do all other events.

        The one permitted rewrite: redaction. When it returns, nothing of the old text stands in any file of the store,
        nor in a cache that quotes it. Conditional on `epoch` as `append` is. Raises LostOwnership, and StorageError for
        a number that is not there or is given twice, for another event 1 than a SessionStarted
        (`log.rules.check_replacement`), or where the old text could not be erased.
        """
        ...

    async def restore(self, session_id: str, events: Sequence[Recorded]) -> None:
        """Make a session that nobody owns from exported events, same numbers and times, these in UTC.

        Its epoch is the last that an owner among the events had (`log.rules.last_epoch`). Raises UsageError as `create`
        does, StorageError unless the events are a whole history (`log.rules.check_history`).
        """
        ...

    async def delete(self, session_id: str) -> None:
        """Remove a session, its text as thoroughly as `rewrite` does; the id may be used again.

        Raises SessionHeld while anybody has a hold, be it this very log object.
        """
        ...

    async def aclose(self) -> None:
        """Finish what was asked for, end the followers and this log object's holds, let go of files and threads.

        Safe to call twice. Every other method raises StorageError afterwards.
        """
        ...


# ── projections ──────────────────────────────────────────────────────────────────────────────────────────────────


def state_after(event: Event) -> str | None:
    """The state that this event puts a session in, None where it changes nothing."""
    match event:
        case EventLost() | SessionStarted(protocol=""):  # what stands for a start that is lost
            return RESCUED
        case SessionStarted() | SessionResumed():
            return "running"
        case SessionPaused():
            return "paused"
        case SessionFinished():
            return "finished"
        case SessionStopped():
            return "stopped"
        case SessionFailed():
            return "failed"
    return None


def state_of(events: Iterable[Recorded]) -> str:
    """The state of a session whose events are these."""
    states = [state for r in events if (state := state_after(r.event))]
    return RESCUED if RESCUED in states else states[-1] if states else "running"


def standing_pause(events: Iterable[Recorded]) -> Recorded | None:
    """The pause that was asked for since the session's present owner began and that nobody has lifted, or None.

    An older pause does not stand: whoever starts a new run wants the session to go on.
    """
    pause = None
    for r in events:
        match r.event:
            case PauseAsked():
                pause = r
            case OwnerStarted() | ResumeAsked() | Withdrawn():  # who withdraws waits for nobody
                pause = None
    return pause


def transcript(events: Iterable[Recorded]) -> list[Said]:
    """Everything that was said, in order."""
    return [r.event for r in events if isinstance(r.event, Said)]


def heard_by(name: str, said: Iterable[Said]) -> list[Said]:
    """What reached the seat `name`, its own words included, in order."""
    return [s for s in said if reached(name, s)]


def reached(name: str, said: Said) -> bool:
    """Whether the seat `name` heard these words, or spoke them."""
    return EVERYONE in said.to or said.speaker == name or name in said.to


def usage_of(events: Iterable[Recorded]) -> tuple[Usage, float]:
    """Tokens and known cost in US dollars of all recorded calls; calls without a known price add nothing."""
    tokens, dollars = Usage(), 0.0
    for call in calls_of(events):
        tokens += Usage(call.input_tokens, call.output_tokens, call.cached_tokens)
        dollars += call.cost_usd or 0.0
    return tokens, dollars


def calls_of(events: Iterable[Recorded]) -> Iterator[CallRecord]:
    """Every call that a provider answered, useful or not."""
    for r in events:
        if isinstance(r.event, StepDone | TurnOpened):
            yield from r.event.calls
        elif isinstance(r.event, CallFailed) and r.event.call:
            yield r.event.call


@dataclass
class HumanTurns:
    """A projection, by step key. `dues` holds every turn that was opened (None: no deadline); `left` seats' names."""

    dues: dict[str, datetime | None] = field(default_factory=dict)
    reminded: dict[str, datetime] = field(default_factory=dict)
    left: set[str] = field(default_factory=set)
    _answers: dict[str, list[Recorded]] = field(default_factory=lambda: defaultdict(list))
    _rejected: set[int] = field(default_factory=set)

    def take(self, r: Recorded) -> None:
        """Take in one event of the log."""
        if isinstance(r.event, TurnAnswered):
            self._answers[r.event.step].append(r)
        else:
            self.note(r.event)

    def note(self, event: Event) -> None:
        """Take in an event of the owner, or a command."""
        match event:
            case TurnOpened(step=step, due=due):
                self.dues[step] = due
            case TurnReminded(step=step, due=due):
                self.reminded[step] = due
            case TurnExtended(step=step, due=due) if (old := self.dues.get(step)) and old < due:
                self.dues[step] = due
            case AnswerRejected(answer_seq=seq):
                self._rejected.add(seq)
            case SeatLeft(seat=seat):
                self.left.add(seat)

    def answer_to(self, step: str) -> Recorded | None:
        """The first answer to this turn that was not rejected."""
        return next((r for r in self._answers[step] if r.seq not in self._rejected), None)
