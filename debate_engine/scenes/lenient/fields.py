"""The fields of a role's block (`Name: …`, `Task: …`), by whatever key a script sets them."""

from __future__ import annotations

import re

from debate_engine.scenes.lenient.alike import alike

_FIELDS = {
    "name": ("name", "role name", "character", "called", "who"),
    "identity": ("identity", "role", "type", "position", "role type", "kind", "occupation", "title", "function"),
    "background": ("background", "description", "profile", "bio", "backstory", "role background", "what they know"),
    "task": (
        "task",
        "tasks",
        "goal",
        "objective",
        "responsibility",
        "responsibilities",
        "duty",
        "duties",
        "job",
        "mission",
        "what they do",
    ),
    "style": ("style", "decision style", "decision-making style", "personality"),
}  # fmt: skip
_FIELD = re.compile(
    r"^(?:[\u4e00-\u9fff]+\s*)?([A-Za-z][A-Za-z\-/& ]{2,28}?)\s*[:：=]\s*(.*)$|^([A-Za-z]{4,12})\s+[-–—]\s+(.+)$"
)
_BESIDE = re.compile(
    r"(?:full|first|given|role|character|display|primary|main|secret|hidden|experimental|assigned|specific|core|personal|brief|the"
    r"|short|own|key|in|of|for|and|or|experiment|scene|study|simulation|scenario|participant|subject|confederate|moderator)$"
)
"""Words beside a key that do not change what it sets (`Primary Task`, `Role in the Scene`)."""


def field_of(text: str) -> tuple[str, str]:
    """The field that a line sets and its text, two empty ones where it sets none."""
    found = _FIELD.match(text)
    if not found:
        return "", ""
    key, value = (found[1] or found[3]).strip().lower(), found[2] or found[4] or ""
    name = _meant(key) or (_meant(_bare(key)) if found[1] else "")
    return (name, value) if name else ("", "")


def _meant(key: str) -> str:
    """The field that a key names, slips forgiven."""
    exact = next((name for name, words in _FIELDS.items() if key in words), "")
    return exact or next((name for name, words in _FIELDS.items() if any(alike(key, word) for word in words)), "")


def _bare(key: str) -> str:
    """A key of several words without those that say nothing; of two that are left the first (`Identity/Role`)."""
    words = [word for word in re.split(r"[\s/&]+", key) if not _BESIDE.match(word)]
    if not words and key.startswith("role"):
        return "role"
    return words[0] if words and len(words) <= 2 and all(_meant(word) for word in words) else ""
