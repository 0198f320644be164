"""The fence around the tests."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

SKIPPING = """
import pytest
from tests.conftest import BESIDE

@pytest.mark.parametrize("n", range(30))
def test_compares(n):
    pytest.skip(f"NOT COMPARED: {BESIDE / 'table'} is missing")

def test_compares_too():
    pytest.skip(f"NOT COMPARED: {BESIDE / 'table'} is missing")
"""


@pytest.mark.parametrize("host", ["api.openai.com", "192.0.2.1", "2001:db8::1"])
def test_a_test_cannot_look_up_another_machine(host: str) -> None:
    with pytest.raises(RuntimeError, match="loopback only"):
        socket.getaddrinfo(host, 443)


def test_a_test_cannot_connect_to_another_machine() -> None:
    with socket.socket() as client, pytest.raises(RuntimeError, match="loopback only"):
        client.connect(("192.0.2.1", 443))


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_a_test_can_speak_to_a_server_of_its_own(host: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection((host, server.getsockname()[1]), timeout=5).close()


def test_the_developers_sessions_are_out_of_reach() -> None:
    assert "elenchus-home" in os.environ["ELENCHUS_HOME"]


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["0", "2"])
def test_what_is_missing_beside_the_repository_is_said_once_with_the_number_of_tests(
    tmp_path: Path, workers: str
) -> None:
    (tmp_path / "tests").mkdir()
    shutil.copy(Path(__file__).with_name("conftest.py"), tmp_path / "tests")
    (tmp_path / "tests" / "test_skipping.py").write_text(SKIPPING, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-ra",
        "-n",
        workers,
        "--import-mode=importlib",
        "-p",
        "no:cacheprovider",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("SKIPPED")]
    assert line.startswith("SKIPPED [31] ")
    assert line.endswith("NOT COMPARED: " + str(tmp_path.parent / "shared" / "table") + " is missing")


def test_no_name_of_a_test_is_so_long_that_workers_send_each_other_megabytes(request: pytest.FixtureRequest) -> None:
    assert max((len(item.nodeid), item.nodeid[:200]) for item in request.session.items) < (1000, "")
