"""Everything that is refused before anything is spent, each in one sentence that says what to do."""

from __future__ import annotations

import math
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from elenchus.debate_engine.errors import StorageError, UsageError
from elenchus.debate_engine.printable import is_blank

if TYPE_CHECKING:
    from elenchus.config.models import Price

LONGEST_MOTION = 2_000
ROOM_NEEDED = 20_000_000
"""Bytes that must be free before a session starts: a long debate with its log and report."""


def motion(text: str) -> str:
    """The motion, trimmed. Raises UsageError."""
    text = " ".join(text.split())
    if is_blank(text):
        raise UsageError('The motion is empty: give the sentence to debate in quotes, such as "Homework should end".')
    if len(text) > LONGEST_MOTION:
        raise UsageError(
            f"The motion has {len(text):,} characters, of which {LONGEST_MOTION:,} are allowed: shorten it, and give "
            "facts for both sides with --brief FILE."
        )
    return text


def within(value: float, low: float, high: float, option: str, example: str) -> float:
    """A number in its range; `option` is what to type before it, or the name of an argument. Raises UsageError."""
    if not low <= value <= high:  # also refuses what is no number
        text = str(value).removesuffix(".0")
        shown = f"{text[:20]}…" if len(text) > 20 else text
        example = f"{option} {example}" if option.startswith("-") else example
        raise UsageError(f"{option} must be between {low:g} and {high:g}, not {shown}: give {example}.")
    return value


def at_once(value: int | None) -> None:
    """Raises UsageError for a number of runs side by side that no machine can play."""
    if value is not None:
        within(value, 1, 1_000, "--at-once", "16")


def temperature(value: float | None) -> None:
    """Raises UsageError for a temperature that no vendor takes."""
    if value is not None:
        within(value, 0, 2, "--temperature", "0.7")


def rounds(max_rounds: int, decay: float) -> None:
    """Raises UsageError for a debate that could never end."""
    within(max_rounds, 0, 1_000, "--max-rounds", "5")
    within(decay, 1, 100, "--decay", "1.2")
    if max_rounds == 0 and decay == 1:
        raise UsageError(
            "With --decay 1 the debate never cools and without --max-rounds it never ends: set one of them."
        )


def judges(specs: Sequence[str]) -> tuple[str, ...]:
    """The judges' specs. Raises UsageError where there is none."""
    given = tuple(spec.strip() for spec in specs)
    if not given or any(spec.casefold() in ("", "0", "none") for spec in given):
        raise UsageError("A debate needs at least one judge: give --judge SPEC, or leave --judge out for the default.")
    return given


def budget(tokens: int | None, usd: float | None, prefix: str = "--budget-") -> None:
    """Raises UsageError for a budget of nothing; `prefix` is how the command's two options begin."""
    if tokens is not None and tokens <= 0:
        raise UsageError(f"A budget of {tokens} tokens pays for nothing: give {prefix}tokens a larger number.")
    if usd is not None and not (0 < usd < math.inf):
        raise UsageError(f"A budget of {usd:g} dollars pays for nothing: give {prefix}usd a larger amount.")
    within(tokens or 1, 1, 1e12, f"{prefix}tokens", "100000")
    within(usd or 1, 0, 1e9, f"{prefix}usd", "5")


def seed(value: int | None) -> None:
    """Raises UsageError for a seed that no vendor takes."""
    within(value or 0, -(2**63), 2**63 - 1, "--seed", "7")


def price(text: str) -> Price | None:
    """What `--price IN,OUT` says, None where it is "". Raises UsageError."""
    if not text.strip():
        return None
    from elenchus.config.models import Price

    try:
        read, written = (float(part) for part in text.split(","))
    except ValueError:
        read = written = math.nan
    if not (0 <= read < math.inf and 0 <= written < math.inf):
        raise UsageError(
            f"{text!r} is no price: give the US dollars for a million tokens read and written, as in --price 0.10,0.40."
        )
    return Price(input=read, output=written)


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
