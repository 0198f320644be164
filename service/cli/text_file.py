"""Reads the texts that a person hands over: files, or standard input."""

from __future__ import annotations

import sys
from pathlib import Path

from debate_engine.errors import UsageError
from service.cli.output import clean

STANDARD_INPUT = "-"


def text_of(path: Path, largest: int, what: str) -> str:
    """A text file's content. Raises UsageError where it cannot be read, is too large, or is no text."""
    try:
        if (size := path.stat().st_size) > largest:
            raise UsageError(f"The {what} {path} is larger than {largest:,} bytes: it has {size:,}; shorten it.")
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"The {what} {path} is not UTF-8 text; save it as plain text, in UTF-8.") from error
    except OSError as error:
        raise UsageError(f"The {what} {path} cannot be read ({error.strerror}); give a file that exists.") from error


def text_of_file_or_input(file: str, largest: int, what: str) -> str:
    """A text file's content, or standard input's for `-`. Raises UsageError as `text_of` does."""
    if file != STANDARD_INPUT:
        return text_of(Path(file), largest, what)
    data = sys.stdin.buffer.read(largest + 1)
    if len(data) > largest:
        raise UsageError(f"The {what} is larger than {largest:,} bytes; give a part of it.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"The {what} on standard input is not UTF-8; save it as plain text, in UTF-8.") from error


def name_of_file_or_input(file: str) -> str:
    """What a session over this file is called."""
    return "standard input" if file == STANDARD_INPUT else clean(Path(file).name)
