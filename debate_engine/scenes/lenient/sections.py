"""Cuts a script into its sections by their headings; what has no heading that says it is placed by its order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from debate_engine.scenes.lenient.fields import field_of
from debate_engine.scenes.lenient.headings import NAMES, ROLE_NUMBER, RULE_NUMBER, heading_of
from debate_engine.scenes.lenient.kinds import names_a_kind
from debate_engine.scenes.lenient.labels import take_apart
from debate_engine.scenes.lenient.lines import Line
from debate_engine.scenes.lenient.vocabulary import any_case, one_of

_ASIDE = any_case(one_of("ethic consent material note appendix message duration equipment variation conclusion"))
"""Headings of what is neither of the five sections."""
_DEBRIEF = any_case(
    r"^(?:[A-Za-z]+[\s(]+)?debrief(?:ing)?\b\W*(?:(?:of|for|to|with)\s+[\w-]+(?:\s+[\w-]+){0,3}\s*)?"
    r"(?:[:：–—)-]+\s*(?P<rest>.*))?$"
)
"""The heading of what people are told afterwards; it may follow what is observed."""
_FAREWELL = any_case(
    r"(?:^|[.!?:]\s+)(?:please )?(?:let me know|feel free|tell me|i hope|hope this|would you like|do you want|shall i"
    r"|want me to|i can (?:also|adapt)|if you (?:would|['’]d|want|need|like)|if you['’]d)\b"
)
"""How a writer takes leave of who asked for the script."""


@dataclass
class Sections:
    """A script's lines by section, the debrief among them; what belongs to none stands under "other"."""

    lines: dict[str, list[Line]] = field(default_factory=lambda: {name: [] for name in (*NAMES, "debrief", "other")})
    headings: dict[str, int] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """A section's words, a line each, list marks kept."""
        return "\n".join(f"{_shown(line.mark)}{line.text}" for line in self.lines[name])


@dataclass
class Chunk:
    """The lines under one heading; "other" where the heading names no section or there is none."""

    name: str
    heading: Line | None = None
    lines: list[Line] = field(default_factory=list)


def _shown(mark: str) -> str:
    return f"{mark}. " if mark not in ("", "-") else "- " if mark else ""


def cut(lines: Sequence[Line]) -> Sections:
    """The lines of each section, without the headings."""
    chunks = _placed(_by_heading(lines))
    sections = Sections()
    for chunk in chunks:
        if chunk.heading and chunk.name == "other":
            sections.lines["other"].append(chunk.heading)
        elif chunk.heading:
            sections.headings.setdefault(chunk.name, chunk.heading.number)
        sections.lines[chunk.name] += chunk.lines
    for told in (sections.lines["observation"], sections.lines["debrief"]):
        while len(told) > 1 and _FAREWELL.search(told[-1].text):
            sections.lines["other"].append(told.pop())
    return sections


def _by_heading(lines: Sequence[Line]) -> list[Chunk]:
    """The chunks as their headings name them."""
    chunks, level, seen = [Chunk("other")], 0, frozenset[str]()
    for index, line in enumerate(lines):
        current = chunks[-1].name
        if told := _debrief(line, current):
            chunks.append(
                Chunk("debrief", line, [Line(line.number, told["rest"], line.indent)] if told["rest"] else [])
            )
        elif found := heading_of(line, current, level, seen):
            name, rest = found
            level, seen = line.level, seen | {name}
            chunks.append(Chunk(name, line, [Line(line.number, rest, line.indent)] if rest else []))
        elif ROLE_NUMBER.match(line.text) and len(line.words) <= 8 and current in ("other", "purpose", "background"):
            chunks.append(Chunk("roles", None, [line]))
        elif line.level and (not level or line.level <= level) and not _goes_on(lines, index, chunks[-1]):
            chunks.append(Chunk("other", line))
        else:
            chunks[-1].lines.append(line)
    return chunks


def _debrief(line: Line, current: str) -> re.Match[str] | None:
    """The heading of the debrief: of some rank, or set apart behind what is observed."""
    set_apart = line.led or ":" in line.text[:40] or (len(line.words) <= 4 and not line.text.endswith("."))
    behind = current in ("observation", "other") and set_apart
    return _DEBRIEF.match(line.text) if line.level or line.text.isupper() or behind else None


def _goes_on(lines: Sequence[Line], index: int, chunk: Chunk) -> bool:
    """Tell whether a heading that names no section is one within the section: a role's, or a round's."""
    if chunk.name not in ("roles", "rules"):
        return False
    line = lines[index]
    below: list[Line] = []
    for later in lines[index + 1 : index + 40]:
        if later.level and later.level <= line.level:
            break
        below.append(later)
    if chunk.name == "roles":
        announced = ROLE_NUMBER.match(line.text) or names_a_kind(line.text)
        return bool(announced) or any(field_of(each.text)[0] for each in below[:4])
    labelled = any(_is_labelled(each) for each in (line, *below))
    return labelled or not any(_is_labelled(each) for each in chunk.lines) or bool(RULE_NUMBER.match(line.text))


def _is_labelled(line: Line) -> bool:
    """Tell whether a line is a rule that states its mode."""
    return take_apart(RULE_NUMBER.sub("", line.text[:300])).mode is not None


def _placed(chunks: list[Chunk]) -> list[Chunk]:
    """The chunks, those of no name taken for the sections that are missing where these would stand."""
    if not _has(chunks, "rules"):
        chunks = _split_at_labels(chunks)
    levels = Counter(chunk.heading.level for chunk in chunks if chunk.heading and chunk.name != "other")
    usual = levels.most_common(1)[0][0] if levels else 0
    for chunk in chunks if usual else ():
        if chunk.name == "other" and chunk.heading and chunk.heading.level == usual and chunk.lines:
            chunk.name = _name_by_place(chunks, chunk)
    return chunks


def _name_by_place(chunks: list[Chunk], chunk: Chunk) -> str:
    """The missing section that stands where this chunk stands."""
    at = chunks.index(chunk)
    before = {each.name for each in chunks[:at]} - {"other"}
    after = [each.name for each in chunks[at + 1 :]]
    if chunk.heading and _ASIDE.search(chunk.heading.text):
        return "other"
    if "rules" in before and not _has(chunks, "observation"):
        return "observation"
    of_roles = sum(bool(field_of(line.text)[0]) for line in chunk.lines) > 1
    if not _has(chunks, "roles") and "rules" not in before and of_roles:
        return "roles"
    if "roles" in before and not _has(chunks, "rules") and sum(line.numbered for line in chunk.lines) > 1:
        return "rules"
    if "roles" in after and not before & {"roles", "rules"}:
        if not before and not _has(chunks, "purpose") and after[0] != "roles":
            return "purpose"
        if after[0] == "roles" and not _has(chunks, "background"):
            return "background"
    return "other"


def _has(chunks: Sequence[Chunk], name: str) -> bool:
    return any(chunk.name == name and chunk.lines for chunk in chunks)


def _split_at_labels(chunks: list[Chunk]) -> list[Chunk]:
    """The chunks, rules that stand under no heading of their own set apart: from the first line with a mode on."""
    split: list[Chunk] = []
    for chunk in chunks:
        first = next((index for index, line in enumerate(chunk.lines) if _is_labelled(line)), None)
        if first is None or chunk.name == "observation":
            split.append(chunk)
            continue
        stays = chunk.lines[:first]
        heading = stays.pop() if stays and _is_loose_heading(stays[-1]) else None
        here = chunk.heading if chunk.name == "other" and not stays else None
        split += [] if here else [Chunk(chunk.name, chunk.heading, stays)]
        split.append(Chunk("rules", heading or here, chunk.lines[first:]))
    return split


def _is_loose_heading(line: Line) -> bool:
    """Tell whether a line right over the rules can only be their heading."""
    if field_of(line.text)[0] or names_a_kind(line.text):
        return False
    marked = line.level or line.bold or line.text.endswith(":")
    return bool(marked) or (len(line.words) <= 4 and not line.mark and line.text.istitle())
