"""The front matter of a scene's canonical form: YAML between two fences, each entry checked on its own line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from pydantic import ValidationError

from elenchus.config.documents import UnreadableDocument
from elenchus.config.json_and_yaml import yaml_in
from elenchus.debate_engine.scenes.factors import NAME, Factor, Level
from elenchus.debate_engine.scenes.faults import Finding
from elenchus.debate_engine.scenes.language import LANGUAGES
from elenchus.debate_engine.scenes.plain_words import place_in, told_of, told_of_yaml
from elenchus.debate_engine.scenes.plan import Plan
from elenchus.debate_engine.scenes.quotation import CURLY, curly_mark, straight
from elenchus.debate_engine.scenes.scene import CONDITIONS, UNREVIEWED, Scene

FENCE = "---"
VERSION = 1
"""The version of the form that this program reads and writes."""

_FIELDS = ("title", "language", "bias", "condition", "twin", "differs", "outcome", "written_by", "reviewed")
_ALWAYS = ("title", "bias")
_VARIED = ("factors", "within")
_PLAN = tuple(Plan.model_fields)
"""What stands there is no plain text."""

KNOWN = ("scene", *_FIELDS, *_VARIED, *_PLAN)
_FORMS = {
    "minutes": "write `minutes: [5, 8]`",
    "contrasts": 'write `contrasts: ["high/* - low/*"]`, or `[{compare: "high/* - low/*", expect: greater}]`',
    "strata": "write `strata: [school]`",
    "exclusions": "write `exclusions: ['age < 18']`, by what is asked before the versions part",
    "literature": 'write `literature: [{citation: "…", arms: "…", metric: d, size: 0.93, same: paradigm}]`',
    "questions": "write `questions: fixed` or `questions: moderator`",
    "deception": "write one of: none, omission, active",
}


class FrontMatter(NamedTuple):
    """What it says, as `Scene` takes it; the index of the first line after it, what is wrong with it, and the line of
    each entry.
    """

    parts: dict[str, Any]
    end: int
    findings: list[Finding]
    lines: dict[str, int]


def parse_front_matter(lines: list[str]) -> FrontMatter:
    """Read the front matter with which the text begins."""
    first = next((index for index, line in enumerate(lines) if line.strip()), 0)
    end = next((index for index in range(first + 1, len(lines)) if lines[index].rstrip() == FENCE), None)
    if lines[first].rstrip() != FENCE or end is None:
        remedy = f"begin the file with {FENCE}, `scene: {VERSION}`, `title:`, `bias:` and {FENCE}"
        return FrontMatter({}, first, [Finding(first + 1, "the front matter is missing or not closed", remedy)], {})
    written = [straight(line) for line in lines[first + 1 : end]]
    stand = _lines_of_entries(written, first + 2)
    values, findings = _values(written, first + 1, stand)
    texts: dict[str, Any] = {name: str(values[name]) for name in _FIELDS if values.get(name) is not None}
    if isinstance(values.get("reviewed"), bool):
        texts["reviewed"] = UNREVIEWED
    if texts.get("condition") not in CONDITIONS:
        texts.pop("condition", None)
    if texts.get("language") not in LANGUAGES:
        texts.pop("language", None)
    texts["factors"] = _factors(values)
    texts["plan"] = _plan(values)[0]
    return FrontMatter(texts, end + 1, findings, stand)


def _lines_of_entries(lines: list[str], first: int) -> dict[str, int]:
    """On which line each entry begins; the first of these lines is number `first`."""
    entries = ((line, number) for number, line in enumerate(lines, first) if line[:1].strip())
    return {line.partition(":")[0].strip(" \"'"): number for line, number in entries}


def write_front_matter(scene: Scene) -> str:
    """The front matter of the scene; what only twins have stands there where it has been given."""
    texts = {name: getattr(scene, name) for name in _FIELDS} | ({"language": ""} if scene.language == "en" else {})
    lines = [f"{name}: {_written(name, text or '')}" for name, text in texts.items() if text or name in _ALWAYS]
    levels = {factor.name: {level.name: level.value for level in factor.levels} for factor in scene.factors}
    lines += [f"factors: {quoted(levels)}"] if levels else []
    within = [factor.name for factor in scene.factors if factor.within]
    lines += [f"within: {quoted(within)}"] if within else []
    plan = scene.plan.model_dump(mode="json", exclude_defaults=True)
    lines += [f"{name}: {quoted(value)}" for name, value in plan.items()]
    return "\n".join([FENCE, f"scene: {VERSION}", *lines, FENCE])


def _written(name: str, text: str) -> str:
    return text if name == "reviewed" and text == UNREVIEWED else quoted(text)


def quoted(value: Any) -> str:
    """A value as YAML reads it back, whatever is in it."""
    return json.dumps(value, ensure_ascii=False)


def _values(written: list[str], line: int, stand: Mapping[str, int]) -> tuple[dict[Any, Any], list[Finding]]:
    for number, text in enumerate(written, line + 1):
        if mark := curly_mark(text):
            return {}, [Finding(number, CURLY.format(mark), 'write it in straight ones: "')]
    try:
        values = yaml_in("\n".join(written), "The front matter") or {}
    except UnreadableDocument as error:
        remedy = 'write `name: "text"` on each line, the text in quotes'
        told = told_of_yaml(error, written[error.line - 1] if 0 < error.line <= len(written) else "")
        return {}, [Finding(line + max(error.line, 1), f"the front matter cannot be read: {told}", remedy)]
    if not isinstance(values, dict):
        return {}, [Finding(line + 1, "the front matter is no list of `name: text`", "write one name and text a line")]
    return values, [Finding(stand.get(name, line + 1), what, remedy) for name, what, remedy in _faults(values)]


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


def _plan(values: dict[Any, Any]) -> tuple[Plan, list[tuple[str, str, str]]]:
    """What the plan says as far as it can be read, and what is wrong with it, as in `_faults`."""
    given = {name: values[name] for name in _PLAN if values.get(name) is not None}
    wrong: list[tuple[str, str, str]] = []
    try:
        return Plan.model_validate_json(json.dumps(given, default=str), strict=False), []
    except ValidationError as error:
        for one in error.errors(include_url=False):
            name, *where = place_in(one["loc"])
            place = f" ({' '.join(where)})" if where else ""
            wrong.append((name, f"{name}{place}: {told_of(one)}", _FORMS.get(name, f"correct {name}, or take it out")))
    rest = {name: value for name, value in values.items() if name not in {name for name, _, _ in wrong}}
    return (_plan(rest)[0] if len(rest) < len(values) else Plan()), wrong


def _faults(values: dict[Any, Any]) -> list[tuple[str, str, str]]:
    """Which entry is wrong, what about it, and what mends it."""
    found = [
        (str(name), f"the front matter has {name!r}, which means nothing here", f"leave only {', '.join(KNOWN)}")
        for name in values
        if name not in KNOWN
    ]
    found += [*_wrong_factors(values), *_plan(values)[1]]
    found += [
        (name, f"{name} is no text", f'write `{name}: "…"`')
        for name in _FIELDS
        if not isinstance(values.get(name, ""), str | int | float | None)
    ]
    condition, twin = values.get("condition"), str(values.get("twin") or "")
    if condition is not None and condition not in CONDITIONS:
        found.append(("condition", f"{condition!r} is no condition", f"use one of: {', '.join(CONDITIONS)}"))
    if (language := values.get("language")) is not None and language not in LANGUAGES:
        what = f"the program does not speak {str(language)[:40]!r} to people around the lines"
        found.append(("language", what, f"take one of: {', '.join(LANGUAGES)}; the lines may be in any language"))
    if values.get("reviewed") is True:
        found.append(
            (
                "reviewed",
                "it does not say who has reviewed the scene",
                "let `elenchus scene review FILE --accept` note it",
            )
        )
    if "/" in twin or "\\" in twin:
        found.append(
            ("twin", "the twin is not in the same folder", "put it beside this file, and write its name alone")
        )
    if values.get("scene") != VERSION:
        found.append(("scene", f"the form's version is {values.get('scene')!r}", f"write `scene: {VERSION}`"))
    return found
