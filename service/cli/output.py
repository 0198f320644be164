"""Where a command's words go: one JSON document or text to standard output, everything else to standard error."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


_WIDE = 250


def clean(text: str) -> str:
    """Text from outside without the control characters by which it could drive the terminal."""
    return _CONTROLS.sub("", text)


@dataclass(frozen=True)
class Out:
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
        """Show something to the person."""
        self.console.print(*what)

    def line(self, text: str) -> None:
        """A plain line for the person, at once."""
        self.console.print(clean(text), soft_wrap=True)
        self.console.file.flush()

    def warn(self, text: str) -> None:
        """A warning on standard error."""
        self.errors.print(f"warning: {clean(text)}", style="yellow", soft_wrap=True)

    def tell(self, text: str) -> None:
        """Something on the side, on standard error."""
        self.errors.print(clean(text), soft_wrap=True)

    def document(self, value: Any) -> None:
        """The one JSON document of this command, where it was asked for."""
        if self.json:
            print_json(value)


def _console(*, stderr: bool) -> Console:
    """A console that takes text as it is; where no terminal reads it, wide enough for any table."""
    from rich.console import Console

    console = Console(stderr=stderr, highlight=False, markup=False, emoji=False)
    return (
        console
        if console.is_terminal
        else Console(stderr=stderr, highlight=False, markup=False, emoji=False, width=_WIDE)
    )


def print_json(value: Any) -> None:
    """A JSON document on standard output."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2, default=str) + "\n")
    sys.stdout.flush()
