"""Text from outside that can be stored and sent on: every character whole."""

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
