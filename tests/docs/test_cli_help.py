"""The help shown in docs/cli.md is the help that the program prints."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in the checkout, with these variables added to the environment."""
    return subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, check=False, capture_output=True, text=True
    )


def test_the_help_in_the_docs_is_what_the_program_prints() -> None:
    checked = run(sys.executable, "docs/render_cli.py", "--check")
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_check_does_not_depend_on_the_terminal() -> None:
    checked = run(sys.executable, "docs/render_cli.py", "--check", FORCE_COLOR="1", COLUMNS="40", LANG="C")
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_program_itself_prints_the_first_help_of_the_page() -> None:
    program = str(Path(sys.executable).with_name("elenchus"))
    printed = run(program, "--help", COLUMNS="100", NO_COLOR="1").stdout.strip("\n")
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert "\n".join(line.rstrip() for line in printed.splitlines()).strip("\n") in page
