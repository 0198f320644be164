"""What a reader has to say about a scene's text, each with its line and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass

from elenchus.debate_engine.errors import UsageError


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


class FaultyScene(UsageError):
    """The text is no usable scene. `findings` says where and what to do; the message names the first grave one."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        grave = [finding for finding in findings if finding.grave]
        more = len(grave) - 1
        super().__init__(f"The scene cannot be used: {grave[0]}" + (f" (and {more} more)" if more else "") + ".")
        self.findings = findings
