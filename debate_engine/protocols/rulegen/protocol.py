"""RuleGen: the interpreter of a scene's rules (MindScope, appendix B). Each rule has one say something to others.

Where the lines stand in the paper, and what differs from it: NOTES.md.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from typing import Any

from elenchus.debate_engine.human_seat import LATE, LEFT
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.protocols.rulegen.assignment import Allocation, assigned
from elenchus.debate_engine.protocols.rulegen.casting import check_playable
from elenchus.debate_engine.protocols.rulegen.config import SceneConfig
from elenchus.debate_engine.protocols.rulegen.delivery import deliver, say_as_written
from elenchus.debate_engine.protocols.rulegen.evaluation import evaluate
from elenchus.debate_engine.protocols.rulegen.measuring import go_through_trials, outcomes_of, state_measures
from elenchus.debate_engine.protocols.rulegen.moves import Move, is_conditional, is_fixed, moves_of
from elenchus.debate_engine.protocols.rulegen.people.ending import SceneEnded
from elenchus.debate_engine.protocols.rulegen.people.procedure import play_with_people
from elenchus.debate_engine.protocols.rulegen.people.questions import UnforeseenQuestions, take_in_answers
from elenchus.debate_engine.protocols.rulegen.played import Played, Reply, Turn
from elenchus.debate_engine.protocols.rulegen.record import record_of
from elenchus.debate_engine.protocols.rulegen.role_agent import (
    SceneState,
    applies,
    asked_of_a_person,
    known_to,
    plan,
    reflect,
)
from elenchus.debate_engine.protocols.rulegen.supervision import (
    NOT_SEATED,
    SupervisionResult,
    answer,
    check,
    leak_of,
    supervised,
    tell_moderator,
)
from elenchus.debate_engine.retrieval import Retriever
from elenchus.debate_engine.scenes.scene import SYSTEM, Rule
from elenchus.debate_engine.scenes.versions import first_difference
from elenchus.debate_engine.session import Session


async def rulegen(s: Session, config: dict[str, Any], retriever: Retriever, lots: Allocation) -> dict[str, Any]:
    """Play a scene on the seats of its speaking roles, `system` (the system agent) and the judges; a dumped `Played`.

    `config` is a dumped `SceneConfig` (see `casting.config_for`). Raises pydantic.ValidationError, UsageError where the
    scene cannot be played. Step keys: `rule/3/turn/1/answer/1`, `evaluation/subject/1/judge-1`.
    """
    cfg = SceneConfig.model_validate(config)
    check_playable(cfg, s.seats.keys())
    state = SceneState(cfg, retriever, lots)

    async def judged(turns: tuple[Turn, ...]) -> Played:
        record, outcomes = record_of(state.said.values()), outcomes_of(state.cfg.scene, state.stated)
        return Played(
            turns=turns,
            record=record,
            stated=tuple(state.stated),
            outcomes=outcomes,
            evaluation=await evaluate(s, state.cfg, record),
        )

    if cfg.people:
        rules = partial(with_questions, s, state)
        played = await play_with_people(s, cfg, rules, judged, lambda: (state.cfg, state.stated))
    else:
        played = await judged(await walk(s, state))
    return played.model_dump(mode="json")


async def with_questions(s: Session, state: SceneState, questions: UnforeseenQuestions) -> tuple[Turn, ...]:
    """Walk the rules; what people ask beside them is taken in where a rule next takes a step."""
    state.meanwhile = lambda under: take_in_answers(under, questions, state.said)
    turns = await walk(s, state)
    await state.take_in(s.under("last"))
    return turns


async def walk(s: Session, state: SceneState) -> tuple[Turn, ...]:
    """The rules in order; each has somebody say something to others."""
    turns: list[Turn] = []
    async for number, rule in rules_of(s, state):
        under = s.under(f"rule/{number}")
        if rule.mode == "self-receiving":
            picture = state.cfg.scene.picture(rule.picture)
            await deliver(under, state, Move(SYSTEM, rule.receivers, rule.mode), rule.message, picture)
            continue
        for n, move in enumerate(moves_of(rule), 1):
            turns.append(await take_turn(under.under(f"turn/{n}"), state, number, rule, move, first=n == 1))
            if not turns[-1].applied:
                break
    return tuple(turns)


async def rules_of(s: Session, state: SceneState) -> AsyncIterator[tuple[int, Rule]]:
    """The rules, numbered from 1. The version is drawn before the first one at which the versions differ."""
    common, number = first_difference(state.cfg.scenes), 0
    while True:
        if state.cfg.versions and number == common:
            state.cfg = await assigned(s, state.cfg, state.lots, state.stated)
        if number == len(state.cfg.scene.rules):
            return
        number += 1
        yield number, state.cfg.scene.rules[number - 1]


async def take_turn(s: Session, state: SceneState, number: int, rule: Rule, move: Move, *, first: bool) -> Turn:
    """One role speaks, or says that its rule does not apply; whom it speaks to hears the final reply, nobody else."""
    why_not = ""
    if is_fixed(rule) and not state.is_person(move.speaker):
        reply = await say_as_written(s, state, rule, move)
    elif rule.trials:
        reply = await go_through_trials(s, state, number, rule, move)
    else:
        known = await known_to(s, state, rule, move)
        why_not = await applies(s, known) if first and is_conditional(rule) else ""
        if why_not:
            reply = Reply(silent=why_not)
        elif rule.measures:
            reply = await state_measures(s, state, number, rule, move, known)
        else:
            reply = await speak(s, state, known, move)
    if reply.deviation:
        await tell_moderator(s, move.speaker, reply.deviation, reply.silent)
    turn = Turn(
        rule=number,
        speaker=move.speaker,
        to=move.to,
        mode=move.mode,
        purpose=rule.purpose,
        applied=not why_not,
        **dict(reply),
    )
    await s.record("turn", turn.model_dump(mode="json"))
    return turn


async def speak(s: Session, state: SceneState, known: dict[str, Any], move: Move) -> Reply:
    """Plan, answer under supervision, be heard, reflect. A person is heard at once, and nobody corrects it."""
    if state.is_person(move.speaker):
        given = await in_own_words(s, state, known)
        if isinstance(given, Declined):
            return Reply(silent=given.reason)
        await state.take_in(s.under("meanwhile"))
        await deliver(s, state, move, given)
        leak = leak_of(given, known)
        looked_at = SupervisionResult(leak) if leak else SupervisionResult(None, NOT_SEATED)
        seen = await check(s, 1, state, known, given) if SYSTEM in s.seats and not leak else looked_at
        return Reply(text=given, deviation=seen.deviation, unchecked=seen.unchecked)
    planned = await plan(s, state, known)
    reply = await supervised(s, state, known, planned)
    if reply.text:
        await deliver(s, state, move, reply.text)
        await reflect(s, state, known, planned, reply.text)
    return reply


async def in_own_words(s: Session, state: SceneState, known: dict[str, Any]) -> str | Declined:
    """A person's reply. Nobody stands in for a subject: raises SceneEnded where it has left or lets its time go by."""
    name, language = known["name"], state.cfg.scene.language
    if state.role(name).kind != "subject":
        return await answer(s, 1, known, language)
    given = await answer(s.in_person(name), 1, asked_of_a_person(known), language)
    if isinstance(given, Declined) and given.reason in (LEFT, LATE):
        raise SceneEnded("vanished", name)
    return given
