"""The Tab key, in a real bash that has loaded what `--show-completion` prints."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from elenchus.service.cli.program import whole_tree
from tests.service.cli.program import Program
from tests.service.cli.test_debate import MOTION

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")

ASKING = """
eval "$(elenchus --show-completion bash)"
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_elenchus_completion elenchus
printf '%s\\n' "${COMPREPLY[@]}"
"""


def offered(home: Path, *words: str) -> list[str]:
    """What bash offers in the place of the last word."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", ASKING, "bash", "elenchus", *words],
        env={**os.environ, "PATH": path, "ELENCHUS_HOME": str(home)},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


@pytest.mark.slow
def test_commands_scenes_biases_and_personas_are_offered_by_their_beginning(tmp_path: Path) -> None:
    assert offered(tmp_path, "sess") == ["sessions"]
    assert {"list", "show", "resume"} <= set(offered(tmp_path, "sessions", ""))
    assert offered(tmp_path, "scene", "run", "anch") == ["anchoring", "anchoring-de"]
    assert offered(tmp_path, "biases", "show", "sunk") == ["sunk-cost-fallacy"]
    assert "engineer" in offered(tmp_path, "personas", "show", "eng")
    assert "--max-rounds" in offered(tmp_path, "debate", "--max")


def test_sessions_are_offered_and_nothing_is_written_where_there_are_none(elenchus: Program, tmp_path: Path) -> None:
    home = tmp_path / "nothing-yet"
    assert offered(home, "sessions", "show", "") == []
    assert not home.exists()
    seats = ("--pro", "scripted:demo", "--con", "scripted:demo", "--judge", "scripted:demo")
    held = elenchus("debate", MOTION, *seats, "--topics", "1", "--max-rounds", "1", "--json").json["id"]
    assert offered(elenchus.home, "sessions", "show", held[:3]) == [held]


def test_a_home_that_cannot_be_read_offers_nothing_and_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "elenchus.db").write_bytes(b"no database at all" * 100)
    assert offered(tmp_path, "sessions", "show", "") == []


@pytest.mark.slow
def test_whoever_takes_a_seat_and_every_bias_is_offered_where_one_is_wanted(tmp_path: Path) -> None:
    assert offered(tmp_path, "debate", "M", "--pro", "fa") == ["farmer"]
    assert offered(tmp_path, "debate", "M", "--judge", "hum") == ["human"]
    assert offered(tmp_path, "debate", "M", "--con", "loc") == ["local:smollm2-135m"]
    assert offered(tmp_path, "detect", "text.txt", "--bias", "sunk") == ["sunk-cost-fallacy"]
    assert offered(tmp_path, "detect", "text.txt", "--labels", "anchoring-bias,sunk") == [
        "anchoring-bias,sunk-cost-fallacy"
    ]
    assert offered(tmp_path, "detect", "text.txt", "--method", "t") == ["tree"]
    assert offered(tmp_path, "sessions", "guide", "x", "y", "--to", "") == ["pro", "con", "both"]
    assert offered(tmp_path, "debate", "M", "--pro", "") != []


def test_a_model_of_ones_own_is_offered(tmp_path: Path) -> None:
    lab = 'speaks: openai, url: "http://localhost:1/v1", models: {llama3: {context: 8000}}'
    (tmp_path / "models.yaml").write_text(f"servers: {{lab: {{{lab}}}}}\n")
    assert offered(tmp_path, "scene", "run", "anchoring", "--subject", "la") == ["lab:llama3"]


def test_every_option_for_a_model_a_bias_a_session_or_a_side_is_completed() -> None:
    bare = {
        f"{' '.join(path)} {parameter.opts[-1]}"
        for path, parameter in parameters(whole_tree())
        if parameter.metavar in {"SPEC", "BIAS", "SIDE", "VOTE"}
        or parameter.opts[-1] in {"--bias", "--labels", "--session"}
        if parameter._custom_shell_complete is None
    }
    assert bare == set()


def parameters(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every option and argument with its command."""
    for name, below in getattr(command, "commands", {}).items():
        yield from parameters(below, (*path, name))
    yield from ((path, parameter) for parameter in command.params)


@pytest.mark.parametrize(
    ("shell", "start_up"), [("bash", ".bashrc"), ("zsh", ".zshrc"), ("fish", ".config/fish/completions/elenchus.fish")]
)
def test_installing_completion_says_which_files_it_writes(
    elenchus: Program, tmp_path: Path, shell: str, start_up: str
) -> None:
    named = {"HOME": str(tmp_path), "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    done = elenchus.from_a_shell("--install-completion", shell, env=named)
    assert done.code == 0, done.err
    written = [path for path in tmp_path.rglob("*") if path.is_file() and "elenchus" in path.read_text()]
    assert tmp_path / start_up in written or shell == "zsh"
    for path in written:
        assert f"~/{path.relative_to(tmp_path)}" in done.err
    assert f"~/{start_up}" in done.err
