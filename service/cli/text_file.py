"""Reads what a person hands over as text: files, or standard input."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from elenchus.config.documents import STANDARD_INPUT, read_standard_input, read_text
from elenchus.debate_engine.errors import UsageError
from elenchus.service.cli.output import clean

if TYPE_CHECKING:
    from elenchus.debate_engine.protocols.speech import Topic


def agenda_of(path: Path) -> tuple[Topic, ...]:
    """The topics in the file. Raises UnreadableDocument, and UsageError that says what is wrong with it."""
    from elenchus.debate_engine.protocols.socrasynth.agenda_text import is_structured, topics_in
    from elenchus.service.lab.options import LARGEST_AGENDA

    return topics_in(read_text(path, LARGEST_AGENDA, "agenda"), str(path), structured=is_structured(path.name))


def text_of_file_or_input(file: str, largest: int, what: str) -> str:
    """A text file's content, or standard input's for `-`. Raises UnreadableDocument where it is no text of this size,
    UsageError for a text itself.
    """
    if file != STANDARD_INPUT:
        _refuse_the_text_itself(file, what)
        return read_text(Path(file), largest, what)
    return read_standard_input(largest, what)


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
