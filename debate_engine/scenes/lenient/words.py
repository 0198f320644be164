"""Words that several modules of the reader know, whether a word is meant to be one of them, and what kind a role is."""

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


# ── what a role is, by the words of its title, identity, background and task ────────────────────────────────────────

_OF_OTHERS = re.compile(r"\b(?:of|to|for|with|by)\s.*", re.IGNORECASE)
"""What an identity says of somebody else: `friend of the subject`."""
_PRETENDED = re.compile(r"\b(?:simulated|fellow|fake|planted|undercover|co-?(?=participant))", re.IGNORECASE)
"""What stands before a noun for a subject where somebody only passes for one."""
_UNAWARE = re.compile(
    r"(?:\bun(?:aware|informed|suspecting)|\bknows? nothing"
    r"|(?:\bnot?|\bnever|n[’']t)\s+(?:\w+\s+){0,2}?(?:aware|inform|told|know|idea))[^.;,]*",
    re.IGNORECASE,
)
"""Who does not know what it is about: words in such a clause are no sign of one who does."""
_NEUTRAL = re.compile(r"\b(?:impartial|neutral|no side|presid\w+)", re.IGNORECASE)
"""Who takes nobody's part, and so is no confederate, whatever they know."""
_REVEALED = re.compile(
    r"\b(?:research team|in truth|secretly|actor|actress|planted|confederate of|accomplice of|script from|in league"
    r"|(?:work|cooperat|collaborat)\w* (?:\w+ )?(?:with|for) (?:the )?(?:research|experiment|scien|lab|stud|moderat"
    r"|us\b)\w*|(?:hired|briefed|instructed|trained|played) (?:by|to)"
    r"|(?:informed|aware|knows) (?:of |about )?the (?:aim|purpose|goal))\b",
    re.IGNORECASE,
)
"""Who is told to be another than the identity says."""
_SIGNS: dict[Kind, str] = {
    "subject": "believ|thinks|decide|decision|choose|pick |estimate|vote|evaluate|assess|judge|allocate|rate ",
    "confederate": "subtl|influenc|persua|sway|steer|encourag|insider|pretend|pos(?:es|ing) as|praise|suggest|aware of"
    "|knows the|anchor|fram|exaggerat|optimistic|highlight|advoca|plausible",
    "moderator": "facilitat|overs|moderat|monitor|supervis|collect|record|ensur|make sure|guide|neutral|unbiased|lead"
    "|explain|rules|runs|conduct|manage|order|observ|impartial|mediat|presid|instructions",
}
"""Beginnings of words that speak for a kind in what is said of a role."""


def named_kind(title: str, identity: str, background: str) -> Kind | None:
    """The kind that a noun names, in the title (what stood beside the name) or else in the identity; None for none, and
    for a subject who is told to be another.
    """
    for text in (title, identity):
        own = _OF_OTHERS.sub("", text)
        named = nouns_in(own)
        if "subject" in named and _PRETENDED.search(own):
            return "confederate"
        if len(named) == 1:
            (kind,) = named
            return None if kind == "subject" and _REVEALED.search(_UNAWARE.sub(" ", background)) else kind
    return None


def kind_of(title: str, identity: str, background: str, task: str) -> Kind:
    """The kind that is named, or else the one that most words speak for; "other" where nothing speaks for any."""
    if named := named_kind(title, identity, background):
        return named
    if nouns_in(_OF_OTHERS.sub("", f"{title} {identity}")) == {"subject"}:
        return "confederate"
    told = f"{title} {identity} {background} {task}"
    known = _UNAWARE.sub(" ", told)
    scores: dict[Kind, float] = {kind: len(set(re.findall(signs, known.lower()))) for kind, signs in _SIGNS.items()}
    scores["subject"] += 2 * bool(_UNAWARE.search(told))
    scores["moderator"] += 2 * bool(_NEUTRAL.search(known))
    scores["confederate"] = 1.5 * scores["confederate"] + 2 * bool(_REVEALED.search(known))
    best = max(NOUNS, key=lambda kind: scores[kind])
    alone = sum(scores[kind] == scores[best] for kind in NOUNS) == 1
    return best if alone else "other"
