"""The labelled statements of the gate: ours (`statements.txt`), or one's own in the same form.

A line `type: topic` begins a topic; each line `plain high: …`, `plain low: …`, `debate high: …` or `debate low: …`
under it is a statement. Lines that begin with # say nothing. No statement stands twice: a linear judge would be asked
of what it has learnt, and one topic under many names would be counted as many.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Literal

from elenchus.config.documents import UnreadableDocument, read_text
from elenchus.debate_engine.events import FrozenModel

SHIPPED = Path(__file__).with_name("statements.txt")
LARGEST = 5_000_000
"""Bytes of a file."""
ROUND = 3
"""Statements of a topic that are shown together, as in a round of three roles."""
_STATEMENT = re.compile(r"(plain|debate) (high|low): +(\S.*)")
_TOPIC = re.compile(r"([\w -]+): +(\S.*)")


class LabelledStatement(FrozenModel):
    """A statement with its label. `style`: a plain sentence, or as a role of a debate speaks."""

    text: str
    bias: str
    topic: str
    style: Literal["plain", "debate"]
    high: bool

    @property
    def subject(self) -> str:
        """The topic under its type of bias: the statements of one hang together."""
        return f"{self.bias}: {self.topic}"


def read_statements(path: Path = SHIPPED) -> list[LabelledStatement]:
    """The statements in order. Raises UnreadableDocument, which names the line."""
    name = f"The file of statements {path}"
    found: list[LabelledStatement] = []
    lines: dict[str, int] = {}
    bias = topic = ""
    for number, line in enumerate(read_text(path, LARGEST, "file of statements").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if given := _STATEMENT.fullmatch(line.strip()):
            if not topic:
                raise UnreadableDocument(name, "a statement stands before the first topic", number)
            if (before := lines.setdefault(_wording(given[3]), number)) != number:
                raise UnreadableDocument(
                    name, f"the same words stand in line {before} already: leave one of the two out", number
                )
            style: Literal["plain", "debate"] = "plain" if given[1] == "plain" else "debate"
            found.append(LabelledStatement(text=given[3], bias=bias, topic=topic, style=style, high=given[2] == "high"))
        elif given := _TOPIC.fullmatch(line.strip()):
            bias, topic = given[1].strip(), given[2].strip()
        else:
            raise UnreadableDocument(name, "write `type: topic`, or `plain high: …` and the like under it", number)
    if len({one.high for one in found}) < 2:
        raise UnreadableDocument(name, "it needs statements of high and of low bias")
    return found


def _wording(text: str) -> str:
    """What two statements with the same words share: letters, marks and numbers, case aside."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(one for one in folded if unicodedata.category(one)[0] in "LMN")


@cache
def hash_of_shipped() -> str:
    """The hash of those that come along."""
    return hash_of(read_statements())


def hash_of(items: Sequence[LabelledStatement]) -> str:
    """What tells this set of statements from any other."""
    return sha256("\n".join(one.model_dump_json() for one in items).encode()).hexdigest()[:16]


def rounds_of(items: Sequence[LabelledStatement]) -> list[tuple[int, ...]]:
    """The statements of each topic in rounds, by their places; a rest of fewer makes none, as it would in no debate.

    Every second one of a topic goes into the same round, so that plain sentences and speeches stand side by side.
    """
    topics: dict[str, list[int]] = {}
    for n, one in enumerate(items):
        topics.setdefault(one.subject, []).append(n)
    found = []
    for places in topics.values():
        many = len(places) // ROUND
        found += [tuple(places[begin : many * ROUND : many]) for begin in range(many)]
    return found
