"""Versions of a scene beside one another: what a factor changes, word by word, and what a program sees beside it. Pure.

A factor should change one thing. What is looked for: *length* (of lines that stand in one another's place, and of all
that the subject reads), *history* (how many turns there are, and who speaks to whom in which order), *position* (the
same words at another place), and *advocacy* and *evidence* (a turn that advises, or that tells of things, in one
version alone) where these are not all that the factor changes. Whether words persuade, or inform, only a person can
tell: a turn is taken for what its purpose says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import combinations, zip_longest
from typing import Any

from elenchus.debate_engine.scenes.pace import words_to
from elenchus.debate_engine.scenes.scene import Purpose, Rule, Scene
from elenchus.debate_engine.scenes.versions import differences, places, versions

LINE_APART, SUM_APART, FEW_WORDS = 0.15, 0.10, 2
"""Lines may differ by this share of the shorter one or by so many words, all that is read by this share."""

_KINDS: dict[str, frozenset[Purpose]] = {
    "advocacy": frozenset({"ADV", "CON"}),
    "evidence": frozenset({"PAS", "FUT", "DES", "SYS"}),
}
"""What a turn does by its purpose."""

ORDER = "order"
"""What two versions differ in that meet the same levels, in another order."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two versions by their names: the factors in which they differ, their words apart, and warnings.

    `apart`: where, the words of the one, the words of the other.
    """

    one: str
    other: str
    factors: tuple[str, ...]
    apart: tuple[tuple[str, str, str], ...]
    warnings: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The pair as a document."""
        apart = [dict(zip(("where", "one", "other"), words, strict=True)) for words in self.apart]
        return {**asdict(self), "factors": list(self.factors), "apart": apart, "warnings": list(self.warnings)}


def pairs_of(scene: Scene) -> tuple[Pair, ...]:
    """All pairs of versions, in the order of the levels; none where the scene varies nothing."""
    if not scene.factors:
        return ()
    played, standing = versions(scene), places(scene)
    found = []
    for one, other in combinations(played, 2):
        levels, others = (dict(standing[name][0]) for name in (one, other))
        varied = tuple(name for name in levels if levels[name] != others[name])
        varied += (ORDER,) if standing[one][1] != standing[other][1] else ()
        single = len(varied) == 1 and varied != (ORDER,)  # in another order all stands elsewhere
        warnings = tuple(_beside(played[one], played[other])) if single else ()
        found.append(Pair(one, other, varied, tuple(differences(played[one], played[other])), warnings))
    return tuple(found)


def _beside(one: Scene, other: Scene) -> Iterator[str]:
    """What differs beside what a single factor is to change."""
    rules = [*zip_longest(one.rules, other.rules)]
    apart = [
        n for n, (here, there) in enumerate(rules, 1) if here is None or there is None or _text(here) != _text(there)
    ]
    yield from _history(one, other)
    yield from _position(one, other)
    if len(apart) > 1:
        yield from _purposes(rules, apart)
    yield from _length(one, other, rules)


def _history(one: Scene, other: Scene) -> Iterator[str]:
    counts = [len(scene.rules) for scene in (one, other)]
    if counts[0] != counts[1]:
        yield f"history: the one has {counts[0]} turns, the other {counts[1]}"
    elif [_who(rule) for rule in one.rules] != [_who(rule) for rule in other.rules]:
        yield "history: they do not speak to the same people in the same order"


def _position(one: Scene, other: Scene) -> Iterator[str]:
    """The same words at another place; said once, for what comes first."""
    stand, others = ({_text(rule): n for n, rule in enumerate(scene.rules, 1)} for scene in (one, other))
    for text, n in stand.items():
        if text and others.get(text, n) != n and len(one.rules) == len(other.rules):
            yield f"position: what turn {n} says in the one is turn {others[text]} in the other"
            return


def _purposes(rules: list[tuple[Rule | None, Rule | None]], apart: list[int]) -> Iterator[str]:
    """A turn that advises or tells of things in one version alone, where something else differs too."""
    for kind, purposes in _KINDS.items():
        for n in apart:
            has = [rule is not None and rule.purpose in purposes for rule in rules[n - 1]]
            if has[0] != has[1]:
                does = "advises" if kind == "advocacy" else "tells of things"
                rest = ", ".join(str(k) for k in apart if k != n)
                which = "the one" if has[0] else "the other"
                yield f"{kind}: turn {n} {does} in {which} alone; turns {rest} differ too"


def _length(one: Scene, other: Scene, rules: list[tuple[Rule | None, Rule | None]]) -> Iterator[str]:
    for n, (here, there) in enumerate(rules, 1):
        few, many = sorted((_words(here), _words(there)))
        if few and many > max(few * (1 + LINE_APART), few + FEW_WORDS):
            yield f"length: turn {n} has {_words(here)} words in the one, {_words(there)} in the other"
    for name in one.subjects:
        read = [words_to(scene, name) for scene in (one, other)]
        if max(read) > min(read) * (1 + SUM_APART):
            yield f"length: {name} reads {read[0]} words in the one, {read[1]} in the other"


def _text(rule: Rule) -> str:
    return f"{rule.message} {rule.says}".strip()


def _words(rule: Rule | None) -> int:
    return len(_text(rule).split()) if rule else 0


def _who(rule: Rule) -> tuple[str, tuple[str, ...], str]:
    return rule.initiator, rule.receivers, rule.mode
