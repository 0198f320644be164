"""Where the bytes of pictures lie that sessions show: a folder, each file called by the SHA-256 of what is in it.

Pictures are material, and nobody's words: they stay when people are forgotten and sessions are removed, each once,
whoever shows it. Nothing sweeps them: a session that is not begun yet, or comes back from an export, may want one that
no log names now. A session's log holds their hashes alone, so that it runs on wherever the folder is copied with it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from elenchus.config.documents import UnreadableDocument, read_bytes
from elenchus.debate_engine.events import Recorded, Said, ShownPicture
from elenchus.debate_engine.reports.files import write_all

LARGEST = 8 * 1024 * 1024
"""Bytes of a picture: Discord takes files of 10 MiB."""

EXPORTED = "pictures"
"""The folder of an export in which they lie."""

_SUFFIXES = {"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp"}


def file_name(picture: ShownPicture) -> str:
    """How its file is called, in the store and in an export: its hash, which tells nobody what is on it."""
    return f"{picture.sha256}{_SUFFIXES.get(picture.media_type, '')}"


def shown_in(recorded: Iterable[Recorded]) -> list[ShownPicture]:
    """The pictures that a session has shown, each once, in the order in which they came."""
    shown = (r.event.picture for r in recorded if isinstance(r.event, Said))
    return [*dict.fromkeys(picture for picture in shown if picture is not None)]


@dataclass(frozen=True, slots=True)
class PictureStore:
    """The pictures of a home. All block: call them off the event loop."""

    folder: Path

    def put(self, picture: ShownPicture, content: bytes) -> None:
        """Keep the bytes; whole, or not at all. Raises StorageError."""
        if self.read(picture) is None:
            write_all(self.folder, {file_name(picture): content})

    def read(self, picture: ShownPicture) -> bytes | None:
        """The bytes; None where they are not there, or are not what they were."""
        try:
            content = read_bytes(self.path_of(picture), LARGEST)
        except UnreadableDocument:
            return None
        return content if hashlib.sha256(content).hexdigest() == picture.sha256 else None

    def path_of(self, picture: ShownPicture) -> Path:
        """Where it lies, or would lie."""
        return self.folder / file_name(picture)

    def take_in(self, export: Path, recorded: Iterable[Recorded]) -> None:
        """Keep what an export (its folder, or a file in it) has of the pictures that its session has shown.

        Raises StorageError.
        """
        exported = PictureStore((export if export.is_dir() else export.parent) / EXPORTED)
        for picture in shown_in(recorded):
            if (content := exported.read(picture)) is not None:
                self.put(picture, content)

    def files_of(self, recorded: Iterable[Recorded]) -> dict[str, bytes]:
        """The pictures that sessions have shown as files of an export; those that are gone are left out."""
        found = {file_name(picture): self.read(picture) for picture in shown_in(recorded)}
        return {f"{EXPORTED}/{name}": content for name, content in found.items() if content is not None}
