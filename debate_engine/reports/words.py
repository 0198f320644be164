"""The fixed words of reports: headings, labels and legends, in the one language that they are written in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

LANGUAGE: Final = "en"

NO_SCORE: Final = "no score"
UNKNOWN_PRICE: Final = "no known price"

SIMULATED: Final = (
    "**Simulated.** Every answer of a model in this run comes from a script. It shows how the program works; it says "
    "nothing about what was asked, or about any model."
)
WEAK: Final = (
    "**Weak model.** {names} ran on a very small model. It writes poorly, and the scores, rulings and signatures that "
    "it gives say nothing of the arguments: take this run for a demonstration, not for evidence."
)

KINDS: Final[Mapping[str, str]] = {
    "person": "a person",
    "simulated": "simulated",
    "weak": "embedded model, weak",
    "local": "model in this process",
    "model": "model",
}

STATES: Final[Mapping[str, str]] = {
    "running": "not finished (running, or interrupted)",
    "paused": "paused",
    "finished": "finished",
    "stopped": "stopped by the moderator",
    "failed": "broken off by an error",
    "rescued": "rescued from a damaged log, with gaps",
}

NOT_BEGUN: Final = "not begun"

PAUSES: Final[Mapping[str, str]] = {
    "moderator": "the moderator",
    "budget": "the budget",
    "provider": "a model that could not be reached",
    "interrupt": "an interruption",
}


def inside(sentence: str) -> str:
    """A sentence that goes on within another."""
    return sentence[:1].lower() + sentence[1:]


HEADINGS: Final[Mapping[str, str]] = {
    "summary": "In plain words",
    "result": "Result",
    "participants": "Participants",
    "transcript": "What was said",
    "moderator": "The moderator's interventions",
    "beside": "Asked and wished by those who took part",
    "failures": "What went wrong",
    "methods": "Methods",
    "costs": "Costs",
}

CAPTION: Final = "For slides: {name}.png and {name}.svg. The numbers are {numbers}."
NOTHING_YET: Final = "Nothing has happened yet."
NO_CALLS: Final = "Nothing: no model was called."
NOTHING_WRONG: Final = "Every call was answered, and every score that was asked for could be read."

INTERVENTIONS: Final[Mapping[str, str]] = {
    "pause": "asked for a pause",
    "resume": "asked to go on",
    "heat": "set the heat to {heat:.2f}",
    "guidance": "guided {to}: “{text}”",
    "question": "asked {to}: “{text}”",
    "deepen": "asked {to} to deepen its weakest reason",
    "round": "asked for one more round",
    "close": "asked for the closings",
    "debrief": "asked for the debriefing",
    "stop": "stopped the session: “{reason}”",
    "budget": "set the budget to {limits}",
    "extend": "gave more time, until {due:%H:%M} UTC",
    "leave": "took {seat} off its person",
    "vote_closed": "closed the audience's vote {when} the debate",
    "withdraw": "{seat} stopped taking part",
    "unscripted": "{seat} asked: “{text}”",
    "forget": "asked that the words of {seat} be forgotten",
}


def limits(tokens: int | None, usd: float | None) -> str:
    """A budget that was set, only what was said of it: `50 tokens and $2.50`."""
    parts = [f"{tokens:,} tokens" if tokens is not None else "", dollars(usd) if usd is not None else ""]
    return listed([part for part in parts if part])


def yes_or_no(present: bool | None, *, unfounded: bool) -> str:
    """A judge's or a detector's answer; an unfounded yes is called so wherever it is shown."""
    return "unread" if present is None else "yes, but unfounded" if unfounded else "yes" if present else "no"


def count(n: int, one: str, many: str = "") -> str:
    """A number with its noun."""
    return f"{n} {one if n == 1 else many or f'{one}s'}"


def listed(items: Sequence[str]) -> str:
    """a, b and c."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}" if items else ""


def shortened(text: str, most: int) -> str:
    """A text on one line, cut at a word where it has more characters than `most`."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most].rsplit(' ', 1)[0]}…"


def heat(value: float | None) -> str:
    """A heat with two decimals."""
    return "" if value is None else f"{value:.2f}"


def score(value: float | None) -> str:
    """A score with one decimal; the words for no score."""
    return NO_SCORE if value is None else f"{value:.1f}"


def number(value: float | None) -> str:
    """A score, or a dash where there is none."""
    return "–" if value is None else f"{value:.1f}"


def dollars(value: float | None) -> str:
    """Money with the digits that it needs; the words for an unknown price."""
    if value is None:
        return UNKNOWN_PRICE
    return f"${value:.2f}" if value >= 1 or value == 0 else f"${value:.4f}"


def seconds(value: float) -> str:
    """A time span as a person says it."""
    if value < 60:
        return f"{value:.1f} s"
    minutes, rest = divmod(round(value), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
