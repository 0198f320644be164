"""The keyboard without waiting: keys arrive by the event loop, and the terminal's mode is always put back."""

from __future__ import annotations

import asyncio
import atexit
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from elenchus.service.cli.terminal.keys import PASTE_OFF, PASTE_ON, Key, KeyParser

OnKeys = Callable[[Sequence[Key]], None]
"""Takes the keys that came together: one that was pressed, or the many of a text that was pasted."""

SHOW_CURSOR = "\x1b[?25h"


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
