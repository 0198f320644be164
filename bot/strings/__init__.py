"""Every word of ours that a person reads in Discord: a catalogue a room in `en/*.po`, and what fills it in.

Nothing else in `bot/` holds prose. What other people or models wrote is passed in already safe (`rendering/safe.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from gettext import c2py
from importlib.resources import files
from io import BytesIO
from types import MappingProxyType
from typing import Final

LANGUAGE: Final = "en"


@cache
def catalogue() -> Mapping[str, str | tuple[str, ...]]:
    """All messages by id; one with plural forms as a tuple. Raises ValueError where an id is there twice."""
    from babel.messages.pofile import read_po

    found: dict[str, str | tuple[str, ...]] = {}
    for path in sorted(files(__name__).joinpath(LANGUAGE).iterdir(), key=lambda path: path.name):
        room = read_po(BytesIO(path.read_bytes()), locale=LANGUAGE, abort_invalid=True)
        for message in filter(lambda message: message.id, room):
            name = message.id if isinstance(message.id, str) else message.id[0]
            if name in found:
                raise ValueError(f"The message {name} is there twice")
            text = message.string or ""
            found[name] = text if isinstance(text, str) else tuple(text)
    return found


@cache
def _plural(language: str) -> Callable[[int], int]:
    """Which of a message's forms goes with a number."""
    from babel.messages.plurals import get_plural

    return c2py(get_plural(language).plural_expr)


def msg(name: str, /, **arguments: object) -> str:
    """The message of this id with its arguments, in Python's format syntax; `n`, an int, chooses among plural forms.

    Arguments are put in as they are: nothing in them is read as a field, escaped or wrapped in invisible characters.
    KeyError where there is no such message, or an argument of it is missing.
    """
    text = catalogue()[name]
    if isinstance(text, tuple):
        number = arguments["n"]
        assert isinstance(number, int), f"{name} has plural forms"
        text = text[_plural(LANGUAGE)(number)]
    return text.format(**arguments)


@cache
def messages(group: str) -> Mapping[str, str]:
    """The messages without arguments whose ids are the group's, a full stop and a key: by that key, in their order."""
    start = f"{group}."
    found = {name.removeprefix(start): msg(name) for name in catalogue() if name.startswith(start)}
    if not found:
        raise KeyError(group)
    return MappingProxyType(found)
