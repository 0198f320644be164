"""The pieces of Markdown that the protocols' reports share. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_SPECIAL = re.compile(r"([\\`*_|<>\[\]~#&])")


def plain(text: str) -> str:
    """Words of others on one line, without any effect as Markdown or HTML."""
    return _SPECIAL.sub(r"\\\1", flat(text))


def flat(text: str) -> str:
    """A text on one line."""
    return " ".join(text.split())


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; the cells are Markdown already, without bare `|`."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
