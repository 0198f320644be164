"""Everything that is refused before anything is spent, each in one sentence that says what to do."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from elenchus.debate_engine.errors import StorageError, UsageError
from elenchus.service.lab.options import Named, RunOptions, options_of, out_of_range

ROOM_NEEDED = 20_000_000
"""Bytes that must be free before a session starts: a long debate with its log and report."""


def within(value: float, low: float, high: float, option: str, example: str) -> float:
    """A number in its range; `option` is what to type before it, or the name of an argument. Raises UsageError."""
    if not low <= value <= high:  # also refuses what is no number
        raise UsageError(out_of_range(value, low, high, option, example))
    return value


def option(field: str) -> str:
    """What an option of `lab.options` is called here."""
    called = {"n": "-n", "judges": "--judge", "heats": "--heat", "sources": "--source", "subjects": "--subject"}
    called |= {"styles": "--style", "conditions": "--condition", "called": "--name", "name": "NAME"}
    return called.get(field) or f"--{field.replace('_', '-')}"


def run_options(named: Named = option, **given: Any) -> RunOptions:
    """What any session may be told, checked. Raises UsageError."""
    return options_of(RunOptions, given, named)


_BOUNDS = {
    "repeats": (50, 3), "judge_repeats": (50, 3), "limit": (1_000_000, 10), "n": (50, 3), "at_once": (1_000, 16),
    "items": (1_000_000, 120), "pairs": (1_000_000, 5_000), "seeds": (20, 3), "rotations": (3, 3), "rounds": (10, 5),
}  # fmt: skip
"""Numbers that are asked for by no model of options: the most of each, and an example. The least is 1."""


def in_bounds(**typed: int | None) -> None:
    """Raises UsageError for the first number that is out of its bounds."""
    for name, value in typed.items():
        if value is not None:
            most, example = _BOUNDS[name]
            within(value, 1, most, option(name), str(example))


def named(value: str, choices: str, option: str) -> None:
    """Raises UsageError for none of the choices, such as `a, b or c`."""
    if value not in choices.replace(" or ", ", ").split(", "):
        raise UsageError(f"{option} is {choices}.")


def detachable(*, dry_run: bool = False, export: Path | None = None) -> None:
    """Raises UsageError where nothing can be left to a worker, or what is asked for needs somebody who waits."""
    from elenchus.service.cli import context
    from elenchus.service.store import needed_queue

    if dry_run:
        raise UsageError("--dry-run asks nobody, so there is nothing to --detach from: leave one of the two away.")
    if export is not None:
        raise UsageError(
            "--export is written at the end, and --detach does not wait for it: leave it away, and export later by "
            "`elenchus sessions export`, or by `resume --export` where there are many."
        )
    needed_queue(context.settings(), "--detach")


def room(path: Path) -> None:
    """Raises StorageError where the disk under `path` is nearly full."""
    there = next((p for p in (path, *path.parents) if p.exists()), path)
    try:
        free = shutil.disk_usage(there).free
    except OSError:
        return  # a file system that does not say
    if free < ROOM_NEEDED:
        raise StorageError(
            f"Only {free / 1e6:.0f} MB are free where {path} lies, and a session may need {ROOM_NEEDED / 1e6:.0f} MB: "
            "free some space, or set ELENCHUS_HOME to another disk."
        )
