"""`.ci/again`: the tests that failed are run once more at the gate, and no other."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TESTS = '''
"""Each test says that it ran; what it fails at is mended by the time it runs again, but for "always"."""
import os
from pathlib import Path

import pytest


def run(name):
    runs = Path(name)
    runs.write_text(runs.read_text() + "." if runs.exists() else ".")
    return len(runs.read_text())




@pytest.mark.xdist_group("of one module")
@pytest.mark.parametrize("words", ["two words - and more", "a@b"])
def test_grouped(words):
    assert run(words) == 2


@pytest.fixture
def taken_down():
    yield
    assert run("down") == 2


def test_ends_badly(taken_down):
    pass


def test_passes():
    assert run("passes") == 1


@pytest.mark.skipif("MORE" not in os.environ, reason="not asked for")
@pytest.mark.parametrize("number", range(2))
def test_always(number):
    run(f"always-{number}")
    assert False
'''


def again(folder: Path, *, more: bool = False) -> subprocess.CompletedProcess[str]:
    """Run the tests side by side as the gate does, then the script."""
    (folder / "test_these.py").write_text(TESTS)
    (folder / "pytest.ini").write_text("[pytest]\n")
    shutil.copy(ROOT / ".ci" / "again", folder)
    first = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-n",
            "2",
            "--dist",
            "loadgroup",
            *([] if more else ["-k", "not always"]),
        ],
        cwd=folder,
        env={"MORE": "1", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert first.returncode == 1, first.stdout
    return subprocess.run(
        [sys.executable, "again"],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_a_test_of_a_group_and_one_that_ends_badly_are_run_again_and_no_other(tmp_path: Path) -> None:
    done = again(tmp_path)
    assert done.returncode == 0, done.stdout
    assert [(tmp_path / name).read_text() for name in ("two words - and more", "a@b", "down", "passes")] == [
        "..",
        "..",
        "..",
        ".",
    ]
    assert "test_grouped[two words - and more]\n" in done.stdout  # it is named, whatever comes of it


@pytest.mark.slow
def test_more_than_three_are_not_run_again(tmp_path: Path) -> None:
    done = again(tmp_path, more=True)
    assert done.returncode == 1
    assert "5 tests failed" in done.stderr
    assert (tmp_path / "always-0").read_text() == "."


def test_a_run_that_names_no_failed_test_fails(tmp_path: Path) -> None:
    shutil.copy(ROOT / ".ci" / "again", tmp_path)
    done = subprocess.run([sys.executable, "again"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "0 tests failed: none is run again.\n")
