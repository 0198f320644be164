"""Events and helpers for the tests of the logs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from elenchus.debate_engine.events import Guidance, Recorded, SessionStarted, StepDone
from elenchus.debate_engine.log import EventLog


def started(title: str = "A motion") -> SessionStarted:
    return SessionStarted(protocol="socrasynth", title=title, config={}, seats=(), seed=1, version="0")


def said(text: str) -> Guidance:
    return Guidance(by="moderator", to=("pro",), text=text)


def step(key: str, result: Any = None) -> StepDone:
    return StepDone(step=key, input_hash="0" * 64, inputs={"heat": 0.9}, result=result)


def numbers(events: list[Recorded]) -> list[int]:
    return [r.seq for r in events]


async def first(count: int, events: AsyncGenerator[Recorded]) -> list[Recorded]:
    """The first `count` events of a follower, which ends then."""
    got: list[Recorded] = []
    async with aclosing(events):
        async for recorded in events:
            got.append(recorded)
            if len(got) == count:
                break
    return got


async def settle(task: asyncio.Task[Any]) -> None:
    """Give a task the time to begin waiting."""
    for _ in range(20):
        await asyncio.sleep(0.005)
        if task.done():
            return


async def epoch_of(log: EventLog, session_id: str = "s") -> int:
    """Make a session and claim it."""
    await log.create(session_id, started())
    return (await log.claim(session_id)).epoch
