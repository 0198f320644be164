"""What a person reads right after consent: who they are in the scene, or, where they said no, a page as long. Pure."""

from __future__ import annotations

from collections.abc import Iterator

HOW = "The scene begins. What reaches you appears here, and you are asked when it is your turn to speak."

_TIME = (
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


def part_of(name: str, background: str, task: str) -> str:
    """What a person is told of the part it plays, before anything of the scene reaches it."""
    told = (f"You are {name}. {background}".rstrip(), f"Your task: {task}" if task else "", HOW)
    return "\n\n".join(filter(None, told))


def as_long_as(page: str, words: str) -> str:
    """`words`, gone on with in plain sentences until they are as many words as the page, within a tenth."""
    wanted, found = len(page.split()), words.split()
    for sentence in _sentences():
        missing = wanted - len(found)
        if missing <= wanted // 20:
            break
        own = sentence.split()
        found += own if len(own) <= missing else [*own[: missing - 1], own[missing - 1].rstrip(".,") + "."]
    return " ".join(found)


def _sentences() -> Iterator[str]:
    while True:
        yield from _TIME
