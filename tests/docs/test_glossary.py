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


@pytest.mark.parametrize("line", LINES, ids=lambda line: str(line[0]))
def test_what_a_word_names_is_where_the_glossary_says(line: list[str]) -> None:
    paths = re.findall(r"`([^`]+)`", line[2])
    assert paths
    for path in paths:
        assert any(found for room in ROOMS for found in (ROOT / room).glob(f"**/{path}")) or (ROOT / path).exists(), (
            path
        )
