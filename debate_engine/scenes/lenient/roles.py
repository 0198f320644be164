"""Finds the roles of a script: blocks of fields (name, identity, background, task) under headings of any style."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from debate_engine.scenes.lenient.announcements import names_behind, usual
from debate_engine.scenes.lenient.drafts import SUFFIX, Draft, joined
from debate_engine.scenes.lenient.fields import field_of
from debate_engine.scenes.lenient.finished_roles import each_of, finished, with_the_missing_kind, without_bystanders
from debate_engine.scenes.lenient.headings import ROLE_NUMBER
from debate_engine.scenes.lenient.kinds import names_a_kind
from debate_engine.scenes.lenient.lines import Line
from debate_engine.scenes.lenient.openers import announced, name_and_title, names_stand_first, openers
from debate_engine.scenes.lenient.reading import ReadRole
from debate_engine.scenes.lenient.vocabulary import NUMBERS
from debate_engine.scenes.scene import one_line

_INLINE = re.compile(
    r"(?:^|[;,|.:：]\s*|\s[-–—]\s*)((?:Name|Identity|Background|Tasks?|Goal|Style|Decision style)\s*[:：])",
    re.IGNORECASE,
)
"""A field's beginning within a line."""

_NUMBER = rf"(?:\d+|{NUMBERS}|[a-h]|[ivx]+)"
_NEW_ROLE = re.compile(
    rf"^(?:role|character|person|player|agent)\s*(?:#\s*)?{_NUMBER}?\b\s*[:：.)\-–—]*\s*(?P<rest>.*)$", re.IGNORECASE
)
_MOST, _LONGEST, _WORDS = 50, 2_000, 20_000
"""More roles, more lines about them, and more letters of rules than any scene has."""
_KIND_WITH_NAME = re.compile(r"^(?:the\s+)?[A-Za-z]{4,14}\s*\((?:[A-Z][\w.'-]*\s?){1,3}\)", re.IGNORECASE)
_ONLY_A_KIND = re.compile(r"^(?:the\s+)?[A-Za-z]{4,14}\s*(?:\d{1,2}|[A-H])?\s*:?$", re.IGNORECASE)


def find_roles(lines: Iterable[Line], rules: str = "") -> tuple[ReadRole, ...]:
    """The roles that the lines declare, in order; one without a name is called by its identity.

    `rules` are the words of the rules: where a line may be read in two ways, they tell which of its words is the name.
    """
    lines = tuple(lines)
    behind = names_behind(lines, rules[:_WORDS])
    told = [line for whole in lines for line in usual(whole, rules[:_WORDS], behind=behind)]
    parts = _with_values([part for line in told for part in _spread(line)])
    announcing = _announcing(parts, rules[:_WORDS])
    heads = [line.text for index, line in enumerate(parts) if index in announcing or _is_a_head(line)]
    first = names_stand_first(heads + _numbered(parts), f"{rules} {' '.join(line.text for line in parts[:_LONGEST])}")
    identity_first = next((key for line in parts if (key := field_of(line.text)[0])), "") == "identity"
    by_field = any(field_of(line.text)[0] == "name" for line in parts)
    drafts: list[Draft] = []
    for index, line in enumerate(parts):
        if len(drafts) > _MOST:
            break
        named_below = _key_at(parts, index + 1) == "name"
        if _begins(line, drafts, first, named_below, identity_first):
            continue
        if index in announcing and (named_below or not by_field):
            drafts.append(Draft(line.number))
            _announce(line.text, drafts[-1], first, named_below)
        elif drafts:
            _continue(line, drafts[-1])
    found = tuple(role for draft in joined(drafts) for one in each_of(draft) if (role := finished(one, rules)))
    return with_the_missing_kind(without_bystanders(found))


def _announcing(parts: Sequence[Line], rules: str) -> frozenset[int]:
    """The lines that announce a role by their dress, unless the roles are numbered in words."""
    if len(parts) > _LONGEST or sum(bool(ROLE_NUMBER.match(line.text)) for line in parts) > 1:
        return frozenset()
    return openers(parts, rules)


def _is_a_head(line: Line) -> bool:
    """Tell whether a line is set as the head of a block, and is no field."""
    short = bool(line.level or line.bold) and len(line.words) <= 8
    return short and not field_of(line.text)[0] and not ROLE_NUMBER.match(line.text)


def _numbered(parts: Sequence[Line]) -> list[str]:
    """What stands behind `Role 1:` on its line."""
    found = [_NEW_ROLE.match(line.text) for line in parts[:_LONGEST] if ROLE_NUMBER.match(line.text)]
    return [each["rest"] for each in found if each and each["rest"]]


def _announce(text: str, draft: Draft, first: bool, named_below: bool) -> None:
    """Take name and title from a line that announces a role; where a field gives the name, all of it is title."""
    name, title, rest = name_and_title(text, first)
    if named_below:
        draft.title = f"{name} {title}".strip()
    else:
        draft.name_it(name)
        draft.title = title or draft.title
    if rest:
        draft.put("background", rest)


def _key_at(parts: Sequence[Line], index: int) -> str:
    return field_of(parts[index].text)[0] if index < len(parts) else ""


def _with_values(parts: list[Line]) -> list[Line]:
    """The lines, a name or an identity that stands below its key (`Name:`) put behind it."""
    whole: list[Line] = []
    for line in parts:
        key, value = field_of(whole[-1].text) if whole else ("", "")
        open_field = key in ("name", "identity") and not value and not ROLE_NUMBER.match(whole[-1].text)
        if open_field and not field_of(line.text)[0] and len(line.words) <= 6:
            whole[-1] = replace(whole[-1], text=f"{whole[-1].text.rstrip()} {line.text}")
        else:
            whole.append(line)
    return whole


def _spread(line: Line) -> list[Line]:
    """The line, taken apart where several fields stand side by side (`Name: Ada; Identity: Subject`)."""
    starts = [found.start(1) for found in _INLINE.finditer(line.text)]
    behind_a_sentence = len(starts) == 1 and line.text[: starts[0]].rstrip().endswith((".", ";", "–", "—", " -"))
    if len(starts) < 2 and not behind_a_sentence:
        return [line]
    ends = [*starts[1:], len(line.text)]
    head = line.text[: starts[0]].strip(" ;,|–—-")
    parts = [line.text[start:end].strip(" ;,|–—-") for start, end in zip(starts, ends, strict=True)]
    first = [replace(line, text=head)] if head else []
    return first + [replace(line, text=part, mark="", level=0, bold=False) for part in parts]


def _begins(line: Line, drafts: list[Draft], first: bool, named_below: bool, identity_first: bool) -> bool:
    """Open a new role where the line begins one. `named_below`: the name stands in a field right below the line.

    `identity_first`: what a role is stands over its name, for all of them.
    """
    key, value = field_of(line.text)
    if key == "identity" and named_below and identity_first and drafts and "name" in drafts[-1].fields:
        drafts.append(Draft(line.number))
        drafts[-1].put(key, value)
        return True
    may = key in ("", "name") or (key == "identity" and not drafts) or ROLE_NUMBER.match(line.text)
    if found := _NEW_ROLE.match(line.text) if may else None:
        number = re.search(
            rf"\b(?!role|character|person|player|agent){_NUMBER}\b", found[0][: found.start("rest")], re.IGNORECASE
        )
        drafts.append(Draft(line.number, number=f"role {number[0]}" if number else ""))
        _open(found["rest"], drafts[-1], first, named_below)
        return True
    if key == "name":
        if not drafts or "name" in drafts[-1].fields:
            drafts.append(Draft(line.number))
        drafts[-1].name_it(value)
        return True
    over_a_name = named_below and names_a_kind(line.text) and len(line.words) <= 6 and not line.text.endswith(".")
    if key or not (over_a_name or _is_headline(line, drafts)):
        return False
    drafts.append(Draft(line.number))
    _open(line.text, drafts[-1], first, named_below)
    return True


def _open(text: str, draft: Draft, first: bool, named_below: bool) -> None:
    """Take what stands on the line that begins a role: a field, what it is (its name stands below), or both."""
    key, value = field_of(text)
    if key == "name":
        draft.name_it(value)
    elif key:
        draft.put(key, value)
    elif text and named_below:
        draft.entitle(text)
    elif text:
        _headline(text, draft, first)


def _is_headline(line: Line, drafts: list[Draft]) -> bool:
    """Tell whether a line that is no field announces a role: `Ada (Subject)`, `Subject: Ada`."""
    if (
        drafts
        and not drafts[-1].fields.keys() - {"name"}
        and drafts[-1].fields.get("name")
        and not names_a_kind(drafts[-1].title)
        and not line.mark
        and not line.level
    ):
        return False
    if _ONLY_A_KIND.match(line.text) and names_a_kind(line.text):
        return bool(line.level or line.bold or line.mark or line.text.endswith(":"))
    bracketed = bool(_KIND_WITH_NAME.match(line.text)) and names_a_kind(line.text.partition("(")[0])
    return any(names_a_kind(title) for title, *_ in announced(line.text)) or (
        (bool(line.mark) or bracketed) and any(names_a_kind(name) for _, name, _ in announced(line.text))
    )


def _headline(text: str, draft: Draft, first: bool) -> None:
    """Take name and title from what stands in a role's first line."""
    if before := re.match(r"[(\[（]([^()（）\[\]]+)[)\]）]\s*[:：\-–—]\s*(?=\S)", text):
        draft.title, text = before[1], text[before.end() :]
    for title, name, rest in announced(text):
        if names_a_kind(title) or names_a_kind(name):
            turned = names_a_kind(name) and not names_a_kind(title)
            draft.title, named = (name, title) if turned else (title, name)
            if turned and "(" not in text and not (named[0].isupper() and len(named.split()) <= 3):
                draft.put("background", f"{named} {rest}".strip())
                return
            twofold = re.search(r"\s[-–—]\s|:", SUFFIX.sub("", named))
            inner, beside, _ = name_and_title(named, first) if twofold else (named, "", "")
            draft.name_it(inner)
            draft.title = f"{draft.title} {beside}".strip()
            if rest:
                draft.put("background", rest)
            return
    if names_a_kind(text) and len(text.split()) <= 4:
        draft.title = one_line(text.strip(" :"))
    elif len(text.split()) <= 4 and not re.search(r"\band\b|[&/]", text):
        _announce(text, draft, first, named_below=False)
    elif len(text.split()) <= 4:
        draft.name_it(text)
    else:
        draft.put("background", text)


def _continue(line: Line, draft: Draft) -> None:
    key, value = field_of(line.text)
    if key:
        draft.put(key, value)
    else:
        draft.put(draft.last if draft.last and draft.last != "name" else "background", line.text)
