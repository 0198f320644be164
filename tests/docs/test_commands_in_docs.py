"""Every `elenchus` command line that the docs show names a command and options that the program has."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from elenchus.config.catalogue import find_bias
from elenchus.service.cli.program import whole_tree

ROOT = Path(__file__).parents[2]
# docs/cli.md is written by the program itself; decisions may speak of what once was.
PAGES = sorted(page for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")] if page.name != "cli.md")
LINE = r"^\$ (?!docker (?:build|compose) )(?:.*[\s/])?elenchus(?: (.*))?$"
"""What Docker is told of an image or a service of our name is none."""


def shown() -> Iterator[tuple[str, str]]:
    """Yield page and arguments of each command line: `$ … elenchus ARGUMENTS` in a console block, lines joined."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8").replace("\\\n", " ")
        for block in re.findall(r"^```console\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL):
            for line in re.findall(LINE, block, flags=re.MULTILINE):
                yield page.name, line


def unknown(arguments: list[str]) -> list[str]:
    """Return the words that are no command where one is due, and the options that their command does not have."""
    command: Any = whole_tree()
    while arguments and not arguments[0].startswith("-") and hasattr(command, "commands"):
        name, *arguments = arguments
        if name not in command.commands:
            return [name]
        command = command.commands[name]
    options = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    given = [word.split("=")[0] for word in arguments if re.match(r"--?[a-z]", word)]
    return [option for option in given if option not in options | {"--help"}]


def named_biases(arguments: list[str]) -> list[str]:
    """Return the biases that a command line names."""
    return [
        name for option, names in pairwise(arguments) if option in ("--bias", "--labels") for name in names.split(",")
    ]


@pytest.mark.parametrize(
    "page, line",
    [pytest.param(*case, id=" ".join(case)) for case in shown() if named_biases(shlex.split(case[1], comments=True))],
)
def test_a_bias_in_the_docs_is_one_of_the_catalogue(page: str, line: str) -> None:
    for name in named_biases(shlex.split(line, comments=True)):
        assert find_bias(name).name, f"{page} names a bias that the program does not know"


@pytest.mark.slow
@pytest.mark.parametrize("page, line", [pytest.param(*case, id=" ".join(case)) for case in shown()])
def test_a_command_line_in_the_docs_is_one_that_the_program_takes(page: str, line: str) -> None:
    assert unknown(shlex.split(line, comments=True)) == [], f"{page} shows what the program does not have"
