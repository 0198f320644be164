"""The architecture page: who follows the way of a motion finds each module named where the page says."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.partition("## The way of a motion on Discord")[2].splitlines()
]
WAY = {row[0]: row for row in ROWS if row[0].isdigit()}
BESIDE = [row[0].strip("`") for row in ROWS if row[0].startswith("`")]
NUMBERS = {12: "Twelve", 18: "Eighteen"}


def names_in(module: str) -> str:
    """What a module imports, with the dots of its names, and what it says of itself."""
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    imported = [
        f"{node.module}.{alias.name} "
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    nodes = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    said = [ast.get_docstring(node) or "" for node in ast.walk(tree) if isinstance(node, nodes)]
    return "\n".join([*imported, *said])


@pytest.mark.parametrize("number", WAY)
def test_each_module_on_the_way_of_a_motion_is_named_where_the_page_says(number: str) -> None:
    _, module, named_in, _ = WAY[number]
    name = module.strip("`").removesuffix(".py").replace("/", ".")
    for place in named_in.split(", "):
        source = place.strip("`") if place.startswith("`") else WAY[place][1].strip("`")
        wanted = (rf"\belenchus\.{re.escape(name)}\b", rf"`{name.rpartition('.')[2]}[`.]")
        assert any(re.search(one, names_in(source)) for one in wanted), f"{source} does not name {name}"


def test_the_page_counts_its_modules_and_all_are_there() -> None:
    assert f"{NUMBERS[len(WAY)]} modules, in the order" in PAGE
    assert f"{NUMBERS[len(BESIDE)]} more modules lie on the way" in PAGE
    assert [module for module in BESIDE if not (ROOT / module).exists()] == []
