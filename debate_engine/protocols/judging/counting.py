"""What most of several yes-or-no answers say, where some could not be read and some rest on nothing. Pure."""

from __future__ import annotations

from typing import Literal, NamedTuple

Counted = Literal["yes", "no", "undecided", "unread", "unfounded"]


class Majority(NamedTuple):
    """The outcome, and the share of the counted answers (yes or no) that give it; None where they decide nothing."""

    outcome: Counted
    agreement: float | None


def majority_of(yes: int, no: int, unread: int, unfounded: int) -> Majority:
    """Most counted answers decide, as many yes as no: undecided. An unfounded yes is counted as neither.

    Unread where fewer than half of all could be read; unfounded where of those that could at least half are.
    """
    read = yes + no + unfounded
    if not read or 2 * read < read + unread:
        return Majority("unread", None)
    if unfounded and unfounded >= yes + no:
        return Majority("unfounded", None)
    if yes == no:
        return Majority("undecided", 0.5)
    return Majority("yes" if yes > no else "no", max(yes, no) / (yes + no))
