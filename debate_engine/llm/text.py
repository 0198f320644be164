"""Text from outside: every character whole, so that it can be stored and sent on; no longer than so many words."""

from __future__ import annotations

import re

_HALF = re.compile(r"[\ud800-\udfff]")


def whole(text: str) -> str:
    """The text with its surrogates joined where two make a character, and U+FFFD for those that stand alone.

    A model may break off within an escaped emoji, and a server may cut one in two between pieces of a stream; what
    comes of it cannot be written as UTF-8.
    """
    if _HALF.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\s…\u3040-\u30ff\u3400-\u9fff]{1,50}")
"""A word; in Chinese and Japanese, which put no blanks between words, a character. An endless one counts as many."""


def count_words(text: str) -> int:
    """The words of a text."""
    return sum(1 for _ in _WORD.finditer(text))


def clip_words(text: str, most: int) -> str:
    """The text, cut after its `most`th word where it has more, with an ellipsis at its end."""
    end, words = 0, 0
    for words, found in enumerate(_WORD.finditer(text), 1):
        if words > most:
            return f"{text[:end].rstrip(_LOOSE)}…"
        end = found.end()
    return text


def clip_characters(text: str, most: int) -> str:
    """The text, cut at a blank where it has more than `most` characters, with an ellipsis at its end."""
    if len(text) <= most:
        return text
    if most < 2:
        return text[:most]
    cut = text[: most - 1]
    at_blank = cut if text[most - 1].isspace() else cut.rsplit(maxsplit=1)[0] if len(cut.split()) > 1 else cut
    return f"{at_blank.rstrip(_LOOSE)}…"


_LOOSE = " \t\n,;:–—-"
