"""Reads what a person hands over as text: files, or standard input."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from elenchus.config.documents import STANDARD_INPUT, UnreadableDocument, read_standard_input, read_text
from elenchus.debate_engine.errors import UsageError
from elenchus.service.cli.output import clean

if TYPE_CHECKING:
    from elenchus.debate_engine.protocols.speech import Topic


def text_of(path: Path, largest: int, what: str) -> str:
    """A text file's content. Raises UsageError where it cannot be read, is too large, or is no text."""
    try:
        return read_text(path, largest, what)
    except UnreadableDocument as error:
        raise UsageError(f"{error}.") from error


def agenda_of(path: Path) -> tuple[Topic, ...]:
    """The topics in the file. Raises UsageError that says what is wrong with it."""
    from elenchus.debate_engine.protocols.socrasynth.agenda_text import is_structured, topics_in
    from elenchus.service.lab.options import LARGEST_AGENDA

    return topics_in(text_of(path, LARGEST_AGENDA, "agenda"), str(path), structured=is_structured(path.name))


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
