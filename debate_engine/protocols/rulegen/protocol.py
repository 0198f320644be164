"""RuleGen: the interpreter of a scene's rules (MindScope, appendix B). Each rule has one say something to others.

Where the lines stand in the paper, and what differs from it: NOTES.md.
"""

from __future__ import annotations

from typing import Any

from debate_engine.events import EVERYONE
from debate_engine.participant import Declined
from debate_engine.protocols.rulegen.casting import check_playable
from debate_engine.protocols.rulegen.evaluation import evaluate
from debate_engine.protocols.rulegen.moves import Move, is_conditional, moves_of
from debate_engine.protocols.rulegen.record import record_of
from debate_engine.protocols.rulegen.role_agent import Cast, applies, known_to, plan, reflect
from debate_engine.protocols.rulegen.schemas import Played, SceneConfig, Turn
from debate_engine.protocols.rulegen.supervision import Reply, answer, check, supervised, tell_moderator
from debate_engine.recall import Recall
from debate_engine.scenes.scene import SYSTEM, Rule
from debate_engine.session import Session


async def rulegen(s: Session, config: dict[str, Any], recall: Recall) -> dict[str, Any]:
    """Play a scene on the seats of its speaking roles, `system` (the system agent) and the judges; a dumped `Played`.

    `config` is a dumped `SceneConfig` (see `casting.config_of`). Raises pydantic.ValidationError, UsageError where the
    scene cannot be played. Step keys: `rule/3/turn/1/answer/1`, `evaluation/subject/1/judge-1`.
    """
    cfg = SceneConfig.model_validate(config)
    check_playable(cfg, s.seats.keys())
    cast = Cast(cfg, recall)
    turns: list[Turn] = []
    for number, rule in enumerate(cfg.scene.rules, 1):
        under = s.under(f"rule/{number}")
        if rule.mode == "self-receiving":
            await deliver(under, cast, Move(SYSTEM, rule.receivers, rule.mode), rule.message)
            continue
        for n, move in enumerate(moves_of(rule), 1):
            turns.append(await take_turn(under.under(f"turn/{n}"), cast, number, rule, move, first=n == 1))
            if not turns[-1].applied:
                break
    record = record_of(cast.said)
    evaluation = await evaluate(s.under("evaluation"), cfg, record)
    return Played(turns=tuple(turns), record=record, evaluation=evaluation).model_dump(mode="json")


async def take_turn(s: Session, cast: Cast, number: int, rule: Rule, move: Move, *, first: bool) -> Turn:
    """One role speaks, or says that its rule does not apply; whom it speaks to hears the final reply, nobody else."""
    known = await known_to(s, cast, rule, move)
    why_not = await applies(s, known) if first and is_conditional(rule) else ""
    reply = Reply(silent=why_not) if why_not else await speak(s, cast, known, move)
    if reply.deviation:
        await tell_moderator(s, move.speaker, reply.deviation)
    turn = Turn(
        rule=number,
        speaker=move.speaker,
        to=move.to,
        mode=move.mode,
        purpose=rule.purpose,
        applied=not why_not,
        **reply._asdict(),
    )
    await s.record("turn", turn.model_dump(mode="json"))
    return turn


async def speak(s: Session, cast: Cast, known: dict[str, Any], move: Move) -> Reply:
    """Plan, answer under supervision, be heard, reflect. A person is heard at once, and nobody corrects it."""
    if cast.is_person(move.speaker):
        given = await answer(s, 1, known)
        if isinstance(given, Declined):
            return Reply(silent=given.reason)
        await deliver(s, cast, move, given)
        seen = await check(s, 1, cast, known, given)
        return Reply(given, deviation=seen.deviation, unchecked=seen.unchecked)
    planned = await plan(s, cast, known)
    reply = await supervised(s, cast, known, planned)
    if reply.text:
        await deliver(s, cast, move, reply.text)
        await reflect(s, cast, known, planned, reply.text)
    return reply


async def deliver(s: Session, cast: Cast, move: Move, text: str) -> None:
    """Let those hear it whom the move speaks to. Step key: `said`."""
    to = [EVERYONE] if move.mode == "broadcast" else move.to
    cast.said.append(await s.say("said", move.speaker, to, text, move.mode))
