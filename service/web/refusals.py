"""What is refused, in the words of the page: sentences as they stand, and those that name a field, a number, a limit.

Programs read them as the house says them, in English. What has no words of ours is shown as it is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from elenchus.service.web.strings import Words

_ALONE = ("this", "the answer")
"""How a complaint calls a field that is asked alone."""
_QUESTION = re.compile(r"f(\d+): (?:this )?(.*)", re.DOTALL)
_NAME = r"(?P<name>.+?)"
_FORMS: dict[str, re.Pattern[str]] = {
    name: re.compile(form, re.DOTALL | re.IGNORECASE)
    for name, form in {
        "empty": rf"{_NAME} must not be empty",
        "answer-empty": r"(?P<name>the answer) is empty",
        "few": rf"{_NAME} needs at least (?P<n>\d+) items",
        "many": rf"{_NAME} may have at most (?P<n>\d+) items",
        "words": rf"{_NAME} may have at most (?P<most>\d+) words \(it has (?P<has>\d+)\)",
        "long": rf"{_NAME} may have at most (?P<most>\d+) characters",
        "range": rf"{_NAME} must be from (?P<low>\S+) to (?P<high>\S+)",
        "whole": rf"{_NAME} must be a whole number, in digits alone, such as \S+",
        "number": rf"{_NAME} must be a number, in digits alone, such as .+",
        "which": rf"{_NAME}: (?P<typed>.+) may be (?P<readings>.+), write which",
        "object": rf"{_NAME} must be a JSON object",
        "choice": rf"{_NAME} must be one of (?P<choices>.+)",
        "no-session": r"There is no session '(?P<session>\S+)' \(any more\): .+",
        "extended": r"You have had more time (?P<n>\d+) times: whoever moderates can give more",
        "waiting": r"(?P<n>\d+) arguments of yours wait for the speaker: send more when one was given on",
        "given": r"You have given (?P<n>\d+) arguments: vote for those of others",
        "argument": r"An argument has up to (?P<n>\d+) characters, and not none: say it shortly",
    }.items()
}  # fmt: skip


WHOLE: dict[str, re.Pattern[str]] = {
    name: re.compile(form, re.DOTALL)
    for name, form in {
        "class-open-question": r"A class debates a motion, which one is for or against: leave out (?P<option>.+)",
        "session-over": r"This session is (?P<state>\w+): nothing can be changed in it any more",
        "not-now": r"This session is (?P<state>\w+): it cannot be done now",
        "on-its-way": r"That was asked for already, and is on its way: \w+",
        "phase": r"The class is in the phase (?P<phase>\w+); (?P<next>.+) comes next, and not (?P<to>\w+)",
        "heat-already": r"The next turn's heat is (?P<heat>[\d.]+) already: the scale goes from 0 to 1",
        "places": r"A class has 1 to (?P<most>\d+) places",
        "too-large": r"The request is larger than (?P<most>[\d,]+) bytes",
        "streams": r"(?P<count>\d+) streams are open already: close another tab",
        "too-many": r"Too many requests: try again in (?P<count>\d+) seconds",
        "links-held": r"This browser holds (?P<count>\d+) links already: sign out, then open this one again",
        "motion-long": r"The motion has (?P<has>[\d,]+) characters, of which (?P<most>[\d,]+) are allowed: shorten it, "
        r"and give facts for both sides with (?P<brief>.+)",
        "document-empty": r"The document.* is empty: give a text that argues for something",
        "key": r"(?P<spec>\S+) needs a key: set (?P<variable>\w+) in the environment or in a file \.env",
        "nobody": r"'?(?P<spec>.+?)'? is no model, persona or person: write .+",
        "scene": r"There is no scene '(?P<scene>.*)'; .+",
        "mind-there": r"There is a mind called (?P<mind>.+) here: choose another name",
        "mind-text": r"The text has (?P<has>[\d,]+) characters, and a persona reads (?P<most>[\d,]+) at once",
        "profile-long": r"The profile has (?P<has>[\d,]+) characters, and (?P<most>[\d,]+) are the most",
        "file-large": r"The file is larger than (?P<most>[\d,]+) bytes: give a part of it",
        "iteration": r"There is no iteration (?P<count>\d+)(?: of .+| yet): the last one is (?P<last>\d+)",
        "person-seat": r"No person sits on (?P<seat>\S+): people sit on (?P<seats>.+)",
        "budget-small": r"A budget of (?P<amount>\S+) (?P<what>\w+) pays for nothing: give .+",
    }.items()
}  # fmt: skip
"""Sentences that stand alone, and name something."""


def refusal_in_words(detail: str, t: Words) -> str:
    """A refusal in the words of a page. Pure."""
    if (whole := t.of("detail", detail)) != detail:
        return whole
    for name, form in WHOLE.items():
        if found := form.fullmatch(detail.removesuffix(".")):
            return t(f"refused.{name}", **{part: _named(part, text, t) for part, text in found.groupdict().items()})
    if detail.isascii() and detail.startswith(("{", "[")):
        return detail
    faults = detail.removesuffix(".").split("; ")
    told = [_fault(fault, t) for fault in faults]
    return detail if None in told else " ".join(filter(None, told))


def _named(part: str, text: str, t: Words) -> str:
    """What such a sentence names, as the page calls it."""
    return t.of({"state": "state", "phase": "class-phase"}.get(part, "labels"), text)


def _fault(fault: str, t: Words) -> str | None:
    """One complaint; None where we have no words for it."""
    question = _QUESTION.fullmatch(fault)
    text = f"this {question[2]}" if question else fault
    for name, form in _FORMS.items():
        if found := form.fullmatch(text):
            parts: dict[str, object] = {key: value for key, value in found.groupdict().items() if key != "n"}
            parts |= {"n": int(found["n"])} if "n" in parts or "n" in found.groupdict() else {}
            if "name" in parts:
                parts["name"] = t("said-question", n=question[1]) if question else _called(found["name"], t)
            return t(f"said.{name}", **parts)
    return None


def _called(name: str, t: Words) -> str:
    """A field as the page calls it: "Topics, line 2: scope" by the label of each of its parts."""
    if name.casefold() in _ALONE:
        return t("field-answer")
    return ": ".join(_part(part, t) for part in name.strip("“”").split(": "))


def _part(part: str, t: Words) -> str:
    label, _, line = part.partition(", line ")
    label = t.of("labels", label[:1].upper() + label[1:])
    return f"{label}, {t('said-entry', n=line)}" if line else label
