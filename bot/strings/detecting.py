"""`/detect`, "Detect biases" and "Look for biases": the bias in a text or in what was said in a session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from elenchus.bot.strings import msg
from elenchus.bot.strings.thread import dollars

# ── the offer ────────────────────────────────────────────────────────────────────────────────────────────────────


def turns(count: int, speaker: str) -> str:
    """How much of a session is examined; `speaker` alone, or everybody where it is ""."""
    what = f"{count:,} turn" if count == 1 else f"{count:,} turns"
    return f"{what} of {speaker}, with the others' words for understanding" if speaker else f"{what} of everybody"


def characters(count: int) -> str:
    """How long a text is."""
    return "1 character" if count == 1 else f"{count:,} characters"


def budget(usd: float | None, tokens: int | None) -> str:
    """What the server has left today, where it pauses."""
    left = [dollars(usd) if usd is not None else "", f"{tokens:,} tokens" if tokens is not None else ""]
    shown = " and ".join(part for part in left if part)
    return f"It pauses at what the server has left today: {shown}." if shown else "No limit for today."


# ── what is refused ──────────────────────────────────────────────────────────────────────────────────────────────


def unknown_label(name: str, near: str) -> str:
    """The catalogue has no such bias; `near` may be ""."""
    hint = f"near it are {near}" if near else "choose one from the list that opens while you type"
    return f"There is no bias {name} in the catalogue: {hint}."


# ── the thread ───────────────────────────────────────────────────────────────────────────────────────────────────


def transcript(title: str, speaker: str) -> str:
    """What a detection on a session examines; the title is safe already."""
    of = f"What {speaker} said" if speaker else "What was said"
    return f"**{of} in “{title}” is examined.**"


def progress(text: str) -> str:
    """How far a detection is; safe already."""
    return f"*{text[:1].upper()}{text[1:]}.*"


FOUND: Final = "Bias: {name}"


ANSWERED: Final[Mapping[str, str]] = {
    "found": "{name}: yes, it is there",
    "none": "{name}: no, it is not there",
    "undecided": "{name}: the answers do not agree",
    "unread": "{name}: the answers could not be read",
    "unfounded": "{name}: unfounded, the yes quotes no words that stand in the text",
}


def candidate(name: str, places: str, said: str, why: str) -> str:
    """One candidate: its places in the screeners' lists, what its detector said."""
    told = f"**{name}** ({places}) {said}" if places else f"**{name}** {said}"
    return f"{told}: {why}" if why else told


def answer(said: str, why: str) -> str:
    """One answer about a given bias."""
    return f"**{said}**: {why}" if why else f"**{said}**"


def match(n: int, first: str, second: str, sums: str, winner: str, undecided: bool) -> str:
    """One match of the tree."""
    return f"{n}. {first} – {second}: {sums} → **{winner}**{msg('detecting-undecided') if undecided else ''}"


def agreed(share: float, count: int) -> str:
    """How far repeated answers agree."""
    return f"{share:.0%} of {count} answers agree"
