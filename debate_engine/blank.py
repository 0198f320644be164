"""Whether there is anything to be seen in a text that somebody gave."""

from __future__ import annotations

import unicodedata

_SHAPELESS = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"  # letters, by Unicode's book, that no font shows
_UNSEEN = ("Zs", "Zl", "Zp", "Cc", "Cf", "Cs")  # not "Cn": newer signs than this Python knows can be seen, as emoji


def blank(text: str) -> bool:
    """Whether nothing of it can be seen: spaces, controls, signs without a shape."""
    return all(unicodedata.category(c) in _UNSEEN or c in _SHAPELESS for c in text)
