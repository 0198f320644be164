"""What debates are made of: topics, and speeches with a heading per topic."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.prompts import line
from elenchus.debate_engine.words import terms_of

Side = Literal["pro", "con"]
SIDES: tuple[Side, Side] = ("pro", "con")
LONGEST_MOTION = 2_000
"""Characters of a motion."""
_HEADING = re.compile(r"^\s*#{1,6}\s*(.+?)\s*#*\s*$|^\s*\*\*(?:Topic\s+)?(\d+[.):].*?)\*\*\s*:?\s*$", re.MULTILINE)
_NUMBER = re.compile(r"(?:topic\s+(\d+)\b|(\d+)(?:[.):](?=\s|$)|[、．：）]|\s+[–—-]\s|\s*$))", re.IGNORECASE)
"""A topic's number at the beginning of a heading; "3 reasons" or "1.5 million" begins with a figure of its own."""


def written_in(language: str) -> str:
    """The sentence that asks for a language; "" for none."""
    return f"Write in {line(language)}." if language.strip() else ""


def other(side: Side) -> Side:
    """The opposing side."""
    return "con" if side == "pro" else "pro"


class Topic(FrozenModel):
    """A debatable subtopic (SocraSynth, section 3): one concern from each side, and what is in and out of scope."""

    pro_concern: str
    con_concern: str
    scope: str

    @property
    def title(self) -> str:
        """The title: the concerns of pro and con, in this order; one that both sides name once."""
        return _versus(self.pro_concern, self.con_concern)

    @property
    def turned(self) -> str:
        """The title turned round, for the configuration in which con claims."""
        return _versus(self.con_concern, self.pro_concern)


def bare(concern: str) -> str:
    """What two wordings of the same concern have in common: not letter case, blanks and the marks at their ends."""
    return " ".join(concern.casefold().split()).strip(" .!?;:,")


def _versus(one: str, two: str) -> str:
    return one if bare(one) == bare(two) else f"{one} vs. {two}"


def titles_of(topics: Sequence[Topic]) -> dict[int, str]:
    """The titles by number."""
    return {n: topic.title for n, topic in enumerate(topics, 1)}


class Speech(FrozenModel):
    """What one side said in one turn. `about` is "opening", "round 2" or "closing".

    `sections[i]` is the part under the heading of topic i + 1; the whole text where the speaker used no headings, and
    "" for a topic that was passed over. `declined` says why there is no speech.
    """

    side: Side
    about: str
    text: str
    sections: tuple[str, ...]
    declined: str = ""

    @classmethod
    def of(cls, side: Side, about: str, text: str, topics: Sequence[Topic]) -> Speech:
        """Split a text by its headings."""
        return cls(side=side, about=about, text=text, sections=tuple(sections_of(text, topics)))

    @classmethod
    def none(cls, side: Side, about: str, reason: str, topics: Sequence[Topic]) -> Speech:
        """A turn without a speech."""
        return cls(side=side, about=about, text="", sections=("",) * len(topics), declined=reason)


def sections_of(text: str, topics: Sequence[Topic]) -> list[str]:
    """The part of a speech on each topic: by the words of its title in a heading, else by its number.

    A number counts in headings that are no deeper than the first of a topic: below it a speaker numbers its reasons.
    Text without any recognised heading belongs whole to every topic (the speaker mixed them).
    """
    parts: dict[int, list[str]] = {}
    marks: list[tuple[re.Match[str], int]] = []
    for heading in _HEADING.finditer(text):
        bare = (heading[1] or heading[2]).strip().strip("*").strip()
        number = _titled(bare, topics)
        if number is None and not (marks and _depth(heading) > _depth(marks[0][0])):
            number = _numbered(bare, topics)
        if number is not None:
            marks.append((heading, number))
    if not marks:
        return [text.strip()] * len(topics)
    for (mark, number), following in zip(marks, [*[m.start() for m, _ in marks[1:]], len(text)], strict=True):
        parts.setdefault(number, []).append(text[mark.end() : following].strip())
    return ["\n\n".join(parts.get(i, [])).strip() for i in range(1, len(topics) + 1)]


def _depth(heading: re.Match[str]) -> int:
    """How many # a heading has; a bold line is deeper than any."""
    return heading[0].count("#", 0, heading[0].find(heading[1])) if heading[1] else 7


def _numbered(heading: str, topics: Sequence[Topic]) -> int | None:
    found = _NUMBER.match(heading)
    number = int(found[1] or found[2]) if found else 0
    return number if 1 <= number <= len(topics) else None


def _titled(heading: str, topics: Sequence[Topic]) -> int | None:
    words = _words(heading)
    overlaps = [len(words & _words(topic.title)) / max(1, len(_words(topic.title))) for topic in topics]
    best = max(range(len(topics)), key=overlaps.__getitem__, default=None)
    return best + 1 if best is not None and overlaps[best] >= 0.6 else None


def _words(text: str) -> set[str]:
    return terms_of(text) - {"vs", "and", "the", "of", "a"}
