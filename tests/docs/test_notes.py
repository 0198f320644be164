"""Notes beside protocols and detectors, and CONTRIBUTING.md, name what is there: modules, and what stands in them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("benchmarks", "bot", "config", "debate_engine", "detectors", "service", "storage", "tests")
NOTES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("NOTES.md"))
PAGES = [*NOTES, ROOT / "CONTRIBUTING.md"]
OBJECTS = {"s", "decision", "elenchus", "sys", "__init__"}
"""What is no module of ours by its name: a session, the outcome of a detection, what programs import."""
FILES = {"csv", "json", "jsonl", "md", "po", "svg", "toml", "txt", "xlsx", "yaml"}
"""Endings of files that are no modules."""


@cache
def modules() -> dict[str, list[Path]]:
    """All modules of ours by their names."""
    found = defaultdict[str, list[Path]](list)
    for path in (path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        found[path.parent.name if path.stem == "__init__" else path.stem].append(path)
    return found


@cache
def code() -> str:
    """The text of all modules of ours."""
    return "\n".join(path.read_text(encoding="utf-8") for paths in modules().values() for path in paths)


def named(notes: Path) -> Iterator[tuple[str, str]]:
    """Each `module.name`, and each module by its file (`module.py`, with name "")."""
    for words in re.findall(r"`([^`\n]+)`", notes.read_text(encoding="utf-8")):
        found = re.fullmatch(r"(?:\w+/)*([a-z_0-9]+)\.([A-Za-z_]+)(?:\(.*\))?", words)
        if found and found[1] not in OBJECTS and found[2] not in FILES:
            yield found[1], "" if found[2] == "py" else found[2]


def is_there(module: str, name: str) -> bool:
    """Whether a module of this name has this name: a function, a class, a constant, a field, a method, a module."""
    defined = re.compile(rf"(?:^|\s)(?:def|class) {name}\b|^\s*{name}\b(?::| =|,|\))", re.MULTILINE)
    for path in modules().get(module, []):
        beside = (path.parent / f"{name}.py").is_file() or (path.parent / name).is_dir()
        if not name or beside or defined.search(path.read_text(encoding="utf-8")):
            return True
    return False


@pytest.mark.parametrize("notes", PAGES, ids=lambda path: str(path.parent.relative_to(ROOT)))
def test_every_module_and_every_name_in_the_notes_is_there(notes: Path) -> None:
    gone = [f"{module}.{name}" for module, name in named(notes) if not is_there(module, name)]
    assert gone == []


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.parent.relative_to(ROOT)))
def test_every_class_in_the_notes_is_there(page: Path) -> None:
    names = re.findall(r"`([A-Z][a-z]\w*)(?:\(.*?\))?`", page.read_text(encoding="utf-8"))
    assert [name for name in names if not re.search(rf"\b{name}\b", code())] == []
