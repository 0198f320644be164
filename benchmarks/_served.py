"""`elenchus serve` in a process of its own, over a new folder, and what it uses of the machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

TOKEN = "a-token-for-benchmarks-alone"  # noqa: S105 - of a server that lives for a minute
AUTHORIZED = {"Authorization": f"Bearer {TOKEN}"}
MAIN = "import sys; sys.argv[0] = 'elenchus'; from elenchus.service.cli import main; main()"
_KEPT = ("PATH", "HOME", "LANG", "PYTHONPATH", "TMPDIR")


@dataclass(frozen=True)
class Child:
    """A server at `url` in the process `pid`."""

    url: str
    pid: int

    def memory(self) -> int:
        """Bytes of it in memory."""
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def cpu(self) -> float:
        """Seconds of a processor that it has used."""
        parts = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def child(command: Sequence[str], env: Mapping[str, str] | None = None) -> Iterator[Child]:
    """A server whose first line is its address, or a document with it."""
    with subprocess.Popen(
        [sys.executable, *command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env
    ) as process:
        assert process.stdout is not None
        try:
            first = process.stdout.readline().strip()
            yield Child(json.loads(first)["url"] if first.startswith("{") else first, process.pid)
        finally:
            process.terminate()
            process.wait()


@contextmanager
def serving(before: str = "", **settings: str) -> Iterator[Child]:
    """The program as anybody starts it, with these settings beside the token; `before` is Python that runs first."""
    with tempfile.TemporaryDirectory() as home:
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        env = {**kept, "ELENCHUS_HOME": home, "ELENCHUS_API_TOKEN": TOKEN, **settings}
        with child(["-c", before + MAIN, "serve", "--port", "0", "--json"], env) as found:
            yield found


def share(values: Sequence[float], of: float) -> float:
    """So many of the values (0 to 1) are no larger."""
    return sorted(values)[min(len(values) - 1, int(of * len(values)))]


def load() -> str:
    """How busy the machine was meanwhile: a sentence for under the table."""
    one, five, _ = os.getloadavg()
    ahead = f" It ran ahead of the rest (nice {os.nice(0)})." if os.nice(0) < 0 else ""
    return f"Load of the machine at the end, this benchmark included: {one:.1f} (one minute), {five:.1f} (five).{ahead}"
