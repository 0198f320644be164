"""Reads the texts that a person hands over: files, or standard input."""

from __future__ import annotations

import os
from pathlib import Path

from elenchus.config.documents import STANDARD_INPUT, UnreadableDocument, read_standard_input, read_text
from elenchus.debate_engine.errors import UsageError
from elenchus.service.cli.output import clean


def text_of(path: Path, largest: int, what: str) -> str:
    """A text file's content. Raises UsageError where it cannot be read, is too large, or is no text."""
    try:
        return read_text(path, largest, what)
    except UnreadableDocument as error:
        raise UsageError(f"{error}.") from error


def text_of_file_or_input(file: str, largest: int, what: str) -> str:
    """A text file's content, or standard input's for `-`. Raises UsageError as `text_of` does."""
    if file != STANDARD_INPUT:
        _refuse_the_text_itself(file, what)
        return text_of(Path(file), largest, what)
    try:
        return read_standard_input(largest, what)
    except UnreadableDocument as error:
        raise UsageError(f"{error}.") from error


def _refuse_the_text_itself(file: str, what: str) -> None:
    """Raises UsageError for several words where a file's name is wanted, if no file is called so."""
    if len(file.split()) > 1 and not os.path.lexists(file):
        shown = " ".join(clean(file).split())
        called = f"“{shown[:40]}{'…' if len(shown) > 40 else ''}”"
        raise UsageError(
            f'{called} is no file: pipe a {what} itself in, and give - for the file (echo "…" | elenchus … -).'
        )


def name_of_file_or_input(file: str) -> str:
    """What a session over this file is called."""
    return "standard input" if file == STANDARD_INPUT else clean(Path(file).name)
