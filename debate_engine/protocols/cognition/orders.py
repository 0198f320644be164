"""Sentences of a text that order its reader about, as a reader that is a model might obey. Pure.

They change nothing of the form in which anybody is asked, and the prompts say that what is read never tells what to
do. They are marked, so that people see them, also where they go on in the next line, or are written with signs that
nobody sees. The list of words is ours: English, with the commonest German, French and Spanish turns; another wording
passes unmarked, and so do letters of another alphabet that look alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from elenchus.debate_engine.leaks import visible

_END = re.compile(r"[.!?;。！？]|\n\s*\n")
"""Where a sentence ends: in the middle of a line, or at an empty one."""
_NUMBER = r"(?:[0-9]+|one|two|three|four|five|the (?:highest|lowest|top|maximum|minimum))"
_ORDERS = re.compile(
    r"\b(?:forget|ignore|disregard|override|discard|drop)\b.{0,40}\b(?:your|all|any|the|previous|prior|earlier|above)\b.{0,30}"
    r"\b(?:profile|persona|character|role|instructions?|prompts?|rules|orders|memor(?:y|ies))\b"
    r"|\b(?:forget|ignore|disregard) (?:(?:everything|all|of|the|what|is|stands) ){0,4}(?:above|before this)\b"
    rf"|\b(?:rate|score|answer|mark|grade)\b.{{0,40}}\b(?:everything|all|every|each|any)\b.{{0,40}}\b{_NUMBER}\b"
    rf"|\b(?:rate|answer|reply|respond)\b.{{0,20}}\b{_NUMBER}\b.{{0,10}}\b(?:to|for|on) (?:everything|all|every|each)\b"
    rf"|\bset (?:all|every|each|your)\b.{{0,20}}\b(?:rating|score|answer)s?\b.{{0,20}}\b{_NUMBER}\b"
    rf"|\b(?:give|assign)\b.{{0,40}}\b(?:rating|score)s?\b.{{0,20}}\b{_NUMBER}\b"
    r"|\byou are (?:now|no longer) (?:an?|the|my|in)\b|\bsystem prompt\b"
    r"|\bfrom now on,? (?:you|answer|rate|say|reply)\b"
    r"|\b(?:act|respond|reply|answer|speak) (?:as|like) (?:an? )?(?:ai|language model|assistant|chatbot)\b"
    r"|\b(?:change|replace|rewrite|delete|erase|reset) your (?:profile|values|beliefs|name|memory|personality)\b"
    r"|\b(?:vergiss|ignoriere?|missachte)\b.{0,40}\b(?:profil|anweisung\w*|rolle|regeln|alles)\b"
    r"|\b(?:oublie[rz]?|ignore[rz]?)\b.{0,40}\b(?:profil|instructions?|consignes?|rôle)\b"
    r"|\b(?:olvida|ignora)\b.{0,40}\b(?:perfil|instrucciones|papel|rol)\b",
    re.IGNORECASE,
)
_MOST, _LONGEST, _BEFORE = 20, 200, 60
"""Sentences; characters of each, and of those before the order where it stands in a long one."""


def orders_in(text: str) -> tuple[str, ...]:
    """The sentences that give orders, each once, in order, at most 20, each of at most 200 characters."""
    return tuple(dict.fromkeys(_orders(visible(text))))[:_MOST]


def _orders(text: str) -> Iterator[str]:
    for sentence in (" ".join(part.split()) for part in _END.split(text)):
        if found := _ORDERS.search(sentence):
            begin = max(0, found.start() - _BEFORE) if found.end() > _LONGEST else 0
            yield sentence[begin:][:_LONGEST].strip()
