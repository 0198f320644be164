"""docs/dependencies.md speaks of every dependency, and of no other."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]


def declared() -> set[str]:
    """Return the names of all packages that pyproject.toml asks for, without the project's own."""
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = pyproject["project"]
    lists = (
        project["dependencies"],
        *project["optional-dependencies"].values(),
        *pyproject["dependency-groups"].values(),
    )
    return {Requirement(line).name for lines in lists for line in lines} - {project["name"]}


def explained() -> set[str]:
    """Return the packages that the tables give a reason for: the names in backticks that a row begins with."""
    rows = re.findall(r"^\| (?:(?:`\w+`|\(group `\w+`\)) \| )?(`[^|]*?) \|", page(), flags=re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`([\w.-]+)`", row)}


def page() -> str:
    """Return the page's tables of packages: all before its section on torch."""
    return (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8").split("## torch")[0]


def test_every_dependency_has_its_reason_and_no_reason_lacks_its_dependency() -> None:
    assert explained() == declared()
