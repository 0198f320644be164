"""Cuts a script into its sections by their headings, whatever these are called and however they are marked."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from debate_engine.scenes.lenient.alike import alike
from debate_engine.scenes.lenient.lines import Line

SCENE_WORDS = ("scene", "scenario", "scenery", "simulation", "experiment", "study", "experimental", "script")
_FILLERS = frozenset(
    (
        "the",
        "a",
        "an",
        "of",
        "for",
        "in",
        "to",
        "and",
        "new",
        "revised",
        "updated",
        "modified",
        "our",
        "this",
        "order",
        "part",
    )
)
_WORDS = {
    "observation": (
        "method",
        "methods",
        "observe",
        "observation",
        "observations",
        "observing",
        "measurement",
        "measure",
    ),
    "roles": ("roles", "characters", "participants", "cast", "settings", "setting", "role"),
    "rules": ("rules", "rule", "procedure", "interactions", "procedures"),
    "purpose": ("purpose", "purposes", "objective", "objectives", "aim", "goal"),
    "background": ("background", "context", "backstory"),
}
_HEAD = re.compile(r"^(.{1,110}?)\s*(?:[:：]\s*(.*)|[-–—]\s*)?$")
_SECTION = re.compile(r"^(?:section|chapter)\s*(?:\d{1,2}|[ivx]{1,4}|[a-h])\s*[:：.)–—-]\s*", re.IGNORECASE)
_ROLE_NUMBER = re.compile(
    r"^(?:role|character|participant|player|person)\s*(?:#\s*)?(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|[a-h]|[ivx]+)\b",
    re.IGNORECASE,
)


RULE_NUMBER = re.compile(
    r"^(?:rule|step|interaction|turn|move|action|r)\s*(?:#|no\.?|number)?\s*"
    r"(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten)\b\s*[:：.)\-–—]*\s*",
    re.IGNORECASE,
)
"""How a rule may be numbered in words."""


@dataclass
class Sections:
    """A script's lines by section; `title` and everything else that belongs to none stand under "other"."""

    lines: dict[str, list[Line]] = field(default_factory=lambda: {name: [] for name in (*_WORDS, "other")})
    headings: dict[str, int] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """A section's words, a line each, list marks kept."""
        return "\n".join(f"{_shown(line.mark)}{line.text}" for line in self.lines[name])


def _shown(mark: str) -> str:
    return f"{mark}. " if mark not in ("", "-") else "- " if mark else ""


def cut(lines: tuple[Line, ...]) -> Sections:
    """The lines of each section, without the headings."""
    sections, current, level = Sections(), "other", 0
    for line in lines:
        name, rest = _heading(line, current, level)
        if name is None:
            if _ROLE_NUMBER.match(line.text) and len(line.words) <= 8 and current in ("other", "purpose", "background"):
                current = "roles"
            elif line.level and line.level <= level and current in ("purpose", "background", "observation"):
                current = "other"
            sections.lines[current].append(line)
            continue
        current, level = name, line.level
        sections.headings.setdefault(name, line.number)
        if rest:
            sections.lines[current].append(Line(line.number, rest, line.indent))
    return sections


def _heading(line: Line, current: str, level: int) -> tuple[str | None, str]:
    """Which section the line begins, and what of the section stands on the line itself."""
    found = _HEAD.match(_SECTION.sub("", line.text))
    if not found or _ROLE_NUMBER.match(line.text) or RULE_NUMBER.match(line.text):
        return None, ""
    head, rest = found[1], found[2] or ""
    name, plain, sure = _named(head)
    ended = head.endswith((".", ",", ";", "?", "!"))
    marked = bool(line.level or line.bold or found[2] is not None or ((sure or plain) and not ended))
    if name is None or not marked or not _may_begin(name, sure, line, current, level):
        return None, ""
    if rest and not (sure or line.level or current == "other"):
        return None, ""
    return name, rest


def _may_begin(name: str, sure: bool, line: Line, current: str, level: int) -> bool:
    """Tell whether this heading may stand here: a role has a background too, and a rule a purpose."""
    if current in ("roles", "rules") and name in ("purpose", "background", "roles"):
        top = bool(line.level) and line.level <= (level or 6)
        return top or (sure and not line.mark and name != "roles")
    if current in ("rules", "roles") and line.mark == "-" and not line.level and not line.bold:
        return False
    if name == "background" and current not in ("purpose", "other", "background"):
        return sure or bool(line.level)
    return True


def _named(head: str) -> tuple[str | None, bool, bool]:
    """The section that a heading names, whether it says nothing else, and whether nothing else can be meant by it."""
    words = [word for word in re.findall(r"[^\W\d_]+", head.lower()) if word not in _FILLERS]
    if not words or len(words) > 9:
        return None, False, False
    known = {name: [w for w in words if any(alike(w, k) for k in keys)] for name, keys in _WORDS.items()}
    scene = [word for word in words if any(alike(word, other) for other in SCENE_WORDS)]
    if known["background"] and not {"role", "roles"} & set(words):
        known["roles"] = []
    if words == ["setting"] or (scene and known["roles"] == ["setting"]):
        return "background", True, True
    for name, hits in known.items():
        plain = bool(hits) and len(hits) + len(scene) >= len(words)
        if plain or (hits and name in ("observation", "rules")):
            leads = name == "observation" and words[0] in hits and len(words) > 1
            return name, plain, leads or (plain and len(words) > 1)
    return None, False, False
