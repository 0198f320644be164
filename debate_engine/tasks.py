"""Running things side by side, every task owned."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar, overload

from elenchus.debate_engine.errors import ElenchusError

T = TypeVar("T")
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
Work = Coroutine[Any, Any, T]


@overload
async def together(a: Work[A], b: Work[B], /) -> tuple[A, B]: ...
@overload
async def together(a: Work[A], b: Work[B], c: Work[C], d: Work[D], /) -> tuple[A, B, C, D]: ...
@overload
async def together(*work: Work[T]) -> tuple[T, ...]: ...
async def together(*work: Work[Any]) -> tuple[Any, ...]:
    """The results in order. When one fails with an ElenchusError the others finish first (what they paid for is
    recorded), then the first error is raised; any other exception cancels them at once.
    """

    async def settle(one: Work[Any]) -> Any:
        try:
            return await one
        except ElenchusError as error:
            return error

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(settle(one)) for one in work]
    results = tuple(task.result() for task in tasks)
    if first := next((r for r in results if isinstance(r, ElenchusError)), None):
        raise first
    return results


async def cancelled(*tasks: asyncio.Future[Any]) -> None:
    """Cancel these, and wait for their ends, whatever those are."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
