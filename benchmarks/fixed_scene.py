"""A person plays a scene of fixed lines without any model: the first words stand there within a second of consent, and
each next thing within a tenth of a second of an answer.

The program is started as a teacher starts it, in a process of its own, and answered at its standard input as soon as it
asks. Seconds are counted outside it, from the line that was written to the line that was read. The calls to models are
those in the log.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from elenchus.config.settings import Settings
from elenchus.debate_engine.log import calls_of
from elenchus.service.store import database_path
from elenchus.storage.sqlite_log import open_log

PLAYS = 10
COMMAND = (sys.executable, "-m", "elenchus.service.cli", "scene", "run", "anchoring", "--subject", "human")
ANSWERS = {"agreed": "yes", "your words": "As it is.\n.", "": "240"}
"""What is typed, by the word behind the mark of a question."""


@contextmanager
def playing(home: Path) -> Iterator[subprocess.Popen[str]]:
    """The program with a data folder of its own, no key in its surroundings."""
    bare = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    environment = bare | {"ELENCHUS_HOME": str(home), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        yield process


def answer_to(line: str) -> str:
    """What is typed where the program asks this."""
    asked = line.removeprefix("> ")
    words = next((typed for begins, typed in ANSWERS.items() if begins and asked.startswith(begins)), "")
    if words:
        return words
    options = [part.strip() for part in asked.rpartition("(")[2].rstrip(")").split("/")]
    return "1" if len(options) > 1 else ANSWERS[""]


def played(home: Path) -> tuple[float, list[float]]:
    """Seconds from consent to the first words, and from each further answer to the next line."""
    waits: list[float] = []
    typed = 0.0
    with playing(home) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        for line in process.stdout:
            if typed and line.strip():
                waits.append(time.perf_counter() - typed)
                typed = 0.0
            if line.startswith("> ") and not line.startswith((">  ", "> >")):
                process.stdin.write(answer_to(line.rstrip()) + "\n")
                process.stdin.flush()
                typed = time.perf_counter()
    assert process.returncode == 0, process.returncode
    _, consent, *others = waits  # the age is asked first
    return consent, others


async def calls_in(home: Path) -> int:
    """The calls to models in all sessions of a data folder."""
    log = await open_log(database_path(Settings(home=home)))
    try:
        return sum([len(list(calls_of(await log.read(info.id)))) for info in await log.sessions()])
    finally:
        await log.aclose()


def main() -> None:
    """Play and print."""
    firsts, turns = [], []
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for n in range(PLAYS):
            first, waits = played(home)
            firsts.append(first)
            turns += waits
            print(f"play {n + 1}: {first:.3f} s, {len(waits)} answers", file=sys.stderr)
        calls = asyncio.run(calls_in(home))
    print("| what | median | worst | aim |\n| --- | ---: | ---: | ---: |")
    print(f"| consent to the first words | {median(firsts):.3f} s | {max(firsts):.3f} s | 1 s |")
    print(f"| an answer to the next line ({len(turns)} answers) | {median(turns):.3f} s | {max(turns):.3f} s | 0.1 s |")
    print(f"| calls to models in {PLAYS} plays | {calls} | | 0 |")


if __name__ == "__main__":
    main()
