"""A motion put as a question becomes a declarative claim: what pro argues for, con against, and CRIT weighs."""

from __future__ import annotations

from elenchus.debate_engine.events import EVERYONE
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import line
from elenchus.debate_engine.protocols.crit.reasons import SEAT
from elenchus.debate_engine.protocols.socrasynth.schemas import DebateConfig, DeclarativeClaim
from elenchus.debate_engine.protocols.socrasynth.small.claims import Claims
from elenchus.debate_engine.protocols.socrasynth.turns import MODERATOR, language_of, prompts
from elenchus.debate_engine.session import Session

_QUESTION_MARKS = ("?", "？", "؟", "\u037e", "՞")
"""Of Latin, Chinese and Japanese, Arabic, Greek, and Armenian writing."""


def is_question(motion: str) -> bool:
    """Whether a motion is put as a question."""
    return motion.rstrip(" \t\r\n\"'”’»)").endswith(_QUESTION_MARKS)


async def claim_of(s: Session, cfg: DebateConfig, claims: Claims) -> str:
    """The claim, heard by everyone; "" where the motion is one already, or the answer cannot be read. Step: `claim`.

    Where a small model debates the sides' `claims` are known already, and pro's is taken.
    """
    if not is_question(cfg.motion):
        return ""
    if claim := claims.get("pro", "") or await _asked(s, cfg):
        await s.say("claim/announced", MODERATOR, [EVERYONE], claim, "claim")
    return claim


async def _asked(s: Session, cfg: DebateConfig) -> str:
    given = await s.ask(
        "claim", SEAT, prompts.claim, DeclarativeClaim, optional=True, motion=cfg.motion, language=language_of(cfg)
    )
    return "" if isinstance(given, Declined) else line(given.claim)
