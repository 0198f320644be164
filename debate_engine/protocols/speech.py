"""What debates are made of: topics, and speeches with a heading per topic."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from debate_engine.events import Value
from debate_engine.prompts import line
from debate_engine.words import terms_of

Side = Literal["pro", "con"]
SIDES: tuple[Side, Side] = ("pro", "con")
_HEADING = re.compile(r"^\s*#{1,6}\s*(.+?)\s*#*\s*$|^\s*\*\*(?:Topic\s+)?(\d+[.):].*?)\*\*\s*:?\s*$", re.MULTILINE)
_NUMBER = re.compile(r"^(?:topic\s+)?(\d+)\b", re.IGNORECASE)


def written_in(language: str) -> str:
    """The sentence that asks for a language; "" for none."""
    return f"Write in {line(language)}." if language.strip() else ""


def other(side: Side) -> Side:
    """The opposing side."""
    return "con" if side == "pro" else "pro"


class Topic(Value):
    """A debatable subtopic (SocraSynth, section 3): one concern from each side, and what is in and out of scope."""

    pro_concern: str
    con_concern: str
    scope: str

    @property
    def title(self) -> str:
        """The title: the concerns of pro and con, in this order."""
        return f"{self.pro_concern} vs. {self.con_concern}"

    @property
    def turned(self) -> str:
        """The title turned round, for the configuration in which con claims."""
        return f"{self.con_concern} vs. {self.pro_concern}"


class Speech(Value):
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
    """The part of a speech on each topic: by number in its heading, else by the words of its title.

    Text without any recognised heading belongs whole to every topic (the speaker mixed them).
    """
    parts: dict[int, list[str]] = {}
    marks = [(m, _topic_of(m[1] or m[2], topics)) for m in _HEADING.finditer(text)]
    marks = [(m, number) for m, number in marks if number is not None]
    if not marks:
        return [text.strip()] * len(topics)
    for (mark, number), following in zip(marks, [*[m.start() for m, _ in marks[1:]], len(text)], strict=True):
        assert number is not None
        parts.setdefault(number, []).append(text[mark.end() : following].strip())
    return ["\n\n".join(parts.get(i, [])).strip() for i in range(1, len(topics) + 1)]


def _topic_of(heading: str, topics: Sequence[Topic]) -> int | None:
    bare = heading.strip().strip("*").strip()
    if (number := _NUMBER.match(bare)) and 1 <= int(number[1]) <= len(topics):
        return int(number[1])
    words = _words(bare)
    overlaps = [len(words & _words(topic.title)) / max(1, len(_words(topic.title))) for topic in topics]
    best = max(range(len(topics)), key=overlaps.__getitem__, default=None)
    return best + 1 if best is not None and overlaps[best] >= 0.6 else None


def _words(text: str) -> set[str]:
    return terms_of(text) - {"vs", "and", "the", "of", "a"}
