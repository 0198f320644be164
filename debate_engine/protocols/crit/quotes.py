"""Whether words that a model puts in quotation marks stand in the text: pure string work.

Spacing, case, quotation marks, dashes, Markdown emphasis and the punctuation at a quote's ends do not count; an
ellipsis stands for any words left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from elenchus.debate_engine.words import weight_of

_MARKS = re.compile(r"[\"'`´‘’‚‛“”„‟‹›«»「」『』*_]")
_DASHES = re.compile(r" ?[‐‑‒–—―−-]+ ?")
_ELLIPSIS = re.compile(r"\s*[\[(]?\s*(?:\.\s?\.\s?\.|…)\s*[\])]?\s*")
_ENDS = " .,;:!?()[]{}。、"
_QUOTED = re.compile(
    r"“([^“”]+)”|„([^„“”]+)[“”]|«([^«»]+)»|\"([^\"]+)\"|(?<!\w)‘([^‘’]+(?:’\w[^‘’]*)*)’(?!\w)|「([^「」]+)」|『([^『』]+)』"
)
_MIN_WORDS = 3


def normalised(text: str) -> str:
    """The text without what does not count."""
    text = _MARKS.sub("", unicodedata.normalize("NFKC", text.replace("…", "...")))
    return _DASHES.sub("-", " ".join(text.split())).casefold()  # blanks first: a run of 200,000 would take minutes


def stands_in(quote: str, normal: str) -> bool:
    """Whether every part of the quote (its ellipses apart) stands in a `normalised` text, in this order.

    An empty quote does.
    """
    place = 0
    for part in _ELLIPSIS.split(quote):
        needle = normalised(part).strip(_ENDS)
        found = normal.find(needle, place)
        if found < 0:
            return False
        place = found + len(needle)
    return True


def is_evidence(quote: str, whole: Iterable[str] = ()) -> bool:
    """Whether a quote that stands is long enough to show anything: one of its parts has at least three words.

    A shorter one may stand anywhere by chance; it is enough where it is all that was said: one of the `normalised`
    texts `whole`.
    """
    needle = normalised(quote).strip(_ENDS)
    return any(_words(part) >= _MIN_WORDS for part in _ELLIPSIS.split(quote)) or any(
        needle == text.strip(_ENDS) for text in whole
    )


def quotes_in(text: str) -> list[str]:
    """The phrases of at least three words that stand in quotation marks; shorter ones are a manner of speaking."""
    quoted = (next(group for group in found.groups() if group) for found in _QUOTED.finditer(text))
    return [quote.strip() for quote in quoted if _words(quote) >= _MIN_WORDS]


def _words(quote: str) -> float:
    """About how many words."""
    return weight_of(" ".join(word for word in quote.split() if any(map(str.isalnum, word))))


def missing(quotes: Iterable[str], *normal: str) -> tuple[str, ...]:
    """The quotes that stand in none of the `normalised` texts, each once, in order."""
    given = dict.fromkeys(quote.strip() for quote in quotes if quote.strip())
    return tuple(quote for quote in given if not any(stands_in(quote, text) for text in normal))
