"""What CRIT in a debate and CRIT on a document share: each reason scored by a call of its own, and the analysis.

The model sits on the seat `crit`; a small one gives two numbers and no words.
"""

from __future__ import annotations

from collections.abc import Iterable

from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.protocols.crit.quotes import missing, normalised, quotes_in
from elenchus.debate_engine.protocols.crit.schemas import Analysis, Points, Quality, ScoredReason, Validation
from elenchus.debate_engine.protocols.speech import SIDES, written_in
from elenchus.debate_engine.session import Session

SEAT = "crit"

prompts = prompts_of("elenchus.debate_engine.protocols.crit")


async def validate(
    s: Session,
    claim: str,
    reason: ScoredReason,
    passage: str,
    normal: str,
    language: str = "",
    *,
    optional: bool = True,
) -> ScoredReason:
    """The reason with validity, credibility and justification, or without a score and why (steps 3 and 5).

    `passage` is what the model is shown, `normal` the whole text, normalised, that quotes are checked against. A model
    that cannot be reached leaves it unscored; where the score is not `optional`, it pauses the session.
    """
    if s.is_small(SEAT):
        return await _scored_plainly(s, claim, reason, optional=optional)
    verdict = await s.ask(
        "score", SEAT, prompts.validate, Validation, optional=optional, claim=claim, against=reason.side == "con",
        reason=reason.reason, source=reason.source, passage=passage, unsaid=reason.unsaid,
        language=written_in(language),
    )  # fmt: skip
    if isinstance(verdict, Declined):
        unfound = missing([reason.quote], normal)
        return reason.model_copy(update={"unread": verdict.reason, "missing_quotes": unfound})
    quotes = [reason.quote, *verdict.quotes, *quotes_in(verdict.justification)]
    return reason.model_copy(
        update={
            "gamma": float(verdict.validity),
            "theta": float(verdict.credibility),
            "justification": verdict.justification.strip(),
            "missing_quotes": missing(quotes, normal, normalised(claim)),
        }
    )


async def _scored_plainly(s: Session, claim: str, reason: ScoredReason, *, optional: bool) -> ScoredReason:
    """A small model's two numbers, read as they are; it is not asked for words that would explain them."""
    points = await s.ask(
        "score", SEAT, prompts.small_validate, Points, optional=optional,
        claim=claim, against=reason.side == "con", reason=reason.reason,
    )  # fmt: skip
    if isinstance(points, Declined):
        return reason.model_copy(update={"unread": points.reason})
    return reason.model_copy(update={"gamma": float(points.validity), "theta": float(points.credibility)})


async def analyse(s: Session, motion: str, quality: Quality, language: str = "") -> Analysis | None:
    """How the score came about, where else the claim would hold, where it would fail (steps 7 and 8)."""
    if s.is_small(SEAT):
        return None
    lines = {side: [_line(r) for r in quality.reasons if r.side == side] for side in SIDES}
    analysis = await s.ask(
        "analysis",
        SEAT,
        prompts.analyse,
        Analysis,
        optional=True,
        claim=motion,
        gamma=_shown(quality.gamma),
        standing=_shown(quality.standing),
        reasons=lines["pro"],
        rivals=lines["con"],
        language=written_in(language),
    )
    return None if isinstance(analysis, Declined) else analysis


def _line(reason: ScoredReason) -> str:
    score = f"validity {reason.gamma:g}, credibility {reason.theta:g}" if reason.readable else "no readable score"
    return f"{reason.reason} ({score}{'; not said in the text' if reason.unsaid else ''})"


def _shown(score: float | None) -> str:
    return "could not be told" if score is None else f"{score:.1f}"


def reply_tokens(reasons: int) -> int:
    """Room for a reply with so many reasons."""
    return 120 + 130 * reasons


def new_only(reasons: Iterable[ScoredReason], claim: str, known: Iterable[ScoredReason] = ()) -> list[ScoredReason]:
    """The reasons that are not empty and not, word for word, the claim itself, a known or an earlier one."""
    seen = {_words(r.reason) for r in known} | {_words(claim), ""}
    fresh: list[ScoredReason] = []
    for reason in reasons:
        if (words := _words(reason.reason)) not in seen:
            seen.add(words)
            fresh.append(reason)
    return fresh


def _words(text: str) -> str:
    return normalised(text).strip(" .!?;:,")
