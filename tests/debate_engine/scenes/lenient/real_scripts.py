"""The 70 real scripts outside the repository, and our labels of them: 20 before the reader, 50 blind after it.

The 20 are two for each of the ten biases: of each bias's scripts, the two whose forms differ most (how a rule is
labelled, how roles are announced, numbered or not, fenced or not, chat around it). They were labelled by hand, before
the reader was written, after the conventions of the order that asked for scenes. A label file holds role names and line
numbers, none of a script's words. Where a rule is not clear its receivers are a reader's best guess and are not scored.

The other 50 (`labels_blind`) were labelled blind, by two other labellers than the reader's author, after the reader was
written and without seeing what it makes of them; they are kept as they were given, and where a labeller held two
purposes for possible, `also` is the second. The reader had been run on all 70 before (only the labels were new to it),
and since the comparison they only guard against steps back: the present reader was written with all 70 at hand.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from elenchus.debate_engine.scenes.lenient.reader import read_script
from elenchus.debate_engine.scenes.lenient.reading import Reading

ROOT = Path(__file__).parents[4]
SCRIPTS = ROOT.parent / "shared" / "data" / "rulegen_scripts"
LABELS = {"by hand": Path(__file__).parent / "labels", "blind": Path(__file__).parent / "labels_blind"}
"""The two sets of labels."""


def all_scripts() -> list[Path]:
    """Every script, in order. Skips the test where they are not at hand."""
    found = sorted(SCRIPTS.glob("*.md"))
    if not found:
        pytest.skip(f"THE 70 SCRIPTS ARE MISSING: nothing in {SCRIPTS}, so the reader's accuracy is NOT checked here")
    return found


def labels(which: str = "by hand") -> dict[str, dict[str, Any]]:
    """The labels of one set by script."""
    paths = sorted(LABELS[which].glob("*.yaml"))
    return {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in paths}


def section_lines() -> dict[str, dict[str, list[int]]]:
    """The first and last line of purpose, background and observation by script ([] for none), as an earlier reader cut
    them: they guard against steps back.
    """
    path = Path(__file__).with_name("labels_sections.yaml")
    found: dict[str, dict[str, list[int]]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return found


def read(path: Path) -> Reading:
    """What the lenient reader makes of a script."""
    return read_script(path.read_bytes())
