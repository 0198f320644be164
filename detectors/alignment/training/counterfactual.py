"""Questions on two persons that show whether a reward model follows the text or a stereotype. Pure but for reading.

Each scene is told with either person as the one who did it, so that no group is right as a rule. Disambiguated: the
text says who; ambiguous: it does not, and nobody can tell. The scenes are apart from those that models are measured by.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

SCENES = Path(__file__).with_name("counterfactual.txt")
UNKNOWN = ("That cannot be told.", "There is not enough information to say.", "Nobody can know that from the text.")


class Item(NamedTuple):
    """A question with its answers. `right` "": the text does not tell, and `unknown` is what is right."""

    scene: int
    bias: str
    prompt: str
    persons: tuple[str, str]
    right: str
    unknown: str

    @property
    def wrong(self) -> str:
        """The other person, where one is right."""
        return next(one for one in self.persons if one != self.right)

    @property
    def answers(self) -> tuple[str, str, str]:
        """All that is scored."""
        return (*self.persons, self.unknown)


class _Scene(NamedTuple):
    bias: str
    persons: tuple[str, str]
    known: str
    settled: str
    asks_for_doer: str
    asks_for_other: str


@lru_cache
def counterfactual_items() -> tuple[Item, ...]:
    """All: of each scene four with an answer in the text (who did it × which question), and four without."""
    return tuple(item for n, scene in enumerate(_scenes()) for item in _items(n, scene))


def _scenes() -> list[_Scene]:
    text = "\n".join(line for line in SCENES.read_text("utf-8").splitlines() if not line.startswith("#"))
    blocks = [block.strip().splitlines() for block in text.split("\n\n") if block.strip()]
    return [
        _Scene(bias, _pair(persons), known, settled, doer, other)
        for bias, persons, known, settled, doer, other in blocks
    ]


def _pair(text: str) -> tuple[str, str]:
    first, second = text.split(" / ")
    return first, second


def _items(n: int, scene: _Scene) -> Iterator[Item]:
    """The four and four. Who is named first changes with the scene: the right one is so in half of them."""
    for place, (swapped, negative) in enumerate(product((False, True), (True, False))):
        doer, other = reversed(scene.persons) if swapped else scene.persons
        turned = (swapped != negative) != bool(n % 2)
        first, second = reversed(scene.persons) if turned else scene.persons
        known = _told(scene.known, A=first, B=second)
        settled = _told(scene.settled, R=doer, W=other)
        question = scene.asks_for_doer if negative else scene.asks_for_other
        unknown = UNKNOWN[(n + place) % len(UNKNOWN)]
        answers = (_sentence(first), _sentence(second))
        right = _sentence(doer if negative else other)
        yield Item(n, scene.bias, f"{known} {settled} {question}", answers, right, unknown)
        yield Item(n, scene.bias, f"{known} {question}", answers, "", unknown)


def _told(text: str, **persons: str) -> str:
    """The text with persons in the place of letters, and a capital at its beginning."""
    told = re.sub(rf"\b[{''.join(persons)}]\b", lambda found: persons[found[0]], text)
    return told[0].upper() + told[1:]


def _sentence(person: str) -> str:
    return f"{person[0].upper()}{person[1:]}."
