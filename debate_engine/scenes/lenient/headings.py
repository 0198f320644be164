"""Tells a section's heading from other lines, whatever it is called and however it is marked."""

from __future__ import annotations

import re
from dataclasses import dataclass

from debate_engine.scenes.lenient.alike import any_alike
from debate_engine.scenes.lenient.kinds import names_a_kind
from debate_engine.scenes.lenient.labels import mode_in
from debate_engine.scenes.lenient.lines import Line
from debate_engine.scenes.lenient.vocabulary import NUMBERS

NAMES = ("observation", "roles", "rules", "purpose", "background")
"""The sections of a script, in the order in which a heading is tried for them."""

_SCENE = ("scene", "scenario", "scenery", "simulation", "experiment", "study", "experimental", "script")
_FILLERS = re.compile(r"the|we|an?|of|for|in|to|and|new|revised|updated|modified|our|this|order|part")
_NEUTRAL = re.compile(
    r"descriptions?|information|details|statement|overall|introduction|research|list|story|profiles?|assignments?"
    r"|definitions?|tasks|responsibilities|involved|general"
)
"""Words beside a section's own that do not make another heading of it."""

_WORDS = {
    "observation": "method methods observe observation observations observing measurement measure",
    "rules": "rules rule procedure interactions procedures",
    "roles": "roles characters participants cast settings setting role persons actors",
    "purpose": "purpose purposes objective objectives aim goal",
    "background": "background context backstory",
}
_LOOSE = {
    "purpose": "question questions rationale intention",
    "background": "setup environment situation overview narrative premise story cover",
    "rules": "sequence steps step events flow protocol process timeline course stages script conversation dialogue",
    "observation": "evaluation criteria assessment detection detect detecting detected bias effect how analysis data "
    "collection indicators indicator methodology outcome outcomes expected dependent variable variables is metrics "
    "result results",
}
"""Words that mean a section only where it is due: after the one before it, and while it is not there yet."""

_DUE = {
    "purpose": ("other",),
    "background": ("other", "purpose"),
    "roles": ("other", "purpose", "background"),
    "rules": ("other", "background", "roles"),
    "observation": ("rules",),
}
_EVERYDAY = (
    ("purpose", r"why(?: (?:we|this|it)\b.*)?|the (?:idea|question)|what (?:it|this) is about"),
    ("purpose", r"what we .*(?:know|learn|find out|see)"),
    ("background", r"where(?: (?:we|it|this)\b.*)?|the (?:setting|situation|place|story)"),
    ("roles", r"who(?:['’]s| is) (?:who|in it|there|playing)|who (?:plays|takes part|is who)"),
    ("roles", r"(?:the |our )?(?:people|players)|dramatis personae"),
    ("rules", r"how it (?:goes|runs|works|unfolds)\b.*|what happens\b.*"),
    ("rules", r"(?:the )?course of (?:events|the (?:scene|talk|session))"),
    ("observation", r"what (?:we|you|to) (?:count|measure|observe|watch|look|note)\b.*"),
    (
        "observation",
        r"how (?:we|you|to|one)(?:['’](?:ll|d))?\b.*(?:see|tell|know|measure|notice|recogni[sz]e|spot)\b.*",
    ),
)
"""Headings that say in words of everyday what comes now; each where its section is due."""
_HEAD = re.compile(r"^(?P<head>.{1,110}?)\s*(?:[:：]\s*(?P<rest>.*)|\s[-–—]\s+(?P<dashed>\S.*)|[-–—]\s*)?$")
_NUMBERED = re.compile(
    r"^(?P<word>section|chapter|step|part)\s*(?:\d{1,2}|[ivx]{1,4}|[a-h])\s*[:：.)–—-]\s*", re.IGNORECASE
)
ROLE_NUMBER = re.compile(
    rf"^(?:role|character|participant|player|person)\s*(?:#\s*)?(?:\d+|{NUMBERS}|[a-h]|[ivx]+)\b",
    re.IGNORECASE,
)
"""How a role may be numbered."""
RULE_NUMBER = re.compile(
    r"^(?:rule|step|interaction|turn|move|action|r)\s*(?:#|no\.?|number)?\s*"
    rf"(?:\d{{1,3}}|{NUMBERS})\b\s*[:：.)\-–—]*\s*",
    re.IGNORECASE,
)
"""How a rule may be numbered in words."""


@dataclass(frozen=True)
class Named:
    """The section that a heading names, whether it says nothing else (`plain`), whether nothing else can be meant by it
    (`sure`), and whether its words mean it only where it is due (`loose`).
    """

    name: str
    plain: bool
    sure: bool
    loose: bool = False


def heading_of(line: Line, current: str, level: int, seen: frozenset[str]) -> tuple[str, str] | None:
    """Which section the line begins, and what of the section stands on the line itself; None for any other line.

    `current` is the section so far, `level` its heading's level, `seen` the sections that had a heading.
    """
    text = _with_colon(line)
    numbered = _NUMBERED.match(text)
    found = _HEAD.match(text[numbered.end() :] if numbered else text)
    stepped = bool(numbered and numbered["word"].lower() in ("step", "part"))
    if not found or ROLE_NUMBER.match(line.text) or (RULE_NUMBER.match(line.text) and not stepped):
        return None
    head, rest = found["head"], found["rest"] or found["dashed"] or ""
    if _names_a_mode(head):
        return None
    of_a_list = bool(line.mark and rest) and not (line.level or line.bold)
    named = named_by(head) or _due(head, current, seen) or (None if of_a_list else _in_words(head, current, seen))
    if named is None or (not named.sure and (stepped or found["dashed"])):
        return None
    if rest and current != "rules" and re.match(r"[Tt]o [a-z]", head):
        return None  # a purpose with a colon in it
    ended = head.endswith((".", ",", ";", "?", "!"))
    titled = not ended and ((named.plain and not named.loose) or (named.sure and _in_title_case(head)))
    dashed = bool(found["dashed"]) and head[0].isupper() and len(head.split()) <= 7
    listed = named.loose and bool(line.mark) and not ended
    dressed = dashed or listed or head.isupper() or bool(line.level or line.bold or found["rest"] is not None)
    if not (dressed or titled or _stands_alone(named, line, current)) or not _may_begin(named, line, current, level):
        return None
    if rest and line.mark == "-" and named.name in seen:
        return None  # a role's field
    if rest and (
        (named.loose and not (line.led and named.name == "background" and current in ("purpose", "other")))
        or not (named.loose or named.sure or line.level or current == "other" or _next(named, line, current, seen))
    ):
        return None
    return named.name, rest if rest.strip(">|-+ ") else ""  # YAML's marks of a text that begins on the next line


def _with_colon(line: Line) -> str:
    """The line, with a colon behind a heading that its emphasis or full stop ends: `Purpose. Who follows?`."""
    stop = re.match(r"([A-Z][A-Za-z ]{2,30})\.\s+", line.text)
    head = (line.text.startswith(line.lead) and line.lead) or (stop[1] if stop and not line.mark else "")
    rest = line.text[len(head) :].lstrip(" .")
    named = named_by(head) if head and rest[:1].isupper() else None
    return f"{head}: {rest}" if named and named.plain else line.text


def _in_words(head: str, current: str, seen: frozenset[str]) -> Named | None:
    """The section that an everyday question or phrase announces, if it is due here."""
    said = (name for name, words in _EVERYDAY if re.fullmatch(rf"(?:{words})\W*", head, re.IGNORECASE))
    name = next((name for name in said if name not in seen and current in _DUE[name]), "")
    return Named(name, plain=True, sure=True) if name else None


def _stands_alone(named: Named, line: Line, current: str) -> bool:
    """Tell whether a looser word without any mark can only be a heading, for what is due stands behind it."""
    due = {"background": "purpose", "observation": "rules"}.get(named.name, "")
    bare = not (line.mark or line.indent) and line.text[:1].isupper() and line.text[-1:].isalpha()
    asks = named.sure and line.words[:1] == ("how",) and len(line.words) <= 6
    return current == due and bare and (asks or (named.loose and len(line.words) <= 3))


def _next(named: Named, line: Line, current: str, seen: frozenset[str]) -> bool:
    """Tell whether a heading of one word may have its text beside it: what the script is to tell next."""
    behind = {"background": ("purpose", "other"), "observation": ("rules",)}.get(named.name, ())
    return named.plain and named.name not in seen and current in behind and not line.numbered


def _names_a_mode(text: str) -> bool:
    """Tell whether a line is a rule's label: only a bracket behind a heading may name modes too."""
    return mode_in(text if text[:1] in "([{（【" else re.split(r"[(\[（【]", text, maxsplit=1)[0]) is not None


def _in_title_case(head: str) -> bool:
    """Tell whether all longer words begin with a capital."""
    return all(word[0].isupper() for word in re.findall(r"[^\W\d_]{4,}", head))


def _may_begin(named: Named, line: Line, current: str, level: int) -> bool:
    """Tell whether this heading may stand here: a role has a background too, and a rule a purpose."""
    name, sure = named.name, named.sure
    if current == "rules" and name == "rules":
        return named.plain
    if current in ("roles", "rules") and name in ("purpose", "background", "roles"):
        top = bool(line.level) and line.level <= (level or 6)
        return top or (sure and not line.mark and name != "roles")
    if current in ("rules", "roles") and line.mark == "-" and not line.level and not line.bold:
        return sure and named.plain
    if name == "background" and current not in ("purpose", "other", "background"):
        return sure or bool(line.level)
    return True


def _telling(head: str) -> list[str]:
    return [word for word in re.findall(r"[^\W\d_]+", head.lower()) if not _FILLERS.fullmatch(word)]


def _means(word: str, name: str) -> bool:
    """Tell whether a word is one of a section's own; what somebody is called (`observer`) only names the roles."""
    return (name == "roles" or not names_a_kind(word)) and any_alike((word,), _WORDS[name].split())


def named_by(head: str) -> Named | None:
    """The section that a heading's own words name."""
    words = _telling(head)
    if not words or len(words) > 9:
        return None
    known = {name: [w for w in words if _means(w, name)] for name in _WORDS}
    scene = [word for word in words if any_alike((word,), _SCENE)]
    if known["background"] and not {"role", "roles"} & set(words):
        known["roles"] = []
    if words == ["setting"] or (known["roles"] == ["setting"] and 0 < len(scene) == len(words) - 1):
        return Named("background", plain=True, sure=True)
    for name, hits in known.items():
        neutral = sum(bool(_NEUTRAL.fullmatch(word)) and word not in hits for word in words)
        plain = bool(hits) and len(hits) + len(scene) + neutral >= len(words)
        if plain or (hits and name in ("observation", "rules")):
            asked = words[0] == "how" and len(words) > 2
            leads = name == "observation" and words[asked] in hits and len(words) > 1
            return Named(name, plain, leads or (plain and len(words) - neutral > 1))
    return None


def _due(head: str, current: str, seen: frozenset[str]) -> Named | None:
    """The section that looser words name, if it is due here."""
    words = _telling(head)
    if not words or len(words) > 6:
        return None
    for name, keys in _LOOSE.items():
        if name in seen or current not in _DUE[name]:
            continue
        telling = (*keys.split(), *(_SCENE if name == "background" else ()))
        known = (*telling, *_SCENE, *_WORDS[name].split())
        if any_alike(words, telling) and all(_NEUTRAL.fullmatch(word) or any_alike((word,), known) for word in words):
            return Named(name, plain=True, sure=False, loose=True)
    return None
