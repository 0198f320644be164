"""A server that is killed anywhere while it makes a session: whoever asks again with the same key has one session."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow


def asked(home: Path, uses: int) -> tuple[int, Any]:
    """How the process ended, and what it found."""
    command = [sys.executable, "-m", "tests.service.web.dying_server", str(home), str(uses)]
    ended = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)
    assert ended.returncode in (0, -signal.SIGKILL), ended.stderr
    return ended.returncode, json.loads(ended.stdout) if ended.returncode == 0 else None


def test_wherever_it_is_killed_the_same_key_makes_one_session_which_runs(tmp_path: Path) -> None:
    statuses: list[int] = []
    while statuses.count(200) < 3:  # from then on it is killed amid the debate
        home = tmp_path / str(len(statuses))
        home.mkdir()
        ended, _ = asked(home, len(statuses) + 1)
        assert ended == -signal.SIGKILL
        _, found = asked(home, 0)
        assert found["sessions"] == [found["id"]] == found["running"]
        statuses.append(found["status"])
    assert statuses == sorted(statuses, reverse=True), "made anew until it was there, found there from then on"
    assert statuses.count(201) > 3
