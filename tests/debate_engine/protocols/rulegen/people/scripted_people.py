"""A scene with people on some seats, on a real log on disk, and scripted persons who answer and do more than that."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from elenchus.config.settings import Settings
from elenchus.debate_engine.events import Event, Recorded, Said, Seat, SessionStarted, TurnAnswered, TurnOpened
from elenchus.debate_engine.log import heard_by, transcript
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.rulegen.casting import config_for
from elenchus.debate_engine.protocols.rulegen.played import Played
from elenchus.debate_engine.run_ends import Run
from elenchus.debate_engine.scenes.scene import Scene
from elenchus.service.app import App, open_app
from tests.debate_engine.protocols.rulegen.stage import TASTING

WORDS = "I would rather take the black tea that my aunt Mathilda liked"
AGREED = {"agreed": "yes"}
CONDITIONED = TASTING.model_copy(update={"condition": "treatment"})

Person = Callable[[Ask, "StartedScene"], Awaitable[Any]]
"""Answers an ask, after having done something else in the scene perhaps; None: gives no answer at all."""


@dataclass
class StartedScene:
    """A scene with a person on some seats, on a real log on disk, and what the test does in it."""

    app: App
    session: str
    people: dict[str, Person] = field(default_factory=dict)

    async def send(self, event: Event) -> None:
        await self.app.log.send(self.session, event)

    async def events(self) -> list[Recorded]:
        return await self.app.log.read(self.session)

    async def play(self) -> Run:
        """Run the scene to its end while the people answer, each turn beside the others."""
        async with asyncio.timeout(60), asyncio.TaskGroup() as group:
            front_end = group.create_task(self._answering(group))
            run = await self.app.runner.run(self.session)
            front_end.cancel()
        return run

    async def played(self) -> Played:
        run = await self.play()
        assert run.state == "finished", run.reason
        return Played.model_validate(run.outcome)

    async def _answering(self, group: asyncio.TaskGroup) -> None:
        turns = []
        try:
            async for r in self.app.log.follow(self.session):
                if isinstance(r.event, TurnOpened):
                    turns.append(group.create_task(self._answer(r.event)))
        finally:
            for turn in turns:
                turn.cancel()

    async def _answer(self, turn: TurnOpened) -> None:
        given = await self.people[turn.seat](Ask.model_validate(turn.asked), self)
        if given is not None:
            await self.send(TurnAnswered(step=turn.step, seat=turn.seat, by="bo", answer=given))

    async def until(self, wanted: Callable[[Event], bool]) -> None:
        async for r in self.app.log.follow(self.session):
            if wanted(r.event):
                return

    async def told(self, name: str) -> list[Said]:
        """What a person was told apart from the scene's own course, in order."""
        heard = heard_by(name, transcript(await self.events()))
        return [said for said in heard if said.about in ("ending", "debrief", "unscripted")]


@asynccontextmanager
async def started_scene(
    home: Path, people: dict[str, Person], played: Scene = CONDITIONED, *, model: str = "scripted:demo", **seat: Any
) -> AsyncIterator[StartedScene]:
    """A scene at its beginning. `seat` goes to the seats of the people, all others are the `model`'s."""
    async with open_app(Settings(home=home)) as app:
        names = ("Ada", "Ben", "Cleo", "system", "judge-1")
        seats = tuple(
            Seat(name=name, spec=f"human:{'jo' if name == 'judge-1' else 'bo'}", **seat)
            if name in people
            else Seat(name=name, spec=model)
            for name in names
        )
        cfg = config_for(played, seats)
        started = SessionStarted(
            protocol="rulegen", title="Tea", config=cfg.model_dump(mode="json"), seats=seats, seed=1, version="0"
        )
        yield StartedScene(app, await app.runner.create(started), people)


async def willing(ask: Ask, _: StartedScene) -> Any:
    return AGREED if ask.schema_name == "Agreement" else WORDS


async def refusing(ask: Ask, _: StartedScene) -> Any:
    return {"agreed": "no"} if ask.schema_name == "Agreement" else WORDS


async def silent(_ask: Ask, _started: StartedScene) -> None:
    return None


async def silent_after_agreeing(ask: Ask, _: StartedScene) -> Any:
    return AGREED if ask.schema_name == "Agreement" else None


def at_the_turn(then: Callable[[StartedScene], Awaitable[Any]]) -> Person:
    """Somebody who agrees, and at the turn does something else."""

    async def person(ask: Ask, where: StartedScene) -> Any:
        return AGREED if ask.schema_name == "Agreement" else await then(where)

    return person
