"""A verdict in words, as strong as the judges' agreement allows: the one wording of every front end and file. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from debate_engine.protocols.judging.schemas import Judgement

FIRM = 0.667
"""Krippendorff's least α for conclusions that may be drawn tentatively."""

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
    """How strong a headline the judges' agreement allows: firm, tentative, chance, split or untold."""
    if j.winner_by_majority != j.winner_by_total:
        return "split"
    if (alpha := j.agreement.scores) is None:
        return "untold"
    return "firm" if alpha >= FIRM else "tentative" if alpha > 0 else "chance"


def verdict(j: Judgement, *, question: bool = False) -> str:
    """The verdict as a sentence without its full stop; on a `question` it is the answers that were judged."""
    claiming = _ANSWERING if question else _CLAIMING
    side = j.winning_side
    return f"{claiming[side]} {STRENGTHS[strength(j)]}" if side in claiming else _NOBODY[side]
