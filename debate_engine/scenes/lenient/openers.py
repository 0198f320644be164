"""Tells which lines of a script announce a role by their place and dress among the others, and how they name it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from debate_engine.scenes.lenient.fields import field_of
from debate_engine.scenes.lenient.headings import ROLE_NUMBER
from debate_engine.scenes.lenient.kinds import names_a_kind
from debate_engine.scenes.lenient.lines import Line
from debate_engine.scenes.lenient.vocabulary import NAME

_NAME_WITH_TITLE = re.compile(
    r"^(?P<name>[^()\[\]:]{1,60}?)\s*[(\[](?:(?:Identity|Role)\s*:\s*)?(?P<title>[^()\[\]]{2,120})[)\]]\s*[:：\-–—]?\s*(?P<rest>.*)$"
)
_TITLE_THEN_NAME = re.compile(
    r"^(?P<title>[A-Za-z][A-Za-z0-9# ]{3,40}?)\s*(?:[:：]|[-–—]\s|\()\s*(?P<name>[^(),:]{1,60}?)\)?$"
)
_TITLE_NAME_MORE = re.compile(
    r"^(?P<title>[A-Za-z ]{4,40}?)(?:\s*[:：]|\s+[-–—])\s*(?P<name>[A-Z][\w.' -]{0,30}?)"
    r"\s*(?:[,;:]|\s[-–—])\s*(?P<rest>.+)$"
)
_NAME_TITLE_MORE = re.compile(
    r"^(?P<name>[A-Z][\w.' -]{0,30}?)(?:\s*[:：,]|\s+[-–—])\s*(?:(?:the|a|an)\s+)?(?P<title>[A-Za-z ]{4,40}?"
    r"(?:\s*[/&]\s*[A-Za-z ]{4,40}?)?)"
    r"\s*(?:[,;:.]|\s[-–—]|$)\s*(?P<rest>.*)$"
)
_IN_PROSE = re.compile(
    r"^(?P<name>[A-Z][\w.'-]*(?: [A-Z][\w.'-]*)?),?\s+(?:is|acts as|plays|serves as|will be)"
    r"\s+(?:the|a|an)\s+(?P<title>[a-z]+(?: (?!who|that|which|in|of|from|and|with|at|for)[a-z]+)?)"
    r"\b[,.]?\s*(?P<rest>.*)$"
)
_ANNOUNCING = (_IN_PROSE, _NAME_WITH_TITLE, _TITLE_THEN_NAME, _TITLE_NAME_MORE, _NAME_TITLE_MORE)
_CLAUSE = re.compile(
    r"\s*\((?P<clause>(?:s?he|they|it|who|has|had|is|was|will|does|knows?|thinks?|believes?)\b[^()]*)\)"
)
"""What a bracket says of somebody in a clause of its own: `Ada – the guest (she does not know why)`."""
_FULL_WIDTH = str.maketrans({"（": "(", "）": ")", "：": ":", "［": "[", "］": "]", "，": ","})
_BARE_NAME = re.compile(rf"^(?:the )?{NAME}\s*:?$", re.IGNORECASE)

Dress = tuple[bool | int | str, ...]


def announced(text: str) -> list[tuple[str, str, str]]:
    """The ways to read a line as a role's title, its name, and what is said besides."""
    text = re.sub(r"\s+\(", " (", re.sub(r"[\"“”]", "", text).translate(_FULL_WIDTH))
    said = [clause["clause"] for clause in _CLAUSE.finditer(text) if not names_a_kind(clause["clause"])]
    bare = _CLAUSE.sub("", text) if said else text
    found = [found for pattern in _ANNOUNCING if (found := pattern.match(bare))]
    named = [(m["title"].strip(), m["name"].strip(), _together(said, m.groupdict().get("rest"))) for m in found]
    return [each for each in named if 0 < len(each[1].split()) <= 4 and each[1][0].isupper()]


def _together(said: Sequence[str], rest: str | None) -> str:
    return ". ".join([*said, *([rest] if rest else [])])


def dress_of(line: Line) -> Dress:
    """How a line is set: heading level, kind of list mark, indent, bold or not."""
    mark = "1" if line.mark.isdigit() else "a" if line.numbered else line.mark
    return (line.level, mark, line.indent, line.led)


def openers(lines: Sequence[Line], rules: str = "") -> frozenset[int]:
    """The indices of the lines that announce a role by structure: two or more of one dress that no field has.

    Such a line gives a name alone and has fields right below it, or gives a name and what that one is; the latter in
    any dress where all of the names stand in `rules`, the words of the rules.
    """
    of_fields = {dress_of(line) for line in lines if field_of(line.text)[0]}
    groups: dict[Dress, list[int]] = defaultdict(list)
    for index, line in enumerate(lines):
        if _may_announce(line, rules) and (_has_fields(lines, index) or _gives_both(line)):
            groups[dress_of(line)].append(index)
    found: set[int] = set()
    for dress, indices in groups.items():
        below = [index for index in indices if _has_fields(lines, index)]
        dressed = any(dress[:2]) or dress[3] or all(_begins_with_one_of(lines[index], rules) for index in indices)
        if len(below) > 1 and (dress not in of_fields or _differ(lines, below)):
            found.update(indices if dress not in of_fields else below)
        elif dressed and dress not in of_fields and len(indices) > 1 and _differ(lines, indices):
            found.update(indices)
    return frozenset(found)


def _may_announce(line: Line, rules: str) -> bool:
    """Tell whether a line is neither a field nor numbered as a role, and begins with a capital."""
    if not line.text[:1].isupper() or field_of(line.text)[0] or ROLE_NUMBER.match(line.text):
        return False
    if not (line.mark or line.level or line.led or _begins_with_one_of(line, rules)) and line.text.endswith("."):
        return False  # a sentence
    if field_of(f"{line.text.split()[0]}: x")[0]:
        return False  # a field without its colon
    return bool(_BARE_NAME.match(line.text)) or _gives_both(line)


def _gives_both(line: Line) -> bool:
    return any(re.match(rf"(?:the )?{NAME}", text) for title, name, _ in announced(line.text) for text in (title, name))


def _has_fields(lines: Sequence[Line], index: int) -> bool:
    """Tell whether the next line sets a field of a role."""
    below = lines[index + 1] if index + 1 < len(lines) else None
    return below is not None and bool(field_of(below.text)[0])


def _begins_with_one_of(line: Line, rules: str) -> bool:
    """Tell whether a line begins, before a dash or a colon, with a name that the rules use, in capitals or not."""
    found = re.match(rf"({NAME})\s*(?:[:：]|\s[-–—]\s)", line.text)
    last = found[1].split()[-1] if found else ""
    return bool(last) and re.search(rf"\b{re.escape(last.title())}\b", rules) is not None


def _differ(lines: Sequence[Line], indices: Sequence[int]) -> bool:
    """Tell whether the lines name somebody else each, and not another kind of thing each time."""
    begins = [re.split(r"[:：(\[,]| - | – | — | is ", lines[index].text, maxsplit=1)[0].strip() for index in indices]
    return len(set(begins)) == len(begins)


def names_stand_first(texts: Sequence[str], told: str) -> bool:
    """Tell whether the lines that announce a role give its name before what it is, all of them taken together.

    `told` is what the script says: a name is used in it, and never in small letters; most are one word.
    """
    texts = [_without_kind(text) for text in texts]
    sides = [
        (min(way[:2], key=text.find), max(way[:2], key=text.find)) for text in texts for way in announced(text)[:1]
    ]
    for text in texts:
        told = told.replace(text, "", 1)
    colons = 0.5 * sum(bool(re.match(r"[^(]{3,40}:", text)) for text in texts)
    return sum(_like_a_name(left, told) - _like_a_name(right, told) for left, right in sides) >= colons


def _without_kind(text: str) -> str:
    """The text without a noun for a kind in brackets behind a name and an occupation (`Ada – Clerk (Subject)`)."""
    found = re.search(r"\s*\(([^()]+)\)\s*:?$", text)
    before = text[: found.start()] if found else ""
    return before if found and names_a_kind(found[1]) and announced(before) else text


def _like_a_name(words: str, told: str) -> float:
    used = re.search(rf"\b{re.escape(words)}\b", told) is not None
    small = re.search(rf"\b{re.escape(words.lower())}\b", told) is not None
    the = re.search(rf"\b[Tt]he {re.escape(words)}\b", told) is not None
    return used + 0.6 * (len(words.split()) == 1) - small - the


def name_and_title(text: str, first: bool) -> tuple[str, str, str]:
    """Name, title and the rest of a line that announces a role; a noun for a kind is always the title.

    `first`: the name stands first where nothing else tells. The title is empty where the line gives a name alone.
    """
    ways = announced(text)
    if not ways or _BARE_NAME.match(text):
        return text.strip(" :"), "", ""
    ways += [(name, title, rest) for title, name, rest in ways if re.fullmatch(NAME, title)]
    by_noun = [way for way in ways if names_a_kind(way[0]) and not names_a_kind(way[1])]
    turned = [way for way in ways if (text.find(way[1]) < text.find(way[0])) == first]
    title, name, rest = (by_noun or turned or ways)[0]
    return name, title, rest
