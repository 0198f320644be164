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
        "choice": rf"{_NAME} must be one of (?P<choices>.+)",
        "no-session": r"There is no session '(?P<session>\S+)' \(any more\): .+",
        "extended": r"You have had more time (?P<n>\d+) times: whoever moderates can give more",
        "waiting": r"(?P<n>\d+) arguments of yours wait for the speaker: send more when one was given on",
        "given": r"You have given (?P<n>\d+) arguments: vote for those of others",
        "argument": r"An argument has up to (?P<n>\d+) characters, and not none: say it shortly",
    }.items()
}  # fmt: skip


def refusal_in_words(detail: str, t: Words) -> str:
    """A refusal in the words of a page. Pure."""
    if (whole := t.of("detail", detail)) != detail:
        return whole
    if detail.isascii() and detail.startswith(("{", "[")):
        return detail
    faults = detail.removesuffix(".").split("; ")
    told = [_fault(fault, t) for fault in faults]
    return detail if None in told else " ".join(filter(None, told))


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
