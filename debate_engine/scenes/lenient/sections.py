"""Cuts a script into its sections by their headings."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from elenchus.debate_engine.scenes.lenient.labels import mode_in, split_label
from elenchus.debate_engine.scenes.lenient.lines import Line
from elenchus.debate_engine.scenes.lenient.words import NUMBERS, closest, nouns_in, word_set

_WORDS = {
    "debrief": "debrief debriefing",
    "observation": "method methods observe observation observations observed measurement measure evaluation assessment "
    "detection analysis results criteria",
    "roles": "role roles characters participants persons people cast actors players",
    "rules": "rules rule procedure interactions interaction course steps timeline sequence dialogue",
    "purpose": "purpose objective aim goal question questions",
    "background": "background context backstory situation story setup cover",
}
"""By which words a heading names a section, in the order in which it is tried for them."""
NAMES = tuple(_WORDS)
_ORDER = ("purpose", "background", "roles", "rules", "observation")
"""Sections as scripts put them."""
_BESIDE = word_set(
    """
    the of and for in to an is our this that scene scenario simulation experiment study script settings setting new
    revised updated modified order events description descriptions details information overview profiles statement
    research introduction tasks data afterwards
    """
)
"""Words that do not make another heading of one."""
_LEADS = ("observation", "rules", "debrief")
"""Sections whose word at the heading's beginning is enough: `Method to Observe the Bandwagon Effect`."""
_HEAD = re.compile(r"^\[?(?P<head>[^:.!?\[\]]{3,110}?)\]?\s*(?:(?P<colon>:)\s*(?P<rest>.*)|[-–—])?$")
_RUN_IN = re.compile(r"^([A-Z][A-Za-z ]{3,40}?)(?:\.|\s[-–—])\s+(?=\w)")
"""A heading that ends at a full stop or a dash, before the section's first words."""
_PART = re.compile(r"^(?:section|part|step|chapter)\s*\d{1,2}\s*[:.)–—-]\s*", re.IGNORECASE)
ROLE_NUMBER = re.compile(
    rf"^(?:role|character|participant|player|person)\s*#?\s*(?:\d+|{NUMBERS}|[a-h]|[ivx]+)\b\s*[:.)–—-]*\s*",
    re.IGNORECASE,
)
"""How a role may be numbered."""
RULE_NUMBER = re.compile(
    rf"^(?:rule|step|interaction|turn)\s*(?:#|no\.?)?\s*(?:\d{{1,3}}|{NUMBERS})\b\s*[:.)–—-]*\s*", re.IGNORECASE
)
"""How a rule may be numbered in words."""
_FIELD_OF_A_ROLE = re.compile(r"(?:\w+\s)?(?:name|identity|role|background|task)s?\s*:", re.IGNORECASE)
_FAREWELL = re.compile(
    r"\b(?:let me know|feel free|would you like|if you (?:would|need|want)|i hope|hope this)\b", re.IGNORECASE
)
"""How a writer takes leave of who asked for the script."""


@dataclass
class Sections:
    """A script's lines by section; what belongs to none stands under "other". `headings` are the lines' numbers,
    `placed` those that only their order names, `unknown` the headings of what is left out.
    """

    lines: dict[str, list[Line]] = field(default_factory=lambda: {name: [] for name in (*NAMES, "other")})
    headings: dict[str, int] = field(default_factory=dict)
    placed: dict[int, str] = field(default_factory=dict)
    unknown: list[Line] = field(default_factory=list)

    def text(self, name: str) -> str:
        """A section's words, a line each, list marks kept."""
        return "\n".join(f"{_shown(line.mark)}{line.text}" for line in self.lines[name])


def _shown(mark: str) -> str:
    return f"{mark}. " if mark not in ("", "-") else "- " if mark else ""


def split_sections(lines: Sequence[Line]) -> Sections:
    """The lines of each section, without the headings. Headings of other words are placed by their order, where there
    are as many of them as sections are missing there.
    """
    sections = _split(lines, {})
    placed = _by_order(lines, sections)
    return _split(lines, placed) if placed else sections


def looks_like_a_heading(line: Line) -> bool:
    """Tell whether a line is set as a heading, whatever it says."""
    return not line.mark and bool(line.level or line.bold or (line.text.isupper() and 1 < len(line.words) < 8))


def _by_order(lines: Sequence[Line], sections: Sections) -> dict[int, str]:
    """The sections that headings of unknown words begin, by their lines' numbers."""
    known = {number: name for name, number in sections.headings.items() if name in _ORDER}
    looks = [line for line in lines if looks_like_a_heading(line) and not _stated(line.text)]
    formatting = next(
        (_formatting(line) for line in looks if line.number in known), _formatting(looks[-1]) if looks else None
    )
    unknown = [
        line.number
        for line in looks
        if _formatting(line) == formatting and line.number not in sections.headings.values()
    ]
    placed: dict[int, str] = {}
    if sections.lines["rules"] and "rules" not in sections.headings:
        first = sections.lines["rules"][0].number
        above = max([0, *(number for number in (*unknown, *known) if number < first)])
        placed = {above: "rules"} if above in unknown else {}
        known |= placed or {first: "rules"}
    bounds = [(0, ""), *sorted(known.items()), (lines[-1].number + 1 if lines else 1, "")]
    for (first, before), (last, after) in itertools.pairwise(bounds):
        names = _ORDER[_ORDER.index(before) + 1 if before else 0 : _ORDER.index(after) if after else None]
        missing = [name for name in names if name not in known.values()]
        between = [number for number in unknown if first < number < last]
        title = not first and len(between) == len(missing) + 1  # the script's title stands first
        if missing and len(between) - title == len(missing):
            placed |= dict(zip(between[title:], missing, strict=True))
    return placed


def _formatting(line: Line) -> tuple[int, bool]:
    return line.level, line.bold


def _split(lines: Sequence[Line], placed: dict[int, str]) -> Sections:
    """The sections; rules under no heading begin with the first stated mode."""
    sections, current, level = Sections(placed=placed), "other", 0
    has_rules = "rules" in placed.values() or any(_named(line, "other")[0] == "rules" for line in lines)
    for index, line in enumerate(lines):
        name, rest = (placed[line.number], "") if line.number in placed else _named(line, current)
        if name:
            current, level = name, line.level
            sections.headings.setdefault(name, line.number)
            sections.lines[name] += [Line(line.number, rest, line.indent)] if rest else []
            continue
        below = lines[index + 1].text if index + 1 < len(lines) else ""
        early = current in ("other", "purpose", "background") or _FIELD_OF_A_ROLE.match(below)
        if current != "rules" and early and ROLE_NUMBER.match(line.text) and len(line.words) <= 8:
            current = "roles"
        elif line.level and (not level or line.level <= level) and not _goes_on(lines[index:], current):
            current = "other"
            sections.unknown += [line] if index else []
        elif not has_rules and current not in ("rules", "observation") and split_label(line.text[:300]).mode:
            above = sections.lines[current][-1:]
            if above and not above[0].mark and len(above[0].words) <= 4 and not _FIELD_OF_A_ROLE.match(above[0].text):
                sections.lines["other"].append(sections.lines[current].pop())
            current = "rules"
        sections.lines[current].append(line)
    for told in (sections.lines["observation"], sections.lines["debrief"]):
        while len(told) > 1 and _FAREWELL.search(told[-1].text):
            sections.lines["other"].append(told.pop())
    return sections


def _goes_on(lines: Sequence[Line], current: str) -> bool:
    """Tell whether a heading that names no section (the first of the lines) is a role's or a round's within one."""
    first, *below = lines
    if current == "roles":
        return bool(
            ROLE_NUMBER.match(first.text) or nouns_in(first.text) or (below and _FIELD_OF_A_ROLE.match(below[0].text))
        )
    later = itertools.takewhile(lambda line: not (line.level and _named(line, current)[0]), lines)
    return current == "rules" and any(split_label(RULE_NUMBER.sub("", line.text[:300])).mode for line in later)


def _stated(text: str) -> bool:
    """Tell whether a line states a mode or a number of a role or rule: it is no heading."""
    return bool(mode_in(text) or ROLE_NUMBER.match(text) or RULE_NUMBER.match(text))


def _run_in(line: Line) -> str:
    """A line with a colon behind its heading, where only emphasis, a full stop or a dash ends it."""
    found = _RUN_IN.match(line.text)
    head = line.lead or (found[1] if found else "")
    name, plain = _meant(head) if line.text.startswith(head) else ("", False)
    return f"{head.rstrip(' .:')}: {line.text[len(head) :].lstrip(' .:–—-')}" if name and plain else line.text


def _named(line: Line, current: str) -> tuple[str, str]:
    """Which section the line begins, and what of it stands on the line itself; two empty ones for any other line."""
    text = _PART.sub("", _run_in(line))
    found = _HEAD.match(text)
    stated = mode_in(text) or ROLE_NUMBER.match(text) or (text == line.text and RULE_NUMBER.match(text))
    if not found or stated or found["head"].startswith("To "):
        return "", ""
    head, rest = found["head"], (found["rest"] or "").strip("|>-+ ")
    name, plain = _meant(head)
    sure = plain or all(word[0].isupper() for word in re.findall(r"[^\W\d_]{4,}", head))
    dressed = bool(line.level or line.bold or text[len(head) :])
    if not name or not (dressed or (head[:1].isupper() and sure)):
        return "", ""
    field_of_a_role = name not in _LEADS and (rest or len(line.words) < 2) and not line.level
    listed = bool(line.mark) and (not sure or (bool(rest) and len(head.split()) < 3))
    within = current in ("roles", "rules") and (
        field_of_a_role or listed or (name == "roles" and line.mark) or (name == current and not plain)
    )
    return ("", "") if within or (rest and line.mark == "-") else (name, rest)


def _meant(head: str) -> tuple[str, bool]:
    """The section that a heading's words mean ("" for none), and whether they mean nothing else."""
    told = [word for word in re.findall(r"[^\W\d_]+", head.lower()) if not closest(word, _BESIDE)]
    for name, words in _WORDS.items():
        hits = [bool(closest(word, words.split())) for word in told]
        if any(hits) and (all(hits) or (name in _LEADS and (hits[0] or told[0] == "how"))):
            return name, all(hits)
    return (
        "background" if re.fullmatch(r"(?:the |scene |scenario )?(?:setting|scenario|overview)", head.lower()) else ""
    ), True
