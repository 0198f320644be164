"""A Redis server for the tests: on a free port of loopback, in a temporary folder, and stopped by its own process id. A
machine without the program fails these tests, and says so.
"""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


class RedisMissing(Exception):
    """Redis's server is not installed."""


@dataclass
class RedisServer:
    """A server. `settings` are its own, such as `("--requirepass", "secret")`."""

    folder: Path
    settings: tuple[str, ...] = ()
    port: int = 0
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Its address."""
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        if (program := shutil.which("redis-server")) is None:
            raise RedisMissing("redis-server is missing, which these tests need: apt-get install redis-server")
        if not self.port:
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                self.port = free.getsockname()[1]
        given = ["--bind", "127.0.0.1", "--port", str(self.port), "--save", "", "--appendonly", "no", "--dir",
                 str(self.folder), *self.settings]  # fmt: skip
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen([program, *given], stdout=log, stderr=log)
        until = time.monotonic() + 30
        while not self._answers():
            if time.monotonic() > until or self.process.poll() is not None:
                raise RuntimeError(f"Redis did not start: {(self.folder / 'log').read_text()[-2000:]}")
            time.sleep(0.01)

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as way:
                way.sendall(b"PING\r\n")
                return bool(way.recv(64))
        except OSError:
            return False

    def command(self, *words: str) -> None:
        """Have it do something, as an operator would."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as way:
            way.sendall(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w.encode()) for w in words))
            assert not (said := way.recv(4096)).startswith(b"-"), said

    def send(self, number: signal.Signals) -> None:
        """Send it a signal."""
        assert self.process is not None
        self.process.send_signal(number)

    def stop(self, number: signal.Signals = signal.SIGKILL) -> None:
        """End it."""
        if self.process is not None:
            self.process.send_signal(number)
            self.process.wait(30)
            self.process = None


@contextmanager
def redis_server(*settings: str) -> Iterator[RedisServer]:
    """A server of one's own."""
    folder = Path(tempfile.mkdtemp(prefix="elenchus-redis-"))
    server = RedisServer(folder, settings)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
