"""One task of a kind for each session: begun once, begun again as soon as it is done, and none after the end."""

from __future__ import annotations

import asyncio

import pytest

from elenchus.bot.session_tasks import SessionTasks
from tests.bot.stage import until


async def at_rest(tasks: SessionTasks[str]) -> None:
    await until(lambda: len(tasks) == 0)


async def test_while_one_is_at_work_no_other_begins_for_its_session() -> None:
    tasks, going, done = SessionTasks[str]("show"), asyncio.Event(), list[str]()

    async def work(name: str) -> None:
        await going.wait()
        done.append(name)

    tasks.begin("one", work("first"))
    tasks.begin("one", work("second"))
    tasks.begin("two", work("third"))
    assert ("one" in tasks, len(tasks)) == (True, 2)
    going.set()
    await at_rest(tasks)
    assert done == ["first", "third"]


async def test_who_hears_of_the_end_of_one_can_begin_the_next_at_once() -> None:
    tasks, over, done = SessionTasks[str]("show"), asyncio.Event(), list[str]()

    async def first() -> None:
        over.set()

    async def second() -> None:
        done.append("second")

    async def next_one() -> None:
        await over.wait()
        tasks.begin("one", second())

    beside = asyncio.create_task(next_one())
    await asyncio.sleep(0)
    tasks.begin("one", first())
    await beside
    await at_rest(tasks)
    assert done == ["second"]


async def test_after_the_end_nothing_goes_on_and_nothing_begins() -> None:
    tasks = SessionTasks[str]("show")
    tasks.begin("one", asyncio.sleep(60))
    await tasks.aclose()
    tasks.begin("two", asyncio.sleep(60))
    assert len(tasks) == 0


async def test_one_that_fails_is_told_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    tasks = SessionTasks[str]("show")

    async def broken() -> None:
        raise RuntimeError("the wire is cut")

    tasks.begin("one", broken())
    await at_rest(tasks)
    assert "show one ended" in caplog.text
    assert "one" not in tasks
