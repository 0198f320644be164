"""What people read is written in `bot/strings/`, and nowhere else in the bot."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

BOT = Path(__file__).parents[2] / "bot"
FILES = sorted(path for path in BOT.rglob("*.py") if "strings" not in path.parts)

LOGGED = {"info", "warning", "error", "logged", "Uncertain"}
"""What these are given goes to the log alone."""

WORDS = 3
"""So many words one after the other are prose."""


def spared(tree: ast.AST) -> Iterator[ast.AST]:
    """Docstrings, what is logged, what an assertion says, and the keys of mappings."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant() as text):
                yield text
            case ast.Assert(msg=ast.AST() as text):
                yield text
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name), args=given) if name in LOGGED:
                yield from given
            case ast.Dict(keys=keys):
                yield from (key for key in keys if key is not None)


def prose(source: str) -> list[str]:
    """The texts in a file's code that a person could be told."""
    tree = ast.parse(source)
    left_out = {id(inner) for node in spared(tree) for inner in ast.walk(node)}
    texts = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in left_out
    ]
    return [text for text in texts if re.search(rf"(?:[A-Za-z’']{{2,}}[ ,:]+){{{WORDS - 1}}}[A-Za-z]{{2,}}", text)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(BOT)))
def test_no_sentence_for_people_stands_outside_the_strings(path: Path) -> None:
    assert prose(path.read_text(encoding="utf-8")) == []


def test_a_sentence_is_found_wherever_it_stands_and_what_is_logged_is_none() -> None:
    assert prose('raise UsageError(f"There is no scene {name}")') == ["There is no scene "]
    assert prose('tell(interaction, "Press it once more")') == ["Press it once more"]
    assert (
        prose('"""A docstring of several words."""\n_log.info("so many words are logged")\n{"a key of words": 1}') == []
    )


def test_no_feature_says_the_same_sentence_twice() -> None:
    found: dict[str, set[str]] = {}
    for path in sorted((BOT / "strings").glob("*.py")):
        for text in prose(path.read_text(encoding="utf-8")):
            found.setdefault(text, set()).add(path.name)
    assert {text: files for text, files in found.items() if len(files) > 1 and len(text) > 40} == {}
