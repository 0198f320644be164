"""`elenchus serve` as a process of its own, and programs that ask it over HTTP."""

from __future__ import annotations

import json
import signal
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.service.cli.program import PATIENCE, Program, Started

SCRIPTED = {"pro": "scripted:demo", "con": "scripted:demo", "judges": ["scripted:demo"]}
ENDLESS = "scripted:demo?latency=60"


@dataclass
class Server:
    """A server that runs. `url` is its address, `link` its moderator's; `said` what it has written to stderr."""

    process: Started
    url: str
    link: str
    port: int
    said: list[str] = field(default_factory=list)
    token: str = ""

    def ask(
        self, path: str, body: Any = None, *, headers: Mapping[str, str] | None = None, method: str = ""
    ) -> tuple[int, dict[str, str], Any]:
        """Status, headers and document of an answer."""
        sent = {"Content-Type": "application/json"} | dict(headers or {})
        if self.token:
            sent.setdefault("Authorization", f"Bearer {self.token}")
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(self.url + path, data, sent, method=method or None)  # noqa: S310 - loopback
        try:
            with urllib.request.urlopen(asked, timeout=60) as answer:  # noqa: S310
                return answer.status, dict(answer.headers), _read(answer)
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, dict(refused.headers), _read(refused)

    def debate(self, motion: str = "Homework should end", **options: Any) -> str:
        """A debate that is begun; its id."""
        options = SCRIPTED | {"motion": motion, "max_rounds": 1} | options
        status, _, made = self.ask("/api/v1/sessions", {"protocol": "debate", "options": options})
        assert status == 201, made
        return str(made["id"])

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal; the exit code."""
        self.process.send_signal(number)
        return self.process.wait(timeout=PATIENCE)

    def until(self, path: str, **wanted: Any) -> Any:
        """Wait until the document there has these values."""
        deadline = time.monotonic() + PATIENCE
        while True:
            found = self.ask(path)[2]
            if {name: found.get(name) for name in wanted} == wanted:
                return found
            assert time.monotonic() < deadline, found
            time.sleep(0.05)


def _read(answer: Any) -> Any:
    body = answer.read()
    return json.loads(body) if "json" in (answer.headers.get_content_type() or "") else body.decode()


def free_port() -> int:
    """A port at which nobody listens now."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


@contextmanager
def served(elenchus: Program, *arguments: str, env: Mapping[str, str] | None = None) -> Iterator[Server]:
    """A server at a free port, killed at the end if it still runs."""
    port = free_port()
    process = elenchus.start("serve", "--port", str(port), "--json", *arguments, env=env)
    said: list[str] = []
    assert process.stdout is not None
    assert process.stderr is not None
    reading = threading.Thread(target=lambda: said.extend(process.stderr or ()), daemon=True)
    reading.start()
    try:
        first = process.stdout.readline()
        assert first, (process.wait(timeout=PATIENCE), said)
        ready = json.loads(first)
        server = Server(process, ready["url"], ready["moderator"], port, said)
        token = elenchus("tokens", "create", "--role", "owner", "--json")
        server.token = token.json["secret"]
        yield server
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            process.wait(timeout=PATIENCE)
        reading.join(PATIENCE)
        process.stdout.close()
        process.stderr.close()
