"""The console of the program: nobody's words can drive the terminal, and a slow one holds up a thread alone."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Any, cast

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from elenchus.debate_engine.printable import printable


class PrintableConsole(Console):
    """Everything that is shown, live displays and tables too, goes through `render`."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments of what is shown; their texts are printable, rich's own controls stay."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=printable(segment.text))


class BackgroundWriter:
    """A text file that takes everything at once and passes it on from a thread, as a terminal may be stopped (Ctrl-S).

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
def written_in_background(console: Console) -> Iterator[BackgroundWriter]:
    """Inside, the console writes without waiting. At the end everything is written."""
    file = console.file
    screen = BackgroundWriter(file)
    console.file = cast("IO[str]", screen)
    try:
        yield screen
    finally:
        screen.finish()
        console.file = file
