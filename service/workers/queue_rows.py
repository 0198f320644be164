"""What stands in the queue's tables, for `queue`: workers that live, and what is to be done."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Serving:
    """A worker that lives: a process may serve several queues, each under a number of its own."""

    worker: int
    queue: str
    slots: int
    host: str
    pid: int
    version: str


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be done: a session, or the runs of a study (its kind and id)."""

    session: str = ""
    leave_on: tuple[str, ...] = ()
    study: tuple[str, str] | None = None


def job_of(arguments: object) -> Job | None:
    """None for what another program has put there: no worker can do it, either."""
    match arguments:
        case {"session": str(session), "leave_on": [*why]}:
            return Job(session, tuple(map(str, why)))
        case {"kind": str(kind), "id_": str(id_)}:
            return Job(study=(kind, id_))
    return None
