"""The lines of a scene's body, one after another: headings, roles, rules, and what stands below a rule."""

from __future__ import annotations

import re
from typing import Any, cast

from elenchus.debate_engine.scenes.body import SECTIONS, Body, unquoted
from elenchus.debate_engine.scenes.faults import Place
from elenchus.debate_engine.scenes.scene import KINDS, MODES, PURPOSES, Mode, Purpose

RULE_FORM = "write `1. **unicast, ADV** NAME → NAME: what it is about`"
ROLE_FORM = "write `## NAME (subject)`, then `- Background: …`, `- Task: …` and `- Style: …`"

_HEADING = re.compile(r"^# +(.+?)\s*$")
_ROLE = re.compile(r"^## +(.+?) *\(([^()]*)\)\s*$")
_FIELD = re.compile(r"^[-*] +(Background|Task|Style) *: *(.*)$", re.IGNORECASE)
_RULE = re.compile(r"^\d+[.)] +\*\*([^*]+)\*\* *([^:]*?) *(?:→|->) *([^:]*?) *:(?: +(.*)|\s*)$")
_NUMBERED = re.compile(r"^\d+[.)]\s")
_WORDS = re.compile(r"^\s+(?:[-*] +)?(says|measure|trials|picture|each|when)\s*:\s*(.*)$", re.IGNORECASE)
"""A line below a rule: its very words, what is measured there, or when it is played."""
_MESSAGE = re.compile(r"^\s*> ?(.*)$")


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


_READERS = {"roles": _role_line, "rules": _rule_line}
