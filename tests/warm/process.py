"""Starts programs that need not import anything first: see `parent.py`. It is available on Linux."""

from __future__ import annotations

import atexit
import functools
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Self, TextIO

ROOT = Path(__file__).parents[2]
AVAILABLE = sys.platform == "linux"


@dataclass
class Process:
    """A process that was started warm, used as one uses a `subprocess.Popen` in text mode."""

    args: Sequence[str]
    pid: int
    ends: socket.socket
    stdout: TextIO | None = None
    stderr: TextIO | None = None
    returncode: int | None = None

    def poll(self) -> int | None:
        """The exit status, None while it runs."""
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end; the exit status. Raises subprocess.TimeoutExpired."""
        if (code := self._ended(timeout)) is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0)
        return code

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """What it still says on standard output and error, after it has ended. Raises subprocess.TimeoutExpired."""
        with ThreadPoolExecutor(2) as readers:
            said = [readers.submit(file.read) for file in (self.stdout, self.stderr) if file is not None]
            try:
                self.wait(timeout)
            except subprocess.TimeoutExpired:
                self.kill()
                raise
            out, err = (each.result() for each in said)
        self._close()
        return out, err

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _ended(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self.ends], [], [], timeout)[0]:
            self.returncode = int(self.ends.recv(16))
            self.ends.close()
        return self.returncode

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()
        self.wait()

    def _close(self) -> None:
        for file in (self.stdout, self.stderr):
            if file is not None:
                file.close()


@functools.cache
def parent(*, bare: bool) -> socket.socket:
    """The socket on which this test run's parent of all warm processes takes requests; it is started when first needed.

    It ends when nobody holds the socket any more. `bare`: the one that has imported no vendor's SDK.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-m", "tests.warm.parent", str(theirs.fileno()), *(["bare"] if bare else [])]
    without_threads = {"OPENBLAS_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
    started = subprocess.Popen(command, cwd=ROOT, pass_fds=[theirs.fileno()], env={**os.environ, **without_threads})
    theirs.close()

    @atexit.register
    def _end() -> None:
        ours.close()
        started.wait()

    return ours


def start(
    module: str,
    arguments: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    files: tuple[int, int, int],
    terminal: bool = False,
    bare: bool = False,
) -> Process:
    """Start `python -m module arguments…` with these standard files; on `terminal` its standard input is its own."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    wanted: dict[str, Any] = {"module": module, "arguments": list(arguments), "cwd": str(cwd), "env": dict(env)}
    with theirs:
        asked = json.dumps(wanted | {"terminal": terminal}).encode()
        socket.send_fds(parent(bare=bare), [asked], [theirs.fileno(), *files])
    return Process((module, *arguments), int(ours.recv(16)), ours)


def piped(module: str, arguments: Sequence[str], *, cwd: Path, env: Mapping[str, str]) -> Process:
    """Start a program that reads nothing, and whose output and errors can be read."""
    (out, out_end), (err, err_end) = os.pipe(), os.pipe()
    with Path(os.devnull).open() as nothing:
        process = start(module, arguments, cwd=cwd, env=env, files=(nothing.fileno(), out_end, err_end))
    os.close(out_end)
    os.close(err_end)
    process.stdout, process.stderr = os.fdopen(out), os.fdopen(err)
    return process


def run(
    module: str,
    arguments: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    timeout: float,
    said: str = "",
    bare: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end; `said` stands on its standard input. Raises subprocess.TimeoutExpired."""
    with _scratch() as stdin, _scratch() as out, _scratch() as err:
        stdin.write(said)
        stdin.seek(0)
        files = (stdin.fileno(), out.fileno(), err.fileno())
        with start(module, arguments, cwd=cwd, env=env, files=files, bare=bare) as process:
            try:
                code = process.wait(timeout)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
        return subprocess.CompletedProcess(process.args, code, _text(out), _text(err))


def _scratch() -> IO[str]:
    return tempfile.TemporaryFile("w+", encoding="utf-8")


def _text(file: IO[str]) -> str:
    file.seek(0)
    return file.read()
