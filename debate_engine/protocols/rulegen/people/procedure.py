"""A scene with people from consent to debriefing, the rules beside their questions; and withdrawing from it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, TypeVar

from elenchus.debate_engine.errors import SessionHeld
from elenchus.debate_engine.events import CloseAsked, Withdrawn
from elenchus.debate_engine.log import EventLog
from elenchus.debate_engine.protocols.rulegen import assignment
from elenchus.debate_engine.protocols.rulegen.config import DrawnVersion, SceneConfig
from elenchus.debate_engine.protocols.rulegen.people.consent import consent, keep
from elenchus.debate_engine.protocols.rulegen.people.ending import (
    SceneEnded,
    debrief,
    end_early,
    ended_by,
    not_kept,
    until_asked,
)
from elenchus.debate_engine.protocols.rulegen.people.questions import UnforeseenQuestions, answer_questions
from elenchus.debate_engine.protocols.rulegen.played import Played, Statement
from elenchus.debate_engine.runner import Runner
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import cancelled

T = TypeVar("T")

Rules = Callable[[UnforeseenQuestions], Awaitable[T]]
"""Plays the rules beside these questions."""


async def play_with_people(
    s: Session,
    cfg: SceneConfig,
    rules: Rules[T],
    judged: Callable[[T], Awaitable[Played]],
    played_so_far: Callable[[], tuple[SceneConfig, Sequence[Statement]]],
) -> Played:
    """Play with people: `rules` once all have agreed, the debriefing, and then `judged`, for which nobody waits.

    The debriefing is that of the version which was drawn, with what was stated; it may have to be asked for. Who was
    misled is asked after it whether what they said may be kept. Step keys: `waits`, `asked-for`.

    Somebody who withdraws is forgotten by the runner, which then runs this again; so a withdrawal stands in the log
    when it begins. A close may come at any moment until the rules are played.
    """
    try:
        if (found := s.command_of(Withdrawn)) and _ended_before(s) in ("", "withdrawn"):
            raise ended_by(found)
        questions = UnforeseenQuestions(cfg)
        work = _agreed(s, cfg, rules, questions), answer_questions(s, questions)
        played = await _beside(*work, closing=None if _were_played(s, cfg) else _closed(s))
    except SceneEnded as ended:
        return await end_early(s, _drawn(s, played_so_far()[0]), ended)
    cfg, stated = played_so_far()
    if cfg.debriefing == "when asked":
        await s.record("waits", True)
        await until_asked(s, CloseAsked)
    await debrief(s, cfg, stated)
    try:
        await keep(s, cfg)
    except SceneEnded as ended:
        return await not_kept(s, cfg, ended)
    return await judged(played)


async def _agreed(s: Session, cfg: SceneConfig, rules: Rules[T], questions: UnforeseenQuestions) -> T:
    await consent(s, cfg)
    return await rules(questions)


def _ended_before(s: Session) -> str:
    """Why an earlier run has ended the scene before its last rule, "" where it has not."""
    found = s.found("ended")
    return str(found["why"]) if found else ""


def _were_played(s: Session, cfg: SceneConfig) -> bool:
    """Whether an earlier run has played all rules: a close that came since ends nothing."""
    told = (f"debrief/{name}" for name in cfg.people)
    return not _ended_before(s) and any(s.found(key) is not None for key in ("waits", *told))


def _drawn(s: Session, cfg: SceneConfig) -> SceneConfig:
    """In the version that an earlier run has drawn, where this one has not come so far."""
    place = s.found(assignment.STEP) if cfg.versions else None
    return cfg.in_version(DrawnVersion.model_validate(place).version) if place else cfg


async def _closed(s: Session) -> None:
    raise ended_by(await s.next_command(CloseAsked))


async def _beside(work: Awaitable[T], questions: Awaitable[None], *, closing: Coroutine[Any, Any, None] | None) -> T:
    """The result of `work`, with `questions` at its side. Raises SceneEnded when `closing` does, None where nothing can
    close it any more.
    """

    async def done() -> T:
        return await work

    async def side() -> None:
        await questions

    main = asyncio.create_task(done(), name="rules")
    others = {asyncio.create_task(side(), name="asides")}
    if closing is not None:
        others.add(asyncio.create_task(closing, name="closing"))
    try:
        while not main.done():
            finished, _ = await asyncio.wait({main, *others}, return_when=asyncio.FIRST_COMPLETED)
            for task in finished & others:
                others.discard(task)
                task.result()
        return main.result()
    finally:
        await cancelled(main, *others)


_OVER = ("finished", "stopped", "failed")


async def withdraw(log: EventLog, runner: Runner, session_id: str, seat: str, by: str) -> None:
    """Take the person on `seat` out of a scene: the words go, the scene ends kindly, the debriefing is still given.

    Whoever runs the session does it; a session that nobody runs is brought to its end here. Of one that is over the
    words go, as the debriefing was given then. Raises UnknownSession, StorageError.
    """
    if (await log.info(session_id)).state in _OVER:
        await runner.forget(session_id, seat)
        return
    await log.send(session_id, Withdrawn(by=by, seat=seat))
    if (await log.info(session_id)).owner is None:
        try:
            await runner.run(session_id)
        except SessionHeld:
            return  # somebody has just begun to run it, and finds the withdrawal in the log
