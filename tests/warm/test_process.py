"""Processes that start warm are as others: what goes in and comes out, how they end, what they may be done."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.warm import process

pytestmark = pytest.mark.skipif(not process.AVAILABLE, reason="only Linux has the sockets that this takes")

ENV = {"PATH": os.environ["PATH"], "PYTHONWARNINGS": "error"}


def ran(folder: Path, text: str, *arguments: str, said: str = "") -> subprocess.CompletedProcess[str]:
    return process.run("tests.warm.small", [text, *arguments], cwd=folder, env=ENV, timeout=60, said=said)


def test_it_has_arguments_a_folder_an_environment_and_standard_files_of_its_own(tmp_path: Path) -> None:
    text = "import json; print(json.dumps([sys.argv[2:], os.getcwd(), dict(os.environ), sys.stdin.read()]))"
    done = ran(tmp_path, text, "one", "two words", said="heard\n")
    assert json.loads(done.stdout) == [["one", "two words"], str(tmp_path), ENV, "heard\n"]
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        ("sys.exit(3)", 3, ""),
        ("sys.exit('No.')", 1, "No.\n"),
        ("raise ValueError('odd')", 1, "ValueError: odd\n"),
        ("import warnings; warnings.warn('old', stacklevel=1)", 1, "UserWarning: old\n"),
        ("os.kill(os.getpid(), 9)", -signal.SIGKILL, ""),
        ("raise KeyboardInterrupt", -signal.SIGINT, ""),
    ],
)
def test_it_ends_as_any_program_does(tmp_path: Path, text: str, code: int, told: str) -> None:
    done = ran(tmp_path, text)
    assert done.returncode == code
    assert done.stderr.endswith(told)


def test_it_can_be_frozen_thawed_and_killed_and_is_no_child_of_the_tests(tmp_path: Path) -> None:
    text = "import signal; print(os.getppid(), flush=True); signal.pause()"
    with process.piped("tests.warm.small", [text], cwd=tmp_path, env=ENV) as frozen:
        assert frozen.stdout is not None
        assert int(frozen.stdout.readline()) != os.getpid()
        frozen.send_signal(signal.SIGSTOP)
        with pytest.raises(subprocess.TimeoutExpired):
            frozen.wait(0.05)
        frozen.send_signal(signal.SIGCONT)
        assert frozen.poll() is None
        frozen.kill()
        assert frozen.communicate(60) == ("", "")
    assert frozen.returncode == -signal.SIGKILL


def test_what_one_changes_in_itself_the_next_does_not_see(tmp_path: Path) -> None:
    ran(tmp_path, "import elenchus.service as service; service.left = 1; os.environ['LEFT'] = '1'; os.chdir('/')")
    done = ran(
        tmp_path,
        "import elenchus.service as service\nprint(hasattr(service, 'left'), 'LEFT' in os.environ, os.getcwd())",
    )
    assert done.stdout.split() == ["False", "False", str(tmp_path)]


def test_its_parent_has_imported_what_the_program_needs_and_nothing_of_the_tests(tmp_path: Path) -> None:
    done = ran(tmp_path, "print(*sorted(sys.modules))")
    loaded = set(done.stdout.split())
    assert {"elenchus.service.cli.program", "elenchus.bot.client", "discord", "matplotlib.figure"} <= loaded
    assert not {"pytest", "tests.bot.stage", "xllamacpp", "torch"} & loaded
