"""A session that only waits for people takes no worker's place, and goes on when they do something, or time is up."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from elenchus.debate_engine.events import (
    Event,
    OwnerStarted,
    PauseAsked,
    ResumeAsked,
    SeatLeft,
    SessionPaused,
    SessionResumed,
    StopAsked,
    TurnAnswered,
    TurnReminded,
)
from elenchus.debate_engine.protocols.registry import register
from elenchus.service.app import App
from elenchus.service.workers.queue import WAITS, JobQueue
from tests.foreign.turn_taking import SPEC
from tests.service.workers.fleet import until
from tests.service.workers.parts import SEATS, opened, queue_in, turns, working

SOON = 0.3


@pytest.fixture(autouse=True)
def _a_protocol() -> None:
    register(SPEC)


async def waits(app: App, session: str) -> None:
    """Return once it has no worker's place."""

    async def waiting_policy() -> bool:
        queue = queue_in(app)
        return await queue.is_pending(session, WAITS) and not await queue.is_pending(session, "todo", "doing")

    await until(waiting_policy)


async def events(app: App, session: str, *kinds: type[Event]) -> list[Any]:
    return [r.event for r in await app.log.read(session) if isinstance(r.event, kinds)]


async def ended(app: App, session: str) -> str:
    async def over() -> bool:
        return (await app.log.info(session)).state in ("finished", "failed", "stopped")

    await until(over)
    return (await app.log.info(session)).state


def answered(step: str, seat: str) -> TurnAnswered:
    return TurnAnswered(step=step, seat=seat, by="ada", answer="My turn.")


@pytest.mark.slow
async def test_five_sessions_that_wait_for_people_leave_three_places_free_and_an_answer_wakes_one(
    database_url: str, tmp_path: Path
) -> None:
    async with (
        opened(database_url, tmp_path) as app,
        working(database_url, tmp_path, slots=3, lets_go_after=SOON) as worker,
    ):
        waiting = [await app.runner.create(turns("human:ada")) for _ in range(5)]
        runs = [asyncio.create_task(app.runner.run(session)) for session in waiting]
        for session in waiting:
            await waits(app, session)
        assert await queue_in(worker).waiting() == 5
        assert await queue_in(worker).depth() == {}, "they are no load of the queue's"
        debate = await app.runner.create(turns())
        assert (await asyncio.wait_for(app.runner.run(debate), 20)).state == "finished"

        info = await app.log.info(waiting[0])
        assert (info.state, info.owner) == ("running", "the queue"), "nobody takes it for interrupted"
        sent = time.monotonic()
        await app.log.send(waiting[0], answered("turn/1/first", "first"))
        await until(lambda: heard(app, waiting[0]))
        assert time.monotonic() - sent < 8, "the queue looks each second second"
        assert not any(run.done() for run in runs), "whoever follows goes on following"
        await waits(app, waiting[0])
        for session in waiting:
            await app.log.send(session, StopAsked(by="x", reason="enough"))
        assert {run.state for run in await asyncio.gather(*runs)} == {"stopped"}


async def heard(app: App, session: str) -> bool:
    return len(await events(app, session, OwnerStarted)) == 2


@pytest.mark.slow
async def test_a_reminder_and_a_deadline_come_when_they_are_due_although_nobody_has_the_session(
    database_url: str, tmp_path: Path
) -> None:
    seats = tuple(seat.model_copy(update={"spec": "human:ada", "deadline": 6.0}) for seat in SEATS[:1]) + SEATS[1:]
    async with working(database_url, tmp_path, lets_go_after=SOON) as app:
        session = await app.runner.create(turns(seats=seats))
        run = asyncio.create_task(app.runner.run(session))
        await waits(app, session)
        assert await events(app, session, TurnReminded) == []
        begun = time.monotonic()
        assert (await run).state == "finished", "both turns of the person were declined"
        assert 10 < time.monotonic() - begun < 25
        opened_, reminded = await events(app, session, SessionPaused), await events(app, session, TurnReminded)
        assert opened_ == []
        assert len(reminded) == 2, "each turn once, however often the session was woken"
        assert len(await events(app, session, OwnerStarted)) >= 3


@pytest.mark.slow
async def test_a_pause_stays_while_it_waits_and_whatever_wakes_it_until_somebody_resumes(
    database_url: str, tmp_path: Path
) -> None:
    async with working(database_url, tmp_path, lets_go_after=SOON) as app:
        session = await app.runner.create(turns("human:ada"))
        await queue_in(app).put(session)
        await waits(app, session)
        await app.log.send(session, PauseAsked(by="teacher"))
        await until(lambda: state_is(app, session, "paused"))
        await waits(app, session)
        await app.log.send(session, SeatLeft(by="ada", seat="second"))
        await until(lambda: heard_again(app, session, 3))
        await waits(app, session)
        assert (await app.log.info(session)).state == "paused"
        assert len(await events(app, session, SessionPaused)) == 1, "it is told once"
        assert await events(app, session, SessionResumed) == []
        await app.log.send(session, ResumeAsked(by="teacher"))
        await until(lambda: state_is(app, session, "running"))
        await app.log.send(session, StopAsked(by="teacher", reason="enough"))
        assert await ended(app, session) == "stopped"


async def state_is(app: App, session: str, state: str) -> bool:
    return (await app.log.info(session)).state == state


async def heard_again(app: App, session: str, owners: int) -> bool:
    return len(await events(app, session, OwnerStarted)) >= owners


async def test_a_pause_outlives_the_worker_at_which_it_was_asked_for(database_url: str, tmp_path: Path) -> None:
    """As one finds it that takes over: the job is one more time to be done, and nobody has asked for that."""
    async with opened(database_url, tmp_path) as app:
        session = await app.runner.create(turns())
        own = await app.log.claim(session)
        paused = SessionPaused(why="moderator", reason="paused by teacher")
        await app.log.append(session, [paused], own.epoch)
        await own.release()
        await queue_in(app).put(session)
        await queue_in(app).do("UPDATE procrastinate_jobs SET attempts = 1")
        async with working(database_url, tmp_path, lets_go_after=SOON):
            await waits(app, session)
            assert await events(app, session, SessionPaused) == [paused]
            assert (await app.log.info(session)).state == "paused"
            assert (await app.runner.run(session)).state == "finished", "whoever runs it asks for it to go on"


async def test_a_waiting_session_may_be_run_without_workers_forgotten_and_deleted(
    database_url: str, tmp_path: Path
) -> None:
    async with opened(database_url, tmp_path) as app:
        async with working(database_url, tmp_path, lets_go_after=SOON):
            first, second = [await app.runner.create(turns("human:ada")) for _ in range(2)]
            for session in (first, second):
                await queue_in(app).put(session)
                await waits(app, session)
        assert (await app.log.info(first)).owner == "the queue"
        await app.log.send(first, StopAsked(by="x", reason="enough"))
        assert (await app.runner.run(first)).state == "stopped", "no worker is left: it is run here"
        await app.log.delete(second)
        assert sorted(await queue_in(app).wake()) == sorted([first, second])
        async with working(database_url, tmp_path):

            async def done() -> bool:
                return not await queue_in(app).depth() and not await queue_in(app).ask("SELECT 1 FROM waiting")

            await until(done)


async def test_a_session_is_woken_once_however_many_look_and_by_nothing_that_was_seen(
    database_url: str, tmp_path: Path
) -> None:
    async with opened(database_url, tmp_path) as app:
        queue = queue_in(app)
        session = await app.runner.create(turns())
        own = await app.log.claim(session)
        head = (await app.log.read(session))[-1].seq
        await queue.prepare()
        assert not await queue.waiting_policy(session, own.epoch - 1, head, None, ()), "another has it by now"
        assert await queue.waiting_policy(session, own.epoch, head, None, ("budget",))
        assert await queue.wake() == []
        await app.log.send(session, StopAsked(by="x", reason="enough"))
        others = [JobQueue(queue.database) for _ in range(4)]
        woken = await asyncio.gather(*(one.wake() for one in others))
        assert sum(map(len, woken)) == 1
        rows = await queue.ask("SELECT lock, args FROM procrastinate_jobs")
        assert rows == [{"lock": session, "args": {"session": session, "leave_on": ["budget"]}}]
        await own.release()
        assert (await app.log.info(session)).owner == "the queue", "who let go of it has no hold to end"
        for one in others:
            await one.aclose()
