"""Copies what one database keeps into another, SQLite or PostgreSQL, verified by counts and hashes.

Each session, document and name is copied wholly or not at all and is left where it lies; what is there already and is
the same is passed over, so that a copy that was broken off goes on. Whatever differs is refused before anything is
written. The cache of answers stays behind, as it fills again; pictures, scenes and `models.yaml` are files of the home.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import SecretStr

from elenchus.config.settings import Settings
from elenchus.config.shared_settings import DatabaseSettings
from elenchus.debate_engine.errors import StorageError, UsageError
from elenchus.debate_engine.events import EVENTS, Recorded
from elenchus.service.store import open_store, pseudonyms_of, queue_of, seen
from elenchus.storage.changes import QUEUE
from elenchus.storage.pseudonyms import SqlPseudonyms
from elenchus.storage.sql_log import SqlLog

if TYPE_CHECKING:
    from elenchus.service.workers.queue import JobQueue


@dataclass(frozen=True, slots=True)
class Place:
    """An open database."""

    name: str
    log: SqlLog
    people: SqlPseudonyms
    queue: JobQueue | None


@dataclass(frozen=True, slots=True)
class CopyResult:
    """How many of each the place has that was copied from, how many sessions were copied now, and the hash of all.

    `jobs` were put into the queue that workers take from there; `without_job` are sessions that ran and are
    in no queue: they go on when somebody resumes them.
    """

    sessions: int
    events: int
    documents: int
    people: int
    new_sessions: int
    sha256: str
    jobs: int = 0
    without_job: int = 0


@asynccontextmanager
async def opened(place: str, *, make: bool) -> AsyncIterator[Place]:
    """The database at an address (`postgresql://…`) or in a home folder, made where missing if `make`.

    Raises UsageError, StorageError, NewerSchema.
    """
    if place.startswith(("postgresql://", "postgres://")):
        settings = Settings(home=Path(), database=DatabaseSettings(url=SecretStr(place)))
        name = "the PostgreSQL database"
    elif _ADDRESS.match(place):  # which may have a password
        raise UsageError("A place is a home folder, or postgresql://HOST/NAME: this address is neither.")
    else:
        settings = Settings(home=await asyncio.to_thread(lambda: Path(place).expanduser().absolute()))
        name = str(settings.home)
    if not make and not (await asyncio.to_thread(seen, settings))[0]:
        raise UsageError(
            f"There are no sessions of Elenchus in {name}: give the folder with elenchus.db, or the address of a "
            "database that has them."
        )
    log = await open_store(settings)
    queue = queue_of(settings)
    try:
        if queue is not None:
            await queue.is_there()  # one of a newer version is refused before anything is copied
        yield Place(name, log, pseudonyms_of(settings), queue)
    finally:
        if queue is not None:
            await queue.aclose()
        await log.aclose()


OF_PROCESSES = ("leases/", "rosters/")
"""How the namespaces begin that stay where they are."""
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+:/", re.IGNORECASE)


def digest(events: Sequence[Recorded]) -> str:
    """The SHA-256 of a session: number, time and text of every event."""
    found = hashlib.sha256()
    for recorded in events:
        found.update(f"{recorded.seq} {recorded.at.isoformat()} ".encode() + EVENTS.dump_json(recorded.event) + b"\n")
    return found.hexdigest()


async def copy(source: Place, target: Place, progress: Callable[[int, int], None] = lambda *_: None) -> CopyResult:
    """Copy everything that the target lacks, then compare all of it. `progress` hears of how many sessions of how many.

    Raises UsageError, before anything is written, for a session that runs or for one that both have and that differs
    (a document, a name), and StorageError where the comparison at the end fails.
    """
    ids = [info.id for info in reversed(await source.log.sessions())]  # the oldest first
    there = {info.id for info in await target.log.sessions()}
    await _check(source, target, [session_id for session_id in ids if session_id in there])
    missing = [session_id for session_id in ids if session_id not in there]
    for done, session_id in enumerate(missing):
        progress(done, len(missing))
        await _copy_one(source, target, session_id)
    for namespace, key, value in await _lasting(source):
        await target.log.key_value_store.add(namespace, key, value)
    await target.people.take_in(await source.people.everybody(), await source.people.all_expected())
    copied = await _compared(source, target, ids, len(set(ids) - there))
    return await _queued(source, target, copied)


async def _copy_one(source: Place, target: Place, session_id: str) -> None:
    """Copy a session, unless another copy has done so meanwhile. Raises UsageError for one that differs."""
    recorded = await source.log.read(session_id)
    try:
        await target.log.restore(session_id, recorded)
    except UsageError:
        if digest(await target.log.read(session_id)) != digest(recorded):
            raise


async def _queued(source: Place, target: Place, copied: CopyResult) -> CopyResult:
    """Put what the one queue has into the other, if there is one. What is paused waits for whoever resumes it."""
    running = {info.id for info in await source.log.sessions() if info.state == "running"}
    jobs = await source.queue.jobs() if source.queue and target.queue else []
    moved, begun = 0, set[str]()
    for job in jobs:
        assert target.queue is not None, "else there are no jobs to move"
        if job.study:
            await target.queue.put_study(*job.study)
        elif job.session in running:
            await target.queue.put(job.session, job.leave_on)
            begun.add(job.session)
        else:
            continue
        moved += 1
    return replace(copied, jobs=moved, without_job=len(running - begun))


async def _check(source: Place, target: Place, both: Sequence[str]) -> None:
    """Raises UsageError for what cannot be copied."""
    for info in await source.log.sessions():
        if info.owner and info.owner != QUEUE.host:
            raise UsageError(f"Session {info.id} is run by {info.owner}: pause it there, then copy.")
    for session_id in both:
        if digest(await source.log.read(session_id)) != digest(await target.log.read(session_id)):
            raise _differs(f"Session {session_id}", source, target)
    documents = _documents(await _lasting(target))
    for document, body in _documents(await _lasting(source)).items():
        if documents.get(document, body) != body:
            raise _differs(f"The document {document[1]} of {document[0]}", source, target)
    here, there = await source.people.everybody(), await target.people.everybody()
    taken = {name: account for account, name in there.items()}
    for account, name in here.items():
        if there.get(account, name) != name or taken.get(name, account) != account:
            raise _differs(f"The made-up name {name}", source, target)


def _differs(what: str, source: Place, target: Place) -> UsageError:
    return UsageError(
        f"{what} is in {source.name} and, otherwise, in {target.name}: nothing was copied; export and delete it in one "
        "of them, or copy into a new one."
    )


async def _compared(source: Place, target: Place, ids: Sequence[str], new: int) -> CopyResult:
    """Read both anew. Raises StorageError where they differ."""
    whole, events = hashlib.sha256(), 0
    for session_id in ids:
        before, after = await source.log.read(session_id), await target.log.read(session_id)
        if digest(before) != digest(after):
            raise StorageError(
                f"Session {session_id} is not the same in {target.name}: delete it there and copy again."
            )
        events += len(after)
        whole.update(f"{session_id} {digest(after)}\n".encode())
    documents, copied = _documents(await _lasting(source)), _documents(await _lasting(target))
    people, known = await source.people.everybody(), await target.people.everybody()
    if not (documents.items() <= copied.items() and people.items() <= known.items()):
        raise StorageError(
            f"Documents or names changed in {source.name} or {target.name} while they were copied: stop what uses them "
            "and copy again."
        )
    return CopyResult(len(ids), events, len(documents), len(people), new, whole.hexdigest())


async def _lasting(place: Place) -> list[tuple[str, str, dict[str, object]]]:
    """All documents but those by which the processes over one database tell each other that they live."""
    return [found for found in await place.log.key_value_store.everything() if not found[0].startswith(OF_PROCESSES)]


def _documents(found: Sequence[tuple[str, str, dict[str, object]]]) -> dict[tuple[str, str], str]:
    return {(namespace, key): json.dumps(value, sort_keys=True) for namespace, key, value in found}
