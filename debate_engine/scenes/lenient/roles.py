"""Finds the roles of a script: blocks of fields (name, identity, background, task) under headings of any style."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from debate_engine.scenes.lenient.alike import alike
from debate_engine.scenes.lenient.kinds import NOUNS, kind_of
from debate_engine.scenes.lenient.lines import Line
from debate_engine.scenes.scene import Role, one_line

_FIELDS = {
    "name": ("name", "role name", "character", "called"),
    "identity": ("identity", "role", "type", "position", "role type", "kind", "occupation", "title", "function"),
    "background": ("background", "description", "profile", "bio", "backstory", "role background"),
    "task": ("task", "tasks", "goal", "objective", "responsibility", "responsibilities", "duty", "duties", "job"),
    "style": ("style", "decision style", "decision-making style", "personality"),
}
_FIELD = re.compile(
    r"^(?:[\u4e00-\u9fff]+\s*)?([A-Za-z][A-Za-z\- ]{2,24}?)\s*[:：=]\s*(.*)$|^([A-Za-z]{4,12})\s+[-–—]\s+(.+)$"
)
_INLINE = re.compile(
    r"(?:^|[;,|.:：]\s*|\s[-–—]\s*)((?:Name|Identity|Background|Tasks?|Goal|Style|Decision style)\s*[:：])",
    re.IGNORECASE,
)
"""A field's beginning within a line."""

_NUMBER = r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|[a-h]|[ivx]+)"
_NEW_ROLE = re.compile(
    rf"^(?:role|character|person|player|agent)\s*(?:#\s*)?{_NUMBER}?\b\s*[:：.)\-–—]*\s*(?P<rest>.*)$", re.IGNORECASE
)
_NAME_WITH_TITLE = re.compile(
    r"^(?P<name>[^()\[\]:]{1,60}?)\s*[(\[](?P<title>[^()\[\]]{2,60})[)\]]\s*[:：\-–—]?\s*(?P<rest>.*)$"
)
_TITLE_THEN_NAME = re.compile(
    r"^(?P<title>[A-Za-z][A-Za-z0-9# ]{3,40}?)\s*(?:[:：]|[-–—]\s|\()\s*(?P<name>[^(),]{1,60}?)\)?$"
)
_TITLE_NAME_MORE = re.compile(
    r"^(?P<title>[A-Za-z ]{4,40}?)\s*[:：\-–—]\s*(?P<name>[A-Z][\w.' -]{0,30}?)\s*(?:[,;:]|\s[-–—])\s*(?P<rest>.+)$"
)
_NAME_TITLE_MORE = re.compile(
    r"^(?P<name>[A-Z][\w.' -]{0,30}?)\s*[:：,\-–—]\s*(?:(?:the|a|an)\s+)?(?P<title>[A-Za-z ]{4,40}?)"
    r"\s*(?:[,;:.]|\s[-–—]|$)\s*(?P<rest>.*)$"
)
_IN_PROSE = re.compile(
    r"^(?P<name>[A-Z][\w.'-]*(?: [A-Z][\w.'-]*)?),?\s+(?:is|acts as|plays|serves as|will be)"
    r"\s+(?:the|a|an)\s+(?P<title>[a-z]+)\b[,.]?\s*(?P<rest>.*)$"
)
_MOST = 50
"""More roles than any scene has: nothing is looked for behind them."""
_ANNOUNCING = (_IN_PROSE, _NAME_WITH_TITLE, _TITLE_THEN_NAME, _TITLE_NAME_MORE, _NAME_TITLE_MORE)
_KIND_WITH_NAME = re.compile(r"^(?:the\s+)?[A-Za-z]{4,14}\s*\((?:[A-Z][\w.'-]*\s?){1,3}\)", re.IGNORECASE)
_ONLY_A_KIND = re.compile(r"^(?:the\s+)?[A-Za-z]{4,14}\s*(?:\d{1,2}|[A-H])?\s*:?$", re.IGNORECASE)
_SUFFIX = re.compile(r"\s*[(\[（【]([^()\[\]（）【】]*)[)\]）】]?\s*$")


@dataclass
class Draft:
    """A role in the making."""

    line: int
    fields: dict[str, str] = field(default_factory=dict)
    title: str = ""
    last: str = ""
    number: str = ""

    def put(self, name: str, text: str) -> None:
        """Set a field, or lengthen it."""
        self.fields[name] = f"{self.fields.get(name, '')} {text}".strip()
        self.last = name

    def name_it(self, text: str) -> None:
        """Set the name; what stands behind it in brackets is its title."""
        while found := _SUFFIX.search(text):
            before, inner = text[: found.start()].strip(), found[1].strip()
            turned = _is_kind(before) and not _is_kind(inner) and inner[:1].isupper()
            text, title = (inner, before) if turned else (before, inner)
            self.title = f"{title} {self.title}".strip()
        self.fields["name"] = one_line(re.sub(r"[*\"“”#:→()]|->", " ", text.strip(" .;-–—")))[:60].strip()
        self.last = "name"


@dataclass(frozen=True)
class Found:
    """A role as read, its line, and the words by which the rules may call it."""

    role: Role
    line: int
    called: tuple[str, ...] = ()


def find_roles(lines: Iterable[Line]) -> tuple[Found, ...]:
    """The roles that the lines declare, in order; one without a name is called by its identity."""
    drafts: list[Draft] = []
    for line in (part for whole in lines for part in _spread(whole)):
        if len(drafts) > _MOST:
            break
        if not _begins(line, drafts) and drafts:
            _continue(line, drafts[-1])
    found = tuple(role for draft in drafts for one in _each(draft) if (role := _finished(one)))
    return _with_the_missing_kind(found)


def _spread(line: Line) -> list[Line]:
    """The line, taken apart where several fields stand side by side (`Name: Ada; Identity: Subject`)."""
    starts = [found.start(1) for found in _INLINE.finditer(line.text)]
    if len(starts) < 2:
        return [line]
    ends = [*starts[1:], len(line.text)]
    head = line.text[: starts[0]].strip(" ;,|–—-")
    parts = [line.text[start:end].strip(" ;,|–—-") for start, end in zip(starts, ends, strict=True)]
    first = [replace(line, text=head)] if head else []
    return first + [replace(line, text=part, mark="", level=0, bold=False) for part in parts]


def _with_the_missing_kind(found: tuple[Found, ...]) -> tuple[Found, ...]:
    """The roles, the only one of no known kind taken for the subject that is missing, or for the third of three."""
    unknown = [each for each in found if each.role.kind == "other"]
    missing = [kind for kind in NOUNS if all(each.role.kind != kind for each in found)]
    if len(unknown) != 1 or not missing or len(found) < 2:
        return found
    if "subject" not in missing and (len(found) != 3 or len(missing) != 1):
        return found
    given = replace(unknown[0], role=unknown[0].role.model_copy(update={"kind": missing[0]}))
    return tuple(given if each is unknown[0] else each for each in found)


def _each(draft: Draft) -> list[Draft]:
    """The roles that one block declares: `Names: Ada and Ben` are two."""
    names = re.split(r"\s*(?:,|&|\band\b|/)\s*", draft.fields.get("name", ""))
    if len(names) < 2 or not all(re.fullmatch(r"(?:Dr\.? )?[A-Z][\w'-]*(?: [A-Z1-9])?", name) for name in names):
        return [draft]
    return [replace(draft, fields={**draft.fields, "name": name}) for name in names]


def _begins(line: Line, drafts: list[Draft]) -> bool:
    """Open a new role where the line begins one."""
    key, value = _field(line.text)
    if found := _NEW_ROLE.match(line.text) if key != "identity" or not drafts else None:
        number = re.search(
            rf"\b(?!role|character|person|player|agent){_NUMBER}\b", found[0][: found.start("rest")], re.IGNORECASE
        )
        drafts.append(Draft(line.number, number=f"role {number[0]}" if number else ""))
        key, value = _field(found["rest"])
        if key == "name":
            drafts[-1].name_it(value)
        elif key:
            drafts[-1].put(key, value)
        elif found["rest"]:
            _headline(found["rest"], drafts[-1])
        return True
    if key == "name":
        if not drafts or "name" in drafts[-1].fields:
            drafts.append(Draft(line.number))
        drafts[-1].name_it(value)
        return True
    if key or not _is_headline(line, drafts):
        return False
    drafts.append(Draft(line.number))
    _headline(line.text, drafts[-1])
    return True


def _is_headline(line: Line, drafts: list[Draft]) -> bool:
    """Tell whether a line that is no field announces a role: `Ada (Subject)`, `Subject: Ada`."""
    if (
        drafts
        and not drafts[-1].fields.keys() - {"name"}
        and drafts[-1].fields.get("name")
        and not _is_kind(drafts[-1].title)
        and not line.mark
        and not line.level
    ):
        return False
    if _ONLY_A_KIND.match(line.text) and _is_kind(line.text):
        return bool(line.level or line.bold or line.mark or line.text.endswith(":"))
    bracketed = bool(_KIND_WITH_NAME.match(line.text)) and _is_kind(line.text.partition("(")[0])
    return any(_is_kind(title) for title, *_ in _announced(line.text)) or (
        (bool(line.mark) or bracketed) and any(_is_kind(name) for _, name, _ in _announced(line.text))
    )


def _announced(text: str) -> list[tuple[str, str, str]]:
    """The ways to read a line as title, name, and what is said besides."""
    found = [pattern.match(re.sub(r"[\"“”]", "", text)) for pattern in _ANNOUNCING]
    named = [(m["title"].strip(), m["name"].strip(), m.groupdict().get("rest") or "") for m in found if m]
    return [each for each in named if 0 < len(each[1].split()) <= 4 and each[1][0].isupper()]


def _headline(text: str, draft: Draft) -> None:
    """Take name and title from what stands in a role's first line."""
    for title, name, rest in _announced(text):
        if _is_kind(title) or _is_kind(name):
            turned = _is_kind(name) and not _is_kind(title)
            draft.title, named = (name, title) if turned else (title, name)
            if turned and "(" not in text and not (named[0].isupper() and len(named.split()) <= 3):
                draft.put("background", f"{named} {rest}".strip())
                return
            draft.name_it(named)
            if rest:
                draft.put("background", rest)
            return
    if _is_kind(text) and len(text.split()) <= 4:
        draft.title = one_line(text.strip(" :"))
    elif len(text.split()) <= 4:
        draft.name_it(text)
    else:
        draft.put("background", text)


def _continue(line: Line, draft: Draft) -> None:
    key, value = _field(line.text)
    if key:
        draft.put(key, value)
    else:
        draft.put(draft.last if draft.last and draft.last != "name" else "background", line.text)


def _field(text: str) -> tuple[str, str]:
    """The field that a line sets and its text, two empty ones where it sets none."""
    found = _FIELD.match(text)
    if not found:
        return "", ""
    key, value = (found[1] or found[3]).strip().lower(), found[2] or found[4] or ""
    for name, words in _FIELDS.items():
        if any(alike(key, word) for word in words):
            return name, value
    return "", ""


def _is_kind(text: str) -> bool:
    words = [word.removesuffix("s") for word in re.findall(r"[a-z]+", text.lower())]
    return any(alike(word, noun, 0.85) for word in words for nouns in NOUNS.values() for noun in nouns)


def _finished(draft: Draft) -> Found | None:
    texts = draft.fields
    identity = texts.get("identity", "")
    name = texts.get("name") or one_line(_SUFFIX.sub("", identity))[:60] or draft.title
    if not name:
        return None
    role = Role(
        name=name,
        kind=kind_of(f"{draft.title}", identity, texts.get("background", ""), texts.get("task", "")),
        background=texts.get("background", ""),
        task=texts.get("task", ""),
        style=texts.get("style", ""),
    )
    suffix = found[1] if (found := _SUFFIX.search(identity)) else ""
    called = (draft.title, suffix, _SUFFIX.sub("", identity), draft.number)
    return Found(role, draft.line, tuple(one_line(word) for word in called if word.strip()))
