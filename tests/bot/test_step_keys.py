"""The bot shows what a protocol says of a step: no module of it reads a step by its key."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from elenchus.debate_engine.protocols.registry import BUILT_IN, spec_of

BOT = Path(__file__).parents[2] / "bot"
_FIRST = re.compile(r"\^?\(?([a-z-]+)/")


def first_parts() -> set[str]:
    """How the keys begin of the steps for which protocols have words."""
    specs = [spec_of(name) for name in BUILT_IN]
    patterns = [pattern for spec in specs for pattern, _ in (*spec.step_words, *spec.tasks, *spec.turn_kinds)]
    return {found[1] for pattern in patterns if (found := _FIRST.match(pattern))}


def texts_in(path: Path) -> list[str]:
    tree = ast.parse(path.read_text("utf-8"))
    return [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def test_no_module_of_the_bot_reads_a_step_by_its_key() -> None:
    begin = tuple(f"{part}/" for part in first_parts())
    assert {"consent/", "rule/", "unscripted/"} <= set(begin)
    found = [(path.name, text) for path in BOT.rglob("*.py") for text in texts_in(path) if text.startswith(begin)]
    assert found == []
