"""Cuts a script into its sections by their headings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from debate_engine.scenes.lenient.labels import mode_in, take_apart
from debate_engine.scenes.lenient.lines import Line
from debate_engine.scenes.lenient.words import NUMBERS, closest

_WORDS = {
    "debrief": "debrief debriefing",
    "observation": "method methods observe observation observations measurement evaluation",
    "roles": "role roles characters participants cast people players",
    "rules": "rules rule procedure interactions interaction course steps",
    "purpose": "purpose objective objectives aim goal",
    "background": "background context backstory setting situation story",
}
"""By which words a heading names a section, in the order in which it is tried for them."""
NAMES = tuple(_WORDS)
_BESIDE = frozenset(
    """
    the of and for in to an our this that scene scenario simulation experiment study script settings setting new revised
    updated modified order description descriptions details information overview section profiles list general
    """.split()
)
"""Words that do not make another heading of one."""
_LEADS = ("observation", "rules", "debrief")
"""Sections whose word at the heading's beginning is enough: `Method to Observe the Bandwagon Effect`."""
_FIELDS = frozenset({"purpose", "background", "roles"})
"""Words by which a role or a rule names a field of its own too."""
_HEAD = re.compile(r"^(?P<head>[^:.!?]{3,110}?)\s*(?:(?P<colon>:)\s*(?P<rest>.*))?$")
ROLE_NUMBER = re.compile(
    rf"^(?:role|character|participant|player|person)\s*#?\s*(?:\d+|{NUMBERS}|[a-h]|[ivx]+)\b\s*[:.)–—-]*\s*", re.IGNORECASE
)
"""How a role may be numbered."""
RULE_NUMBER = re.compile(
    rf"^(?:rule|step|interaction|turn)\s*(?:#|no\.?)?\s*(?:\d{{1,3}}|{NUMBERS})\b\s*[:.)–—-]*\s*", re.IGNORECASE
)
"""How a rule may be numbered in words."""
_FAREWELL = re.compile(r"\b(?:let me know|feel free|would you like|if you (?:would|need|want))\b", re.IGNORECASE)
"""How a writer takes leave of who asked for the script."""


@dataclass
class Sections:
    """A script's lines by section; what belongs to none stands under "other". `headings` are the lines' numbers."""

    lines: dict[str, list[Line]] = field(default_factory=lambda: {name: [] for name in (*NAMES, "other")})
    headings: dict[str, int] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """A section's words, a line each, list marks kept."""
        return "\n".join(f"{_shown(line.mark)}{line.text}" for line in self.lines[name])


def _shown(mark: str) -> str:
    return f"{mark}. " if mark not in ("", "-") else "- " if mark else ""


def cut(lines: Sequence[Line]) -> Sections:
    """The lines of each section, without the headings. Rules under no heading begin with the first stated mode."""
    sections, current, level = Sections(), "other", 0
    has_rules = any(_named(line, "other", 0)[0] == "rules" for line in lines)
    for line in lines:
        name, rest = _named(line, current, level)
        if name:
            current, level = name, line.level
            sections.headings.setdefault(name, line.number)
            sections.lines[name] += [Line(line.number, rest, line.indent)] if rest else []
            continue
        if current in ("other", "purpose", "background") and ROLE_NUMBER.match(line.text) and len(line.words) <= 8:
            current = "roles"
        elif line.level and line.level <= level and current not in ("roles", "rules"):
            current = "other"
        elif not has_rules and current not in ("rules", "observation") and take_apart(line.text[:300]).mode:
            current = "rules"
        sections.lines[current].append(line)
    told = sections.lines["observation"]
    while len(told) > 1 and _FAREWELL.search(told[-1].text):
        sections.lines["other"].append(told.pop())
    return sections


def _named(line: Line, current: str, level: int) -> tuple[str, str]:
    """Which section the line begins, and what of it stands on the line itself; two empty ones for any other line."""
    found = _HEAD.match(line.text)
    if not found or ROLE_NUMBER.match(line.text) or RULE_NUMBER.match(line.text) or mode_in(found["head"]):
        return "", ""
    name, rest = _meant(found["head"]), found["rest"] or ""
    dressed = bool(line.level or line.bold or found["colon"])
    within = current in ("roles", "rules") and not line.level
    if not name or (within and (rest or (line.mark and not line.bold) or (name in _FIELDS and len(line.words) < 2))):
        return "", ""
    if line.level and current in ("roles", "rules") and name in _FIELDS and line.level > (level or 6):
        return "", ""
    if rest and (line.level == 0 and not line.bold and current not in ("other", *_FIELDS) or line.numbered):
        return "", ""
    bare = not line.mark and found["head"][:1].isupper() and (len(line.words) <= 3 or line.text.istitle())
    return (name, rest.strip("|>")) if dressed or bare else ("", "")


def _meant(head: str) -> str:
    """The section that a heading's words mean, "" for none."""
    told = [word for word in re.findall(r"[^\W\d_]+", head.lower()) if word not in _BESIDE and len(word) > 2]
    for name, words in _WORDS.items():
        hits = [bool(closest(word, words.split())) for word in told]
        if hits and (all(hits) or (hits[0] and name in _LEADS) or (len(hits) > 1 and hits[1] and told[0] == "how")):
            return name
    return "background" if re.fullmatch(r"(?:the |scene )?(?:setting|scenario|overview)", head.lower()) else ""
