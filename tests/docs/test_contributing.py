"""CONTRIBUTING.md: what it tells the author of a protocol to use is there."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from tests.foreign import turn_taking

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Add a protocol")[2].partition("\n## ")[0]
ROWS = [line.strip("|").split("|") for line in PAGE.splitlines() if line.startswith("| ") and "`" in line][1:]
TITLES = {"shown", "ended", "sections", "pictures", "prompts"}
"""What is written as a name in the table and is one of a part of the presentation, or of a folder."""


def known_in(module: ModuleType) -> set[str]:
    """The names in a module, and those of its classes' members."""
    classes = [value for value in vars(module).values() if isinstance(value, type)]
    fields = {name for one in classes for name in (*dir(one), *getattr(one, "__dataclass_fields__", ()))}
    return {*dir(module), *fields}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row[-1]).strip())
def test_every_name_in_the_table_stands_in_the_modules_of_its_row(row: list[str]) -> None:
    modules = [import_module(f"elenchus.debate_engine.{name}") for name in re.findall(r"`([^`]+)`", row[1])]
    names = {re.split(r"[.(/]", name)[0] for name in re.findall(r"`([^`]+)`", row[0])}
    assert modules
    assert names - TITLES <= set[str]().union(*map(known_in, modules))


def test_the_example_is_some_forty_lines_and_its_name_is_the_one_in_the_entry_point() -> None:
    code = Path(turn_taking.__file__).read_text(encoding="utf-8").splitlines()
    assert 35 <= sum(bool(line.strip()) for line in code) <= 50
    assert f'\n  {turn_taking.SPEC.name} = "package.module:SPEC"' in PAGE
