"""The Tab key, in a real bash that has loaded what `--show-completion` prints."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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


def test_commands_scenes_biases_and_personas_are_offered_by_their_beginning(tmp_path: Path) -> None:
    assert offered(tmp_path, "sess") == ["sessions"]
    assert {"list", "show", "resume"} <= set(offered(tmp_path, "sessions", ""))
    assert offered(tmp_path, "scene", "run", "anch") == ["anchoring", "anchoring-neutral"]
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
