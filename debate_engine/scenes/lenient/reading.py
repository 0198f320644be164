"""What the lenient reader makes of a script: the parts that it found, and what it was not sure of.

Unlike a `Scene` it may lack a subject or name no receiver; each rule says whether the script was clear about it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from elenchus.debate_engine.scenes.faults import Finding
from elenchus.debate_engine.scenes.scene import Role, Rule, Scene

_TEXTS = ("title", "purpose", "background", "observation", "debrief")
"""What of a scene is no role and no rule."""
NO_MODE = "it states no mode: taken for"
"""How the note begins that a rule's mode is guessed."""


@dataclass(frozen=True)
class ReadRole:
    """A role as read, its line, and the words by which the rules may call it. `guessed`: its kind is named nowhere."""

    role: Role
    line: int
    called: tuple[str, ...] = ()
    guessed: bool = False


@dataclass(frozen=True)
class ReadRule:
    """A rule, the line it begins on, and whether the script names one speaker and whom it is said to.

    Where it is not clear, initiator and receivers are the likeliest ones, and `notes` says what was guessed.
    """

    rule: Rule
    line: int
    clear: bool = True
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reading:
    """A script as read. `findings` holds everything to be looked at, also each rule's notes, by line.

    `role_lines` says where each role begins. `written` is the scene itself where the script was in canonical form.
    """

    title: str = ""
    purpose: str = ""
    background: str = ""
    observation: str = ""
    debrief: str = ""
    roles: tuple[Role, ...] = ()
    role_lines: tuple[int, ...] = ()
    rules: tuple[ReadRule, ...] = ()
    findings: tuple[Finding, ...] = ()
    written: Scene | None = None

    @property
    def readable(self) -> bool:
        """Tell whether anything of a scene was found."""
        return bool(self.roles or self.rules)

    def scene(self, *, bias: str = "") -> Scene:
        """The reading as a scene, guesses included; it may still be inconsistent (`faults`)."""
        if self.written is not None:
            return self.written.model_copy(update={"bias": bias or self.written.bias})
        texts = {name: getattr(self, name) for name in _TEXTS}
        return Scene(**texts, bias=bias, roles=self.roles, rules=tuple(read.rule for read in self.rules))

    def as_json(self) -> dict[str, Any]:
        """The reading in the shape that `elenchus scene parse --json` prints."""
        return {
            "purpose": self.purpose,
            "background": self.background,
            "observation": self.observation,
            "roles": [role.model_dump(mode="json", exclude={"style"}) for role in self.roles],
            "rules": [{**_as_json(read.rule), "line": read.line, "clear": read.clear} for read in self.rules],
        }


_ONLY_WRITTEN = {"says", "measures", "trials", "each", "when"}
"""What a rule has in the canonical form alone; it stands in the document where there is some."""


def _as_json(rule: Rule) -> dict[str, Any]:
    dumped = rule.model_dump(mode="json", exclude={"message"})
    return {name: value for name, value in dumped.items() if value or name not in _ONLY_WRITTEN}
