"""The audience's vote."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_ASK: Final[Mapping[str, str]] = {
    "before": "🗳 **Audience: where do you stand before the debate?**",
    "after": "🗳 **Audience: where do you stand now?**",
}
_WAITS: Final[Mapping[str, str]] = {
    "before": "The opening waits for you",
    "after": "No verdict is shown before this vote is closed",
}
CLOSE: Final[Mapping[str, str]] = {"before": "Begin the debate", "after": "Close the vote"}
BUTTONS: Final[Mapping[str, str]] = {
    "pro": "For", "con": "Against", "undecided": "Undecided",
}  # fmt: skip
CLOSED: Final[Mapping[str, str]] = {
    "before": "🗳 The vote before the debate is closed.",
    "after": "🗳 The vote is closed.",
}
IS_OVER: Final = "This vote is over."
TITLE: Final = "The room"
HEAD: Final = ("", "before", "after", "swing")
ROOM: Final[Mapping[str, str]] = {
    "pro": "The side for the motion wins the room",
    "con": "The side against the motion wins the room",
    "tie": "The room is tied",
    "undecided": "The room is undecided: nobody voted both times",
}
LEGEND: Final = "Counted are those who voted both times; the side that moved more votes wins the room (Oxford style)."


def ask(when: str, until: str) -> str:
    """The vote is open."""
    by = f"**{CLOSE[when]}** is for the moderator."
    swing = " The side that moved more votes wins the room." if when == "after" else ""
    return f"{_ASK[when]} {_WAITS[when]} ({until}). You may change your vote until then.{swing} {by}"


def asked(when: str) -> str:
    """The vote is over: what stands in the place of the question."""
    return f"{_ASK[when]} {IS_OVER}"


def voted(side: str, when: str) -> str:
    """Tells a member alone."""
    return f"Your vote {when} the debate: **{BUTTONS[side]}**. You may change it until the vote is closed."


def counted(n: int, when: str) -> str:
    """How many voted."""
    return f"{n} {'vote' if n == 1 else 'votes'} {when} the debate."


def voters(n: int, once: int) -> str:
    """How many voted both times, and only once."""
    more = f", {once} only once" if once else ""
    return f"{n} voted both times{more}."


YOU_SIT: Final = "You sit in this debate yourself, so you are no part of its audience."
