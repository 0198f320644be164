"""`/crit` and "Score this argument"."""

from __future__ import annotations

from typing import Final

DESCRIPTION: Final = "Score a text: its claim, its reasons, what could be said against it"
TEXT: Final = "The text"
FILE: Final = "A text file instead (Markdown or plain, UTF-8)"
LANGUAGE: Final = "Of what is written about it (default: the text's)"
PRIVATE: Final = "In a thread that only you see"
SCORER: Final = "Who scores: a model or @somebody (default: this server's debater)"
MAX_REASONS: Final = "Reasons of each kind that are looked at, at the most (default: 5)"
TEMPERATURE: Final = "For the model (default: each prompt's own)"
MENU: Final = "Score this argument"
THREAD_OF_TEXT: Final = "Scoring a text"
THREAD_OF_MESSAGE: Final = "Scoring a message"
NO_TEXT: Final = "There is no text: write one, or add a text file."
UNREADABLE: Final = "That file is no text: add one in Markdown or plain text, saved as UTF-8."
FILE_GONE: Final = "Discord has that file no more: use the command again and add it again."


def too_long(most: int) -> str:
    """Too much text."""
    return f"The text is too long: {most:,} characters are taken at the most; score a part of it."


def title(words: str) -> str:
    """The session's title from the text's first words."""
    return f"“{words}”"


def started(thread: int) -> str:
    """It is being scored."""
    return f"Being scored; the report comes in <#{thread}>."
