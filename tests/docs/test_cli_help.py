"""What docs/cli.md tells of the commands is what the program prints."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OF_ALL = {"--help"}
"""The options that every command has, which the page names once."""


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in the checkout, with these variables added to the environment."""
    return subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, check=False, capture_output=True, text=True
    )


def parts() -> dict[str, str]:
    """The page's parts by the command that each is headed with."""
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^## `(elenchus[^`]*)`\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL))


def test_the_page_is_what_the_program_has() -> None:
    checked = run(sys.executable, "docs/render_cli.py", "--check")
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_check_does_not_depend_on_the_terminal() -> None:
    checked = run(sys.executable, "docs/render_cli.py", "--check", FORCE_COLOR="1", COLUMNS="40", LANG="C")
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize("command", ["elenchus", "elenchus debate", "elenchus bench static", "elenchus sessions"])
def test_what_the_program_itself_prints_as_help_is_told_option_by_option(command: str) -> None:
    program = str(Path(sys.executable).with_name("elenchus"))
    printed = run(program, *command.split()[1:], "--help", COLUMNS="400", NO_COLOR="1").stdout
    part = parts()[command]
    rows = dict(re.findall(r"^\| \[?`([^` ]+)[^|]* \| (.*) \|$", part, re.MULTILINE))
    options = re.findall(r"^│ (--[a-z-]+) +\S+  +(\S[^│]*?)(?: \[default: ([^]]+)\])? *│$", printed, re.MULTILINE)
    commands = re.findall(r"^│ ([a-z][a-z-]*)  +([^│]*?) *│$", printed, re.MULTILINE)
    assert len(options) + len(commands) > 4
    for name, words, value in options:
        assert name in OF_ALL or rows[name] == words + (f" Default: `{value}`." if value else "")
    for name, words in commands:
        assert rows[name] == words
    assert set(rows) - {name for name, *_ in (*options, *commands)} <= {"MOTION"}


def test_every_command_has_a_sentence_a_line_of_use_and_links_that_lead_somewhere() -> None:
    assert len(parts()) > 40
    anchors = {command.replace(" ", "-") for command in parts()}
    for command, part in parts().items():
        assert re.match(rf"\n[A-Z][^\n]*\.\n\n    {command} \[OPTIONS\]", part), command
        assert set(re.findall(r"\]\(#([^)]*)\)", part)) <= anchors
        assert not set("│╭╰─") & set(part), "tables, not the boxes of a terminal"
