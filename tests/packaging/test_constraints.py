"""The constraints, plain and hashed: one version of everything that lives with the others, and nothing of a machine."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
LINES = [
    line for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines() if not line.startswith("#")
]
PINS = [Requirement(line) for line in LINES]


HASHED = (ROOT / "constraints-hashed.txt").read_text(encoding="utf-8")


def declared() -> list[Requirement]:
    """Return every requirement that pyproject.toml declares: base, extras and dependency groups."""
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = pyproject["project"]
    lists = (
        project["dependencies"],
        *project["optional-dependencies"].values(),
        *pyproject["dependency-groups"].values(),
    )
    requirements = [Requirement(line) for lines in lists for line in lines]
    return [requirement for requirement in requirements if requirement.name != project["name"]]


@pytest.mark.parametrize("requirement", declared(), ids=str)
def test_every_declared_package_is_pinned_within_its_range(requirement: Requirement) -> None:
    name = canonicalize_name(requirement.name)
    versions = [next(iter(pin.specifier)).version for pin in PINS if canonicalize_name(pin.name) == name]
    assert versions
    assert all(version in requirement.specifier for version in versions)


def test_every_pin_is_one_exact_public_version() -> None:
    assert [str(pin) for pin in PINS if not re.fullmatch(r"==[0-9][0-9a-z.]*", str(pin.specifier))] == []


def test_what_a_release_installs_has_a_hash_each_and_the_versions_that_everybody_has() -> None:
    parts = re.findall(r"^(\S+==[^\\\n]*?) \\((?:\n {4}--hash=sha256:[0-9a-f]{64}(?: \\)?)+)$", HASHED, re.MULTILINE)
    assert len(parts) == len(re.findall(r"^[a-z]", HASHED, re.MULTILINE)) > 80
    assert {pin.split(" ;")[0] for pin, _ in parts} <= {line.split(" ;")[0] for line in LINES}


@pytest.mark.parametrize("name", ["constraints.txt", "constraints-hashed.txt"])
def test_no_registry_and_no_place_of_a_machine_is_named(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert re.findall(r"://|file:|find-links|index-url|(?:^|\s)/\S", text) == []
