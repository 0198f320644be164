"""The lenient reader: any script in, what can be made of it out. It never raises, and the same text reads the same."""

from __future__ import annotations

import re
from collections.abc import Sequence

from elenchus.debate_engine.scenes.body import unquoted
from elenchus.debate_engine.scenes.consistency import MAX_ROLES, MAX_RULES, is_a_name
from elenchus.debate_engine.scenes.faults import Finding, warning
from elenchus.debate_engine.scenes.lenient.cast import Cast
from elenchus.debate_engine.scenes.lenient.items import Item, find_items
from elenchus.debate_engine.scenes.lenient.labels import mode_in, only_label_words, purpose_in
from elenchus.debate_engine.scenes.lenient.lines import Line, bare_lines
from elenchus.debate_engine.scenes.lenient.parties import Parties, between, parties_of, unknown_people, without_parties
from elenchus.debate_engine.scenes.lenient.reading import NO_MODE, Reading, ReadRole, ReadRule
from elenchus.debate_engine.scenes.lenient.roles import find_roles
from elenchus.debate_engine.scenes.lenient.sections import NAMES, Sections, split_sections
from elenchus.debate_engine.scenes.scene import SYSTEM, Mode, Rule
from elenchus.debate_engine.scenes.templates import as_fixed_words

LARGEST = 200_000
"""Bytes (or characters) of a script; a real one has about 4,000."""


def read_script(source: str | bytes) -> Reading:
    """What the script holds. A source that is no text, or too large, gives a reading with one grave finding."""
    text = decoded(source)
    return Reading(findings=(text,)) if isinstance(text, Finding) else _read(bare_lines(text))


def decoded(source: str | bytes) -> str | Finding:
    """The source as text, or what keeps it from being one."""
    if len(source) > LARGEST:
        return Finding(1, f"the script is longer than {LARGEST:,} bytes", "shorten it")
    try:
        text = source if isinstance(source, str) else source.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    return Finding(1, "this is no UTF-8 text", "save the script as plain text") if "\0" in text else text


def _read(lines: tuple[Line, ...]) -> Reading:
    sections = split_sections(lines)
    headed = bool(sections.lines["roles"])
    declared, doubtful = find_roles(sections.lines["roles"] or sections.lines["other"], headed=headed)
    roles, findings = _distinct(declared)
    rules, more = _rules(sections.lines["rules"], Cast(roles))
    findings += doubtful + more + _missing(sections, roles, rules) + _of_headings(sections) + _of_pictures(lines)
    findings += [warning(rule.line, note, _ASK) for rule in rules for note in rule.notes]
    return Reading(
        title=_title(lines),
        purpose=sections.text("purpose"),
        background=sections.text("background"),
        observation=sections.text("observation"),
        debrief=sections.text("debrief"),
        roles=tuple(found.role for found in roles),
        role_lines=tuple(found.line for found in roles),
        rules=tuple(rules),
        findings=tuple(sorted(findings)),
    )


_FROM_SYSTEM = re.compile(r"(?:the |an automated )?system\b(?!')", re.IGNORECASE)
_KIND = "write `Identity: Subject`, or Confederate, or Moderator"
_SPEECH = re.compile(r"[^:\"“”]{0,80}:\s*(?:\"([^\"]+)\"|“([^“”]+)”)")
_SUMMARY = 80
"""Characters of fixed words that stand for a rule's content where it has no other."""
_HEADING = f"if it is needed, call it one of: {', '.join(each.title() for each in NAMES)}"
_PICTURE = re.compile(r"!\[[^\]]*\]\([^)]+\)|<img\b|\b[\w-]+\.(?:png|jpe?g|gif|webp|svg)\b", re.IGNORECASE)
_SHOWN = "write the scene in its canonical form, and name the picture with its alt text under # Pictures"
_ASK = "look at this rule, and say who speaks to whom"


def _title(lines: Sequence[Line]) -> str:
    """The heading of the whole script, if its first line is one."""
    first = next(iter(lines), None)
    if first is None or not first.level or re.search(r"purpose|background|role|rule", first.text, re.IGNORECASE):
        return ""
    return first.text.rstrip(": ")


def _distinct(found: Sequence[ReadRole]) -> tuple[list[ReadRole], list[Finding]]:
    """The roles with different names; a second one of a name is left out and said so."""
    kept: list[ReadRole] = []
    findings: list[Finding] = []
    for each in found:
        name = each.role.name
        if any(name.casefold() == other.role.name.casefold() for other in kept):
            findings.append(Finding(each.line, f"there are two roles named {name}", "give each a name of its own"))
        elif name.casefold() == SYSTEM:
            findings.append(warning(each.line, "the system is no role", "leave it out"))
        elif not is_a_name(name):
            findings.append(Finding(each.line, f"{name[:60]} cannot be a name", "name the role"))
        elif len(kept) == MAX_ROLES:
            findings.append(Finding(each.line, f"there are more than {MAX_ROLES} roles", "leave the most needed ones"))
            break
        else:
            kept.append(each)
    return kept, findings


def _rules(lines: Sequence[Line], cast: Cast) -> tuple[list[ReadRule], list[Finding]]:
    items, passed_over = find_items(lines)
    rules = [_rule(item, cast) for item in items]
    findings = [fault for item in items for fault in _unknown_people(item, cast)]
    findings += [
        warning(line.number, "this is taken for a heading, not for a rule", "give it a mode if it is one")
        for line in passed_over
    ]
    return rules, findings


def _unknown_people(item: Item, cast: Cast) -> list[Finding]:
    """Who is named beside an arrow or in a field, and is no role."""
    texts = (item.label.text, item.content[:120])
    named = dict.fromkeys(unknown_people(texts, item.fields, cast)) if cast.names else ()
    remedy = f"take one of: {', '.join(cast.names)}"
    return [Finding(item.line.number, f"{name} {does} it, who is no role", remedy) for name, does in named]


def _rule(item: Item, cast: Cast) -> ReadRule:
    content, fields = item.content or item.line.text, item.fields
    stated = item.label.mode or mode_in(fields.get("mode", ""))
    mode = stated or _likely_mode(content, cast)
    if mode != "self-receiving" and _FROM_SYSTEM.match(content):
        heard = parties_of("self-receiving", content, "", cast)
        to = cast.names if mode == "broadcast" and heard.notes else heard.receivers
        parties = Parties(SYSTEM, to, (f"the system speaks in a {mode}", *heard.notes))
        mode = "self-receiving"
    elif {"initiator", "receivers"} & fields.keys():
        parties = between(mode, fields.get("initiator", ""), fields.get("receivers", ""), cast)
    else:
        parties = parties_of(mode, content, item.label.text, cast)
    if stated is None and mode == "unicast" and len(parties.receivers) > 1:
        mode, parties = "multicast", parties_of("multicast", content, item.label.text, cast)
    if parties.initiator == SYSTEM:
        mode = "self-receiving"
    purpose = item.label.purpose or purpose_in(f"{fields.get('purpose', '')}; {fields.get('mode', '')}")
    content = without_parties(content)
    head, stroke, rest = content.partition("|")  # `Ben -> Ada | joking | …`
    if stroke and only_label_words(head):
        purpose, content = purpose or purpose_in(head), rest.strip()
    words = unquoted(fields.get("says", "")) or _quoted_whole(content, parties.initiator, cast)
    rule = Rule(
        mode=mode,
        purpose="SYS" if mode == "self-receiving" else purpose,
        initiator=parties.initiator,
        receivers=parties.receivers,
        content=content or words[:_SUMMARY],
        says=as_fixed_words(words, cast.names) if mode != "self-receiving" else "",
        message=words if mode == "self-receiving" else "",
    )
    notes = parties.notes if stated else (f"{NO_MODE} {mode}", *parties.notes)
    return ReadRule(rule, item.line.number, parties.clear, notes)


def _quoted_whole(content: str, speaker: str, cast: Cast) -> str:
    """The words of a rule that is nothing but quoted speech, `Ben tells Ada: "…"`; a subject's are its own."""
    found = _SPEECH.fullmatch(content.strip())
    return found[1] or found[2] if found and speaker not in cast.of_kind("subject") else ""


def _likely_mode(content: str, cast: Cast) -> Mode:
    """The mode of a rule that states none, from whom it names."""
    if re.search(r"\b(?:receiv|gets?\b|is given|is sent)", content) and re.search(r"\b[Ss]ystem\b", content):
        return "self-receiving"
    mentions = cast.mentions(content)
    if any(mention.group in ("all", "rest") for mention in mentions[1:]):
        return "broadcast"
    if any(mention.group for mention in mentions[1:]):
        return "multicast"
    return "unicast" if len({mention.names for mention in mentions}) > 1 else "broadcast"


def _of_headings(sections: Sections) -> list[Finding]:
    """The headings that only their order names, and those of what is left out."""
    placed = [
        warning(at, f"the heading here is taken for {name} by its place", f"write it as: {name.title()}")
        for at, name in sections.placed.items()
    ]
    return placed + [
        warning(line.number, f"“{line.text[:60]}” names no section: what stands under it is left out", _HEADING)
        for line in sections.unknown
    ]


def _of_pictures(lines: Sequence[Line]) -> list[Finding]:
    """The lines that show a picture, or name its file: a script in this form shows none."""
    return [
        warning(line.number, "a picture stands here, which is not taken in: nobody would see it", _SHOWN)
        for line in lines
        if _PICTURE.search(line.text)
    ]


def _missing(sections: Sections, roles: Sequence[ReadRole], rules: Sequence[ReadRule]) -> list[Finding]:
    """What no scene can do without, and what it had better have."""
    at = sections.headings
    found: list[Finding] = []
    if not roles:
        found.append(Finding(at.get("roles", 1), "no roles were found", "write for each a line `Name: …` and more"))
    elif not any(each.role.kind == "subject" for each in roles):
        found.append(Finding(roles[0].line, "no role is a subject", "write `Identity: Subject` for one of them"))
    if not rules:
        found.append(Finding(at.get("rules", 1), "no rules were found", "write each as `1. (Unicast, …) A tells B …`"))
    if len(rules) > MAX_RULES:
        found.append(Finding(rules[MAX_RULES].line, f"there are {len(rules)} rules", f"leave at most {MAX_RULES}"))
    found += [
        warning(each.line, f"{each.role.name} is taken for {each.role.kind} by what is said of them", _KIND)
        for each in roles
        if each.guessed
    ]
    found += [
        warning(each.line, f"no task was found for {each.role.name}", "write `Task: …`")
        for each in roles
        if not each.role.task
    ]
    return found + [
        warning(at.get(name, 1), f"no {name} was found", f"write a heading for it: {name.title()}")
        for name in ("purpose", "background", "observation")
        if not sections.lines[name]
    ]
