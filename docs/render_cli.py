"""Write docs/cli.md: the help of every `elenchus` command, as the program prints it on a terminal 100 columns wide.

    python docs/render_cli.py            rewrite docs/cli.md
    python docs/render_cli.py --check    change nothing; exit 1 and show the difference when docs/cli.md is stale

Whatever commands the program has are found by walking its command tree, so nothing is listed here.
"""

from __future__ import annotations

import contextlib
import difflib
import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PAGE = Path(__file__).with_name("cli.md")
COLUMNS = "100"
HEAD = f"""\
# The command line

<!-- Written by `make docs` from the program itself; a check in the gate compares the two. Do not edit. -->

The help of every command, as the program prints it on a terminal {COLUMNS} columns wide.
"""


def fix_the_terminal() -> None:
    """Make the help independent of the terminal it is printed on. Must run before typer is imported."""
    for name in ("FORCE_COLOR", "GITHUB_ACTIONS", "PY_COLORS"):
        os.environ.pop(name, None)
    os.environ.update(COLUMNS=COLUMNS, TERMINAL_WIDTH=COLUMNS, NO_COLOR="1", LANGUAGE="en")


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the words that lead to a command and to each visible command under it, in the help's order."""
    yield path
    for name, child in getattr(command, "commands", {}).items():
        if not child.hidden:
            yield from commands(child, (*path, name))


def help_of(command: Any, path: tuple[str, ...]) -> str:
    """Return what `elenchus PATH… --help` prints, without trailing blanks."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        command.main(args=[*path, "--help"], prog_name="elenchus", standalone_mode=False)
    return "\n".join(line.rstrip() for line in printed.getvalue().strip("\n").splitlines())


def render() -> str:
    """Return the whole page."""
    fix_the_terminal()
    import typer.main

    from service.cli.program import app

    command = typer.main.get_command(app)
    page = HEAD
    for path in commands(command):
        name = " ".join(("elenchus", *path))
        page += f"\n## `{name}`\n\n```console\n$ {name} --help\n{help_of(command, path)}\n```\n"
    return page


def check(page: str) -> int:
    """Return 0 when docs/cli.md is this page; print the difference and return 1 otherwise."""
    shown = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    difference = difflib.unified_diff(
        shown.splitlines(keepends=True), page.splitlines(keepends=True), "docs/cli.md", "what the program prints"
    )
    sys.stdout.writelines(difference)
    if shown != page:
        print("docs/cli.md is not the help that the program prints: run `make docs`.", file=sys.stderr)
    return int(shown != page)


def main() -> int:
    """Rewrite or check the page."""
    page = render()
    if sys.argv[1:] == ["--check"]:
        return check(page)
    PAGE.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
