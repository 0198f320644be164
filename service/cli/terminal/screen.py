"""Writing without waiting: a terminal that is stopped (Ctrl-S), or a slow reader, holds up a thread and nobody else."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from rich.console import Console


class Screen:
    """A text file that takes everything at once and passes it on from a thread.

    An error of the file underneath is raised at the next `write`. `backlog` is what waits to be passed on (characters).
    """

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self._pieces: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._taken = self._passed_on = 0
        self._error: OSError | None = None
        self._thread = threading.Thread(target=self._pass_on, name="screen", daemon=True)
        self._thread.start()

    @property
    def backlog(self) -> int:
        """Characters that were not passed on yet."""
        return self._taken - self._passed_on

    def write(self, text: str) -> int:
        """Take a text. Raises OSError (BrokenPipeError) where an earlier one could not be passed on."""
        if self._error is not None:
            raise self._error
        self._taken += len(text)
        self._pieces.put(text)
        return len(text)

    def flush(self) -> None:
        """Everything is passed on as soon as it can be."""

    def finish(self) -> None:
        """Wait until everything is passed on."""
        self._pieces.put(None)
        self._thread.join()

    def _pass_on(self) -> None:
        while (text := self._pieces.get()) is not None:
            if self._error is None:
                try:
                    self._file.write(text)
                    self._file.flush()
                except OSError as error:
                    self._error = error
            self._passed_on += len(text)

    def __getattr__(self, name: str) -> Any:
        """What else there is to know of the file: whether it is a terminal, its encoding."""
        return getattr(self._file, name)


@contextmanager
def unhurried(console: Console) -> Iterator[Screen]:
    """Inside, the console writes without waiting. At the end everything is written."""
    file = console.file
    screen = Screen(file)
    console.file = cast("IO[str]", screen)
    try:
        yield screen
    finally:
        screen.finish()
        console.file = file
