"""Write docs/cli.md: every `elenchus` command with its arguments and options as tables, under the panels of its help.

    python docs/render_cli.py            rewrite docs/cli.md
    python docs/render_cli.py --check    change nothing; exit 1 and show the difference when docs/cli.md is stale

Whatever commands the program has are found by walking its command tree, so nothing is listed here.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

PAGE = Path(__file__).with_name("cli.md")
HEAD = """\
# The command line

<!-- Written by `make docs` from the program itself; a check in the gate compares the two. Do not edit. -->

Every command, with its arguments and options. `--help` after any of them prints the same.
"""


def sections(command: Any, path: tuple[str, ...] = ("elenchus",)) -> Iterator[str]:
    """Yield a command's part of the page, then that of each visible command under it, in the help's order."""
    context = command.context_class(command, info_name=" ".join(path))
    first, *more = (command.help or "").split("\n\n")
    usage = " ".join((*path, *command.collect_usage_pieces(context)))
    children = {name: child for name, child in getattr(command, "commands", {}).items() if not child.hidden}
    yield "\n\n".join(
        (
            f"## `{' '.join(path)}`",
            plain(first),
            f"    {usage}",
            *map(plain, more),
            *tables(parameter_rows(command, context)),
            *tables(command_rows(children, path)),
        )
    )
    for name, child in children.items():
        yield from sections(child, (*path, name))


Row = tuple[str, str, str]
"""The panel of the help that it stands in, what is typed, what it does."""


def parameter_rows(command: Any, context: Any) -> Iterator[Row]:
    """Yield the rows of a command's arguments, then those of its options; `--help`, which all have, is left out."""
    for parameter in sorted(command.params, key=lambda parameter: parameter.param_type_name != "argument"):
        if not getattr(parameter, "hidden", False):
            panel = parameter.rich_help_panel or f"{parameter.param_type_name.capitalize()}s"
            yield panel, typed(parameter, context), plain(parameter.help or "") + default(parameter, context)


def command_rows(children: dict[str, Any], path: tuple[str, ...]) -> Iterator[Row]:
    """Yield the rows of the commands under a command, each with a link to its part of the page."""
    for name, child in children.items():
        link = f"[`{name}`](#{'-'.join((*path, name))})"
        panel = child.rich_help_panel if isinstance(child.rich_help_panel, str) else "Commands"
        yield panel, link, plain((child.help or "").split("\n\n")[0])


def typed(parameter: Any, context: Any) -> str:
    """What is typed: an argument's name, or an option's names with the name of its value."""
    if parameter.param_type_name == "argument":
        return f"`{parameter.display_name_raw}`"
    value = parameter.display_type_rich(ctx=context).strip("<>").removeprefix("list[").removesuffix("]")
    names = ", ".join((*parameter.opts, *parameter.secondary_opts))
    return f"`{names}`" if value == "bool" else f"`{names} {value}`"


def default(parameter: Any, context: Any) -> str:
    """The default as a sentence, with a blank before it; empty where the help prints none."""
    value = parameter.get_default(context)
    if parameter.required or not value or not parameter.show_default:
        return ""
    return f" Default: `{', '.join(map(str, value)) if isinstance(value, (list, tuple)) else value}`."


def plain(text: str) -> str:
    """The text on one line, with what Markdown would read as its own taken literally."""
    for mark in "|*<":
        text = text.replace(mark, f"\\{mark}")
    return " ".join(text.split())


def tables(rows: Iterable[Row]) -> Iterator[str]:
    """Yield a heading and a table for each panel, in the order in which the panels come first."""
    panels: dict[str, list[Sequence[str]]] = {}
    for panel, *cells in rows:
        panels.setdefault(panel, []).append(cells)
    for panel, lines in panels.items():
        yield "\n".join((f"| {panel} | |", "| --- | --- |", *(f"| {' | '.join(cells)} |" for cells in lines)))


def render() -> str:
    """Return the whole page."""
    from elenchus.service.cli.program import whole_tree

    return "\n".join((HEAD, "\n\n".join(sections(whole_tree())), ""))


def check(page: str) -> int:
    """Return 0 when docs/cli.md is this page; print the difference and return 1 otherwise."""
    shown = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    difference = difflib.unified_diff(
        shown.splitlines(keepends=True), page.splitlines(keepends=True), "docs/cli.md", "what the program has"
    )
    sys.stdout.writelines(difference)
    if shown != page:
        print("docs/cli.md is not what the program has: run `make docs`.", file=sys.stderr)
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
