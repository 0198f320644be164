"""When the rounds end: the limits, and what the sides themselves say after a round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.protocols.crit.scoring import fell, fell_beyond, fell_twice
from elenchus.debate_engine.protocols.socrasynth.schemas import DebateConfig, FurtherArguments, Position, Round
from elenchus.debate_engine.protocols.socrasynth.turns import DebateSetup, only, prompts
from elenchus.debate_engine.protocols.speech import SIDES, Side
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together

FELL = "argument quality fell"
NOTHING_MORE = "both sides have nothing more to add"
AGREED = "both sides now give the same answer"


@dataclass(frozen=True)
class EndReasons:
    """Why the sides want no further round, or ""; on an open question also the answer that each of them gives now."""

    ended: str
    answers: Mapping[Side, str] = field(default_factory=dict)


def at_limit(cfg: DebateConfig, n: int, heat: float) -> str:
    """Why round `n` at this heat is not to begin, or ""."""
    if heat <= cfg.floor:
        return f"contentiousness reached the floor of {cfg.floor:g}"
    if cfg.max_rounds and n > cfg.max_rounds:
        return f"the limit of {cfg.max_rounds} {'round' if cfg.max_rounds == 1 else 'rounds'} was reached"
    return ""


def weaker(cfg: DebateConfig, rounds: Sequence[Round]) -> str:
    """Why the quality of the arguments ends the rounds, by the rule that was set, or ""."""
    history = [r.gamma for r in rounds]
    if cfg.stop == "paper":
        return FELL if fell(history) else ""
    if fell_beyond(history, rounds[-1].noise):
        return f"{FELL} by more than its noise"
    return f"{FELL} twice running" if fell_twice(history) else ""


async def sides_are_done(s: Session, setup: DebateSetup) -> EndReasons:
    """Whether the sides want no further round: nothing to add, and on an open question a concession."""
    if setup.cfg.open_question:
        return await _positions(s, setup)
    asked = [side for side in SIDES if not s.is_small(side)]  # a small model has no judgement of it: it has more to say
    if len(asked) < len(SIDES):
        return EndReasons("")
    answers = await together(
        *(s.ask(side, side, prompts.anything_more, FurtherArguments, **_variables(s, setup, side)) for side in asked)
    )
    more = [isinstance(answer, Declined) or answer.more for answer in answers]
    return EndReasons("" if any(more) else NOTHING_MORE)


async def _positions(s: Session, setup: DebateSetup) -> EndReasons:
    answers = await together(
        *(s.ask(side, side, prompts.position, Position, **_variables(s, setup, side)) for side in SIDES)
    )
    read = {side: a for side, a in zip(SIDES, answers, strict=True) if not isinstance(a, Declined)}
    return EndReasons(_ended(read), {side: position.answer for side, position in read.items()})


def _ended(read: Mapping[Side, Position]) -> str:
    conceding = [side for side, position in read.items() if position.stance == "concede"]
    if len(conceding) == 1:
        return f"{conceding[0]} conceded"
    if len(conceding) == 2 or [p.stance for p in read.values()] == ["same answer"] * 2:
        return AGREED
    return NOTHING_MORE if len(read) == 2 and not any(p.more for p in read.values()) else ""


def _variables(s: Session, setup: DebateSetup, side: Side) -> dict[str, Any]:
    prompt = prompts.position if setup.cfg.open_question else prompts.anything_more
    return only(prompt, setup.known_to(s, side))
