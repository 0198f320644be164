"""Run the benchmarks and write docs/benchmarks.md.

    python -m benchmarks               run all, rewrite the page
    python -m benchmarks NAME…         run these and print what they found; the page stays as it is

A benchmark is a file here, one claim about speed each: its docstring begins with the claim, its standard output is
Markdown (a table, with the ratios of that run), its standard error is progress. Each runs in a process of its own.
"""

from __future__ import annotations

import ast
import datetime
import os
import platform
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "benchmarks.md"


def names() -> list[str]:
    """Return the names of all benchmarks, sorted."""
    return sorted(path.stem for path in HERE.glob("[a-z]*.py"))


def cpu() -> str:
    """Return the processor's name, or its architecture where the system does not tell."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def head() -> str:
    """Return the page's beginning: how it was made, and on what."""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    return (
        "# Benchmarks\n\n<!-- Written by `make bench`. Do not edit. -->\n\n"
        f"Measured on {today}: {os.cpu_count()} cores ({cpu()}), Python {platform.python_version()}, "
        f"{platform.system()}. Each table comes from one run, so its ratios hold where its times do not.\n"
    )


def section(name: str) -> str:
    """Run one benchmark; return its claim and its tables. Raises subprocess.CalledProcessError when it fails."""
    print(f"benchmark {name} …", file=sys.stderr)
    path = HERE / f"{name}.py"
    claim = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    command = [sys.executable, "-m", f"{HERE.name}.{name}"]
    found = subprocess.run(command, cwd=HERE.parent, check=True, stdout=subprocess.PIPE, text=True).stdout
    return f"\n## {name.replace('_', ' ').capitalize()}\n\n{claim}\n\n{found.strip()}\n"


def main() -> int:
    """Run what the command line names, or all."""
    wanted = sys.argv[1:]
    unknown = set(wanted) - set(names())
    if unknown:
        print(f"No such benchmark: {', '.join(sorted(unknown))}. There are: {', '.join(names())}.", file=sys.stderr)
        return 2
    if wanted:
        for name in wanted:
            print(section(name))
        return 0
    PAGE.write_text(head() + "".join(map(section, names())), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
