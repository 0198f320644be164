"""Bytes from a terminal as keys. Pure.

A key is a printable character, a name (`enter`, `backspace`, `left`, `esc`, `ctrl-d` …), or pasted text.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

PASTE_ON, PASTE_OFF = "\x1b[?2004h", "\x1b[?2004l"
"""Asks the terminal to mark pasted text, so that a pasted line break is not taken for the Enter key."""

_PASTE_START, _PASTE_END = "\x1b[200~", "\x1b[201~"
_ESCAPE = re.compile(r"\x1b{1,2}(?:\[\[[A-E]|\[[0-?]*[ -/]*[@-~]|O[0-9;]*[A-Za-z~]|[^\x1b])")
"""Control sequences (ECMA-48), the Linux console's F1 to F5, and with a second escape those of the Alt key."""
_HALF_ESCAPE = re.compile(r"\x1b{1,2}(?:\[\[?|\[[0-?]*[ -/]*|O[0-9;]*)\Z")
_NAMED = {
    "\x1b[A": "up", "\x1b[B": "down", "\x1b[C": "right", "\x1b[D": "left", "\x1b[H": "home", "\x1b[F": "end",
    "\x1bOA": "up", "\x1bOB": "down", "\x1bOC": "right", "\x1bOD": "left", "\x1bOH": "home", "\x1bOF": "end",
    "\x1b[1~": "home", "\x1b[4~": "end", "\x1b[3~": "delete",
    "\r": "enter", "\n": "enter", "\x7f": "backspace", "\x08": "backspace", "\x04": "ctrl-d", "\x15": "ctrl-u",
    "\x17": "ctrl-w", "\x01": "home", "\x05": "end", "\t": "tab",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Key:
    """One key, or a pasted text."""

    name: str
    text: str = ""


@dataclass
class KeyParser:
    """Makes keys of whatever pieces the bytes come in."""

    _decoder: codecs.IncrementalDecoder = field(
        default_factory=lambda: codecs.getincrementaldecoder("utf-8")(errors="ignore")
    )
    _rest: str = ""

    def feed(self, data: bytes) -> list[Key]:
        """The keys that are complete now. An escape at the very end of a piece is the Esc key."""
        self._rest += self._decoder.decode(data)
        return list(self._keys())

    def _keys(self) -> Iterator[Key]:
        while self._rest:
            key, used = self._first()
            if not used:
                return
            self._rest = self._rest[used:]
            if key:
                yield key

    def _first(self) -> tuple[Key | None, int]:
        """The first key, and how many characters it took; 0: more must come."""
        rest = self._rest
        if rest.startswith(_PASTE_START):
            end = rest.find(_PASTE_END)
            text = rest[len(_PASTE_START) : end].replace("\r\n", "\n").replace("\r", "\n")
            return (None, 0) if end < 0 else (Key("paste", text), end + len(_PASTE_END))
        if rest[0] != "\x1b":
            return _plain(rest[0]), 1
        if _HALF_ESCAPE.match(rest):
            return None, 0
        if (sequence := _ESCAPE.match(rest)) is None:
            return Key("esc"), 1
        name = _NAMED.get(sequence[0])
        return (Key(name) if name else None), sequence.end()


def _plain(character: str) -> Key | None:
    if name := _NAMED.get(character):
        return Key(name)
    return Key(character, character) if character.isprintable() else None
