"""What an experiment varies, and in which version of a scene a rule is played. Pure.

A factor has levels, each with a value that stands for it in texts: `{anchor}` is 480 where the anchor is high. A rule
may say `when: anchor = high` (or `!=`; several levels with `or`, several factors with `and`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import islice, product
from typing import Annotated

from pydantic import Field

from elenchus.debate_engine.scenes.values import Line, Value

Levels = tuple[tuple[str, str], ...]
"""One level of each factor, in the order of the factors: `(("anchor", "low"), ("pressure", "cue"))`."""

NAME = r"[a-z][a-z0-9_]{0,30}"
_TERM = re.compile(rf"({NAME})\s*(!=|≠|=)\s*(.+)")
MOST_VERSIONS = 24
"""Versions of one scene: more cells than that no class and few studies fill."""


class Level(Value):
    """A level by its name; `value` is what stands for it in texts."""

    name: Line
    value: Line = ""


class Factor(Value):
    """What the experiment varies. `within`: each subject meets all levels, one after another."""

    name: Annotated[Line, Field(pattern=f"^{NAME}$")]
    levels: tuple[Level, ...]
    within: bool = False


def crossed(factors: Iterable[Factor]) -> tuple[Levels, ...]:
    """All combinations of levels, the last factor's changing first; one empty one without factors.

    Of more than may be (`MOST_VERSIONS`) one too many is made, and no more: a file of few lines can mean billions.
    """
    every = product(*([(factor.name, level.name) for level in factor.levels] for factor in factors))
    return tuple(islice(every, MOST_VERSIONS + 1))


def label(levels: Levels) -> str:
    """A version's name, to be typed: `low/cue`."""
    return "/".join(level for _, level in levels)


def described(levels: Levels) -> str:
    """A version as people read it: "anchor low, pressure cue"."""
    return ", ".join(f"{factor} {level}" for factor, level in levels)


class UnreadableWhen(ValueError):
    """A condition of a rule that says something else than levels of factors; the message says what."""


def holds(when: str, levels: Mapping[str, str]) -> bool:
    """Whether a rule is played at these levels; one without a condition is. Raises UnreadableWhen."""
    return all(_holds(term, levels) for term in terms(when))


def _holds(term: tuple[str, bool, tuple[str, ...]], levels: Mapping[str, str]) -> bool:
    factor, equal, named = term
    return (levels[factor] in named) is equal


def terms(when: str) -> tuple[tuple[str, bool, tuple[str, ...]], ...]:
    """The condition's terms: factor, whether it is or is not at one of these levels, the levels."""
    if not when.strip():
        return ()
    found = []
    for part in re.split(r"\s+and\s+", when.strip()):
        if not (term := _TERM.fullmatch(part.strip())):
            raise UnreadableWhen(f"“{part.strip()[:60]}” names no level of a factor: write anchor = high")
        found.append((term[1], term[2] == "=", tuple(re.split(r"\s+or\s+", term[3].strip()))))
    return tuple(found)


def check(when: str, factors: Iterable[Factor]) -> None:
    """Raises UnreadableWhen for a factor or a level that there is not."""
    known = {factor.name: [level.name for level in factor.levels] for factor in factors}
    for factor, _, named in terms(when):
        if factor not in known:
            raise UnreadableWhen(f"{factor} is no factor: there is {', '.join(known) or 'none'}")
        if unknown := [level for level in named if level not in known[factor]]:
            raise UnreadableWhen(f"{unknown[0]} is no level of {factor}: there is {', '.join(known[factor])}")
