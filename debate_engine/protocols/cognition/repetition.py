"""Which statements say what is known already, although in other words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import permutations, product

from elenchus.debate_engine.protocols.cognition.forms import Knowledge
from elenchus.debate_engine.protocols.cognition.schemas import Statement
from elenchus.debate_engine.retrieval import Recall

WORDS_ALIKE = 0.5
"""Cosine from which on words may stand for others in what says the same: “big” for “large”, not “lost” for “won”."""
_NEAREST = 3
"""Known statements, the likest, with which a new one is compared."""
_NEGATION = re.compile(
    r"\b(?:not|cannot|no|never|none|nobody|nothing|neither|nor|without|hardly"
    r"|nicht|kein\w*|nie|niemals|niemand|nichts|ohne|weder|kaum"
    r"|pas|jamais|sans|aucune?|rien|nunca|sin|nada|jamás|ningun[oa]?|ningún)\b|n['’]t\b",
    re.IGNORECASE,
)
_OPPOSITE = ("un", "in", "im", "il", "ir", "dis", "non")
_ARTICLES = "a an the der die das ein eine le la les un une el los las una"
_AUXILIARIES = "is are was were be been has have had will would ist sind war hat wird est sont es son"
_SMALL = frozenset([*_ARTICLES.split(), *_AUXILIARIES.split()])


async def repeats(
    recall: Recall, given: Sequence[Knowledge], known: Sequence[Knowledge | Statement], alike: float
) -> list[str]:
    """For each statement what it repeats, of what is `known` or of those before it; "" where it says something new.
    `alike`: cosine from which on sentences, and subjects, are.
    """
    of, texts, same = list(known), [sentence(one) for one in known], list[str]()
    for one in given:
        (near,) = await recall.likest([sentence(one)], texts, _NEAREST)
        same.append("")
        for place in (n.place for n in near if n.likeness >= alike):
            if await _says_the_same(recall, one, of[place], alike):
                same[-1] = texts[place]
                break
        else:
            of.append(one)
            texts.append(sentence(one))
    return same


async def _says_the_same(recall: Recall, one: Knowledge, other: Knowledge | Statement, alike: float) -> bool:
    """Whether two do whose sentences are alike. Vectors hardly differ where “12 percent” stands for “3 percent”, “are
    not” for “are”, “lost” for “won”, or where A does to B what B did to A: so figures and negations are compared,
    subjects by themselves, and the words that stand in one for those in the other.
    """
    text, before = sentence(one), sentence(other)
    new, old = replaced(text, before)
    if figures(text) != figures(before) or negations(text) != negations(before) or opposite(new, old):
        return False
    for term, known, least in ((one.subject, other.subject, alike), (" ".join(new), " ".join(old), WORDS_ALIKE)):
        ((near,),) = await recall.likest([term], [known], 1)
        if term and known and term.casefold() != known.casefold() and near.likeness < least:
            return False
    return True


def sentence(one: Knowledge | Statement) -> str:
    """A statement as a sentence."""
    return one.text if isinstance(one, Statement) else Statement(id="", iteration=0, **one.model_dump()).text


def figures(text: str) -> list[str]:
    """The numbers in a text, in their order: from 3 to 12 is not from 12 to 3."""
    return re.findall(r"\d+(?:[.,]\d+)*", text)


def negations(text: str) -> int:
    """How many words of a text negate: English, German, French and Spanish ones."""
    return len(_NEGATION.findall(text))


def replaced(text: str, before: str) -> tuple[list[str], list[str]]:
    """The words that stand in one of two sentences alone, without articles and auxiliaries."""
    words = [[word for word in re.findall(r"\w+", one.casefold()) if word not in _SMALL] for one in (text, before)]
    return [word for word in words[0] if word not in words[1]], [word for word in words[1] if word not in words[0]]


def opposite(new: Sequence[str], old: Sequence[str]) -> bool:
    """Whether a word of the one is one of the other with a prefix that turns it round: “unhappy”, “illegal”."""
    pairs = (pair for both in product(new, old) for pair in permutations(both))
    return any(f"{prefix}{root}" == word for root, word in pairs for prefix in _OPPOSITE)
