"""`.ci/audit`: what it says of known holes, and that it never takes silence for safety."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
HOLE = {"id": "CVE-2026-1", "fix_versions": ["2.0"], "aliases": []}
SAFE: dict[str, Any] = {"name": "aiohttp", "version": "3.14.5", "vulns": []}
HOLED: dict[str, Any] = {"name": "jinja2", "version": "1.0", "vulns": [HOLE]}
NOT_FOUND: dict[str, Any] = {"name": "yarl", "skip_reason": "not found"}


def audit(tmp_path: Path, packages: list[dict[str, Any]] | None) -> subprocess.CompletedProcess[str]:
    """Run the script beside a pip-audit that found this (None: it could write nothing)."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "audit", tmp_path / ".ci")
    tools = tmp_path / "build" / "audit" / "bin"
    tools.mkdir(parents=True)
    (tools / "python").symlink_to(sys.executable)
    (tmp_path / "found.json").write_text(json.dumps({"dependencies": packages}), encoding="utf-8")
    writes = 'while [ "$1" != --output ]; do shift; done; cp found.json "$2"' if packages is not None else "exit 1"
    program = tools / "pip-audit"
    program.write_text(f"#!/bin/sh\n{writes}\n", encoding="utf-8")
    program.chmod(0o755)
    return subprocess.run([tmp_path / ".ci" / "audit"], capture_output=True, text=True, check=False)


def test_a_known_hole_is_named_with_the_version_that_mends_it(tmp_path: Path) -> None:
    done = audit(tmp_path, [SAFE, HOLED])
    assert done.returncode == 1
    assert done.stdout == "jinja2 1.0: CVE-2026-1, mended in 2.0\n2 packages looked up, 1 known holes\n"


def test_where_none_is_known_the_number_of_packages_is_told_and_those_that_were_not_found(tmp_path: Path) -> None:
    done = audit(tmp_path, [SAFE, NOT_FOUND])
    assert done.returncode == 0
    assert done.stdout == "not looked up: yarl: not found\n1 packages looked up, 0 known holes\n"


@pytest.mark.parametrize("packages", [None, [], [NOT_FOUND]])
def test_silence_is_not_safety(tmp_path: Path, packages: list[dict[str, Any]] | None) -> None:
    done = audit(tmp_path, packages)
    assert done.returncode == 3
    assert "nothing was looked up" in done.stderr
