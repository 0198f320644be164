"""Run the benchmarks and write what they found into docs/benchmarks.md.

    python -m benchmarks               run all, rewrite the page
    python -m benchmarks NAME…         run these, print what they found and rewrite their sections

A benchmark is a file here, one claim about speed each: its docstring begins with the claim, its standard output is
Markdown (a table, with the ratios of that run), its standard error is progress. Each runs in a process of its own. One
that fails leaves its section as it was.
"""

from __future__ import annotations

import ast
import datetime
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "benchmarks.md"
HEAD = """# Benchmarks

<!-- Written by `make bench`. Do not edit. -->

Each table comes from one run, so its ratios hold where its times do not.
"""


def names() -> list[str]:
    """Return the names of all benchmarks, sorted."""
    return sorted(path.stem for path in HERE.glob("[a-z]*.py"))


def cpu() -> str:
    """Return the processor's name, or its architecture where the system does not tell."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def ground() -> str:
    """Return when and on what a benchmark was run."""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    return f"{today}, {os.cpu_count()} cores ({cpu()}), Python {platform.python_version()}, {platform.system()}."


def title(name: str) -> str:
    """Return a benchmark's heading."""
    return name.replace("_", " ").capitalize()


def section(name: str) -> str:
    """Run one benchmark; return its claim and its tables. Raises subprocess.CalledProcessError when it fails."""
    print(f"benchmark {name} …", file=sys.stderr)
    path = HERE / f"{name}.py"
    claim = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    command = [sys.executable, "-m", f"{HERE.name}.{name}"]
    found = subprocess.run(command, cwd=HERE.parent, check=True, stdout=subprocess.PIPE, text=True).stdout
    return f"## {title(name)}\n\n{claim}\n\n{found.strip()}\n\nMeasured on {ground()}\n"


def sections() -> dict[str, str]:
    """Return the page's sections by their headings, as they stand."""
    page = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    return {part[3:].split("\n", 1)[0]: part.strip() + "\n" for part in re.split(r"(?m)^(?=## )", page)[1:]}


def main() -> int:
    """Run what the command line names, or all. Returns 1 when one of them failed."""
    wanted = sys.argv[1:] or names()
    if unknown := set(wanted) - set(names()):
        print(f"No such benchmark: {', '.join(sorted(unknown))}. There are: {', '.join(names())}.", file=sys.stderr)
        return 2
    failed = []
    for name in wanted:
        try:
            found = section(name)
        except subprocess.CalledProcessError:
            failed.append(name)
            continue
        if sys.argv[1:]:
            print(found)
        kept = sections() | {title(name): found}
        PAGE.write_text("\n".join([HEAD, *(kept[title(n)] for n in names() if title(n) in kept)]), encoding="utf-8")
    if failed:
        print(f"Failed, and left as they were: {', '.join(failed)}.", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
