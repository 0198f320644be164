"""Finds the roles of a script: blocks of fields (name, identity, background, task), and lines as `Ada (Subject)`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from string import ascii_uppercase

from elenchus.debate_engine.printable import one_line
from elenchus.debate_engine.scenes.faults import Finding, warning
from elenchus.debate_engine.scenes.lenient.lines import Line
from elenchus.debate_engine.scenes.lenient.reading import ReadRole
from elenchus.debate_engine.scenes.lenient.sections import ROLE_NUMBER, looks_like_a_heading
from elenchus.debate_engine.scenes.lenient.words import closest, kind_of, named_kind, nouns_in
from elenchus.debate_engine.scenes.scene import Role

_KEYS = {
    "name": ("name", "names", "called", "who"),
    "task": ("task", "tasks", "goal", "objective", "responsibility", "responsibilities", "job", "mission", "do"),
    "background": ("background", "description", "profile", "backstory", "bio", "know"),
    "style": ("style", "personality"),
    "identity": ("identity", "role", "type", "position", "occupation", "title"),
}
"""By which words a script sets a role's fields, in the order in which a key of several words is tried for them."""
_FIELD = re.compile(r"^(?:[^\x00-\x7f]+\s*)?([A-Za-z][A-Za-z/& ]{2,28}?)\s*(?:[:=]|\s[-–—]\s)\s*(.*)$")
_INLINE = re.compile(r"(?:(?<=[.;,|])|\s[-–—])\s*(?=(?:Name|Identity|Background|Tasks?|Goal|Style)\s*:)", re.IGNORECASE)
"""Where a field begins within a line."""
_BRACKET = re.compile(r"^(?P<one>[^()\[\]:]{1,60}?)\s*[(\[](?P<two>[^()\[\]]{2,120})[)\]]\s*[:–—-]?\s*(?P<rest>.*)$")
_BRACKET_FIRST = re.compile(r"^[(\[]([^()\[\]]+)[)\]]\s*[:–—-]?\s*(.*)$")
_BESIDE = re.compile(
    r"^(?P<one>[^:,;|]{1,40}?)(?:\s*[:,;|]|\s+[-–—]|\s+is(?=\s(?:the|an?)\s))\s*(?:(?:the|an?)\s)?(?P<two>(?:(?:Dr|Mr|Mrs|Ms|Prof)\.\s)?[^:,;|.()–—]{1,40}?)"
    r"\s*(?:(?:[:,;|.]|\s[-–—]|(?=\())\s*(?P<rest>.*))?$"
)
"""What somebody is and the name, either first: `Ada (Subject)`, `Subject: Ada, a student`."""
_NAME = re.compile(r"(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?[A-Z][\w'’-]*(?: [A-Z0-9][\w'’.-]*){0,2}")
_BEGINS_WITH_A_NAME = re.compile(rf"{_NAME.pattern}\s*(?:[(\[]|\s[-–—]\s|,\s)")


@dataclass
class _Draft:
    """A role in the making: its fields so far, what stood beside its name, and the number it was announced with."""

    line: int
    title: str = ""
    number: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    last: str = "background"

    def put(self, key: str, text: str) -> None:
        self.fields[key] = f"{self.fields.get(key, '')} {text}".strip()
        self.last = key

    def announce(self, text: str) -> None:
        """Take name and title from a line that announces the role."""
        name, title, rest = name_and_title(text)
        if name:
            self.fields["name"] = name
        self.title = f"{self.title} {title}".strip()
        if rest:
            self.put("background", rest)


def find_roles(lines: Sequence[Line], *, headed: bool) -> tuple[list[ReadRole], list[Finding]]:
    """The roles that the lines declare, in order, and lines that may declare one and were not understood.

    One without a name is called by its title or identity. `headed`: the lines stand under a heading for roles.
    """
    parts = [part for line in lines for part in _spread(line)]
    alike = {_formatting(line) for line in parts if not field_of(line.text)[0] and _names_a_kind(line)}
    drafts: list[_Draft] = []
    findings: list[Finding] = []
    for line, below in zip_longest(parts, parts[1:]):
        sibling = _formatting(line) in alike and _BEGINS_WITH_A_NAME.match(line.text) is not None
        if draft := _begun(line, drafts, field_of(below.text)[0] if below else "", sibling):
            above = drafts[-1] if drafts else draft
            if above.title and not above.fields and not draft.title:
                draft.title = drafts.pop().title  # `Subject` over `Ada`
            drafts.append(draft)
        elif drafts:
            key, value = field_of(line.text)
            findings += [] if key or not _may_begin_a_role(line) else [_not_understood(line, drafts[-1])]
            _continue(drafts[-1], key or drafts[-1].last, value if key else line.text)
        elif headed:
            findings.append(_not_understood(line, None))
    found = [role for draft in drafts for one in _each_of(draft) if (role := _finished(one))]
    known = any(role.role.kind == "subject" and not role.guessed for role in found)
    return [_no_second_subject(role) if known else role for role in found], findings if found else []


def _may_begin_a_role(line: Line) -> bool:
    """Tell whether a line that sets no field is set as a heading or as a name is."""
    short = len(line.words) <= 8 and line.text[0] in "([" + ascii_uppercase and line.text[-1].isalnum()
    return looks_like_a_heading(line) or short


def _not_understood(line: Line, above: _Draft | None) -> Finding:
    role = (
        f"more of what is said of {above.fields.get('name') or above.title or 'the role above'}" if above else "no role"
    )
    return warning(line.number, f"“{line.text[:40]}” is taken for {role}", "begin each role with `Name: …`")


def _no_second_subject(role: ReadRole) -> ReadRole:
    """A role that no noun calls a subject, where one does call another so."""
    guessed = role.guessed and role.role.kind == "subject"
    return replace(role, role=role.role.model_copy(update={"kind": "other"})) if guessed else role


def field_of(text: str) -> tuple[str, str]:
    """The field that a line sets and its text, two empty ones where it sets none."""
    found = _FIELD.match(text)
    words = re.split(r"[\s/&]+", found[1].lower()) if found else []
    if not found or len(words) > 4:
        return "", ""
    return next(((key, found[2]) for key, known in _KEYS.items() if any(closest(w, known) for w in words)), ("", ""))


def name_and_title(text: str) -> tuple[str, str, str]:
    """Name, title and the rest of a line that announces a role. A noun for a kind is the title, the shorter part else;
    a line that is nothing but such a noun gives no name.
    """
    text = re.sub(r"^[Tt]he (?=[A-Z])|[\"“”]", "", text.strip(" :"))
    if before := _BRACKET_FIRST.match(text):
        return (before[2], before[1], "") if _NAME.fullmatch(before[2]) else ("", before[1], before[2])
    for form in (_BRACKET, _BESIDE):
        if found := form.match(text):
            one, two, rest = found["one"].strip(), found["two"].strip(), (found["rest"] or "").strip()
            kinds = [len(nouns_in(part)) / max(1, len(part.split())) for part in (one, two)]
            turned = kinds[0] > kinds[1] or (kinds[0] == kinds[1] and len(two.split()) < len(one.split()))
            name, title = (two, one) if turned else (one, two)
            if _NAME.fullmatch(name):
                return name, title, rest
            if inner := form is _BESIDE and _BRACKET.match(name):
                return inner["one"].strip(), f"{title} {inner['two']}", rest
            if kinds[0] > kinds[1] and len(title.split()) <= 3:
                return "", title, f"{name} {rest}".strip()
    return ("", text, "") if nouns_in(text) else (text, "", "")


def _spread(line: Line) -> Iterator[Line]:
    """The line, taken apart where several fields stand side by side (`Name: Ada; Identity: Subject`)."""
    first, *more = (part.strip(" ;,|–—-") for part in _INLINE.split(line.text))
    yield from [replace(line, text=first)] if first else []
    yield from (replace(line, text=part, mark="", level=0, bold=False) for part in more if part)


def _begun(line: Line, drafts: Sequence[_Draft], below: str, sibling: bool) -> _Draft | None:
    """A new role where the line begins one. `below` is the field that the next line sets, `sibling` tells that the line
    begins with a name and is set as those that announce a role by a noun for its kind.
    """
    key, value = field_of(line.text)
    if numbered := ROLE_NUMBER.match(line.text):
        draft, rest = _Draft(line.number, number=numbered[0].strip(" :.–—-")), line.text[numbered.end() :]
        key, value = field_of(rest)
        if key:
            _continue(draft, key, value)
        elif rest:
            draft.announce(rest)
        return draft
    last = drafts[-1] if drafts else None
    if key == "name" and (last is None or "name" in last.fields):
        draft = _Draft(line.number)
        _continue(draft, key, value)
        return draft
    if key == "identity" and (last is None or (below == "name" and {"name", "identity"} <= last.fields.keys())):
        return _Draft(line.number, fields={"identity": value})
    if key or not (sibling or _names_a_kind(line) or _stands_over_fields(line, last, below)):
        return None
    draft = _Draft(line.number, title=line.text.strip(" :()")) if below == "name" else _Draft(line.number)
    if below != "name":
        draft.announce(line.text)
    return draft


def _formatting(line: Line) -> tuple[object, ...]:
    return line.level, line.numbered, bool(line.mark), line.indent, line.bold


def _names_a_kind(line: Line) -> bool:
    """Tell whether a line announces a role by a noun for its kind: `Ada (Subject)`, `- Subject: decides`."""
    name, title, _ = name_and_title(line.text)
    if not title or not nouns_in(title) or len(title.split()) > 6:
        return False
    return bool(_NAME.fullmatch(name)) or (not name and bool(line.mark or line.level or line.bold))


def _stands_over_fields(line: Line, last: _Draft | None, below: str) -> bool:
    """Tell whether a short line can only be a role's name or title, for the next one sets a field of it."""
    short = len(line.words) <= 8 and not line.text.endswith((".", ","))
    key = field_of(f"{line.text.split()[0]}: x")[0] or (line.mark == "-" and ":" in line.text[:-1])
    awaited = last is not None and last.last != "background" and not last.fields.get(last.last)
    return bool(below) and short and line.text[:1].isupper() and not awaited and not key


def _continue(draft: _Draft, key: str, value: str) -> None:
    """Set a field of a role; a bracket behind a name tells the title."""
    if key != "name":
        draft.put(key, value)
        return
    draft.last = "name"
    if len(_names_in(value)) > 1:
        draft.fields["name"] = value
    elif value:
        draft.announce(value)


def _names_in(text: str) -> list[str]:
    """The names of a list (`Ada, Ben and Dan`), none where it is no list."""
    names = [name for name in re.split(r"\s*(?:[,;&]|\band\b)\s*", text) if name]
    return names if not nouns_in(text) and all(_NAME.fullmatch(name) for name in names) else []


def _each_of(draft: _Draft) -> list[_Draft]:
    """The roles that one block declares: `Names: Ada and Ben` are two."""
    names = _names_in(draft.fields.get("name", ""))
    return [replace(draft, fields={**draft.fields, "name": name}) for name in names] if len(names) > 1 else [draft]


def _finished(draft: _Draft) -> ReadRole | None:
    """The role, if it can be called by something."""
    texts = {key: text.lstrip(" .,;:–—") for key, text in draft.fields.items()}
    title = draft.title
    identity = texts.get("identity", "")
    number = "" if draft.number.lower().startswith(("role", "character")) else draft.number
    name = texts.get("name") or number or re.sub(r"\(.*", "", title or identity)
    name = one_line(re.sub(r"[*\"“”#:,→()]|->", " ", name.strip(" .;-–—")))[:60].strip()
    if not name:
        return None
    background, task = texts.get("background", ""), texts.get("task", "")
    beside = "" if identity and not texts.get("name") else title
    kind = kind_of(beside, identity or title, background, task)
    guessed = named_kind(beside, identity or title, background) is None
    parts = re.split(r"\s*[(),;/:\[\]]\s*|\s[-–—]\s", f"{title}, {identity}")
    role = Role(name=name, kind=kind, background=background, task=task, style=texts.get("style", ""))
    return ReadRole(role, draft.line, tuple(part for part in (*parts, draft.number) if part), guessed)
