"""The audience's vote."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from elenchus.bot.strings import messages, msg

_ASK: Final[Mapping[str, str]] = {
    "before": "🗳 **Audience: where do you stand before the debate?**",
    "after": "🗳 **Audience: where do you stand now?**",
}
_WAITS: Final[Mapping[str, str]] = {
    "before": "The opening waits for you",
    "after": "No verdict is shown before this vote is closed",
}


HEAD: Final = ("", "before", "after", "swing")


def ask(when: str, until: str) -> str:
    """The vote is open."""
    by = f"**{messages('audience-close')[when]}** is for the moderator."
    swing = " The side that moved more votes wins the room." if when == "after" else ""
    return f"{_ASK[when]} {_WAITS[when]} ({until}). You may change your vote until then.{swing} {by}"


def asked(when: str) -> str:
    """The vote is over: what stands in the place of the question."""
    return f"{_ASK[when]} {msg('audience-is-over')}"


def voted(side: str, when: str) -> str:
    """Tells a member alone."""
    return msg("audience-voted", when=when, side=messages("audience-buttons")[side])


def counted(n: int, when: str) -> str:
    """How many voted."""
    return f"{n} {'vote' if n == 1 else 'votes'} {when} the debate."


def voters(n: int, once: int) -> str:
    """How many voted both times, and only once."""
    more = f", {once} only once" if once else ""
    return f"{n} voted both times{more}."
