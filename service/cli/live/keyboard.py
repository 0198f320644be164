"""The keyboard without waiting: keys arrive by the event loop, and the terminal's mode is always put back.

A key is a printable character, a name (`enter`, `backspace`, `left`, `esc`, `ctrl-d` …), or pasted text.
"""

from __future__ import annotations

import asyncio
import atexit
import codecs
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

SHOW_CURSOR = "\x1b[?25h"
PASTE_ON, PASTE_OFF = "\x1b[?2004h", "\x1b[?2004l"
"""Asks the terminal to mark pasted text, so that a pasted line break is not taken for the Enter key."""

CLEARED = "\x1b[H\x1b[2J\x1b[3J"
"""Clears the screen, and with it what has scrolled out of it (xterm's 3J)."""

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


# ── the terminal ─────────────────────────────────────────────────────────────────────────────────────────────────

OnKeys = Callable[[Sequence[Key]], None]
"""Takes the keys that came together: one that was pressed, or the many of a text that was pasted."""


def is_interactive() -> bool:
    """Whether a person sits at this process: it reads from and writes to a terminal that knows single keys."""
    try:
        import termios  # noqa: F401 - Windows has none
    except ImportError:
        return False
    if not (sys.stdin and sys.stdout and sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()  # a job in the background gets no keys
    except OSError:
        return False


_before: list[Any] = []
"""The terminal's mode as it was found; empty while nothing was changed."""


def restore_terminal() -> None:
    """Put the terminal's mode back. Safe to call at any time."""
    if _before:
        import termios

        with suppress(termios.error, OSError):
            termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, list(_before))
        _write(PASTE_OFF + SHOW_CURSOR)


def drop_typed_ahead() -> None:
    """Whatever was typed before, and not read, is no answer to what is asked now."""
    import termios

    with suppress(termios.error, OSError):
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


def clear_screen() -> None:
    """Take everything off the terminal that was shown on it."""
    _write(CLEARED)


@contextmanager
def keyboard(on_keys: OnKeys) -> Iterator[None]:
    """Inside, every key pressed on standard input goes to `on_keys`, on the event loop's thread.

    Ctrl-C and Ctrl-Z keep their meaning. The terminal's mode is put back on leaving, at the exit of the process, and
    while the process is suspended.
    """
    import termios

    _before[:] = termios.tcgetattr(sys.stdin.fileno())
    _take_keys()
    atexit.register(restore_terminal)
    try:
        with _listening(on_keys):
            yield
    finally:
        restore_terminal()
        _before.clear()
        atexit.unregister(restore_terminal)


@contextmanager
def _listening(on_keys: OnKeys) -> Iterator[None]:
    """Inside, the event loop reads the keys, and gives the terminal back while the process is suspended."""
    file, loop = sys.stdin.fileno(), asyncio.get_running_loop()
    parser = KeyParser()

    def read() -> None:
        try:
            data = os.read(file, 4096)
        except OSError:
            data = b""
        if not data:  # the terminal has gone
            loop.remove_reader(file)
        if keys := parser.feed(data):
            on_keys(keys)

    loop.add_reader(file, read)
    loop.add_signal_handler(signal.SIGTSTP, _suspend)
    loop.add_signal_handler(signal.SIGCONT, _take_keys)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGTSTP)
        loop.remove_signal_handler(signal.SIGCONT)
        loop.remove_reader(file)


def _suspend() -> None:
    restore_terminal()
    os.kill(os.getpid(), signal.SIGSTOP)


def _take_keys() -> None:
    """Have the terminal give single keys, also after it was given back for a while."""
    import termios

    termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, _single_keys(_before))
    _write(PASTE_ON)


def _single_keys(mode: list[Any]) -> list[Any]:
    """The mode without line editing and echo; signals and output stay as they are."""
    import termios

    changed = [*mode[:6], [*mode[6]]]
    changed[3] &= ~(termios.ICANON | termios.ECHO)
    changed[6][termios.VMIN], changed[6][termios.VTIME] = 1, 0
    return changed


def _write(codes: str) -> None:
    """Straight to the terminal, whatever waits to be written."""
    with suppress(OSError, ValueError):
        os.write(sys.stdout.fileno(), codes.encode())
