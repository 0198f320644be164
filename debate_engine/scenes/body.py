"""The body of a scene's canonical form, read line by line: sections, roles and rules with the lines they stand on."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError

from elenchus.config.documents import UnreadableDocument
from elenchus.config.json_and_yaml import yaml_in
from elenchus.debate_engine.scenes.faults import Finding, Place
from elenchus.debate_engine.scenes.measures import KINDS as KINDS_OF_MEASURES, Measure
from elenchus.debate_engine.scenes.pictures import Picture
from elenchus.debate_engine.scenes.plain_words import place_in, told_of, told_of_yaml
from elenchus.debate_engine.scenes.quotation import CURLY, curly_mark, straight, without_marks
from elenchus.debate_engine.scenes.scene import EVERYBODY, KINDS, MODES, PURPOSES, Kind, Mode, Purpose, Role, Rule
from elenchus.debate_engine.scenes.trials import Trials

SECTIONS = (
    "Purpose", "Background", "Roles", "Rules", "Measures", "Trials", "Pictures", "Answers", "Observation", "Debrief",
)  # fmt: skip
MEASURE_FORM = 'write `price: {kind: number, unit: euros, low: 0, high: 2000, ask: "What is the fair price?"}`'
TRIALS_FORM = 'write `lines: {show: "…", answer: {kind: choice, options: [A, B], ask: "…"}, items: [{right: A}]}`'
PICTURES_FORM = 'write `card: {file: "card.png", alt: "Four lines, S above and three others below it."}`'
RULE_FORM = "write `1. **unicast, ADV** NAME → NAME: what it is about`"
ROLE_FORM = "write `## NAME (subject)`, then `- Background: …`, `- Task: …` and `- Style: …`"

_HEADING = re.compile(r"^# +(.+?)\s*$")
_ROLE = re.compile(r"^## +(.+?) *\(([^()]*)\)\s*$")
_FIELD = re.compile(r"^[-*] +(Background|Task|Style) *: *(.*)$", re.IGNORECASE)
_RULE = re.compile(r"^\d+[.)] +\*\*([^*]+)\*\* *([^:]*?) *(?:→|->) *([^:]*?) *:(?: +(.*)|\s*)$")
_NUMBERED = re.compile(r"^\d+[.)]\s")
_WORDS = re.compile(r"^\s+(?:[-*] +)?(says|measure|trials|picture|each|when)\s*:\s*(.*)$", re.IGNORECASE)
"""A line below a rule: its very words, what is measured there, or when it is played."""
_LISTS = ("measures", "trials", "pictures", "answers")
_ITEM = re.compile(r"^[-*] +(.*)$")
_MESSAGE = re.compile(r"^\s*> ?(.*)$")


_MEASURE: TypeAdapter[Measure] = TypeAdapter(Measure)
_TRIALS: TypeAdapter[Trials] = TypeAdapter(Trials)
_PICTURE: TypeAdapter[Picture] = TypeAdapter(Picture)
_CALLED = {_MEASURE: "the measure", _TRIALS: "the trials", _PICTURE: "the picture"}


def _with_answer(name: str, given: Any) -> Any:
    """A block of trials whose answer is called as the block is."""
    answer = given.get("answer") if isinstance(given, dict) else None
    return {**given, "answer": {"name": name, **answer}} if isinstance(answer, dict) else given


@dataclass
class Body:
    """What was read so far: the scene's parts by field, where each place stands, and what was wrong."""

    texts: dict[str, list[str]] = field(default_factory=dict)
    roles: list[dict[str, str]] = field(default_factory=list)
    rules: list[dict[str, Any]] = field(default_factory=list)
    lines: dict[Place, int] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    is_lost: bool = False
    """Whether the last role or rule could not be read: what stands below it belongs to none."""

    @property
    def parts(self) -> dict[str, Any]:
        """The parts as `Scene` takes them."""
        roles = tuple(Role(kind=cast("Kind", role.pop("kind")), **role) for role in map(dict, self.roles))
        names = [role.name for role in roles]
        rules = tuple(_rule(rule, names) for rule in self.rules)
        texts = {name: "\n".join(lines) for name, lines in self.texts.items() if name not in _LISTS}
        measures = self._named("measures", _MEASURE, MEASURE_FORM)
        trials = self._named("trials", _TRIALS, TRIALS_FORM)
        pictures = self._named("pictures", _PICTURE, PICTURES_FORM)
        lists = {"measures": measures, "trials": trials, "pictures": pictures, "answers": self._answers()}
        return {**texts, "roles": roles, "rules": rules, **lists}

    def _answers(self) -> tuple[str, ...]:
        """The answers to questions that no rule foresees: one an item, a further line belongs to the item before."""
        written: list[str] = []
        for line in self.texts.get("answers", []):
            if item := _ITEM.match(line):
                written.append(item[1])
            elif written:
                written[-1] += f"\n{line.strip()}"
            elif line.strip():
                line_of = self.lines[Place("answers")]
                self.fault(line_of, "an answer stands in no item", 'write `- "I cannot say more."`')
                return ()
        return tuple(unquoted(text) for text in written)

    def _named(self, section: str, kind: TypeAdapter[Any], form: str) -> tuple[Any, ...]:
        """What stands in a section as YAML under its names; what is none of this kind is a finding on its line."""
        line = self.lines.get(Place(cast("Any", section)), 1)
        written = [straight(text) for text in self.texts.get(section, [])]
        for number, text in enumerate(written, line + 1):
            if mark := curly_mark(text):
                self.fault(number, CURLY.format(mark), 'write it in straight ones: "')
                return ()
        try:
            values = yaml_in("\n".join(written), f"The section {section.title()}") or {}
        except UnreadableDocument as error:
            told = told_of_yaml(error, written[error.line - 1] if 0 < error.line <= len(written) else "")
            self.fault(line + error.line, f"the {section} cannot be read: {told}", form)
            return ()
        if not isinstance(values, dict):
            self.fault(line, f"the {section} are no list of `name: {{…}}`", form)
            return ()
        names = [text.partition(":")[0].strip("\"' ") for text in written]
        stand = {name: line + at for at, name in reversed([*enumerate(names, 1)])}
        part = cast("Any", section)
        self.lines |= {Place(part, name=str(name)): stand.get(str(name), line) for name in values}
        if kind is _PICTURE:
            self.lines |= {Place("picture", n): stand.get(str(name), line) for n, name in enumerate(values)}
        made = (self._one(kind, str(name), given, stand.get(str(name), line), form) for name, given in values.items())
        return tuple(one for one in made if one)

    def _one(self, kind: TypeAdapter[Any], name: str, given: Any, line: int, form: str) -> Any:
        given = _with_answer(name, given)
        try:
            return kind.validate_json(json.dumps({"name": name, **given}), strict=False)
        except (ValidationError, TypeError, ValueError) as error:
            first = error.errors(include_url=False)[0] if isinstance(error, ValidationError) else None
            where = ".".join(place_in(first["loc"], KINDS_OF_MEASURES)) if first else ""
            what = told_of(first) if first else "it is no list of `name: value`"
            self.fault(line, f"{_CALLED[kind]} {name}: {where + ': ' if where else ''}{what}", form)
            return None

    def is_read(self, section: str) -> bool:
        """Whether a section is there, and nothing is wrong on its lines."""
        begin = {
            place.part: line for place, line in self.lines.items() if place.part.title() in SECTIONS and not place.name
        }
        if section not in begin:
            return False
        end = min((line for line in begin.values() if line > begin[section]), default=math.inf)
        return not any(begin[section] <= finding.line < end for finding in self.findings)

    def fault(self, line: int, what: str, remedy: str) -> None:
        """Note that something is wrong on a line."""
        self.findings.append(Finding(line, what, remedy))


def parse_body(lines: list[str], start: int) -> Body:
    """Read the lines from index `start` on."""
    body, section = Body(), ""
    for number, line in enumerate(lines[start:], start + 1):
        if heading := _HEADING.match(line):
            section = _enter(body, number, heading[1])
        elif line.strip():
            _READERS.get(section, _text)(body, number, line, section)
        elif section in body.texts:
            body.texts[section].append("")
    for name in ("Roles", "Rules"):
        if name.lower() not in body.texts:
            body.fault(max(1, len(lines)), f"there is no section {name}", f"write the heading `# {name}`")
    for name in ("roles", "rules"):
        body.texts.pop(name, None)
    return body


def _enter(body: Body, number: int, title: str) -> str:
    """Begin a section; its field's name."""
    name = next((known for known in SECTIONS if known.casefold() == title.rstrip(": ").casefold()), None)
    if name is None:
        body.fault(number, f"no section is called {title[:40]}", f"use one of: {', '.join(SECTIONS)}")
        return "unknown"
    if name.lower() in body.texts:
        body.fault(number, f"the section {name} stands here again", "write each section once")
    body.texts.setdefault(name.lower(), [])
    body.lines.setdefault(Place(cast("Any", name.lower())), number)
    body.is_lost = False
    return name.lower()


def _text(body: Body, number: int, line: str, section: str) -> None:
    if section == "unknown":
        return
    if not section:
        body.fault(number, "this text stands before the first section", f"begin with one of: # {', # '.join(SECTIONS)}")
    elif line.startswith("#"):
        body.fault(number, "a heading of lower rank has no place here", "write a backslash before its #")
    else:
        body.texts[section].append(line.removeprefix("\\"))


def _role_line(body: Body, number: int, line: str, _section: str) -> None:
    if head := _ROLE.match(line):
        kind = head[2].strip().lower()
        if kind not in KINDS:
            body.fault(number, f"{kind or 'nothing'} is no kind of role", f"use one of: {', '.join(KINDS)}")
            kind = "other"
        body.lines[Place("role", len(body.roles))] = number
        body.roles.append({"name": head[1], "kind": kind})
        body.is_lost = False
    elif line.startswith("##"):
        body.fault(number, "this is no line of a role", ROLE_FORM)
        body.is_lost = True
    elif body.is_lost:
        return
    elif (found := _FIELD.match(line)) and body.roles:
        if found[1].lower() in body.roles[-1]:
            body.fault(number, f"this role has a second {found[1].lower()}", "write each field once")
        body.roles[-1][found[1].lower()] = found[2]
    elif body.roles and line.startswith("  ") and len(body.roles[-1]) > 2:
        name = list(body.roles[-1])[-1]
        body.roles[-1][name] += " " + line
    else:
        body.fault(number, "this is no line of a role", ROLE_FORM)


def _rule_line(body: Body, number: int, line: str, _section: str) -> None:
    if head := _RULE.match(line):
        body.is_lost = False
        mode, purpose = _label(body, number, head[1])
        body.lines[Place("rule", len(body.rules))] = number
        receivers = [name.strip() for name in head[3].split(",") if name.strip()]
        content = [head[4] or ""]
        body.rules.append(
            {
                "mode": mode,
                "purpose": purpose,
                "initiator": head[2],
                "to": receivers,
                "content": content,
                "message": [],
                "says": "",
                "measures": (),
                "trials": "",
                "each": "",
                "when": "",
                "picture": "",
            }
        )
    elif _NUMBERED.match(line):
        body.fault(number, "this is no rule", RULE_FORM)
        body.is_lost = True
    elif body.is_lost:
        return
    elif (found := _WORDS.match(line)) and body.rules:
        _add_words(body, number, found[1].lower(), found[2])
    elif (quoted := _MESSAGE.match(line)) and body.rules:
        if body.rules[-1]["mode"] != "self-receiving":
            body.fault(number, "only the system's messages are quoted", "write the content after the rule's colon")
        body.rules[-1]["message"].append(quoted[1])
    elif body.rules and line.startswith("  ") and not body.rules[-1]["message"]:
        body.rules[-1]["content"].append(line)
    else:
        body.fault(number, "this is no rule", RULE_FORM)


def _add_words(body: Body, number: int, name: str, text: str) -> None:
    """Take in what a rule says, or what it measures."""
    rule = body.rules[-1]
    body.lines.setdefault(Place("rule", len(body.rules) - 1, name), number)
    if rule[{"measure": "measures"}.get(name, name)]:
        body.fault(number, f"this rule has a second line `{name}:`", "write it once")
    elif name == "says":
        rule["says"] = unquoted(text)
    elif name in ("when", "each", "trials", "picture"):
        rule[name] = text.strip()
    else:
        rule["measures"] = tuple(part.strip() for part in text.split(",") if part.strip())


def unquoted(text: str) -> str:
    """A text without the quotation marks around it; those of JSON may hold line breaks and marks within."""
    text = text.strip()
    try:
        return str(json.loads(text, strict=False)) if text.startswith('"') else without_marks(text)
    except ValueError:
        return text.removeprefix('"').removesuffix('"')


def _label(body: Body, number: int, label: str) -> tuple[Mode, Purpose | None]:
    """Mode and purpose of a label such as `unicast, ADV`; what cannot be read is a finding."""
    mode, _, purpose = (part.strip() for part in label.partition(","))
    if mode.lower() not in MODES:
        body.fault(number, f"{mode or 'nothing'} is no mode", f"use one of: {', '.join(MODES)}")
        mode = MODES[0]
    if purpose and purpose.upper() not in PURPOSES:
        body.fault(number, f"{purpose} is no purpose", f"use one of: {', '.join(PURPOSES)}")
        purpose = ""
    return cast("Mode", mode.lower()), cast("Purpose", purpose.upper()) if purpose else None


def _rule(read: dict[str, Any], names: list[str]) -> Rule:
    to = read["to"]
    if [name.casefold() for name in to] == [EVERYBODY]:
        to = [name for name in names if name != " ".join(read["initiator"].split())]
    return Rule(
        mode=read["mode"],
        purpose=read["purpose"],
        initiator=read["initiator"],
        receivers=tuple(to),
        content=" ".join(read["content"]),
        message="\n".join(read["message"]),
        says=read["says"],
        measures=read["measures"],
        trials=read["trials"],
        each=read["each"],
        when=read["when"],
        picture=read["picture"],
    )


_READERS = {"roles": _role_line, "rules": _rule_line}
