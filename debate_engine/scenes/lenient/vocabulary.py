"""Words and turns that several rooms of the reader know, and the patterns that are made of them."""

from __future__ import annotations

import re

NUMBERS = "one|two|three|four|five|six|seven|eight|nine|ten"
"""How a role or a rule may be numbered in words."""
NAME = r"(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?[A-Z][\w'’-]*(?: [A-Z][\w'’.-]*){0,2}"
"""Somebody's name as scripts write it, with a title or without."""


def any_case(*parts: str) -> re.Pattern[str]:
    """The pattern of these parts one behind the other, in capitals or not."""
    return re.compile("".join(parts), re.IGNORECASE)


def one_of(words: str) -> str:
    """A group of alternatives, given with blanks between them."""
    return f"(?:{'|'.join(words.split())})"


def third_person(stems: str) -> str:
    """Verbs as somebody does them, by their stems with blanks between them: `tell repl` for `tells`, `replies`."""
    return rf"{one_of(stems)}(?:e?s|ies)"


def before_somebody(*parts: str) -> re.Pattern[str]:
    """What stands right before somebody, an article between them or not; to be searched for in the text up to there."""
    return any_case(*parts, r"\s+(?:(?:both|all)\s+)?(?:the\s+)?$")
