"""The real program in processes of its own: at the end of a pipe, and on a terminal (a pty).

They start warm (`tests/warm`), but for those of a `Program` that is `cold`: it starts as from a shell, imports and all.
Those of one that is `bare` start warm, and have imported no vendor's SDK.
"""

from __future__ import annotations

import codecs
import contextlib
import json
import os
import pty
import queue
import re
import signal
import sqlite3
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from tests.warm import process as warm

MODULE = "elenchus.service.cli"
ELENCHUS = [sys.executable, "-m", MODULE]
ROOT = Path(__file__).parents[3]
Started = warm.Process | subprocess.Popen[str]
"""A command that runs."""
PATIENCE = 100.0
"""Seconds; the machine may be busy."""

AT_THE_START = ("PYTHON", "LANG", "LC_")
"""Variables that Python reads when it starts."""
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV", "PYTHONPATH")
END = b"\x1eread to the end\x1e"
"""What stands on a terminal behind all that a program has written before it ended."""
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\r|\x07")


def environment(home: Path, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """An environment without anybody's keys."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    ours = {
        "ELENCHUS_HOME": str(home), "PYTHONWARNINGS": "error", "TERM": "xterm-256color",
        "ELENCHUS_LOCAL_THREADS": "1",  # several would wait for one another beside the other tests
    }  # fmt: skip
    return kept | ours | dict(more or {})


def hears_signals() -> None:
    """Also where the tests run in the background of a shell, which has its children ignore SIGINT, or under `nohup`."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


@dataclass(frozen=True)
class Result:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output, which must be one JSON document and nothing else."""
        return json.loads(self.out)


@dataclass(frozen=True)
class Program:
    """`elenchus` with a home of its own, run in an empty folder."""

    home: Path
    folder: Path
    cold: bool = not warm.AVAILABLE
    bare: bool = False

    @property
    def from_a_shell(self) -> Program:
        """The same, whose commands start cold."""
        return Program(self.home, self.folder, cold=True)

    def __call__(
        self, *arguments: str | Path, stdin: str | None = None, env: Mapping[str, str] | None = None
    ) -> Result:
        """Run a command to its end."""
        if not self.cold and not any(name.startswith(AT_THE_START) for name in env or {}):
            known = environment(self.home, {"PYTHONPATH": str(ROOT), **(env or {})})
            given = [str(a) for a in arguments]
            ended = warm.run(
                MODULE, given, cwd=self.folder, env=known, timeout=PATIENCE, said=stdin or "", bare=self.bare
            )
            return Result(ended.returncode, ended.stdout, ended.stderr)
        done = subprocess.run(
            [*ELENCHUS, *map(str, arguments)],
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            cwd=self.folder,
            env=environment(self.home, {"PYTHONPATH": str(ROOT), **(env or {})}),
            check=False,
        )
        return Result(done.returncode, done.stdout, done.stderr)

    def start(self, *arguments: str | Path, env: Mapping[str, str] | None = None) -> Started:
        """Start a command; the caller ends it. `env` is added to its environment.

        A signal may come while Python reads a module's file, which it then leaves unclosed: that is no fault of ours.
        """
        if not self.cold:
            known = environment(self.home, {"PYTHONPATH": str(ROOT), **(env or {})})
            return warm.piped(MODULE, [str(a) for a in arguments], cwd=self.folder, env=known)
        return subprocess.Popen(
            [*ELENCHUS, *map(str, arguments)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.folder,
            env=environment(
                self.home, {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error,ignore::ResourceWarning", **(env or {})}
            ),
            preexec_fn=hears_signals,  # noqa: PLW1509 - it touches nothing that a thread may hold
        )

    def terminal(self, *arguments: str | Path, columns: int = 120, lines: int = 40) -> Terminal:
        """Start a command on a terminal."""
        return Terminal(self, [str(a) for a in arguments], columns, lines)

    def wait_for(self, kind: str, holding: str = "") -> str:
        """Wait until an event of this kind, with these words in it, is in the database; its session's id."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            for session, body in self._rows(kind):
                if holding in body:
                    return session
            time.sleep(0.02)
        raise AssertionError(f"no event of kind {kind} with {holding!r} came")

    def events(self, kind: str) -> list[dict[str, Any]]:
        """All events of a kind in the database, in order."""
        return [json.loads(body) for _, body in self._rows(kind)]

    def _rows(self, kind: str) -> list[tuple[str, str]]:
        if not (path := self.home / "elenchus.db").exists():
            return []
        with contextlib.closing(sqlite3.connect(path)) as connection, contextlib.suppress(sqlite3.OperationalError):
            return connection.execute("SELECT session, body FROM events WHERE kind = ? ORDER BY id", (kind,)).fetchall()
        return []


class Terminal:
    """A command on a terminal that a test reads and types on."""

    def __init__(self, program: Program, arguments: Sequence[str], columns: int, lines: int) -> None:
        self.screen, self._expected = "", 0
        self._shown: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._master, slave = pty.openpty()
        termios.tcsetwinsize(self._master, (lines, columns))
        self.slave = slave
        self.mode_before = termios.tcgetattr(slave)
        known = environment(program.home, {"PYTHONPATH": str(ROOT)})
        self.process = (
            _warm_on(slave, program, arguments, known)
            if not program.cold
            else subprocess.Popen(
                [*ELENCHUS, *arguments],
                stdin=slave,
                stdout=slave,
                stderr=slave,
                cwd=program.folder,
                env=known,
                preexec_fn=_own_terminal,  # noqa: PLW1509 - the child is a fresh process group with this terminal
                close_fds=True,
            )
        )

        self._showing = threading.Thread(target=self._show, daemon=True)
        self._showing.start()

    def _show(self) -> None:
        """Take what the program writes at once, as a terminal does, whatever the test is busy with."""
        with contextlib.suppress(OSError):
            while piece := os.read(self._master, 65536):
                self._shown.put(piece)

    def expect(self, text: str) -> None:
        """Read until the text was shown after what was expected before (white space counts as one blank)."""
        deadline = time.monotonic() + PATIENCE
        while (at := _plain(self.screen).find(text, self._expected)) < 0:
            shown = _plain(self.screen)[self._expected :][-3000:]
            assert time.monotonic() < deadline, f"{text!r} was not shown: {shown}"
            piece = self._read()
            assert piece is not None, f"the program ended before {text!r}: {shown}"
            self.screen += piece
        self._expected = at + len(text)

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self._master, text.encode())

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        os.write(self._master, b"\x03")

    def wait(self) -> int:
        """Wait for the end; the exit code. What was still shown is read."""
        code = self.process.wait(timeout=PATIENCE)
        with contextlib.suppress(OSError):  # a system that takes the terminal from everybody as its owner ends
            os.write(self.slave, END)
        while not self.screen.endswith(END.decode()) and (piece := self._read(0.2)) is not None:
            self.screen += piece
        self.screen = self.screen.removesuffix(END.decode())
        return code

    def close(self) -> None:
        """End it whatever it does."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        os.close(self.slave)
        self._showing.join()
        os.close(self._master)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self, patience: float = 0.5) -> str | None:
        """What was shown next, "" where nothing was; None at the end."""
        try:
            piece = self._shown.get(timeout=patience)
        except queue.Empty:
            return "" if self.process.poll() is None else None
        return self._decoder.decode(piece)


def _warm_on(slave: int, program: Program, arguments: Sequence[str], env: Mapping[str, str]) -> Started:
    return warm.start(MODULE, arguments, cwd=program.folder, env=env, files=(slave, slave, slave), terminal=True)


def _own_terminal() -> None:
    """In the child: a session of its own, with standard input as its terminal."""
    import fcntl

    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _plain(text: str) -> str:
    return " ".join(_ESCAPES.sub("", text).split())
