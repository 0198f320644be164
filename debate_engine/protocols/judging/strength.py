"""A verdict in words, as strong as the judges' winners agree: the one wording of every front end and file. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from elenchus.debate_engine.protocols.judging.schemas import Judgement
from elenchus.debate_engine.protocols.judging.tally import by_chance, unanimous

CHANCE = 0.05
"""Winners that coins would name so often in more than so many debates are named no more often than by chance."""

STRENGTHS: Final[Mapping[str, str]] = {
    "firm": "wins",
    "tentative": "is ahead: the judges agree only in part",
    "chance": "is ahead by points, but the judges agree no better than by chance",
    "split": "is ahead, but majority and points do not name the same side",
    "untold": "is ahead: how far judges agree cannot be told",
}
_CLAIMING: Final = {"pro": "The side for the motion", "con": "The side against the motion"}
_ANSWERING: Final = {"pro": "The answer of pro", "con": "The answer of con"}
"""On an open question, where nobody is for or against a motion."""
_NOBODY: Final = {"tie": "A tie", "undecided": "Undecided: too few judges could be read"}


def strength(j: Judgement) -> str:
    """How strong a headline the judges' winners allow: firm, tentative, chance, split or untold.

    Firm: all judges have the same winner, and name it on single topics more often than chance would; tentative: one
    of the two; chance: neither. Untold: one judge alone, or nobody names a side.
    """
    if j.winner_by_majority != j.winner_by_total:
        return "split"
    if (chance := by_chance(j)) is None:
        return "untold"
    return ("chance", "tentative", "firm")[unanimous(j) + (chance < CHANCE)]


def verdict(j: Judgement, *, question: bool = False) -> str:
    """The verdict as a sentence without its full stop; on a `question` it is the answers that were judged."""
    claiming = _ANSWERING if question else _CLAIMING
    side = j.winning_side
    return f"{claiming[side]} {STRENGTHS[strength(j)]}" if side in claiming else _NOBODY[side]
