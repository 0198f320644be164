"""Whether a reply gives away what its role was told: its directions, its task, the words of its prompt. Pure.

What a rule has somebody say is meant to be said, in nearly the rule's own words; so words in common are no leak. Told
aloud is a direction where a reply begins as the direction begins ("Tell Noor how the two kinds did …": who speaks to
Noor says it otherwise), or where it holds a run of the prompt's own words. What the speaker has heard, and what a rule
puts in quotation marks, may be said. How often this is wrong in either way: NOTES.md.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import regex

from debate_engine.prompts import Prompt
from debate_engine.protocols.rulegen.schemas import Deviation

RUN = 6
"""Words in a row that give a text away (in a script without blanks between words, two letters for a word)."""
WHOLE = 5
"""A sentence that is shorter than `RUN` is given away where it has so many words and all of them are there."""
HEAD, SHARE = 3, 0.6
"""Fewer words from a direction's beginning are enough where so much of all its runs of `HEAD` words is there, too."""

LABELS = ("Your direction", "Your task")
"""What stands before a direction and a task in the prompts; `test_leaks.py` looks for them there."""
_DIRECTION = re.compile(rf"\b{LABELS[0]}\s*:", re.IGNORECASE)
_TASK = re.compile(rf"(?:^\W*|\b){LABELS[1]}\s*:", re.IGNORECASE | re.MULTILINE)

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
_LETTER = rf"(?:[^\W_{_UNSPACED}]|\p{{M}})"
_WORD = regex.compile(rf"[{_UNSPACED}]|{_LETTER}+(?:['’]{_LETTER}+)*")
_SENTENCE = re.compile(r"(?<![A-Z][a-z])[.!?…]+(?=\s|$)|[。！？]|\n+")
"""Where a sentence ends; "Dr." ends none."""
_SPOKEN = re.compile(r"(?:“[^”]*”|\"[^\"]*\"|«[^»]*»|„[^“”]*[“”]|「[^」]*」|『[^』]*』)[^.!?。！？\n]*")
"""What a rule puts in quotation marks is meant to be said; the rest of its sentence goes with it."""
_GIVEN_AWAY = ("name", "style", "to", "asker")
"""The variables of a prompt that stay in its frame; all others are what it is filled with."""


def leak_in(reply: str, prompt: Prompt, known: Mapping[str, Any]) -> str:
    """The words of what it was told that a reply gives away, "" for none. `known` are the prompt's variables."""
    if label := _labelled(reply, known["task"]):
        return label
    said, heard = _joined(_words(reply)), _joined(_words(f"{known['heard']}\n{known.get('question', '')}"))
    frame, titles = _frame(prompt, known)
    direction, *_ = [*_sentences(_SPOKEN.sub("", known.get("content", ""))), []]
    found = (
        _beginning(direction, said, heard) or _most(direction, said, heard),
        *(_beginning(told, said, heard) for told in _told(known)),
        *(_run(sentence, said, heard) for sentence in _sentences(frame)),
        *(title for title in titles if _heads_a_line(title, reply)),
    )
    return next(filter(None, found), "")


def deviation_of(leak: str) -> Deviation:
    """What a role agent is told of a reply that gives its directions away, and the moderator where it stays so."""
    return Deviation(
        level="macro",
        what=f"The reply gives away what you were told beforehand: “{leak}”.",
        why="Nobody in the scene knows that you were told what to say, and nobody may hear it.",
        steps=("Speak as the person you are, to the others, in words of your own.", "Leave all directions out."),
        by="program",
    )


# ── what was told ────────────────────────────────────────────────────────────────────────────────────────────────


def _told(known: Mapping[str, Any]) -> Iterable[list[str]]:
    """How the role is told who it is, and the sentences of task and purpose: each as words."""
    yield _words(f"You are {known['name']}. {known['background']}")
    yield from _sentences(known["task"])
    yield from _sentences(known.get("purpose", ""))


def _frame(prompt: Prompt, known: Mapping[str, Any]) -> tuple[str, list[str]]:
    """The prompt's own words around what it is filled with, and the titles of its materials."""
    empty = {name: known.get(name, "") if name in _GIVEN_AWAY else "" for name in prompt.variables}
    rendered = prompt.render(**empty)
    titles = [title for kind, title, *_ in prompt.sections if kind == "material"]
    return f"{rendered.role}\n{rendered.task}", titles


def _sentences(text: str) -> Iterable[list[str]]:
    return (words for part in _SENTENCE.split(text) if (words := _words(part)))


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return _WORD.findall(plain)


# ── what is given away ───────────────────────────────────────────────────────────────────────────────────────────


def _labelled(reply: str, task: str) -> str:
    """A label of the prompt's: a direction's anywhere, a task's at a line's beginning or before the own task.

    A moderator may well say "Your task: …" to a subject in the middle of a line.
    """
    own = _words(task)[:HEAD]
    for found in (*_DIRECTION.finditer(reply), *_TASK.finditer(reply)):
        line_begins = found.re is _DIRECTION or not reply[: found.start()].rpartition("\n")[2].strip()
        if line_begins or (own and _words(reply[found.end() :])[: len(own)] == own):
            return found[0].strip()
    return ""


def _beginning(told: Sequence[str], said: str, heard: str) -> str:
    """The beginning of a told sentence that stands in the reply and was not heard."""
    head = told[: _reach(told, RUN)]
    if _weight(head) < WHOLE or not _stands(head, said) or _stands(head, heard):
        return ""
    return _shown(head)


def _most(told: Sequence[str], said: str, heard: str) -> str:
    """A told sentence whose first words stand in the reply, and most of the others in whatever order."""
    head = _reach(told, HEAD)
    if _weight(told) < WHOLE or not _stands(told[:head], said) or _stands(told[:head], heard):
        return ""
    runs = [told[at : at + head] for at in range(len(told) - head + 1)]
    return _shown(told) if sum(_stands(run, said) for run in runs) >= SHARE * len(runs) else ""


def _run(told: Sequence[str], said: str, heard: str) -> str:
    """A run of a sentence of the prompt's own that stands in the reply and was not heard."""
    for at in range(len(told)):
        run = told[at : at + _reach(told[at:], RUN)]
        if _weight(run) < (RUN if at else WHOLE):
            return ""
        if _stands(run, said) and not _stands(run, heard):
            return _shown(run)
    return ""


def _heads_a_line(title: str, reply: str) -> bool:
    """Whether a line of the reply begins with the title of a material of four words and more."""
    words = _words(title)
    return len(words) >= WHOLE - 1 and any(_words(line)[: len(words)] == words for line in reply.splitlines())


def _weight(words: Sequence[str]) -> float:
    """About how many words: a letter of a script without blanks is half a one."""
    return sum(0.5 if re.fullmatch(f"[{_UNSPACED}]", word) else 1.0 for word in words)


def _reach(words: Sequence[str], size: float) -> int:
    """So many of these weigh as much as `size` words; all where they weigh less."""
    return next((n for n in range(1, len(words) + 1) if _weight(words[:n]) >= size), len(words))


def _joined(words: Sequence[str]) -> str:
    """Words as one text in which whole words in a row can be looked up."""
    return f"\0{chr(0).join(words)}\0"


def _stands(run: Sequence[str], text: str) -> bool:
    """Whether the words stand in a row in what `_joined` gave."""
    return _joined(run) in text


def _shown(words: Sequence[str]) -> str:
    unspaced = all(len(word) == 1 for word in words)
    return ("" if unspaced else " ").join(words)
