"""Writing several files into a folder so that each is whole or not there. Blocks: call it off the event loop."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import tempfile
from collections.abc import Mapping
from pathlib import Path

from elenchus.debate_engine.errors import StorageError, UsageError

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def check_folder(folder: Path) -> None:
    """Make sure that files can be written to `folder`, before anything is spent; it need not exist yet.

    Nothing is left behind. Blocks for a moment. Raises UsageError in one sentence.
    """
    place = folder.expanduser().absolute()
    while not place.exists() and place != place.parent:
        place = place.parent
    if not place.is_dir():
        raise UsageError(f"Cannot export to {folder}: {place} is a file; choose another folder.")
    try:
        with tempfile.TemporaryFile(dir=place) as probe:
            probe.write(b"elenchus")
    except OSError as error:
        raise UsageError(f"Cannot export to {folder}: {_said(error)}; choose another folder.") from error


def write_all(folder: Path, contents: Mapping[str, bytes]) -> list[Path]:
    """Write every file beside its place, then put them all in place.

    Raises StorageError in one sentence; what stood there before stands there still, but where the last moment failed.
    """
    folder = folder.expanduser()
    waiting: dict[Path, Path] = {}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in contents.items():
            waiting[folder / name] = _written(folder, name, content)
        for path, temporary in waiting.items():
            temporary.replace(path)
    except OSError as error:
        raise StorageError(f"Could not write to {folder}: {_said(error)}; {_advice(error)}.") from error
    finally:
        for temporary in waiting.values():
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
    return list(waiting)


def write_new(folder: Path, contents: Mapping[str, bytes]) -> list[Path]:
    """Write every file to a place where none is; none of them where one of the places is taken. Raises StorageError."""
    folder = folder.expanduser()
    if any((folder / name).exists() for name in contents):
        return []
    return write_all(folder, contents)


def _written(folder: Path, name: str, content: bytes) -> Path:
    """The content in a new file of the folder, or of one in it, on the disk."""
    path = folder / name
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        path.parent.mkdir(exist_ok=True)
        with temporary.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def _said(error: OSError) -> str:
    return "the disk is full" if error.errno in _FULL else (error.strerror or str(error)).lower()


def _advice(error: OSError) -> str:
    return "free some space and export again" if error.errno in _FULL else "choose another folder and export again"
