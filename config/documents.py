"""The one way to open what a person hands in: files and standard input (`json_and_yaml` reads what stands in them).

A document is a regular file of bounded size in UTF-8. Whatever is wrong is one `UnreadableDocument`, which names the
document and the line.
"""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import IO

STANDARD_INPUT = "-"
"""What stands for standard input where a file's name is wanted."""

_KINDS = {
    stat.S_ISDIR: "it is a folder: name a file in it",
    stat.S_ISFIFO: "it is a pipe, not a regular file: save what comes out of it first",
    stat.S_ISSOCK: "it is a socket, not a regular file",
    stat.S_ISCHR: "it is a device, not a regular file",
    stat.S_ISBLK: "it is a device, not a regular file",
}
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


class UnreadableDocument(ValueError):
    """A document that cannot be read: its name, what is wrong, and in which line (from 1; 0 for none)."""

    def __init__(self, name: str, problem: str, line: int = 0) -> None:
        super().__init__(f"{name} cannot be read ({f'line {line}: ' if line else ''}{problem})")
        self.problem, self.line = problem, line


# ── bytes ────────────────────────────────────────────────────────────────────────────────────────────────────────


def read_bytes(path: Path, largest: int, what: str = "file") -> bytes:
    """A regular file's content of at most `largest` bytes. Blocks. Raises UnreadableDocument."""
    name = f"The {what} {path}"
    try:
        with open_regular(path, name) as file:
            return _bounded(file, largest, name)
    except (OSError, ValueError) as error:  # a name with a NUL byte is a ValueError
        if isinstance(error, UnreadableDocument):
            raise
        raise UnreadableDocument(name, _said(error)) from error


def open_regular(path: Path, name: str) -> IO[bytes]:
    """The regular file, opened to read its bytes; the caller closes it. Waits for no pipe and wakes no device.

    Raises UnreadableDocument, OSError.
    """
    _refuse_special(path.stat().st_mode, name)
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
    file = os.fdopen(os.open(path, flags), "rb")
    try:
        _refuse_special(os.fstat(file.fileno()).st_mode, name)  # it may have been exchanged meanwhile
    except UnreadableDocument:
        file.close()
        raise
    return file


def read_standard_input(largest: int, what: str) -> str:
    """The text on standard input. Blocks until it ends or is too large. Raises UnreadableDocument."""
    name = f"The {what} on standard input"
    return text_in(_bounded(sys.stdin.buffer, largest, name), name)


def _bounded(file: IO[bytes], largest: int, name: str) -> bytes:
    """All of the file; no more is read than tells that it is too large, whatever size it claims to have."""
    data = file.read(largest + 1)
    if data is None:  # something of the system's own, which would have us wait
        raise UnreadableDocument(name, "there is nothing in it to read")
    if len(data) > largest:
        raise UnreadableDocument(name, f"it is larger than {largest:,} bytes: give a part of it")
    return data


def _refuse_special(mode: int, name: str) -> None:
    if not stat.S_ISREG(mode):
        told = next((said for is_one, said in _KINDS.items() if is_one(mode)), "it is no regular file")
        raise UnreadableDocument(name, told)


def _said(error: Exception) -> str:
    said = getattr(error, "strerror", None) or str(error)
    return f"{said.lower()}: give a file that exists" if isinstance(error, FileNotFoundError) else said.lower()


# ── text ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def read_text(path: Path, largest: int, what: str = "file") -> str:
    """A text file's content, without a byte order mark. Blocks. Raises UnreadableDocument."""
    return text_in(read_bytes(path, largest, what), f"The {what} {path}")


def text_in(data: bytes, name: str) -> str:
    """The text in the bytes of the document called `name`. Raises UnreadableDocument."""
    if data.startswith(_UTF_16):
        raise UnreadableDocument(name, "it is not UTF-8 but UTF-16: save it as plain text in UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadableDocument(name, "it is not UTF-8: save it as plain text in UTF-8", line) from error
    if (at := text.find("\0")) >= 0:
        raise UnreadableDocument(name, "it is no text, as it holds a NUL byte", text.count("\n", 0, at) + 1)
    return text
