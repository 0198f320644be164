"""What people read around a scene: the prompts in its language, and right after consent who they are in the scene, or,
where they said no, a page as long. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle

from elenchus.debate_engine.prompts import PromptFolder, prompts_of
from elenchus.debate_engine.scenes.language import Language, phrase

_ENGLISH = (
    "You may stay where you are for a while, or go on with something else.",
    "Nobody is told what you have answered.",
    "The next minutes are your own.",
    "Some people use them to look out of the window and rest their eyes.",
    "Others read a page of a book, or write a message that they have put off since morning.",
    "If you sit in a room with others, there is no need to explain anything to anybody.",
    "They read a page that is about as long as this one.",
    "Whoever asks you later may hear as much or as little as you like.",
    "Drink something, if you have it at hand.",
    "Stretch your back and your shoulders, slowly, and breathe out.",
    "Think of something that went well this week, however small it was.",
    "It costs nothing, and some say that it makes the day a little lighter.",
    "Should you have a question about any of this, ask it whenever you like.",
    "Whoever runs the session answers it, and does not ask for your reasons.",
    "You may close this page at any time.",
    "Until then it simply stays here.",
)
_GERMAN = (
    "Sie können eine Weile bleiben, wo Sie sind, oder etwas anderes tun.",
    "Niemand erfährt, was Sie geantwortet haben.",
    "Die nächsten Minuten gehören Ihnen.",
    "Manche schauen dann aus dem Fenster und lassen die Augen ruhen.",
    "Andere lesen eine Seite in einem Buch oder schreiben eine Nachricht, die seit heute Morgen liegt.",
    "Wenn Sie mit anderen in einem Raum sitzen, müssen Sie niemandem etwas erklären.",
    "Die anderen lesen eine Seite, die etwa so lang ist wie diese.",
    "Wer Sie später fragt, darf so viel oder so wenig hören, wie Sie mögen.",
    "Trinken Sie etwas, wenn Sie etwas zur Hand haben.",
    "Strecken Sie langsam Rücken und Schultern, und atmen Sie aus.",
    "Denken Sie an etwas, das diese Woche gut ging, wie klein es auch war.",
    "Es kostet nichts, und manche sagen, dass der Tag davon etwas leichter wird.",
    "Wenn Sie dazu eine Frage haben, stellen Sie sie, wann immer Sie mögen.",
    "Wer das hier leitet, beantwortet sie und fragt nicht nach Ihren Gründen.",
    "Sie dürfen diese Seite jederzeit schließen.",
    "Bis dahin bleibt sie einfach hier.",
)
_TIME: Mapping[Language, tuple[str, ...]] = {"en": _ENGLISH, "de": _GERMAN}


def prompts_in(language: Language) -> PromptFolder:
    """The texts that people read around a scene."""
    return prompts_of("elenchus.debate_engine.protocols.rulegen.people", language)


def part_of(name: str, background: str, task: str, language: Language = "en") -> str:
    """What a person is told of the part it plays, before anything of the scene reaches it."""
    you = f"{phrase(language, 'you-are', name=name)} {background}".rstrip()
    part = phrase(language, "your-task", task=task) if task else ""
    return "\n\n".join(filter(None, (you, part, phrase(language, "begins"))))


def as_long_as(page: str, words: str, language: Language = "en") -> str:
    """`words`, gone on with in plain sentences until they are as many words as the page, within a tenth."""
    wanted, found = len(page.split()), words.split()
    for sentence in cycle(_TIME[language]):
        missing = wanted - len(found)
        if missing <= wanted // 20:
            break
        own = sentence.split()
        found += own if len(own) <= missing else [*own[: missing - 1], own[missing - 1].rstrip(".,") + "."]
    return " ".join(found)
