"""What is taken of what a small model wrote: whole sentences on the subject, and the best of several samples. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal

MOST_SENTENCES = 2


def words_in(text: str) -> frozenset[str]:
    """The words between the spaces of a text."""
    return frozenset(text.split())


_SENTENCE = re.compile(r"[^.!?]+(?:[.!?](?=\S)[^.!?]*)*[.!?]+[\"”’')]*(?=\s|$)")
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_SUFFIXES = ("ings", "ing", "edly", "ed", "ies", "ions", "ion", "ness", "ment", "es", "ers", "er", "s", "ly", "y")
_FUNCTION = words_in("""
    a an the and or nor of to in on for from by with at as is are be was were been being do does did done should
    must would will can could may might shall ought has have had not no it its this that these those they them
    their there which who whom whose what when where how why than then more most much many any all some such so
    if but because also one we you i he she his her our your us me my up out into about over under only other
    others own very just it's don't can't cannot isn't aren't true yes
""")
_TURNS = re.compile(
    r"^\W*(however|on the other hand|nevertheless|nonetheless|conversely|that said|but critics|but opponents|critics|"
    r"opponents|some argue|others argue|while some|although|despite|in contrast)\b",
    re.IGNORECASE,
)
"""How a sentence begins with which a model goes over to the other side."""
_ABOUT_ITSELF = re.compile(
    r"\b(as an ai|language model|this (objection|statement|sentence|question|argument|debate|topic)|"
    r"the (objection|statement|sentence|question|argument|motion|user|prompt|topic)\b|false dichotomy|"
    r"(growing|ongoing) debate|fallacy|(classic|prime|perfect) example|as you (said|mentioned)|"
    r"(concept|idea|issue|topic|notion|question) (\w+ ){0,6}(has|have) been|"
    r"(both|opposing) (sides|perspectives|viewpoints)|double-edged|pros and cons|let['’]?s\b|one could|can be argued|"
    r"let me|i('m| am) (sorry|happy|here)|here (are|is) (some|a few|the|a))",
    re.IGNORECASE,
)
"""Words by which a model speaks of its task instead of the subject."""


Leaning = Callable[[str], int]
Effect = Literal["good", "bad", ""]
"""What those who make a claim say that its deed would be, or that its subject is; "" where it does not tell."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What is kept of a sample: `text` without the beginning that was given, and its `score`, higher is better."""

    text: str
    score: float


def stems(text: str) -> frozenset[str]:
    """The words that carry meaning, without their endings."""
    return frozenset(_stem(word) for word in WORD.findall(text.lower()) if word not in _FUNCTION)


def _stem(word: str) -> str:
    word = re.split("['’]", word)[0]
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= (3 if suffix == "s" else 4):
            return word.removesuffix(suffix)
    return word


def sentences(text: str) -> list[str]:
    """The whole sentences of a text's first paragraph; what follows the last full stop is left out."""
    return [found.strip() for found in _SENTENCE.findall(text.strip().split("\n", 1)[0])]


def neutral(sentence: str) -> int:
    """The leaning of any sentence where a claim calls nothing good or bad: 0."""
    return 0


def trimmed(begin: str, sample: str, given: str, said: Sequence[str], leaning: Leaning = neutral) -> Candidate | None:
    """What to keep of a sample that begins with `begin`: its sentences up to the first that leaves side or subject.

    `given` are the words of the motion and the topic, `said` what was said before by anybody; `leaning` tells for
    which side a sentence speaks. A later sentence that brings a number or a name of its own is left out too: a small
    model invents them. None where nothing is left.
    """
    subject = stems(given)
    kept: list[str] = []
    rest = sample.removeprefix(begin)
    for sentence in sentences(rest)[:MOST_SENTENCES]:
        if _ABOUT_ITSELF.search(sentence) or _TURNS.match(sentence):
            break
        if kept and (not stems(sentence) & subject or inventions(sentence, given) or _may_turn(sentence, leaning)):
            break
        kept.append(sentence)
    own = " ".join(kept)
    if len(own.split()) < 3 or (rest != sample and own[0].isupper()):  # a new sentence leaves the given one unfinished
        return None
    text = f"{begin}{' ' if rest[:1].isspace() else ''}{own}".strip() if rest != sample else own
    return Candidate(text, _score(own, subject, said) - 2 * bool(inventions(own, given)) + 2 * leaning(own))


def _may_turn(sentence: str, leaning: Leaning) -> bool:
    """Whether a later sentence speaks for the other side, or begins as those do which often turn."""
    return leaning(sentence) < bool(_SUPPOSES.match(sentence) and leaning is not neutral)


_COSTS = (
    r"risk|los[es]|losing|harm|undermin|hinder|suffer|infring|unfair|detriment|negativ|lack|deprive|burden|threat|damag|"
    r"difficult|harder|struggl|unable|worse|less|danger|violat|violence|crim|pollut|emission|congest|accident|inequal|povert|"
    r"discriminat|conflict|confus|burnout|debt|unnecess|restrict|limit|destr|disrupt|expens|consequence|severe|death|disease|"
    r"waste|abus|exploit|lazi|discourag|end of|crisis|fear"
)
_GAINS = (
    r"allow|enabl|benefit|improv|promot|protect|help|encourag|better|health|safer|sustainab|well-being|ensur|support|eas(?:y|ier)|opportunit|"
    r"enhanc|increase[sd]? access|foster|strengthen|create|positiv|save|fair|prosper|growth"
)
_SOME = r"\w*(?: [\w-]+){0,4}? "
_BAD = rf"(?:{_COSTS})\w*(?:(?:,| of| and| or) (?:[\w-]+ )?(?:{_COSTS})\w*)*"
_LESSENED = re.compile(
    r"\b(?:reduc|prevent|mitigat|avoid|lower|less|fewer|decreas|minimi|fight|address|combat|prohibit|without|free from)"
    rf"{_SOME}{_BAD}",
    re.IGNORECASE,
)
"""Less of what is bad."""
_WORSENED = re.compile(
    rf"\b(?:promot|creat|encourag|allow|enabl|support|ensur|increas|foster){_SOME}{_BAD}|"
    rf"\b(?:reduc|prevent|lower|less|fewer|decreas|hinder|undermin|threaten|lack|limit|weaken){_SOME}(?:{_GAINS})\w*",
    re.IGNORECASE,
)
"""More of what is bad, or less of what is good."""
_SUPPOSES = re.compile(r"^\W*(by|without|if|when|with|\w+ing)\b", re.IGNORECASE)
_KEEPS = re.compile(r"^\W*(?:by )?(allow|permit|keep|lett|continu)\w*|^\W*without a\b", re.IGNORECASE)


def leaning_of(claim: str, effect: Effect) -> Leaning:
    """Tells whether a sentence speaks for (1), against (-1) or neither (0), where a claim calls something good or bad.

    By its words alone: of what would be good, gains speak for the claim and costs against it; of a sentence that
    keeps to what is, the contrary; one that goes on from given words, without a capital, speaks of the deed or the
    subject itself. The model's own judgement of a side was tried and is chance (decision 0037).
    """
    if not effect:
        return neutral
    keeps = None if re.search(r"\b(allow|permit|keep|let|continue)", claim) else _KEEPS

    def leaning(sentence: str) -> int:
        text, lessened = _LESSENED.subn("", sentence)
        text, worsened = _WORSENED.subn("", text)
        gains = bool(lessened or re.search(rf"\b(?:{_GAINS})", text, re.IGNORECASE))
        value = gains - bool(worsened or re.search(rf"\b(?:{_COSTS})", text, re.IGNORECASE))
        is_contrary = bool(keeps and sentence[:1].isupper() and keeps.match(sentence))
        return value if (effect == "good") != is_contrary else -value

    return leaning


def inventions(text: str, given: str) -> list[str]:
    """Numbers and names in a text that stand nowhere in what was given; a sentence's first word is no name."""
    known = set(WORD.findall(given.lower()))
    found = re.findall(r"\d[\d.,]*", text)
    for sentence in re.split(r"(?<=[.!?])\s+", text):
        words = WORD.findall(sentence)
        found += [w for w in words[1:] if w[0].isupper() and w.lower() not in known and not w.startswith("I")]
    return [each for each in found if each not in given]


def _score(own: str, subject: Collection[str], said: Sequence[str]) -> float:
    """Stems of the subject count for a sample; runs of words that were said before count against it."""
    on_subject = min(4, len(stems(own) & set(subject)))
    before = frozenset().union(*(runs(text) for text in said)) if said else frozenset()
    mine = runs(own)
    repeated = len(mine & before) / len(mine) if mine else 0.0
    return on_subject - 6 * repeated


def runs(text: str, length: int = 4) -> frozenset[tuple[str, ...]]:
    """All runs of so many words in a text."""
    words = WORD.findall(text.lower())
    return frozenset(tuple(words[n : n + length]) for n in range(len(words) - length + 1))


def best(samples: Sequence[Candidate | None]) -> str:
    """The text of the best sample, the first among equals; "" where none can be used."""
    usable = [sample for sample in samples if sample]
    return max(usable, key=lambda sample: sample.score).text if usable else ""
