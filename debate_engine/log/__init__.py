"""What the engine needs of a log (`EventLog`), and what it computes from one (`projections`)."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from elenchus.debate_engine.events import Event, Recorded, SessionStarted
from elenchus.debate_engine.log.projections import (
    ENDED,
    RESCUED,
    HumanTurns,
    calls_of,
    heard_by,
    last_state,
    pause_in_force,
    reached,
    standing_pause,
    state_after,
    state_of,
    transcript,
    usage_of,
)

__all__ = [
    "ENDED", "RESCUED", "EventLog", "HumanTurns", "Ownership", "SessionInfo", "calls_of", "heard_by", "last_state",
    "pause_in_force", "reached", "standing_pause", "state_after", "state_of", "transcript", "usage_of",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """A row of the list of sessions; the title is on one line (`printable.one_line`).

    `state` is running, paused, finished, stopped or failed, as the log says, or `rescued` where a part of the log is
    lost: that one is only to be read. A session that is `running` although nobody has a hold was interrupted: `owner`
    (host and process of who has the hold now) is None then. `begun` is False where nobody has ever claimed it.
    """

    id: str
    title: str
    protocol: str
    state: str
    created: datetime
    owner: str | None = None
    begun: bool = True


class Ownership(Protocol):
    """The right to run a session, from a successful `claim` on. It is two things, and a log needs both.

    - an **epoch**, the number of this claim, kept with the session. It is the fence: a write under an epoch that is not
      the session's latest is refused, however late it comes, so that a process which was frozen cannot do harm. It is
      of the session that was claimed: where that one was deleted and another has its id, the log object that claimed
      writes nothing into the other, even when that has come to the same epoch and the hold has ended long since
      (LostOwnership, `rules.replaced`). So a log object remembers of which session each of its claims was. The number
      alone does not tell: of another log object, or of one that claimed both, it is taken for the other's.
    - a **hold**, which only keeps others from claiming by mistake. It begins with the claim and ends with `release`,
      with the `aclose` of the log object that claimed, with the death of its process, or when somebody takes over.

    How a log learns that a holder is gone is its own affair: a lock of the operating system, a lease that is renewed,
    a database connection that breaks. It may take the dead for alive, for a minute at most, and the frozen for dead:
    the epoch keeps the session safe either way. Who is frozen amid a write may hold up others, who get StorageError.
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

        Does nothing when called again, after `aclose`, after the session's deletion, and after somebody took over,
        whose hold it leaves alone. A call that is cancelled ends the hold all the same. Raises StorageError.
        """
        ...


class EventLog(Protocol):
    """An append-only store of sessions; each is a list of events that are numbered 1, 2, 3 … without gaps.

    This is all that the engine relies on. `tests/storage/test_every_log.py` and its neighbours ask it of each log, of
    one from elsewhere too: `pytest tests/storage --event-log PACKAGE.MODULE:FUNCTION` (see CONTRIBUTING.md). FUNCTION,
    awaited with a folder that exists, gives a log object on the store there.

    **Who calls.** A log object belongs to one event loop, where any task may call any method at any time. Unless it is
    private to its process, other log objects, in this process or in others, use the same store at the same time: what
    is said here of one session holds whoever writes. Each log object is a possible owner of its own. It belongs to the
    process that opened it: a fork without exec is not supported while a log is open.

    **Time.** No method blocks the event loop: disk, network and whatever takes more than a millisecond go to a thread.
    A method may wait for others' writes, of other sessions too where they share a lock, for seconds at most, then it
    raises StorageError. Nobody waits for a holder, a follower or a caller of another method.

    **Atomic.** `create`, `claim`, `append`, `send`, `rewrite`, `restore` and `delete` happen wholly or not at all, also
    when the process dies or the caller is cancelled amid them, and one after the other. What one of them returned from
    survives the death of the process. Appends and sends to a session by one log object take effect in the order of
    their calls; there is no order between sessions.

    **Events** come back as they come from JSON (`rules.as_stored`, which raises StorageError for what JSON cannot
    carry, such as half of a surrogate pair): what `append` returns equals what `read` gives later. Every `at` is in UTC
    and has a zone; it is the time of the append.

    **The session's state** is that of its events (`state_of`); its title and protocol are those of event 1. No method
    asks for the state: that a finished or rescued session is claimed and not run is the engine's affair.

    **Errors.** UnknownSession for an id that is not there, or that no session can have (`rules.check_known`), in every
    method that takes an id but `create`, `restore`, `derived_from` and `rewrites`; by `follow` when the first event is
    asked for. Whatever the store itself suffers is a StorageError that says what to do: DiskFull (by a quota or a limit
    of file sizes too), DamagedLog, NewerSchema or a plain one; no error of a library or of the system comes through. A
    damaged store, were it by emptying its files, is never taken for one without sessions: opening it raises, or using
    it. Where several errors apply, any of them is raised. What is refused has changed nothing, but for a `rewrite` or
    `delete` that was done and whose old text could not be erased: the error says so, and the log erases it later, when
    it is opened next at the latest. `log.rules` has the checks and the words that all logs share, `followers` the
    delivery to them within a process.
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
        """The ids, in any order, of the sessions whose event 1 has this one as its `source`, which need not exist.

        None for the empty id, which stands in event 1 where there is no source.

        Forgetting a person relies on it: words are taken out of every session that was made of the one they stand in.
        """
        ...

    async def claim(self, session_id: str, *, take_over: bool = False) -> Ownership:
        """Become the one owner: in one transaction raise the epoch by one and append OwnerStarted with the new epoch.

        Raises SessionHeld, naming the holder and the time of its claim (`rules.held`, `rules.claim_time`), while
        anybody has a hold, be it this very log object. `take_over` ends that hold instead, without asking: the former
        owner learns of it from LostOwnership at its next write. It is meant for the holder whom the log sees once, at
        the call or soon after: where the epoch is another one in the transaction, the claim goes on as one that does
        not take over. It meets SessionHeld then, which names the winner, or wins where that one has let go. So of
        several claims that see the same epoch one wins, also when all would take over. Claims of one log object that
        are under way at the same time have seen the same; of those of several, which happen to see one after the other,
        each may win in its turn. A claim that is cancelled is done or not; done, it leaves no hold, from the next
        write of this log object on, and what ends its hold ends no later one.
        """
        ...

    async def append(self, session_id: str, events: Sequence[Event], epoch: int) -> list[Recorded]:
        """Append all or nothing, if `epoch` is the session's latest, which is compared in the same transaction.

        Gives the events as recorded, with numbers that follow one another. Without events it only compares. Whoever has
        the latest epoch may append, with a hold or not. Raises LostOwnership.
        """
        ...

    async def send(self, session_id: str, event: Event) -> Recorded:
        """Append a command or an answer, whoever owns the session and whatever its epoch is; a hold stays as it is."""
        ...

    async def read(self, session_id: str, after: int = 0) -> list[Recorded]:
        """Events with `seq` > `after`, in order, as of one moment; [] beyond the last, all for a negative `after`.

        Sees every write that returned before the call.
        """
        ...

    def follow(self, session_id: str, after: int = 0) -> AsyncGenerator[Recorded]:
        """Events with `seq` > `after`, then each new one within 50 ms of its commit by any process.

        In order, none twice, none left out. A rewrite of one that was given already is not told; of one that was not,
        the new text is given, from the return of `rewrite` on (50 ms later, where another log object made it). Never
        ends by itself: it ends when this log object is closed, and raises UnknownSession once the session is deleted,
        also where another has its id by then. Where reading fails it raises what `read` raises; whoever follows again
        after the last number given misses nothing. A follower that is slow, stops or is cancelled holds up neither
        writers nor other followers.
        """
        ...

    def rewrites(self, session_id: str) -> int:
        """A number that grows when events of the session that were given before may have been rewritten.

        From the commit on for a rewrite by this log object; within 50 ms for one by another, while somebody waits here
        for the session's next event. Whoever keeps events to show them again compares it first, and reads them anew
        where it has grown: the notice of a redaction comes after the rewrite. It may grow without one. Reads nothing.
        """
        ...

    async def rewrite(self, session_id: str, events: Sequence[Recorded], epoch: int) -> None:
        """Put these events in the places of those with their numbers; the times stay, and so do all other events.

        The one permitted rewrite: redaction, which leaves each event its kind, and event 1 its protocol (whoever calls
        sees to that). When it returns, nothing of the old text stands in any file of the store, nor in a cache of the
        store that quotes it. Conditional on `epoch` as `append` is, and a hold stays as it is. Raises LostOwnership,
        and StorageError for a number that is not there or is given twice, for another event 1 than a SessionStarted
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

        Raises nothing. A call that is cancelled closes all the same, and another one waits for that. A follower need
        not give what was committed before and not given yet. Every other method but `rewrites` raises StorageError
        afterwards.
        """
        ...
