"""What keeps a scene from making sense or from being played, whatever text it was read from.

A fault names its place in the scene; who knows the text turns the place into a line.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from elenchus.debate_engine.errors import UsageError

Part = Literal[
    "scene", "background", "roles", "role", "rules", "rule", "measures", "trials", "pictures", "picture", "answers",
    "debrief", "observation",
]  # fmt: skip


@dataclass(frozen=True)
class Place:
    """A part of a scene: its `index`-th role, rule or picture (from 0), or one of its texts by name.

    `name` says where in it: an entry of the front matter (of `scene`), a measure, a block of trials, a line of a rule.
    """

    part: Part
    index: int = 0
    name: str = ""


def entry(name: str) -> Place:
    """An entry of the front matter."""
    return Place("scene", name=name)


def listed(names: Iterable[str]) -> str:
    """Names as a remedy tells them."""
    return ", ".join(names) or "none"


@dataclass(frozen=True)
class Fault:
    """What is wrong where, and what mends it. A `grave` one keeps the scene from being used, whoever found it."""

    place: Place
    what: str
    remedy: str
    grave: bool = False


@dataclass(frozen=True, order=True)
class Finding:
    """One thing found on a line, counted from 1. A `grave` one keeps the scene from being used."""

    line: int
    what: str
    remedy: str
    grave: bool = True

    def __str__(self) -> str:
        """As one line for a person."""
        return f"line {self.line}: {self.what}; {self.remedy}"


def warning(line: int, what: str, remedy: str) -> Finding:
    """A finding that keeps no scene from being used."""
    return Finding(line, what, remedy, grave=False)


class FaultyScene(UsageError):
    """The text is no usable scene. `findings` says where and what to do; the message names the first grave one."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        grave = [finding for finding in findings if finding.grave]
        more = len(grave) - 1
        super().__init__(f"The scene cannot be used: {grave[0]}" + (f" (and {more} more)" if more else "") + ".")
        self.findings = findings
