"""Rules of the house that no linter holds."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PATCHING = {"mock", "mocker", ".setattr"}  # monkeypatch.setattr; its setenv and chdir replace nothing of ours


def names(path: Path) -> Iterator[str]:
    """Yield every name that a file's code imports, reads or takes as an argument; an attribute with its dot."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name):
                yield name
            case ast.Attribute(attr=name):
                yield f".{name}"
            case ast.alias(name=name):
                yield from name.split(".")


@pytest.mark.parametrize("path", sorted(TESTS.rglob("*.py")), ids=lambda path: str(path.relative_to(TESTS)))
def test_tests_use_real_parts_and_patch_nothing(path: Path) -> None:
    assert PATCHING & set(names(path)) == set()
