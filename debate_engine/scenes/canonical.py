"""The canonical form of a scene: Markdown with front matter, as `docs/scenes.md` teaches it.

`write` and `read` are each other's inverse for every consistent scene. Reading is strict: whatever the form does not
know is a finding with its line, and all findings of a text come at once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from elenchus.config.documents import UnreadableDocument, yaml_in
from elenchus.debate_engine.scenes.body import Body, parse_body
from elenchus.debate_engine.scenes.factors import NAME, Factor, Level
from elenchus.debate_engine.scenes.faults import Fault, FaultyScene, Finding, Place, inconsistencies, left_open
from elenchus.debate_engine.scenes.measures import Measure
from elenchus.debate_engine.scenes.scene import CONDITIONS, EVERYBODY, UNREVIEWED, Role, Rule, Scene


def read(text: str) -> Scene:
    """The scene that the text holds. Raises FaultyScene with all that keeps it from being one."""
    scene, findings = check(text)
    if grave := tuple(finding for finding in findings if finding.grave):
        raise FaultyScene(grave)
    return scene


Check = Callable[[Scene], Iterator[Fault]]
"""What else a scene is looked through for; nothing of it is grave."""


def check(text: str, *more: Check) -> tuple[Scene, tuple[Finding, ...]]:
    """What could be read, and all findings by line; those that are not grave must be mended before it is played."""
    lines = _lines(text)
    front, start, findings = parse_front_matter(lines)
    body = parse_body(lines, start)
    scene = Scene.model_validate({**front, **body.parts})
    findings += body.findings
    faulty = {finding.line for finding in findings}
    contradictions = [_found(fault, body, grave=True) for fault in inconsistencies(scene)]
    findings += [finding for finding in contradictions if finding.line not in faulty or finding.line == 1]
    findings += [_found(fault, body, grave=False) for look in (left_open, *more) for fault in look(scene)]
    return scene, tuple(sorted(findings))


def lines_of_rules(text: str) -> tuple[int, ...]:
    """The lines on which the rules begin, in order."""
    lines = _lines(text)
    body = parse_body(lines, parse_front_matter(lines)[1])
    return tuple(body.lines[Place("rule", index)] for index in range(len(body.rules)))


def _lines(text: str) -> list[str]:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def is_canonical(text: str) -> bool:
    """Tell whether a text means to be in this form: it begins with front matter."""
    return text.removeprefix("\ufeff").lstrip("\r\n").startswith(FENCE)


def write(scene: Scene) -> str:
    """The scene in its canonical form; `read` gives it back if it is consistent."""
    parts = [
        write_front_matter(scene),
        _section("Purpose", _escaped(scene.purpose)),
        _section("Background", _escaped(scene.background)),
        _section("Roles", "\n\n".join(_role(role) for role in scene.roles)),
        _section("Rules", "\n".join(_rule(number, rule) for number, rule in enumerate(scene.rules, 1))),
        *([_section("Measures", "\n".join(map(_measure, scene.measures)))] if scene.measures else []),
        _section("Observation", _escaped(scene.observation)),
        _section("Debrief", _escaped(scene.debrief)),
    ]
    return "\n\n".join(parts) + "\n"


def _found(fault: Fault, body: Body, *, grave: bool) -> Finding:
    line = body.lines.get(fault.place) or body.lines.get(Place("scene")) or 1
    return Finding(line, fault.what, fault.remedy, grave)


def _section(title: str, text: str) -> str:
    return f"# {title}\n\n{text}" if text else f"# {title}"


def _escaped(text: str) -> str:
    """The text with a backslash before each line that would be taken for a heading, or for one so marked."""
    return re.sub(r"^(?=[#\\])", r"\\", text, flags=re.MULTILINE)


def _role(role: Role) -> str:
    fields = (("Background", role.background), ("Task", role.task), ("Style", role.style))
    return "\n".join([f"## {role.name} ({role.kind})", *(f"- {field}: {text}" for field, text in fields if text)])


def _rule(number: int, rule: Rule) -> str:
    label = rule.mode if rule.purpose is None else f"{rule.mode}, {rule.purpose}"
    receivers = EVERYBODY if rule.mode == "broadcast" else ", ".join(rule.receivers)
    head = f"{number}. **{label}** {rule.initiator} → {receivers}: {rule.content}".rstrip()
    more = [f"   > {line}".rstrip() for line in rule.message.split("\n") if rule.message]
    more += [f"   when: {rule.when}"] if rule.when else []
    more += [f"   measure: {', '.join(rule.measures)}"] if rule.measures else []
    more += [f"   says: {_quoted(rule.says)}"] if rule.says else []
    return "\n".join([head, *more])


def _measure(measure: Measure) -> str:
    """A measure as YAML on one line, without what is as a matter of course."""
    given = {"kind": measure.kind, **measure.model_dump(mode="json", exclude={"name", "kind"}, exclude_defaults=True)}
    return f"{measure.name}: {_quoted(given)}"


# ── the front matter ─────────────────────────────────────────────────────────────────────────────────────────────────

FENCE = "---"
VERSION = 1
"""The version of the form that this program reads and writes."""

_FIELDS = ("title", "bias", "condition", "twin", "differs", "outcome", "written_by", "reviewed")
_ALWAYS = ("title", "bias")
_VARIED = ("factors", "within")
"""What stands there as a list, not as a text."""


def parse_front_matter(lines: list[str]) -> tuple[dict[str, Any], int, list[Finding]]:
    """Its texts and factors by name, the index of the first line after it, and what is wrong with it."""
    first = next((index for index, line in enumerate(lines) if line.strip()), 0)
    end = next((index for index in range(first + 1, len(lines)) if lines[index].rstrip() == FENCE), None)
    if lines[first].rstrip() != FENCE or end is None:
        remedy = f"begin the file with {FENCE}, `scene: {VERSION}`, `title:`, `bias:` and {FENCE}"
        return {}, first, [Finding(first + 1, "the front matter is missing or not closed", remedy)]
    values, findings = _values("\n".join(lines[first + 1 : end]), first + 1)
    texts: dict[str, Any] = {name: str(values[name]) for name in _FIELDS if values.get(name) is not None}
    if isinstance(values.get("reviewed"), bool):
        texts["reviewed"] = UNREVIEWED
    if texts.get("condition") not in CONDITIONS:
        texts.pop("condition", None)
    texts["factors"] = _factors(values)
    return texts, end + 1, findings


def write_front_matter(scene: Scene) -> str:
    """The front matter of the scene; what only twins have stands there where it has been given."""
    texts = {name: getattr(scene, name) for name in _FIELDS}
    lines = [f"{name}: {_written(name, text or '')}" for name, text in texts.items() if text or name in _ALWAYS]
    levels = {factor.name: {level.name: level.value for level in factor.levels} for factor in scene.factors}
    lines += [f"factors: {_quoted(levels)}"] if levels else []
    within = [factor.name for factor in scene.factors if factor.within]
    lines += [f"within: {_quoted(within)}"] if within else []
    return "\n".join([FENCE, f"scene: {VERSION}", *lines, FENCE])


def _written(name: str, text: str) -> str:
    return text if name == "reviewed" and text == UNREVIEWED else _quoted(text)


def _quoted(value: Any) -> str:
    """A value as YAML reads it back, whatever is in it."""
    return json.dumps(value, ensure_ascii=False)


def _values(source: str, line: int) -> tuple[dict[Any, Any], list[Finding]]:
    try:
        values = yaml_in(source, "The front matter") or {}
    except UnreadableDocument as error:
        remedy = 'write `name: "text"` on each line, the text in quotes'
        return {}, [Finding(line + max(error.line, 1), f"the front matter cannot be read: {error.problem}", remedy)]
    if not isinstance(values, dict):
        return {}, [Finding(line + 1, "the front matter is no list of `name: text`", "write one name and text a line")]
    keys = [written.partition(":")[0].strip(" \"'") for written in source.split("\n")]
    stands = {key: line + index for index, key in enumerate(keys, 1)}
    return values, [Finding(stands.get(name, line + 1), what, remedy) for name, what, remedy in _faults(values)]


def _factors(values: dict[Any, Any]) -> tuple[Factor, ...]:
    """The factors, as far as they are some; what is wrong with them is in `_faults`."""
    given, within = values.get("factors"), values.get("within")
    if not isinstance(given, dict) or _wrong_factors(values):
        return ()
    return tuple(
        Factor(name=name, levels=_levels(levels), within=name in (within or ())) for name, levels in given.items()
    )


def _levels(given: Any) -> tuple[Level, ...]:
    """Levels as a list of names, or as names with what stands for each in texts."""
    pairs = given.items() if isinstance(given, dict) else ((name, "") for name in given)
    return tuple(Level(name=_text(name), value=_text(value)) for name, value in pairs)


def _text(value: Any) -> str:
    return "" if value is None else {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _wrong_factors(values: dict[Any, Any]) -> list[tuple[str, str, str]]:
    """What is wrong with the factors of the front matter."""
    given, within = values.get("factors", {}), values.get("within", [])
    form = "write `factors: {anchor: {low: 90, high: 480}, pressure: [cue, quiet]}`"
    if not isinstance(given, dict):
        return [("factors", "the factors are no list of `name: levels`", form)]
    plain = str | int | float | bool | None
    for name, levels in given.items():
        parts = [*levels, *levels.values()] if isinstance(levels, dict) else levels
        if not isinstance(name, str) or not re.fullmatch(NAME, name):
            return [("factors", f"{str(name)[:40]!r} cannot be a factor's name", "take small letters, digits and _")]
        if not isinstance(parts, list) or not all(isinstance(part, plain) for part in parts):
            return [("factors", f"the levels of {name} are no list", form)]
    if not isinstance(within, list) or not all(name in given for name in within):
        return [("within", "within names what is no factor", f"take some of: {', '.join(given) or 'none'}")]
    return []


def _faults(values: dict[Any, Any]) -> list[tuple[str, str, str]]:
    """Which entry is wrong, what about it, and what mends it."""
    found = [
        (
            str(name),
            f"the front matter has {name!r}, which means nothing here",
            f"leave only scene, {', '.join((*_FIELDS, *_VARIED))}",
        )
        for name in values
        if name not in ("scene", *_FIELDS, *_VARIED)
    ]
    found += _wrong_factors(values)
    found += [
        (name, f"{name} is no text", f'write `{name}: "…"`')
        for name in _FIELDS
        if not isinstance(values.get(name, ""), str | int | float | None)
    ]
    condition, twin = values.get("condition"), str(values.get("twin") or "")
    if condition is not None and condition not in CONDITIONS:
        found.append(("condition", f"{condition!r} is no condition", f"use one of: {', '.join(CONDITIONS)}"))
    if values.get("reviewed") is True:
        found.append(("reviewed", "it does not say who has reviewed the scene", "let `elenchus scene accept` note it"))
    if "/" in twin or "\\" in twin:
        found.append(
            ("twin", "the twin is not in the same folder", "put it beside this file, and write its name alone")
        )
    if values.get("scene") != VERSION:
        found.append(("scene", f"the form's version is {values.get('scene')!r}", f"write `scene: {VERSION}`"))
    return found
