"""The course of a scene with people: consent, the rules beside their questions, and in every case the debriefing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from elenchus.debate_engine.events import CloseAsked, Withdrawn
from elenchus.debate_engine.protocols.rulegen.people.asides import Asides, answer_asides
from elenchus.debate_engine.protocols.rulegen.people.consent import consent
from elenchus.debate_engine.protocols.rulegen.people.debriefing import debrief, end_early
from elenchus.debate_engine.protocols.rulegen.people.ended import SceneEnded, ended_by
from elenchus.debate_engine.protocols.rulegen.schemas import Played, SceneConfig
from elenchus.debate_engine.session import Session

T = TypeVar("T")


async def among_people(
    s: Session, cfg: SceneConfig, rules: Callable[[Asides], Awaitable[T]], judged: Callable[[T], Awaitable[Played]]
) -> Played:
    """Play with people: `rules` once all have agreed, the debriefing, and then `judged`, for which nobody waits.

    Somebody who withdraws is forgotten by the runner, which then runs this again; so a withdrawal stands in the log
    when it begins. A close may come at any moment.
    """
    try:
        if found := s.command_of(Withdrawn):
            raise ended_by(found)
        asides = Asides(cfg)
        played = await _unless_closed(s, _agreed(s, cfg, rules, asides), answer_asides(s, asides))
    except SceneEnded as ended:
        return await end_early(s, cfg, ended)
    await debrief(s, cfg)
    return await judged(played)


async def _agreed(s: Session, cfg: SceneConfig, rules: Callable[[Asides], Awaitable[T]], asides: Asides) -> T:
    await consent(s, cfg)
    return await rules(asides)


async def _unless_closed(s: Session, work: Awaitable[T], beside: Awaitable[None]) -> T:
    """The result of `work`, with `beside` at its side. Raises SceneEnded when the moderator closes the scene."""

    async def closing() -> None:
        raise ended_by(await s.next_command(CloseAsked))

    async def done() -> T:
        return await work

    async def side() -> None:
        await beside

    main = asyncio.create_task(done(), name="rules")
    others = {asyncio.create_task(closing(), name="closing"), asyncio.create_task(side(), name="asides")}
    try:
        while not main.done():
            finished, _ = await asyncio.wait({main, *others}, return_when=asyncio.FIRST_COMPLETED)
            for task in finished & others:
                others.discard(task)
                task.result()
        return main.result()
    finally:
        for task in (main, *others):
            task.cancel()
        await asyncio.gather(main, *others, return_exceptions=True)
