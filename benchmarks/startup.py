"""Claim: `elenchus --help` answers in less than 400 ms, because heavy modules are imported only when used.

The commands are started in turn, so that whatever else the machine does falls on all alike. The second row is the floor
that the command-line library sets: the same help of a program that has no commands.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time

RUNS = 20
EMPTY = "import sys, typer; sys.argv = ['empty', '--help']; typer.run(lambda: None)"
HELP = "import sys; sys.argv = ['elenchus', '--help']; from elenchus.service.cli import main; main()"
# Without bytecode each start would compile what it imports; that is not what is measured here.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
PROGRAMS = {"python -c pass": "pass", "an empty typer program": EMPTY, "elenchus --help": HELP}


def seconds(code: str) -> float:
    """Return the wall time of one run of a Python program."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, env=ENVIRONMENT, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    """Measure, and print a Markdown table."""
    seconds(HELP)  # compiles the bytecode
    rounds = [[seconds(code) for code in PROGRAMS.values()] for _ in range(RUNS)]
    print("| | median | fastest | times a bare Python |\n| --- | ---: | ---: | ---: |")
    bare = statistics.median(times[0] for times in rounds)
    for name, times in zip(PROGRAMS, zip(*rounds, strict=True), strict=True):
        median = statistics.median(times)
        print(f"| `{name}` | {median * 1000:.0f} ms | {min(times) * 1000:.0f} ms | {median / bare:.1f} |")


if __name__ == "__main__":
    main()
