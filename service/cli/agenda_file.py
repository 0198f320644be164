"""Reads an agenda from a file (see `debate_engine.protocols.socrasynth.agenda_text`)."""

from __future__ import annotations

from pathlib import Path

from elenchus.debate_engine.protocols.socrasynth.agenda_text import is_structured, topics_in
from elenchus.debate_engine.protocols.speech import Topic
from elenchus.service.cli.text_file import text_of

LARGEST = 100_000
"""Bytes of an agenda file."""


def read_agenda(path: Path) -> tuple[Topic, ...]:
    """The topics in the file. Raises UsageError that says what is wrong with it."""
    return topics_in(text_of(path, LARGEST, "agenda"), str(path), structured=is_structured(path.name))
