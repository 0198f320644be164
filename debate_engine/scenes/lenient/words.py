"""Words that several modules of the reader know, and whether a word is meant to be one of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache

from elenchus.debate_engine.scenes.scene import Kind

NUMBERS = "one|two|three|four|five|six|seven|eight|nine|ten"
"""How a role or a rule may be numbered in words."""

NOUNS: dict[Kind, tuple[str, ...]] = {
    "subject": ("subject", "participant", "respondent", "volunteer"),
    "confederate": ("confederate", "influencer", "plant", "insider", "accomplice", "stooge", "actor", "actress"),
    "moderator": (
        "moderator", "facilitator", "host", "researcher", "experimenter", "observer", "coordinator", "supervisor",
        "instructor", "administrator", "organizer", "interviewer", "referee", "narrator",
    ),
}  # fmt: skip
"""The nouns by which scripts call the three kinds of role."""


def word_set(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


TITLES = word_set(
    "professor captain doctor nurse officer judge coach chef inspector colonel sergeant director president"
)
"""Titles by which somebody may be called without the name: `the professor`."""


def closest(word: str, known: Iterable[str]) -> str:
    """The known word that a word (in small letters) is, a typing error forgiven where it is long; "" for none."""
    return _closest(word, tuple(known))


@lru_cache(maxsize=20_000)
def _closest(word: str, known: tuple[str, ...]) -> str:
    if word in known or len(word) < 4:
        return word if word in known else ""
    turned = next((each for each in known if each[0] == word[0] and sorted(each) == sorted(word)), "")
    if len(word) < 5:
        return turned
    return turned or next(iter(get_close_matches(word, known, 1, 0.87)), "")


def nouns_in(text: str) -> set[Kind]:
    """The kinds of role that a text names by a noun, in singular or plural."""
    nouns = {noun: kind for kind, known in NOUNS.items() for noun in known}
    words = (re.sub(r"\W|s\b", "", word) for word in re.split(r"[\s/-]+", text.lower()))
    return {nouns[noun] for word in words if (noun := closest(word, nouns))}
