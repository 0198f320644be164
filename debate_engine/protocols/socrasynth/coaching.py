"""After each round the moderator sees each side's weakest reason, and may ask that side to deepen it."""

from __future__ import annotations

from collections.abc import Sequence

from elenchus.debate_engine.events import DeepenAsked
from elenchus.debate_engine.protocols.crit.schemas import Quality
from elenchus.debate_engine.protocols.crit.scoring import two_unreadable, weakest
from elenchus.debate_engine.protocols.socrasynth.schemas import Round
from elenchus.debate_engine.protocols.socrasynth.turns import DEEPEN, MODERATOR
from elenchus.debate_engine.protocols.speech import SIDES
from elenchus.debate_engine.session import Session


async def show_weakest(s: Session, key: str, quality: Quality) -> None:
    """The moderator hears each side's weakest reason; the sides do not hear CRIT."""
    for side in SIDES:
        if reason := weakest(quality.reasons, side):
            text = f"{side}'s weakest reason (validity {reason.gamma}, source {reason.theta}): {reason.reason}"
            await s.say(f"{key}/weakest/{side}", "crit", [MODERATOR], text, "weakest")


async def tell_unreadable(s: Session, key: str, rounds: Sequence[Round]) -> None:
    """Two running rounds without a readable quality are the moderator's business."""
    if two_unreadable([r.gamma for r in rounds]):
        text = "argument quality could not be read in two running rounds: the loop goes on without it"
        await s.say(f"{key}/unreadable", "crit", [MODERATOR], text, "warning")


async def ask_to_deepen(s: Session, key: str, quality: Quality | None, coach: bool = False) -> None:
    """Ask a side to deepen its weakest reason when the moderator wished it (with `coach`, always).

    A wish waits until the side's reasons have scores.
    """
    for side in SIDES:
        if not (reason := weakest(quality.reasons, side) if quality else None):
            continue
        if await s.wished(f"{key}/deepen/{side}", DeepenAsked, side) or coach:
            await s.say(f"{key}/deepen/{side}/asked", MODERATOR, [side], f"{DEEPEN} {reason.reason}", "deepen")


async def tell_unmet(s: Session, key: str) -> None:
    """Before the last speeches: the moderator hears of each wish to deepen a reason that waits still."""
    for side in SIDES:
        if await s.wished(f"{key}/unmet/{side}", DeepenAsked, side):
            text = f"{side} was not asked to deepen a reason: none of its reasons has a score"
            await s.say(f"{key}/unmet/{side}/told", "crit", [MODERATOR], text, "warning")
