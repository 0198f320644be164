"""The front matter of a scene's canonical form: what it is called, which bias it is about, and what its twin is."""

from __future__ import annotations

from typing import Any

from elenchus.config.documents import UnreadableDocument, yaml_in
from elenchus.debate_engine.scenes.finding import Finding
from elenchus.debate_engine.scenes.scene import CONDITIONS, UNREVIEWED, Scene

FENCE = "---"
VERSION = 1
"""The version of the form that this program reads and writes."""

_FIELDS = ("title", "bias", "condition", "twin", "differs", "written_by", "reviewed")
_ALWAYS = ("title", "bias")


def parse_front_matter(lines: list[str]) -> tuple[dict[str, str], int, list[Finding]]:
    """Its texts by name, the index of the first line after it, and what is wrong with it."""
    first = next((index for index, line in enumerate(lines) if line.strip()), 0)
    end = next((index for index in range(first + 1, len(lines)) if lines[index].rstrip() == FENCE), None)
    if lines[first].rstrip() != FENCE or end is None:
        remedy = f"begin the file with {FENCE}, `scene: {VERSION}`, `title:`, `bias:` and {FENCE}"
        return {}, first, [Finding(first + 1, "the front matter is missing or not closed", remedy)]
    values, findings = _values("\n".join(lines[first + 1 : end]), first + 1)
    texts = {name: str(values[name]) for name in _FIELDS if values.get(name) is not None}
    if isinstance(values.get("reviewed"), bool):
        texts["reviewed"] = UNREVIEWED
    if texts.get("condition") not in CONDITIONS:
        texts.pop("condition", None)
    return texts, end + 1, findings


def write_front_matter(scene: Scene) -> str:
    """The front matter of the scene; what only twins have stands there where it has been given."""
    texts = {name: getattr(scene, name) for name in _FIELDS}
    lines = [f"{name}: {_written(name, text or '')}" for name, text in texts.items() if text or name in _ALWAYS]
    return "\n".join([FENCE, f"scene: {VERSION}", *lines, FENCE])


def _written(name: str, text: str) -> str:
    return text if name == "reviewed" and text == UNREVIEWED else _quoted(text)


def _quoted(text: str) -> str:
    """A text as YAML reads it back, whatever is in it."""
    import json

    return json.dumps(text, ensure_ascii=False)


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


def _faults(values: dict[Any, Any]) -> list[tuple[str, str, str]]:
    """Which entry is wrong, what about it, and what mends it."""
    found = [
        (
            str(name),
            f"the front matter has {name!r}, which means nothing here",
            f"leave only scene, {', '.join(_FIELDS)}",
        )
        for name in values
        if name != "scene" and name not in _FIELDS
    ]
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
