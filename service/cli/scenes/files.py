"""Scene files, as the commands take them."""

from __future__ import annotations

from pathlib import Path

from debate_engine.errors import UsageError
from debate_engine.scenes.script import LARGEST


def bytes_of(path: Path) -> bytes:
    """The file's content, no more of it than tells that it is too large. Raises UsageError where it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"The scene {path} cannot be read ({error.strerror}); give a file that exists.") from error
