"""Keeping the evaluator blind: what a speech repeats of its instruction on the heat is taken out of it."""

from __future__ import annotations

import re

from elenchus.debate_engine.protocols.socrasynth import heat as heats

_SENTENCE = re.compile(r"[^.!?\n]*(?:\.\d[^.!?\n]*)*(?:[.!?]+|\n|$)")
_TELLS = re.compile(r"\bcontentious(?:ness)?\b|scale (?:from|of) 0\b|\bdevil['’]s advocate\b", re.IGNORECASE)
_EXAMPLE = re.compile(r"(?<!\w)'([^']+)'(?!\w)")


def withheld_from(text: str, heat: float) -> tuple[str, tuple[str, ...]]:
    """The text without what tells its heat, and what was taken out, in order.

    Taken out are copies of the lines of `heats.describe`, and sentences that name the scale.
    """
    kept, withheld = text, list[str]()
    for line in heats.describe(heat).splitlines():
        copies = re.compile(r"\s+".join(map(re.escape, line.split())), re.IGNORECASE)
        withheld += copies.findall(kept)
        kept = copies.sub("", kept)
    withheld += [found[0].strip() for found in _SENTENCE.finditer(kept) if _TELLS.search(found[0])]
    kept = _SENTENCE.sub(lambda found: "\n" if _TELLS.search(found[0]) else found[0], kept)
    return kept.strip(), tuple(withheld)


def echoed_in(text: str, heat: float) -> tuple[str, ...]:
    """The example phrases of the heat's instruction that stand in the text: they are not the speaker's own words."""
    examples = _EXAMPLE.findall(heats.band_of(heat).language)
    return tuple(example for example in examples if example.casefold() in text.casefold())
