"""Whether a text gives away the words of a prompt: in a row, with others between them, or in another order. Pure.

Letters are compared, not how they are written: case, accents, punctuation, hyphens, Unicode's forms of a letter and
signs that nobody sees make no difference. What the speaker has heard may be said. A paraphrase is not found.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import ceil
from typing import Any

import regex

from elenchus.debate_engine.prompts import Prompt, Section
from elenchus.debate_engine.words import UNSPACED, weight

RUN = 6
"""Words in a row that give a text away (in a script without blanks between words, letters that make as many)."""
WHOLE = 5
"""A sentence that is shorter than `RUN` is given away where it has so many words and all of them are there."""
BETWEEN = 0.5
"""Other words that may stand between those of a run, for each of its own."""
LONG, SHARE = 8, 0.85
"""A sentence of so many words is given away by so much of it in whatever order, within `BETWEEN` as many others."""

_LETTER = rf"(?:[^\W_{UNSPACED}]|\p{{M}})"
_WORD = regex.compile(rf"[{UNSPACED}]|{_LETTER}+(?:'{_LETTER}+)*")
_SENTENCE = re.compile(r"(?<![A-Z][a-z])[.!?…]+(?=\s|$)|[。！？]|\n+")
"""Where a sentence ends; "Dr." ends none."""
_UNSEEN = regex.compile(r"[\p{Cf}\u034f\u115f\u1160\u3164\ufe00-\ufe0f]")
_ACCENTS = re.compile(r"[\u0300-\u036f]")
_PLAIN = str.maketrans("’ʼ＇аеорсухіјѕ", "'''aeopcyxijs")
"""Apostrophes, and the Cyrillic letters that look like Latin ones."""
_OWN = frozenset({
    "you", "your", "yours", "yourself", "du", "dich", "dir", "dein", "deine", "deinen", "deinem", "deiner", "ihr", "tu",
    "te", "toi", "ton", "ta", "tes", "vous", "votre", "vos", "ti", "usted", "su", "sus", "tuo", "tua", "tuoi",
})  # fmt: skip
"""Who says "I" for these says what was told to him of himself, which is no leak."""


@dataclass(frozen=True)
class ComparedText:
    """A text as it is compared."""

    words: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> ComparedText:
        """The words of a text, and the letters of scripts without blanks, without what is not compared."""
        plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", visible(text)))
        return cls(tuple(_WORD.findall(unicodedata.normalize("NFKC", plain).casefold().translate(_PLAIN))))

    @cached_property
    def letters(self) -> str:
        """All of it without anything between words."""
        return "".join(self.words).replace("'", "")

    @cached_property
    def counted(self) -> Counter[str]:
        """How often each word stands in it."""
        return Counter(self.words)

    def holds(self, run: Sequence[str]) -> bool:
        """Whether these words stand in it in their order, with few others between them."""
        return "".join(run).replace("'", "") in self.letters or any(
            self._reaches(run, at) for at, word in enumerate(self.words) if word == run[0]
        )

    def _reaches(self, run: Sequence[str], at: int) -> bool:
        within = iter(self.words[at : at + ceil(len(run) * (1 + BETWEEN))])
        return all(word in within for word in run)

    def has_most_of(self, told: Sequence[str]) -> bool:
        """Whether most words of a long sentence, with its first two, stand near each other, in whatever order.

        "I" for "you" is no leak.
        """
        wanted, span = Counter(told), ceil(len(told) * (1 + BETWEEN))
        if not {*told[:2]} <= self.counted.keys():
            return False
        missing = max(1, int((1 - SHARE) * len(told)))
        ends = [at for at, word in enumerate(self.words) if word in wanted]
        for at in ends:
            lacking = wanted - Counter(self.words[at : at + span])
            if (
                lacking.total() <= missing
                and not lacking.keys() & {*told[:2]}
                and not (lacking and lacking.keys() <= _OWN)
            ):
                return True
        return False


def visible(text: str) -> str:
    """The text as a reader sees it: without signs that nobody sees, each letter in its common form."""
    return unicodedata.normalize("NFKC", _UNSEEN.sub("", text))


@lru_cache(256)
def sentences(text: str) -> tuple[tuple[str, ...], ...]:
    """The sentences of a text that is told, each as words; a line is one at the least. Each turn compares them anew."""
    return tuple(words for part in _SENTENCE.split(text) if (words := ComparedText.of(part).words))


def beginning(told: Sequence[str], said: ComparedText, heard: ComparedText) -> str:
    """The beginning of a told sentence that stands in what is said and was not heard, "" where there is none."""
    head = told[: reach(told, RUN)]
    return _shown(head) if weight(head) >= WHOLE and said.holds(head) and not heard.holds(head) else ""


def most(told: Sequence[str], said: ComparedText, heard: ComparedText) -> str:
    """A long told sentence whose words stand there in another order or with others between, and were not heard."""
    given_away = weight(told) >= LONG and said.has_most_of(told) and not heard.has_most_of(told)
    return _shown(told) if given_away else ""


def run(told: Sequence[str], said: ComparedText, heard: ComparedText, size: int = RUN) -> str:
    """So many words in a row of a told sentence, from any of them on, that stand in what is said and were not heard."""
    for at in range(len(told)):
        words = told[at : at + reach(told[at:], size)]
        if weight(words) < (size if at else WHOLE):
            return ""
        letters = "".join(words).replace("'", "")
        if letters in said.letters and letters not in heard.letters:
            return _shown(words)
    return ""


def reach(words: Sequence[str], size: float) -> int:
    """So many of these weigh as much as `size` words; all where they weigh less."""
    return next((n for n in range(1, len(words) + 1) if weight(words[:n]) >= size), len(words))


def _shown(words: Sequence[str]) -> str:
    unspaced = all(len(word) == 1 for word in words)
    return ("" if unspaced else " ").join(words)


# ── prompts ──────────────────────────────────────────────────────────────────────────────────────────────────────


def of_prompt(
    reply: str, prompt: Prompt, variables: Mapping[str, Any], kept: Collection[str], heard: str = "", size: int = RUN
) -> str:
    """The prompt's own words that a reply gives away, "" for none: `size` in a row; `heard` may be said.

    A prompt's own words are those around what it is filled with; the variables `kept` stay in them.
    """
    said, known = ComparedText.of(reply), ComparedText.of(heard)
    own = prompt.render(**{name: _emptied(name, variables.get(name, ""), kept) for name in prompt.variables})
    told = sentences(f"{own.role}\n{own.task}")
    found = (run(one, said, known, size) or most(one, said, known) for one in told)
    return next(filter(None, found), "")


def title_in(reply: str, prompt: Prompt) -> str:
    """The title of a material of four words and more that is a line of the reply, alone or before a colon, or ""."""
    lines = {ComparedText.of(row.partition(":")[0]).words for row in reply.splitlines()}
    titles = (title for kind, title, *_ in prompt.sections if kind == "material")
    return next(
        (title for title in titles if len(words := ComparedText.of(title).words) >= WHOLE - 1 and words in lines), ""
    )


def of_text(reply: str, told: str, heard: str = "") -> str:
    """What a reply gives away of something told in lines or sentences: a beginning, or most of one."""
    said, known = ComparedText.of(reply), ComparedText.of(heard)
    found = (beginning(one, said, known) or most(one, said, known) for one in sentences(told))
    return next(filter(None, found), "")


def text_in(variables: Iterable[Any]) -> str:
    """All that these variables of a prompt tell."""
    texts = (text_in(one) if isinstance(one, (list, tuple)) else _text(one) for one in variables)
    return "\n".join(filter(None, texts))


def _text(variable: Any) -> str:
    return variable.text if isinstance(variable, Section) else variable if isinstance(variable, str) else ""


def _emptied(name: str, value: Any, kept: Collection[str]) -> Any:
    return value if name in kept or not isinstance(value, (str, list, tuple)) else type(value)()
