"""The table of commands: it says of each what the command says itself, and nothing is imported that is not typed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from elenchus.service.cli.commands import COMMANDS, Deferred
from elenchus.service.cli.program import command, whole_tree
from tests.service.cli.program import Result
from tests.service.test_startup import loaded_by

Inside = Callable[..., Result]

MODULES = {f"elenchus.service.cli.{one.place.partition(':')[0]}" for one in COMMANDS}
GROUPS = {name: group for name, group in whole_tree().commands.items() if hasattr(group, "commands")}


@pytest.mark.parametrize("arguments", [("--help",), ("--version",)])
def test_no_module_of_a_command_is_imported_for_the_help_of_all(arguments: tuple[str, ...]) -> None:
    loaded = loaded_by(*arguments)
    assert loaded & MODULES == set()
    assert "asyncio" not in loaded


@pytest.mark.parametrize(
    ("typed", "imported"), [("store", "store"), ("debate", "debate"), ("mind", "mind.commands"), ("sessions", None)]
)
def test_only_the_command_that_is_typed_is_imported(typed: str, imported: str | None) -> None:
    assert loaded_by(typed, "--help") & MODULES == {f"elenchus.service.cli.{imported or f'{typed}.commands'}"}


@pytest.mark.parametrize("row", COMMANDS, ids=[one.name for one in COMMANDS])
def test_the_table_says_of_a_command_what_the_command_says_itself(row: Any) -> None:
    itself = whole_tree().commands[row.name]
    assert not isinstance(itself, Deferred)
    assert itself.help.partition("\n\n")[0] == row.help
    assert (itself.short_help, itself.hidden, itself.deprecated, itself.epilog) == (None, False, False, None)


@pytest.mark.parametrize("width", [40, 80, 160])
def test_the_help_of_all_is_that_of_the_tree_whose_commands_are_all_built(
    inside: Inside, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    whole_tree()(["--help"], prog_name="elenchus", standalone_mode=False)
    built = capsys.readouterr().out
    assert inside("--help").out == built
    assert len(built.splitlines()) > len(COMMANDS)


def completed(line: str, home: Path) -> str:
    """What the program offers a shell (fish, which shows the help lines too) behind a line."""
    asked = {"_ELENCHUS_COMPLETE": "complete_fish", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    told = {**os.environ, **asked, "_TYPER_COMPLETE_ARGS": line, "ELENCHUS_HOME": str(home)}
    run = subprocess.run(
        [sys.executable, "-m", "elenchus.service.cli"], env=told, capture_output=True, text=True, check=False
    )
    assert run.stderr == ""
    return run.stdout


def test_a_shell_is_offered_each_command_with_its_help_line(tmp_path: Path) -> None:
    offered = [line.split("\t") for line in completed("elenchus ", tmp_path).splitlines()]
    assert offered == [[name, one.get_short_help_str()] for name, one in whole_tree().commands.items()]


@pytest.mark.parametrize("name", ["bench", "rldf", "sessions"])
def test_a_shell_is_offered_the_commands_of_a_group(name: str, tmp_path: Path) -> None:
    offered = [line.partition("\t")[0] for line in completed(f"elenchus {name} ", tmp_path).splitlines()]
    assert offered == list(GROUPS[name].commands)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("modls", "No such command 'modls'. Did you mean 'models'?\n  hint: elenchus models\n"),
        ("sesions", "Did you mean 'sessions', 'personas', 'decision'?\n  hint: elenchus sessions\n"),
        ("pull", "No such command 'pull'.\n  hint: elenchus models pull\n"),
        ("zzzz", "No such command 'zzzz'.\n  hint: elenchus --help\n"),
    ],
)
def test_a_mistyped_group_is_answered_with_those_that_are_like_it(inside: Inside, typed: str, said: str) -> None:
    refused = inside(typed)
    assert refused.code == 2
    assert refused.err.endswith(said)


def test_every_row_of_the_table_is_a_command_of_its_own() -> None:
    assert list(command().commands) == list(whole_tree().commands) == [one.name for one in COMMANDS]
