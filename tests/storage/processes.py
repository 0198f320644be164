"""Other processes for the tests of the log: real ones, that can be killed, frozen and talked to."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]


class Child:
    """A process that runs one of the programs of child.py."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.pid = process.pid

    async def line(self) -> str:
        """The next line that it says; "" at its end."""
        assert self._process.stdout
        return (await asyncio.wait_for(self._process.stdout.readline(), 30)).decode().strip()

    async def rest(self) -> list[str]:
        """All lines that it still says."""
        assert self._process.stdout
        return (await asyncio.wait_for(self._process.stdout.read(), 60)).decode().splitlines()

    def tell(self, line: str = "") -> None:
        assert self._process.stdin
        self._process.stdin.write(f"{line}\n".encode())

    def signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    async def kill(self) -> None:
        self.signal(signal.SIGKILL)
        await self._process.wait()

    async def end(self) -> int:
        """Close its stdin and wait for its end; its exit status."""
        assert self._process.stdin
        self._process.stdin.close()
        return await asyncio.wait_for(self._process.wait(), 30)


@asynccontextmanager
async def child(
    verb: str, place: Path, *arguments: str, function: str = "elenchus.storage.sqlite_log:open_log"
) -> AsyncIterator[Child]:
    """A child process with the log that this function opens at this place; killed at the end if it is still there."""
    program = str(Path(__file__).with_name("child.py"))
    places = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    pipe = subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, program, verb, function, str(place), *arguments,
        stdin=pipe, stdout=pipe, env={**os.environ, "PYTHONPATH": places},
    )  # fmt: skip
    try:
        yield Child(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()
