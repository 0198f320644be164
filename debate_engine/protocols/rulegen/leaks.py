"""Whether a reply gives away what its role was told: its directions, its task, the words of its prompt. Pure.

What a rule has somebody say is meant to be said, in nearly the rule's own words; so words in common are no leak. Told
aloud is a direction where a reply begins as the direction begins ("Tell Noor how the two kinds did …": who speaks to
Noor says it otherwise), or where it holds a run of the prompt's own words. What the speaker has heard, and what a rule
puts in quotation marks, may be said. How words are compared: `debate_engine.leaks`; how often this is wrong in either
way: NOTES.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from elenchus.debate_engine.leaks import WHOLE, ComparedText, beginning, most, of_prompt, reach, sentences, title_in
from elenchus.debate_engine.prompts import Prompt
from elenchus.debate_engine.protocols.rulegen.played import Deviation
from elenchus.debate_engine.words import weight

HEAD, SHARE = 3, 0.6
"""Fewer words from a direction's beginning are enough where so much of all its runs of `HEAD` words is there, too."""

LABELS = ("Your direction", "Your task")
"""What stands before a direction and a task in the prompts; `test_leaks.py` looks for them there."""
_DIRECTION = re.compile(rf"\b{LABELS[0]}\s*:", re.IGNORECASE)
_TASK = re.compile(rf"(?:^\W*|\b){LABELS[1]}\s*:", re.IGNORECASE | re.MULTILINE)

_SPOKEN = re.compile(
    r"(?:“[^”]*”|\"[^\"]*\"|«[^»]*»|»[^«]*«|„[^“”]*[“”]|”[^”]*”|‹[^›]*›|‚[^‘’]*[‘’]|「[^」]*」|『[^』]*』|《[^》]*》|〈[^〉]*〉)"
    r"[^.!?。！？\n]*"
)
"""What a rule puts in quotation marks is meant to be said; the rest of its sentence goes with it."""
_GIVEN_AWAY = ("name", "style", "to", "asker")
"""The variables of a prompt that stay in its frame; all others are what it is filled with."""


def leak_in(reply: str, prompt: Prompt, known: Mapping[str, Any]) -> str:
    """The words of what it was told that a reply gives away, "" for none. `known` are the prompt's variables."""
    if label := _labelled(reply, known["task"]):
        return label
    may_say = f"{known['heard']}\n{known.get('question', '')}"
    said, heard = ComparedText.of(reply), ComparedText.of(may_say)
    direction, *_ = [*sentences(_SPOKEN.sub("", known.get("content", ""))), ()]
    found = (
        beginning(direction, said, heard) or _most(direction, said, heard) or most(direction, said, heard),
        *(beginning(told, said, heard) or _told_in_full(told, known, said, heard) for told in _told(known)),
    )
    own_words = of_prompt(reply, prompt, known, _GIVEN_AWAY, may_say) or title_in(reply, prompt)
    return next(filter(None, found), own_words)


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


def _told(known: Mapping[str, Any]) -> Iterable[Sequence[str]]:
    """How the role is told who it is, and the sentences of task and purpose: each as words."""
    yield ComparedText.of(f"You are {known['name']}. {known['background']}").words
    yield from sentences(known["task"])
    yield from sentences(known.get("purpose", ""))


def _told_in_full(told: Sequence[str], known: Mapping[str, Any], said: ComparedText, heard: ComparedText) -> str:
    """Most of a sentence of the task in whatever order; who one is may be told."""
    return most(told, said, heard) if told in set(sentences(known["task"])) else ""


# ── what is given away ───────────────────────────────────────────────────────────────────────────────────────────


def _labelled(reply: str, task: str) -> str:
    """A label of the prompt's: a direction's anywhere, a task's at a line's beginning or before the own task.

    A moderator may well say "Your task: …" to a subject in the middle of a line.
    """
    own = ComparedText.of(task).words[:HEAD]
    for found in (*_DIRECTION.finditer(reply), *_TASK.finditer(reply)):
        line_begins = found.re is _DIRECTION or not reply[: found.start()].rpartition("\n")[2].strip()
        if line_begins or (own and ComparedText.of(reply[found.end() :]).words[: len(own)] == own):
            return found[0].strip()
    return ""


def _most(told: Sequence[str], said: ComparedText, heard: ComparedText) -> str:
    """A direction whose first words stand in the reply, and most of the others in whatever order."""
    head = reach(told, HEAD)
    if weight(told) < WHOLE or not said.holds(told[:head]) or heard.holds(told[:head]):
        return ""
    runs = [told[at : at + head] for at in range(len(told) - head + 1)]
    return " ".join(told) if sum(said.holds(run) for run in runs) >= SHARE * len(runs) else ""
