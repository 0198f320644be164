"""The referee's part: a score from 0 to 10 for each statement, and their ranks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel

from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.protocols.rldf.schemas import (
    LETTERS,
    REFEREE,
    Mark,
    RldfConfig,
    SmallMark,
    Statement,
    marks_of,
)
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together

prompts = prompts_of("elenchus.debate_engine.protocols.rldf")


async def marked(s: Session, cfg: RldfConfig, said: Sequence[Statement]) -> tuple[Statement, ...]:
    """The statements with scores and ranks, in the order in which they were spoken. `said` is the order to show."""
    spoken = [one for one in said if one.text]
    if cfg.marking == "all" and len(spoken) > 1 and not s.is_small(REFEREE):
        scored = await at_once(s, cfg, spoken)
    else:
        scored = await one_by_one(s, cfg, spoken)
    silent = [one.model_copy(update={"unread": one.declined}) for one in said if not one.text]
    return tuple(sorted([*scored, *silent], key=lambda one: one.place))


async def one_by_one(s: Session, cfg: RldfConfig, said: Sequence[Statement]) -> list[Statement]:
    """One statement a call, side by side: none colours another's score, and there is no slot. Ranks by the scores."""
    marks = await together(
        *(mark(s, f"{one.seat}/score", cfg.bias.name, cfg.bias.about, cfg.topic, one.text) for one in said)
    )
    scored = [_with(one, of, 0) for one, of in zip(said, marks, strict=True)]
    known = sorted(one.score for one in scored if one.score is not None)
    return [one if one.score is None else one.model_copy(update={"rank": known.index(one.score) + 1}) for one in scored]


async def mark(s: Session, key: str, bias: str, about: str, topic: str, text: str) -> Mark | SmallMark | Declined:
    """The referee's score of one statement, shown alone."""
    known: dict[str, Any] = {"bias": bias, "about": about, "topic": topic, "statement": text}
    if s.is_small(REFEREE):
        return await s.ask(key, REFEREE, prompts.small_score, SmallMark, **known)
    return await s.ask(key, REFEREE, prompts.score, Mark, **known)


async def at_once(s: Session, cfg: RldfConfig, said: Sequence[Statement]) -> list[Statement]:
    """All statements of a round in one call, under letters."""
    answer = await marks(s, "scores", cfg.bias.name, cfg.bias.about, cfg.topic, [one.text for one in said])
    if isinstance(answer, Declined):
        return [_with(one, answer, slot) for slot, one in enumerate(said, 1)]
    ranks = ranks_of(answer, len(said))
    scored = [_with(one, getattr(answer, LETTERS[slot - 1]), slot) for slot, one in enumerate(said, 1)]
    return [one.model_copy(update={"rank": rank}) for one, rank in zip(scored, ranks, strict=True)]


async def marks(
    s: Session, key: str, bias: str, about: str, topic: str, texts: Sequence[str]
) -> BaseModel | Declined:  # fmt: skip
    """The referee's form on several statements (see `marks_of`)."""
    shown = list(zip(LETTERS, texts, strict=False))
    return await s.ask(
        key, REFEREE, prompts.score_all, marks_of(len(texts)), max_tokens=150 + 120 * len(texts),
        bias=bias, about=about, topic=topic, statements=shown,
    )  # fmt: skip


def ranks_of(answer: Any, number: int) -> list[int | None]:
    """The rank of each statement; None for all where the ranking does not name each letter once."""
    ranking = list(answer.ranking)
    if sorted(ranking) != sorted(LETTERS[:number]):
        return [None] * number
    return [ranking.index(letter) + 1 for letter in LETTERS[:number]]


def _with(said: Statement, given: Mark | SmallMark | Declined, slot: int) -> Statement:
    if isinstance(given, Declined):
        return said.model_copy(update={"unread": given.reason, "slot": slot})
    return said.model_copy(update={"score": given.score, "why": getattr(given, "why", "").strip(), "slot": slot})
