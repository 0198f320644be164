"""A class for the tests: a short scene in a folder of one's own, and people who answer what they are asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from elenchus.config.settings import Settings
from elenchus.debate_engine.events import now
from elenchus.debate_engine.protocols.rulegen.people.person_progress import ENDED
from elenchus.debate_engine.reports.moderation import OpenTurn
from elenchus.service.app import App, open_app
from elenchus.service.lab.access import Access
from elenchus.service.lab.classes import taking_part
from elenchus.service.lab.classes.class_progress import Member
from elenchus.service.lab.classes.classes import Classes, open_classes
from elenchus.service.lab.classes.classroom import Phase
from elenchus.service.lab.classes.live_class import LiveClass
from elenchus.service.lab.classes.new_class import ClassOptions

SCENE = """---
scene: 1
title: "The parcel"
factors: {"number": ["high", "low"]}
outcome: "__OUTCOME__"
contrasts: [{"compare": "high - low", "expect": "greater"}]
deception: "__DECEPTION__"
minutes: [1, 2]
literature: __LITERATURE__
---

# Purpose

Does a number pull a guess?

# Background

Two neighbours at a door.

# Roles

## Ada (subject)
- Background: You stand before a parcel.
- Task: Guess its weight.

## Ben (confederate)
- Background: You came with Ada.
- Task: Say your line.

# Rules

1. **self-receiving, SYS** system → Ada, Ben: the parcel
   > A parcel stands on the mat.
2. **unicast, FTO** Ben → Ada: Say a number.
   when: number = high
   says: "Mine weighed forty."
3. **unicast, FTO** Ben → Ada: Say another number.
   when: number = low
   says: "Mine weighed four."
4. **broadcast, FEL** Ada → all: Guess.
   measure: weight

# Measures

weight: {kind: number, unit: kilos, low: 0, high: 100, ask: "How heavy is it?"}

# Answers

- "I know no more than you do."

# Observation

Guesses are higher after the high number.

# Debrief

This was about a number that means nothing. You met {number}; you said {weight}.
"""

LITERATURE = """[{"citation": "Somebody (2001)", "arms": "high - low", "metric": "__METRIC__", "size": 0.5,
"same": "task"}, {"citation": "Nobody (2002)", "arms": "high - low", "told": "another task", "same": "name"}]"""

Says = Callable[[OpenTurn], Any]
"""What somebody answers to a turn; None: nothing at all."""


def scene_in(home: Path, *, outcome: str = "weight", deception: str = "none", metric: str = "mean difference") -> str:
    """Write the scene where this application finds it; its name."""
    folder = Settings(home=home).own_scenes
    folder.mkdir(parents=True, exist_ok=True)
    text = SCENE.replace("__LITERATURE__", LITERATURE.replace("\n", " ")).replace("__OUTCOME__", outcome)
    text = text.replace("__DECEPTION__", deception).replace("__METRIC__", metric)
    (folder / "parcel.md").write_text(text, encoding="utf-8")
    return "parcel"


class Clock:
    """Our time, which a test can put on."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def __call__(self) -> datetime:
        return now() + self.ahead


@asynccontextmanager
async def opened(
    home: Path, clock: Clock | None = None, pace: float = 0.01, **how: Any
) -> AsyncIterator[tuple[App, Classes]]:
    """The application with its classes."""
    async with open_app(Settings(home=home)) as app, open_classes(
        app.class_parts, Access(app.store), clock=clock or Clock(), pace=pace, **how
    ) as classes:  # fmt: skip
        yield app, classes


@asynccontextmanager
async def a_class(home: Path, clock: Clock | None = None, **options: Any) -> AsyncIterator[tuple[Classes, LiveClass]]:
    """A class in its lobby; `deception` and `outcome` are the scene's, `people` 2 unless said otherwise."""
    scene = scene_in(
        home, **{name: options.pop(name) for name in ("deception", "outcome", "metric") if name in options}
    )
    async with opened(home, clock) as (_, classes):
        made = await classes.create(ClassOptions(scene=scene, **{"people": 2, **options}))
        yield classes, await classes.open(made.room.id)


def agreeing(weight: float = 20.0, keep: str = "yes") -> Says:
    """Somebody who takes part."""

    def says(turn: OpenTurn) -> Any:
        if turn.step.endswith("/keep"):
            return {"agreed": keep}
        return {"agreed": "yes"} if turn.step.startswith("consent/") else {"weight": weight}

    return says


async def until(live: LiveClass, what: Callable[[], object], seconds: float = 20.0) -> None:
    """Wait for the class to come so far."""
    revision = 0
    async with asyncio.timeout(seconds):
        while not what():
            revision = await live.progress.changed.after(revision)


async def play(live: LiveClass, member: Member, says: Says) -> None:
    """Answer all that somebody is asked, until they have ended."""
    revision, asked = 0, set[str]()
    while member.progress.stage not in ENDED:
        turn = member.progress.asked_now
        if turn and turn.step not in asked:
            asked.add(turn.step)
            if (value := says(turn)) is not None:
                await taking_part.answer(live.parts, member, turn.step, value, "test")
        revision = await member.changed.after(revision)


@asynccontextmanager
async def playing(live: LiveClass, people: Mapping[str, Says]) -> AsyncIterator[None]:
    """Inside, these people (by id) answer."""
    tasks = [asyncio.create_task(play(live, live.progress.members[one], says)) for one, says in people.items()]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
    assert [end for end in ends if end is not None and not isinstance(end, asyncio.CancelledError)] == []


async def come(classes: Classes, live: LiveClass, number: int) -> list[Member]:
    """So many people come."""
    return [(await classes.join(live.progress.room.id)).member for _ in range(number)]


async def press(classes: Classes, live: LiveClass, *phases: Phase) -> None:
    """The teacher goes on, whatever is unfinished."""
    for phase in phases:
        assert (await classes.advance(live.progress.room.id, phase, "teacher", sure=True)).done


async def in_stage(live: LiveClass, members: list[Member], *stages: str) -> None:
    """Wait until all of them are in one of these stages."""
    await until(live, lambda: all(one.progress.stage in stages for one in members))
