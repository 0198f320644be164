"""What else differs between the groups that are compared: other seats, temperature. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from elenchus.debate_engine.protocols.rulegen.study.cases import Case

Groups = Sequence[Sequence[Case]]
"""The cases of the groups of a stratum."""


def confounded(strata: Sequence[Groups], over: str) -> tuple[str, ...]:
    """The settings whose values were not taken equally often (in shares) by the groups of a stratum.

    Only what all of them have is compared. A seat that a version lacks belongs to the version, as where a confederate's
    words are a model's in one and fixed in the other; people have no system agent beside them, and no temperature.
    """
    found: dict[str, None] = {}
    for groups in strata:
        sides = [[dict(case.settings) for case in cases] for cases in groups]
        names = [dict.fromkeys(name for settings in side for name in settings) for side in sides]
        every = [name for name in names[0] if all(name in side for side in names)]
        if over == "subjects":
            every = [name for name in every if name != "temperature"]
        found |= dict.fromkeys(name for name in every if len({_shares(name, side) for side in sides}) > 1)
    return tuple(found)


def _shares(name: str, side: Sequence[dict[str, str]]) -> frozenset[tuple[str, Fraction]]:
    taken: Counter[str] = Counter(settings.get(name, "") for settings in side)
    return frozenset((value, Fraction(times, len(side))) for value, times in taken.items())
