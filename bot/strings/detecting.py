"""`/detect`, "Detect biases" and "Look for biases": the bias in a text or in what was said in a session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from elenchus.bot.strings import crit
from elenchus.bot.strings.thread import dollars

DESCRIPTION: Final = "Find the cognitive bias in a text, or in what was said in a finished session"
OPTIONS: Final[Mapping[str, str]] = {
    "text": "The text",
    "file": crit.FILE,
    "session": "A finished session of this server instead: choose it from the list",
    "speaker": "With a session: examine only what this one said",
    "method": "How (default: full)",
    "labels": "The candidates with commas between them, instead of the screeners' suspicions",
    "bias": "Ask only whether this one is there",
    "detector": "Who looks for the bias in question: a model or @somebody (default: this server's debater)",
    "weights": "What the referees' scores count for (default: dqn-genetic)",
    "top": "Rank the first so many biases",
    "private": "In a thread that only you see (default: yes for another person's words)",
}
METHODS: Final[Mapping[str, str]] = {
    "full": "full: screen, detectors, debates, two referees",
    "tree": "tree: the same with one rational referee",
    "candidates": "candidates: the screen, then one question",
    "zero-shot": "zero-shot: one question",
    "cot": "cot: one question, step by step",
    "dialogue": "dialogue: two agents talk",
    "group": "group: four agents talk",
}
MENU: Final = "Detect biases"
LOOK: Final = "Look for biases"

ONLY_MODERATORS: Final = (
    "Only a moderator has another person's words examined: choose a speaker that is a model, a text of your own, or "
    "ask a moderator of this server."
)
OPTED_OUT: Final = (
    "Somebody whose words these are does not want them examined: choose another speaker, or another text."
)

# ── what is examined ─────────────────────────────────────────────────────────────────────────────────────────────

OF_TEXT: Final = "Looking for biases in a text"
OF_MESSAGE: Final = "Looking for biases in a message"


def of_session(title: str) -> str:
    """The title of a detection on a session's transcript."""
    return f"Looking for biases: {title}"


# ── the offer ────────────────────────────────────────────────────────────────────────────────────────────────────

OFFER_TITLE: Final = "Look for biases?"
HOW, MODEL = "How", "Model"


def turns(count: int, speaker: str) -> str:
    """How much of a session is examined; `speaker` alone, or everybody where it is ""."""
    what = f"{count:,} turn" if count == 1 else f"{count:,} turns"
    return f"{what} of {speaker}, with the others' words for understanding" if speaker else f"{what} of everybody"


def characters(count: int) -> str:
    """How long a text is."""
    return "1 character" if count == 1 else f"{count:,} characters"


def of_bias(name: str) -> str:
    """One bias is asked about."""
    return f"whether it shows {name}"


def among(names: str) -> str:
    """The candidates are given."""
    return f"candidates: {names}"


def best(top: int) -> str:
    """More than the first is ranked."""
    return f"the first {top} are ranked"


def weighted(name: str) -> str:
    """By which weights matches are decided."""
    return f"weights: {name}"


MORE: Final = "-# One speaker, another method, given candidates: `/detect session:`"
WARN_LONG: Final = (
    "-# At the most: as many candidates as both screeners may name, all confirmed. Mostly it is a small part of that."
)


def budget(usd: float | None, tokens: int | None) -> str:
    """What the server has left today, where it pauses."""
    left = [dollars(usd) if usd is not None else "", f"{tokens:,} tokens" if tokens is not None else ""]
    shown = " and ".join(part for part in left if part)
    return f"It pauses at what the server has left today: {shown}." if shown else "No limit for today."


# ── what is refused ──────────────────────────────────────────────────────────────────────────────────────────────

NO_TEXT: Final = "There is no text: write one, add a text file, or choose a finished session."
NO_WORDS: Final = "That message has no words to examine: choose one with text, or use `/detect text:`."
TOO_MUCH: Final = "Give one thing to examine: a text, a file or a session."
SPEAKER_ALONE: Final = "A speaker goes with a session: choose one, or leave the speaker out."
BIAS_AND_LABELS: Final = "`bias` asks about one bias and `labels` compares several: give one of them."
TWICE: Final = "`labels` names a bias twice: give each one once."
NEEDS_A_MODEL: Final = "A detection asks many small questions: have `/settings` name a model as debater."
A_MEMBER: Final = "a member"
NO_DETECTOR: Final = "Done this way nobody sits on the detector's seat: leave `detector` out, or choose another method."
NOT_ONES_OWN: Final = "Nobody looks for biases in words of their own here: name another detector."
MAY_NOT: Final = (
    "You may not look for biases here: ask somebody who may, or have `/settings` changed by an administrator."
)
NOT_SEEN: Final = (
    "No finished session here that you may see has this id: choose one from the list, or see `/session list`."
)
NOT_OVER: Final = "That session goes on: its biases can be looked for when it is over, so that nobody in it is swayed."
NOTHING_SAID: Final = "Nothing was said in that session: there is nothing to examine."


def nobody(speaker: str, speakers: str) -> str:
    """Nobody of this name spoke."""
    return f"Nobody called {speaker} spoke in that session: it was {speakers}."


def unknown_label(name: str, near: str) -> str:
    """The catalogue has no such bias; `near` may be ""."""
    hint = f"near it are {near}" if near else "choose one from the list that opens while you type"
    return f"There is no bias {name} in the catalogue: {hint}."


def unknown_weights(name: str, known: str) -> str:
    """No weights are called so."""
    return f"There are no weights {name}: take one of {known}."


def too_long(most: int) -> str:
    """Too much text."""
    return f"The text is too long: {most:,} characters are taken at the most; give a part of it."


# ── the thread ───────────────────────────────────────────────────────────────────────────────────────────────────

EXAMINED_TEXT: Final = "The text that is examined"


def transcript(title: str, speaker: str) -> str:
    """What a detection on a session examines; the title is safe already."""
    of = f"What {speaker} said" if speaker else "What was said"
    return f"**{of} in “{title}” is examined.**"


def progress(text: str) -> str:
    """How far a detection is; safe already."""
    return f"*{text[:1].upper()}{text[1:]}.*"


FOUND: Final = "Bias: {name}"
NONE: Final = "No bias found"
UNREAD: Final = "It could not be told: too little of the models' answers could be read"
UNFOUNDED: Final = "Unfounded: the yes quotes no words that stand in the text"
ANSWERED: Final[Mapping[str, str]] = {
    "found": "{name}: yes, it is there",
    "none": "{name}: no, it is not there",
    "undecided": "{name}: the answers do not agree",
    "unread": "{name}: the answers could not be read",
    "unfounded": "{name}: unfounded, the yes quotes no words that stand in the text",
}
WHY, SHOWING, MISSING = "Why", "The words that show it", "Quoted, but not in the text"
RANKING, CANDIDATES, MATCHES, DECISION, NOTES = "Ranking", "Candidates", "Matches", "Decision", "Notes"
ANSWERS, TALK = "Answers", "The talk"
UNDECIDED: Final = " (undecided: the one named earlier goes on)"
YES, NO, NOT_READ, NOT_ASKED = "✔ yes", "✖ no", "not read", "not asked"
UNFOUNDED_YES: Final = "yes, but unfounded: it does not count"
NO_SCORE: Final = "–"
LEGEND: Final = (
    "Numbers: the weighted sums of the referees' means, 0–10 a criterion, both orders of showing; “–”: no score could "
    "be read. The debates and every score stand in the report."
)


def said_by(speaker: str, turn: int) -> str:
    """Where words stand in a transcript."""
    return f" ({speaker}, turn {turn})"


def candidate(name: str, places: str, said: str, why: str) -> str:
    """One candidate: its places in the screeners' lists, what its detector said."""
    told = f"**{name}** ({places}) {said}" if places else f"**{name}** {said}"
    return f"{told}: {why}" if why else told


def answer(said: str, why: str) -> str:
    """One answer about a given bias."""
    return f"**{said}**: {why}" if why else f"**{said}**"


BOLD, CAREFUL, BY_MEANING, GIVEN = "bold", "careful", "by meaning", "given"


def place(screener: str, n: int) -> str:
    """Where a screener named it."""
    return f"{screener} {n}"


def match(n: int, first: str, second: str, sums: str, winner: str, undecided: bool) -> str:
    """One match of the tree."""
    return f"{n}. {first} – {second}: {sums} → **{winner}**{UNDECIDED if undecided else ''}"


def weights(name: str, source: str, numbers: str) -> str:
    """Which weights were used."""
    return f"Weights “{name}” ({source}): {numbers}."


def flips(flipped: int, pairs: int) -> str:
    """What the order of showing did."""
    return f"The order of showing changed the winner of {flipped} of {pairs} matches."


def agreed(share: float, count: int) -> str:
    """How far repeated answers agree."""
    return f"{share:.0%} of {count} answers agree"
