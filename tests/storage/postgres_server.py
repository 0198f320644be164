"""A PostgreSQL server for the tests: started once a test run on a free port of loopback, in a temporary folder, and
stopped by its own process id. A machine without the program fails these tests, and says so.
"""

from __future__ import annotations

import atexit
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import psycopg

URL = "TESTS_POSTGRES"

USER, PASSWORD = "elenchus", "a-password-of-the-tests"


class PostgresMissing(Exception):
    """PostgreSQL's server is not installed."""


def program(name: str) -> str:
    """Where a program of PostgreSQL's is: Debian keeps those of the server off the PATH. Raises PostgresMissing."""
    kept = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda p: int(p.parts[-3].split(".")[0]))
    found = str(kept[-1]) if kept else shutil.which(name)
    if found is None:
        raise PostgresMissing(f"PostgreSQL's {name} is missing, which these tests need: apt-get install postgresql")
    return found


def as_nobody_special() -> dict[str, int]:
    """How to run it where the tests run as root: PostgreSQL refuses to."""
    if os.getuid() != 0:
        return {}
    account = pwd.getpwnam("postgres")
    return {"user": account.pw_uid, "group": account.pw_gid}


@dataclass
class Server:
    """A server. `settings` are its own, such as `{"wal_level": "replica"}`."""

    folder: Path
    settings: dict[str, str] = field(default_factory=dict)
    port: int = 0
    process: subprocess.Popen[bytes] | None = None

    def url(self, database: str = "postgres", password: str = PASSWORD) -> str:
        """The address of a database in it."""
        return f"postgresql://{USER}:{password}@127.0.0.1:{self.port}/{database}"

    def make(self) -> None:
        """Make its files."""
        self.folder.mkdir(parents=True, exist_ok=True)
        who = as_nobody_special()
        if who:
            os.chown(self.folder, who["user"], who["group"])
        secret = self.folder / "password"
        secret.write_text(PASSWORD)
        secret.chmod(0o644)
        self._run("initdb", "-D", str(self.data), "-U", USER, "--pwfile", str(secret), "-A", "scram-sha-256", "-N",
                  "-E", "UTF8", "--locale", "C.UTF-8")  # fmt: skip

    @property
    def data(self) -> Path:
        """The folder of its files."""
        return self.folder / "data"

    def start(self) -> None:
        """Start it and wait until it answers."""
        if not self.port:
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                self.port = free.getsockname()[1]
        given = {"listen_addresses": "127.0.0.1", "port": str(self.port), "unix_socket_directories": "",
                 "max_connections": "200", "shared_buffers": "16MB", "autovacuum": "off"} | self.settings  # fmt: skip
        options = [word for name, value in given.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [program("postgres"), "-D", str(self.data), *options],
                stdout=log, stderr=log, cwd="/", **as_nobody_special(),  # type: ignore[call-overload]
            )  # fmt: skip
        until = time.monotonic() + 60
        while subprocess.run(
            [program("pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)], check=False
        ).returncode:
            if time.monotonic() > until or self.process.poll() is not None:
                raise RuntimeError(f"PostgreSQL did not start: {(self.folder / 'log').read_text()[-2000:]}")
            time.sleep(0.05)

    def stop(self, number: signal.Signals = signal.SIGQUIT) -> None:
        """End it: at once by default, as a crash does; connections are broken."""
        if self.process is not None:
            self.process.send_signal(number)
            self.process.wait(30)
            self.process = None

    def remove(self) -> None:
        """End it and remove its files."""
        with suppress(ProcessLookupError):
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, name: str, *arguments: str) -> None:
        done = subprocess.run([program(name), *arguments], capture_output=True, text=True, cwd="/", check=False,
                              **as_nobody_special())  # type: ignore[call-overload] # fmt: skip
        if done.returncode:
            raise RuntimeError(f"{name} failed: {done.stderr}")


def temporary_server(**settings: str) -> Server:
    """A server of one's own, which runs; `remove` it."""
    folder = Path(tempfile.mkdtemp(prefix="elenchus-pg-"))
    folder.chmod(0o711)
    server = Server(folder, settings)
    try:
        server.make()
        server.start()
    except BaseException:
        server.remove()
        raise
    return server


@cache
def server() -> Server:
    """The one that this test process shares among its tests; it ends with it."""
    made = temporary_server(fsync="off")
    atexit.register(made.remove)
    return made


def postgres_url() -> str:
    """The address of that server; a process that a test starts finds it in its environment."""
    if URL not in os.environ:
        os.environ[URL] = server().url()
    return os.environ[URL]


def new_database(*settings: str) -> str:
    """The address of an empty database of that server, with settings of its own, such as `lock_timeout = '1s'`."""
    name = f"d{secrets.token_hex(6)}"
    with psycopg.connect(postgres_url(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        for setting in settings:
            connection.execute(f"ALTER DATABASE {name} SET {setting}")
    return postgres_url().replace("/postgres", f"/{name}")
