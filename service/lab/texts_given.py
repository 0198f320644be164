"""The texts in whatever a program gives as an option, and whether each can be stored and sent. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any


def texts_in(values: Iterable[Any]) -> Iterator[str]:
    """Every text in them, however deep."""
    for value in values:
        match value:
            case str():
                yield value
            case list() | tuple():
                yield from texts_in(value)
            case Mapping():
                yield from texts_in(value.values())


def is_unicode(text: str) -> bool:
    """Whether no half of a surrogate pair stands alone in it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
