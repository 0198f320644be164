"""What a role is in the scene, judged by the words of its title, identity, background and task."""

from __future__ import annotations

import re

from debate_engine.scenes.lenient.words import NOUNS, nouns_in
from debate_engine.scenes.scene import KINDS, Kind

_OF_OTHERS = re.compile(r"\b(?:of|to|for|with|by)\s.*", re.IGNORECASE)
"""What an identity says of somebody else: `friend of the subject`."""
_PRETENDED = re.compile(r"\b(?:simulated|fellow|fake|planted|undercover|co-?(?=participant))", re.IGNORECASE)
"""What stands before a noun for a subject where somebody only passes for one."""
_UNAWARE = re.compile(r"\b(?:un(?:aware|informed|suspecting)|not aware|know\w* nothing|not (?:been )?told)\b[^.;]*")
_SIGNS: dict[Kind, str] = {
    "subject": "believ|thinks|decide|decision|choose|estimate|vote|evaluate|assess|judge|allocate|rate ",
    "confederate": "subtl|influenc|persua|sway|steer|encourag|actor|actress|confederate|insider|accomplice|research team|"
    "the researchers|pretend|posing|poses as|praise|suggest|aware of|knows the|anchor|fram|instructed|exaggerat|"
    "optimistic|highlight|advoca",
    "moderator": "facilitat|oversee|oversight|moderat|monitor|supervis|collect|record|ensur|guide|neutral|instructions|"
    "lead|explain|rules|runs|conduct|manage|order|observ|impartial|mediat|present|announce",
}
"""Beginnings of words that speak for a kind in what is said of a role."""


def kind_of(title: str, identity: str, background: str, task: str) -> Kind:
    """The likeliest kind; "other" where nothing speaks for any.

    A noun for a kind in the title (what stood behind the name) counts most, then one in the identity; then the kind
    that most words of background and task speak for.
    """
    for text in (title, identity):
        own = _OF_OTHERS.sub("", text)
        named = nouns_in(own)
        if "subject" in named and _PRETENDED.search(own):
            return "confederate"
        if len(named) == 1:
            (kind,) = named
            revealed = kind == "subject" and re.search(r"research team|researchers|actor|actress|in truth", background)
            return "confederate" if revealed and not _UNAWARE.search(background) else kind
    told = f"{identity} {background} {task}".lower()
    known = _UNAWARE.sub(" ", told)
    scores: dict[Kind, float] = {kind: len(set(re.findall(signs, known))) for kind, signs in _SIGNS.items()}
    scores["subject"] += 2 * bool(_UNAWARE.search(told))
    scores["confederate"] *= 1.5
    best = max(NOUNS, key=lambda kind: scores[kind])
    alone = sum(scores[kind] == scores[best] for kind in NOUNS) == 1
    return best if alone else KINDS[-1]
