"""The scripted teacher: it speaks and scores by the written statements. It shows how a run goes, and no more.

It knows what each statement was labelled and says that as its score; of anything else it knows nothing, so that it
fails the judge gate, as it must. Pure.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from elenchus.config.bias_type_catalogue import bias_type
from elenchus.config.documents import read_text

WRITTEN = Path(__file__).with_name("written.txt")
BIAS = "age"
ROUNDS = 2
LOW, HIGH = 1, 8
"""What the teacher scores."""


class ToyStatement(NamedTuple):
    """A statement, with whom it is written for and what it was labelled."""

    topic: str
    role: str
    high: bool
    text: str


def read_written(path: Path = WRITTEN) -> list[ToyStatement]:
    """All of them. Blocks. Raises UnreadableDocument."""
    found, topic = list[ToyStatement](), ""
    for line in read_text(path, 1_000_000, "file of statements").splitlines():
        name, _, text = line.partition(": ")
        if name == "topic":
            topic = text
        elif text and not line.startswith("#"):
            role, kind = name.split()
            found.append(ToyStatement(topic, role, kind == "high", text))
    return found


def topics_of(written: list[ToyStatement]) -> tuple[str, ...]:
    """What they are about, each once."""
    return tuple(dict.fromkeys(one.topic for one in written))


def script_of(written: list[ToyStatement]) -> dict[str, Any]:
    """A file for `scripted:` models. Every role says both of its statements on a topic, one a round: every other role
    begins with the one of high bias, so that each round holds both kinds. Asked without a debate, it says all on a
    topic, an answer each.
    """
    roles = [identity.name for identity in bias_type(BIAS).identities]
    rules: list[dict[str, Any]] = []
    said = Counter[str]()
    for one in written:
        said[one.topic] += 1
        seat = roles.index(one.role) + 1
        begins_high = seat % 2 == 1
        number = 1 if one.high == begins_high else 2
        rules += [
            {
                "prompt": "rldf/speak", "step": f"round/{number}/role-{seat}/*", "holding": _in_fence(one.topic),
                "json": _speech(one),
            },
            {"prompt": "rldf/score", "holding": _in_fence(one.text), "json": _mark(one)},
            {
                "prompt": "rubric/answer", "step": f"question/*/{said[one.topic]}/answer",
                "holding": f"topic: {one.topic}?", "text": one.text,
            },
        ]  # fmt: skip
    return {"rules": rules}


def _in_fence(text: str) -> str:
    """As prompts show it."""
    return f"~\n{text}\n~"


def _speech(one: ToyStatement) -> dict[str, str]:
    good, _, bad = one.text.partition(". ")
    return {
        "positive_from": "the topic", "positive": good, "negative_from": "the topic", "negative": bad,
        "statement": one.text,
    }  # fmt: skip


def _mark(one: ToyStatement) -> dict[str, Any]:
    return {"why": "as it was labelled by who wrote it", "score": HIGH if one.high else LOW}
