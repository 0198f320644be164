"""The comparisons that a scene's file names: two groups of its versions, within strata. Pure.

A contrast is two patterns of versions, `high/* - none/*`: a level for each factor, `*` for any. What stands under `*`
on both sides is a stratum: like is compared with like, and nothing that differs between strata enters.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Literal

from pydantic import Field, model_validator

from elenchus.debate_engine.scenes.values import Line, Value

Expected = Literal["greater", "less", "different", "same"]

ANY = "*"
_MINUS = " - "


class UnreadableContrast(ValueError):
    """A contrast that names no two groups of versions; the message says what to write."""


class Contrast(Value):
    """Two groups of versions, and what is expected of the outcome of the first against the second.

    `same` is a claim too: the two differ by less than `margin`, in the outcome's own unit (a share: from 0 to 1).
    """

    compare: Line
    expect: Expected = "different"
    margin: float | None = Field(None, gt=0)

    @model_validator(mode="after")
    def _has_margin(self) -> Contrast:
        if self.expect == "same" and self.margin is None:
            raise ValueError(f"“{self.compare}” claims no difference: say within which `margin`")
        return self

    @property
    def one(self) -> str:
        """The pattern of the first group."""
        return self.compare.partition(_MINUS)[0].strip()

    @property
    def other(self) -> str:
        """The pattern of the second, "" where there is none."""
        return self.compare.partition(_MINUS)[2].strip()

    def __str__(self) -> str:
        return f"{self.one} − {self.other}"


def check(contrast: Contrast, versions: Sequence[str]) -> None:
    """Raises UnreadableContrast where it compares nothing that the scene has."""
    text = contrast.compare
    sides = [[version for version in versions if matches(version, side)] for side in (contrast.one, contrast.other)]
    if not all(sides):
        raise UnreadableContrast(f"“{text}” compares no two versions: write {versions[0]} - {versions[-1]}")
    if set(sides[0]) & set(sides[1]):
        raise UnreadableContrast(f"“{text}” compares a version with itself")
    if not strata_of(contrast, versions):
        raise UnreadableContrast(f"“{text}” compares what differs in more than the factors it names")


def by_default(versions: Sequence[str]) -> tuple[Contrast, ...]:
    """Without contrasts in the file: each version against the last."""
    return tuple(Contrast(compare=f"{version}{_MINUS}{versions[-1]}") for version in versions[:-1])


def matches(version: str, pattern: str) -> bool:
    """Whether a version is of a pattern."""
    parts = zip_longest(version.split("/"), pattern.split("/"))
    return all(wanted in (ANY, level) for level, wanted in parts)


def strata_of(contrast: Contrast, versions: Iterable[str]) -> list[tuple[str, str]]:
    """The pairs of versions that are compared: alike in every factor for which both sides have `*`."""
    one, other = contrast.one.split("/"), contrast.other.split("/")
    free = [n for n, pair in enumerate(zip(one, other, strict=False)) if pair == (ANY, ANY)]
    firsts: dict[tuple[str, ...], list[str]] = defaultdict(list)
    seconds: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for version in versions:
        levels = version.split("/")
        stratum = tuple(levels[n] for n in free if n < len(levels))
        if matches(version, contrast.one):
            firsts[stratum].append(version)
        elif matches(version, contrast.other):
            seconds[stratum].append(version)
    pairs = [(firsts[stratum], seconds[stratum]) for stratum in firsts if stratum in seconds]
    return [(a[0], b[0]) for a, b in pairs] if all(len(a) == len(b) == 1 for a, b in pairs) else []
