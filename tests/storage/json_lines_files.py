"""The files of `json_lines_log`: a file a session, a line of JSON an event."""

from __future__ import annotations

import errno
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from elenchus.debate_engine.errors import DamagedLog, DiskFull, StorageError, UnknownSession
from elenchus.debate_engine.events import Event, Recorded, SessionStarted, now
from elenchus.debate_engine.log import rules

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

Owner = tuple[str, str, int, str]
"""The name of a log object, its host and process, and the time of the claim."""


@contextmanager
def contract_errors(folder: Path) -> Iterator[None]:
    """Turn what the system and the readers of JSON raise into the contract's errors."""
    try:
        yield
    except OSError as error:
        if error.errno in NO_ROOM:
            raise DiskFull(f"There is no room left in {folder}: free some space and try again.") from error
        raise StorageError(
            f"{folder} cannot be used ({error}): make it readable and writable, then try again."
        ) from error
    except (ValueError, TypeError, LookupError) as error:
        raise DamagedLog(
            f"A file in {folder} is damaged ({error}): move it away, and import an export of it."
        ) from error


@dataclass
class Session:
    """A file's content: in its first line what is no event. `birth` tells it from others of its id, in their order."""

    birth: int
    epoch: int
    owner: Owner | None
    lines: list[str]
    rewrites: int = 0

    @classmethod
    def made(cls, events: Sequence[Recorded]) -> Session:
        """A new session of these events."""
        return cls(time.time_ns(), rules.last_epoch(events), None, [_line(r) for r in events])

    @property
    def text(self) -> str:
        return "\n".join([json.dumps([self.birth, self.epoch, self.owner, self.rewrites]), *self.lines])

    def events(self, after: int = 0) -> list[Recorded]:
        return [Recorded.model_validate_json(line) for line in self.lines[max(after, 0) :]]

    @property
    def started(self) -> SessionStarted:
        event = Recorded.model_validate_json(self.lines[0]).event
        if not isinstance(event, SessionStarted):
            raise TypeError("no session_started")
        return event

    def add(self, events: Sequence[Event]) -> list[Recorded]:
        """Append events; as they will be read."""
        start, at = len(self.lines), now()
        self.lines += [_line(Recorded(seq=seq, at=at, event=event)) for seq, event in enumerate(events, start + 1)]
        return self.events(start)

    def replace(self, events: Sequence[Recorded]) -> None:
        """Put events in the places of those with their numbers; the times stay."""
        old, self.rewrites = self.events(), self.rewrites + 1
        for r in events:
            self.lines[r.seq - 1] = _line(old[r.seq - 1].model_copy(update={"event": r.event}))


@dataclass(frozen=True)
class Files:
    """The files in a folder. All methods block, and raise what the system and the readers of JSON raise."""

    folder: Path

    def exists(self, session_id: str) -> bool:
        return self._path(session_id).exists()

    def load(self, session_id: str) -> Session:
        """A session. Raises UnknownSession."""
        rules.check_known(session_id)
        try:
            header, *lines = self._path(session_id).read_text("utf-8").split("\n")
        except FileNotFoundError as error:
            raise rules.unknown(session_id) from error
        birth, epoch, owner, rewrites = json.loads(header)
        return Session(birth, epoch, tuple(owner) if owner else None, lines, rewrites)

    def save(self, session_id: str, session: Session) -> None:
        """Put the file in the place of the old one; a session without events is removed."""
        if not session.lines:
            self._path(session_id).unlink()
            return
        beside = self.folder / "next"
        try:
            beside.write_text(session.text, "utf-8")
            beside.replace(self._path(session_id))
        finally:
            beside.unlink(missing_ok=True)

    def all(self) -> Iterator[tuple[str, Session]]:
        """Every session with its id."""
        for file in self.folder.glob("*.jsonl"):
            with suppress(UnknownSession):  # deleted meanwhile
                yield file.stem, self.load(file.stem)

    def lease(self, origin: str) -> Path:
        """The file that a log object touches as long as its holds last."""
        return self.folder / f"{origin}.alive"

    def _path(self, session_id: str) -> Path:
        return self.folder / f"{session_id}.jsonl"


def _line(recorded: Recorded) -> str:
    return recorded.model_copy(update={"event": rules.as_stored(recorded.event)[0]}).model_dump_json()
