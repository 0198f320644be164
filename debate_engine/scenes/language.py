"""What the program itself says in a scene, beside its prompts, in the language of the scene's file. Pure.

A scene's own lines are in whatever language its author writes. Consent, questions and the debriefing around them are
the program's: there are as many languages of a scene as there are of those (`LANGUAGES`). A new one is a table here,
and a folder of the prompts that people read (`prompts_of`).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, get_args

Language = Literal["en", "de"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

_ENGLISH = {
    "number": "one number{unit}, and nothing else",
    "whole-number": "one whole number{unit}, and nothing else",
    "unit": " in {unit}",
    "choice": "one of these",
    "likert": "how far you agree",
    "rating": "from {low} ({low_means}) to {high} ({high_means})",
    "yes-no": "yes or no",
    "text": "in at most {n} words",
    "optional": "you may leave it out",
    "yes": "yes",
    "no": "no",
    "of": "{value} of {most}",
    "from-to": "{low} to {high}",
    "people": "{n} people",
    "everybody": "everybody",
    "and": " and ",
    "talked-over": "{name} talks this over with you: take up what was said last.",
    "you-are": "You are {name}.",
    "your-task": "Your task: {task}",
    "begins": "The scene begins. What reaches you appears here, and you are asked when it is your turn to speak.",
    "cannot-answer": (
        "Nobody can answer this now. Decide as you think right with what you know; your question is noted."
    ),
    "agreed": "whether you agree to take part",
    "of-age": "whether you are of that age",
    "kept": "whether it may be kept",
    "voluntary": (
        "Taking part is voluntary. You may say no, and you may stop at any moment, without a reason and without any "
        "disadvantage."
    ),
    "compensation": "You are not paid for taking part.",
    "board": "No ethics board has reviewed this study.",
    "treatment": "the version in which the others were asked to influence the choice",
    "control": "the quiet version, in which nobody was asked to influence anything",
    "version": "the version “{varied}”",
    "person": "a person",
    "model": "a language model",
    "fixed": "nobody: these lines were written beforehand, the same for everybody",
    "silent": "nobody: says nothing",
    "you": "you",
    "subject": "the subject",
    "confederate": "the confederate",
    "moderator": "the moderator",
    "other": "taking part",
    "errors": "Answered otherwise than was right: {errors} of {most}.",
    "judges": "{n} of them",
    "local": "local ones on this machine",
    "scripted": "scripted ones",
    "SDC": "Remark on what is going on right now, here, in this situation.",
    "JOK": "Be light and funny, so that the mood stays easy.",
    "CON": "Disagree openly: object, challenge, hold a different view against theirs.",
    "FTO": "Find out together: ask, weigh possibilities, look for an answer or a choice.",
    "FEL": "Say how you feel about it, what you like, how you judge it.",
    "ADV": "Tell them what to do, or suggest what would be good to do.",
    "PAS": "Tell what has happened before, and what came of it.",
    "FUT": "Tell what will or may come, and what you intend.",
    "DES": "Explain how something is or works, whatever the time.",
    "SYS": "Take in what the system tells you; you say nothing.",
}
_GERMAN = {
    "number": "eine Zahl{unit}, sonst nichts",
    "whole-number": "eine ganze Zahl{unit}, sonst nichts",
    "unit": " [{unit}]",
    "choice": "eins davon",
    "likert": "wie sehr Sie zustimmen",
    "rating": "von {low} ({low_means}) bis {high} ({high_means})",
    "yes-no": "ja oder nein",
    "text": "in höchstens {n} Wörtern",
    "optional": "Sie dürfen es auslassen",
    "yes": "ja",
    "no": "nein",
    "of": "{value} von {most}",
    "from-to": "{low} bis {high}",
    "people": "{n} Personen",
    "everybody": "allen",
    "and": " und ",
    "talked-over": "{name} spricht das mit Ihnen durch: Gehen Sie auf das zuletzt Gesagte ein.",
    "you-are": "Sie sind {name}.",
    "your-task": "Ihre Aufgabe: {task}",
    "begins": "Die Szene beginnt. Was Sie erreicht, erscheint hier; Sie werden gefragt, wenn Sie an der Reihe sind.",
    "cannot-answer": (
        "Das kann jetzt niemand beantworten. Entscheiden Sie, wie Sie es mit dem, was Sie wissen, für richtig halten; "
        "Ihre Frage ist notiert."
    ),
    "agreed": "ob Sie teilnehmen möchten",
    "of-age": "ob Sie so alt sind",
    "kept": "ob es behalten werden darf",
    "voluntary": (
        "Die Teilnahme ist freiwillig. Sie dürfen Nein sagen und jederzeit aufhören, ohne Grund und ohne jeden "
        "Nachteil."
    ),
    "compensation": "Für die Teilnahme bekommen Sie nichts bezahlt.",
    "board": "Keine Ethikkommission hat diese Studie geprüft.",
    "treatment": "die Fassung, in der die anderen die Wahl beeinflussen sollten",
    "control": "die ruhige Fassung, in der niemand etwas beeinflussen sollte",
    "version": "die Fassung „{varied}“",
    "person": "ein Mensch",
    "model": "ein Sprachmodell",
    "fixed": "niemand: Diese Sätze waren vorher geschrieben, für alle gleich",
    "silent": "niemand: sagt nichts",
    "you": "Sie",
    "subject": "die befragte Person",
    "confederate": "eingeweiht",
    "moderator": "leitet",
    "other": "macht mit",
    "errors": "Anders geantwortet, als richtig war: {errors} von {most}.",
    "judges": "{n} davon",
    "local": "solche auf diesem Rechner",
    "scripted": "geschriebene",
    "SDC": "Äußern Sie sich zu dem, was gerade hier vorgeht, in dieser Lage.",
    "JOK": "Seien Sie locker und lustig, damit die Stimmung leicht bleibt.",
    "CON": "Widersprechen Sie offen: Wenden Sie etwas ein, fordern Sie heraus, halten Sie eine andere Sicht dagegen.",
    "FTO": "Finden Sie es gemeinsam heraus: fragen, Möglichkeiten abwägen, nach einer Antwort oder Wahl suchen.",
    "FEL": "Sagen Sie, wie Sie dazu stehen, was Ihnen gefällt, wie Sie urteilen.",
    "ADV": "Sagen Sie ihnen, was zu tun ist, oder schlagen Sie vor, was zu tun gut wäre.",
    "PAS": "Erzählen Sie, was vorher geschah, und was daraus wurde.",
    "FUT": "Erzählen Sie, was kommen wird oder kann, und was Sie vorhaben.",
    "DES": "Erklären Sie, wie etwas ist oder geht, unabhängig von der Zeit.",
    "SYS": "Nehmen Sie auf, was das System Ihnen mitteilt; Sie sagen nichts.",
}
WORDS: Mapping[Language, Mapping[str, str]] = MappingProxyType({"en": _ENGLISH, "de": _GERMAN})


def phrase(language: Language, name: str, /, **values: object) -> str:
    """The words of this name, filled in. Raises KeyError for a name there is not."""
    return WORDS[language][name].format(**values)


def as_written(number: str, language: Language) -> str:
    """A number in English digits (1,234.5) as it is written in the language."""
    return number.translate(_MARKS) if language == "de" else number


_MARKS = str.maketrans(",.", ".,")
