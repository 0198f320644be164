"""The glossary: each word stands once, and where it says that a word lives, there is something."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("bot", "config", "debate_engine", "detectors", "service", "storage")
LINES = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (ROOT / "docs" / "glossary.md").read_text().splitlines()
    if line.startswith("| ") and not line.startswith(("| word", "| ---"))
]


def test_no_word_is_explained_twice() -> None:
    words = [word.split(" (")[0].strip("*") for line in LINES for word in line[0].split(", ")]
    assert len(words) > 60
    assert len(words) == len(set(words))


@pytest.mark.parametrize(
    "name",
    [
        "ProtocolSpec", "Projection", "SessionView", "Presentation", "LoserTree", "KeyValueStore", "VectorStore",
        "SessionManager", "Follower", "Poster", "Notifier",
    ],
)  # fmt: skip
def test_a_word_that_is_a_class_leads_to_its_module(name: str) -> None:
    word = "key-value store" if name == "KeyValueStore" else re.sub("(?<=[a-z])(?=[A-Z])", " ", name).lower()
    ((_, _, where),) = [line for line in LINES if word in line[0].split(" (")[0].split(", ")]
    paths = re.findall(r"`([^`]+)`", where)
    modules = {module for path in paths for place in found_at(path) for module in python_in(place)}
    assert any(f"\nclass {name}" in module.read_text(encoding="utf-8") for module in modules)


def found_at(path: str) -> list[Path]:
    return [found for room in ROOMS for found in (ROOT / room).glob(f"**/{path}")] or [ROOT / path]


def python_in(place: Path) -> list[Path]:
    return list(place.rglob("*.py")) if place.is_dir() else [place]


@pytest.mark.parametrize("line", LINES, ids=lambda line: str(line[0]))
def test_what_a_word_names_is_where_the_glossary_says(line: list[str]) -> None:
    paths = re.findall(r"`([^`]+)`", line[2])
    assert paths
    for path in paths:
        assert all(found.exists() for found in found_at(path)), path
