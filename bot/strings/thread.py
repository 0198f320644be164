"""What stands in a debate's thread beside the speeches. Names and texts that are passed in are safe already."""

from __future__ import annotations

import math
from datetime import datetime
from typing import Final

from elenchus.bot.strings import messages

# ── small print ──────────────────────────────────────────────────────────────────────────────────────────────────


def two_places(value: float) -> str:
    """A heat as everybody rounds by hand: 0.625 is 0.63."""
    return f"{math.floor(value * 100 + 0.5) / 100:.2f}"


def heat(value: float) -> str:
    """The heat in the small print."""
    return f"heat {two_places(value)}"


# ── who and what ─────────────────────────────────────────────────────────────────────────────────────────────────


def opened(motion: str, *, question: bool) -> str:
    """The first post's headline."""
    return f"**{'Question' if question else 'Motion'}:** {motion}"


def seated(pro: str, con: str, judges: list[str]) -> str:
    """Who sits where."""
    panel = f"\nJudges: {', '.join(judges)}" if judges else ""
    return f"For: {pro}\nAgainst: {con}{panel}"


def a_member(seat: str) -> str:
    """Whoever sits there and has no name yet: a member who has not agreed, or is forgotten."""
    return f"A member ({seat.replace('-', ' ')})"


# ── scores ───────────────────────────────────────────────────────────────────────────────────────────────────────


CRIT_HEAD: Final = ("topic", "Γ", "standing")


def crit_sum(gamma: str, before: str, standing: str) -> str:
    """The sums of a stage; `before` is the last Γ, "" where there was none."""
    return f"**Γ {gamma}**{f' (before: {before})' if before else ''} · standing of the claim **{standing}**"


def crit_unreadable(count: int) -> str:
    """Reasons that count for nothing."""
    if count == 1:
        return "1 reason could not be scored and counts for nothing."
    return f"{count} reasons could not be scored and count for nothing."


def weakest(side: str, gamma: str, theta: str) -> str:
    """Over a side's weakest reason."""
    return f"{messages('thread-sides')[side]}: weakest reason (validity {gamma}, source {theta})"


JUDGES_HEAD: Final = ("judge", "pro claims", "con claims", "vote")


# ── joint proposal ───────────────────────────────────────────────────────────────────────────────────────────────


def signed_by(sides: list[str]) -> str:
    """Who signed a recommendation on an open question."""
    return f"signed by {' and '.join(sides)}" if sides else "signed by nobody"


def signed(sides: list[str]) -> str:
    """Who signed."""
    if len(sides) == 1:
        return f"signed by the side {'for the motion' if sides == ['pro'] else 'against the motion'} alone"
    return "signed by both sides" if sides else "signed by nobody"


def amended(side: str) -> str:
    """Before a side's amendment."""
    return f"{messages('thread-sides')[side]} would write:"


# ── notes ────────────────────────────────────────────────────────────────────────────────────────────────────────


def dollars(x: float) -> str:
    """An amount of money: cents, and of less than one as much as shows that it is not nothing."""
    if x == 0 or x >= 0.01:
        return f"${x:.2f}"
    return f"${x:.4f}" if x >= 0.0001 else "under $0.0001"


def redacted(name: str, count: int) -> str:
    """After a redaction."""
    places = "1 place" if count == 1 else f"{count} places"
    return f"The words of {name} were removed from the record in {places}, at that person's wish."


# ── the end ──────────────────────────────────────────────────────────────────────────────────────────────────────


"""What else can be done about the error by which a session broke off."""


def failed(reason: str, session: str, error: str = "") -> str:
    """It broke off; the log has it under the session's id."""
    told = (
        f"⚠ **The session broke off:** {reason}\nWhat was said is kept. Press Resume to try again; if it breaks off "
        f"again, give whoever runs me the reference {session}."
    )
    return f"{told}\n{messages('thread-instead')[error]}" if error in messages("thread-instead") else told


def when(at: datetime) -> str:
    """A moment, shown by each reader's client in words ("in 5 minutes")."""
    return f"<t:{int(at.timestamp())}:R>"
