"""Where a command's words go: one JSON document or text to standard output, everything else to standard error."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.printable import json_text, printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console, RenderableType

STANDARD_OUTPUT = "standard output"
"""What an error of the system names that came up while it was written."""

_WIDE = 2_000
"""Columns where no terminal reads along: a row of a table stays one line."""


def clean(text: str) -> str:
    """Text from outside without what could drive the terminal or hide in it; broken characters show as �."""
    return printable(text)


@dataclass(frozen=True)
class CommandOutput:
    """The output of one command. With `json`, standard output gets one document and nothing else."""

    json: bool = False

    @cached_property
    def console(self) -> Console:
        """For what a person reads: standard output, or standard error beside a JSON document."""
        return _console(stderr=self.json)

    @cached_property
    def errors(self) -> Console:
        """For warnings and errors."""
        return _console(stderr=True)

    def show(self, *what: RenderableType) -> None:
        """Show something to the person; where no terminal reads it, without blanks at the ends of lines."""
        if self.console.is_terminal:
            self.console.print(*what, crop=False)
            return
        with self.console.capture() as captured:
            self.console.print(*what)
        for line in captured.get().splitlines():
            _print(self.console, line.rstrip())

    def line(self, text: str) -> None:
        """A plain line for the person, at once."""
        _print(self.console, text)

    def warn(self, text: str) -> None:
        """A warning on standard error."""
        _print(self.errors, f"warning: {text}", "yellow")

    def warn_of(self, faults: Iterable[str]) -> None:
        """What a protocol failed at, a sentence each."""
        for fault in faults:
            self.warn(fault)

    def tell(self, text: str) -> None:
        """Something on the side, on standard error."""
        _print(self.errors, text)

    def document(self, value: Any) -> None:
        """The one JSON document of this command, where it was asked for."""
        if self.json:
            print_json(value)


def _print(console: Console, text: str, style: str | None = None) -> None:
    """A text, wrapped between words where a terminal shows it; elsewhere as it is, its tabs too.

    A line with a link that is longer is left whole: the terminal wraps it itself, and who opens it gets all of it.
    """
    if console.is_terminal:
        for line in clean(text).split("\n"):
            fits = all(len(word) <= console.width for word in line.split())
            console.print(line, style=style, overflow=None if fits else "ignore", crop=fits)
    else:
        console.file.write(f"{clean(text)}\n")
    console.file.flush()


def _console(*, stderr: bool) -> Console:
    """A console that takes text as it is; where no terminal reads it, wide enough for any table."""
    from elenchus.service.cli.console import PrintableConsole

    console = PrintableConsole(stderr=stderr, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = _WIDE
    return console


def print_json(value: Any) -> None:
    """A JSON document on standard output."""
    in_full = sys.stdout.encoding.lower().replace("-", "") == "utf8"
    text = json_text(value, ensure_ascii=not in_full, indent=2, default=str)
    try:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    except OSError as error:
        error.filename = STANDARD_OUTPUT
        raise
