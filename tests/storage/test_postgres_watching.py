"""What following costs on PostgreSQL: a process is woken for what it follows, and reads what others wrote of it."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, aclosing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import NoneType

import psycopg
import pytest

from elenchus.debate_engine.errors import UnknownSession
from elenchus.debate_engine.events import Recorded
from elenchus.storage.postgres_connection import channel_of
from elenchus.storage.postgres_log import PostgresLog, open_postgres
from tests.storage.logs import numbers, said, started
from tests.storage.postgres_server import new_database


async def _two_logs(url: str, stack: AsyncExitStack) -> tuple[PostgresLog, PostgresLog]:
    logs = await open_postgres(url), await open_postgres(url)
    for log in logs:
        stack.push_async_callback(log.aclose)
    return logs


async def _following(log: PostgresLog, session_id: str, stack: AsyncExitStack) -> AsyncGenerator[Recorded]:
    """What is new of it; the first event has been given."""
    events = log.follow(session_id)
    stack.push_async_callback(events.aclose)
    assert (await anext(events)).seq == 1
    return events


def _times_woken() -> int:
    """How often the threads that look for what others commit went on after a wait."""
    found = 0
    for thread in threading.enumerate():
        if thread.name == "elenchus-log-watcher":
            status = Path(f"/proc/self/task/{thread.native_id}/status").read_text()
            found += int(status.split("voluntary_ctxt_switches:")[1].split()[0])
    return found


async def test_a_process_is_woken_for_no_session_that_it_does_not_follow() -> None:
    async with AsyncExitStack() as stack:
        log, other = await _two_logs(new_database(), stack)
        elsewhere = [f"n{n}" for n in range(20) if channel_of("elenchus", f"n{n}") != channel_of("elenchus", "mine")]
        for name in ("mine", *elsewhere):
            await other.create(name, started())
        events = await _following(log, "mine", stack)
        before = _times_woken()
        for n in range(300):
            await other.send(elsewhere[n % len(elsewhere)], said("for others"))
            await asyncio.sleep(0.003)
        woken = _times_woken() - before
        await other.send("mine", said("for this one"))
        assert (await asyncio.wait_for(anext(events), 5)).seq == 2
    assert woken < 100, "a poll a second, and no more"


async def test_what_a_process_wrote_itself_is_not_read_again_for_those_who_follow_it_there() -> None:
    url = new_database()
    async with AsyncExitStack() as stack:
        log, other = await _two_logs(url, stack)
        await log.create("s", started())
        events = await _following(log, "s", stack)
        for seq in range(2, 12):
            await log.send("s", said("mine"))
            assert (await asyncio.wait_for(anext(events), 5)).seq == seq
        await asyncio.sleep(2.5)  # two polls
        with psycopg.connect(url) as connection:
            last = connection.execute(
                "SELECT query FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            ).fetchall()
        assert any("id = ANY" in query for (query,) in last), "it has polled"
        assert not any("events.seq, events.at" in query for (query,) in last)
        await other.send("s", said("another's"))
        assert (await asyncio.wait_for(anext(events), 5)).seq == 12


async def test_what_nobody_told_of_is_found_within_a_poll_while_others_are_told_all_the_time() -> None:
    url = new_database()
    async with AsyncExitStack() as stack:
        log, other = await _two_logs(url, stack)
        for name in ("told", "untold"):
            await other.create(name, started())
        untold = await _following(log, "untold", stack)
        told = await _following(log, "told", stack)

        async def talk() -> None:
            while True:
                await other.send("told", said("something"))
                await anext(told)

        talking = asyncio.create_task(talk())
        await asyncio.sleep(0.1)
        with psycopg.connect(url) as connection:  # who dies between its commit and its notice
            connection.execute("SET search_path = elenchus")
            connection.execute(
                """INSERT INTO events (session, seq, at, kind, body, origin)
                SELECT session, 2, at, kind, body, 'dead' FROM events WHERE session = 'untold'"""
            )
            connection.execute("UPDATE sessions SET head = 2 WHERE id = 'untold'")
        try:
            assert (await asyncio.wait_for(anext(untold), 5)).seq == 2
        finally:
            talking.cancel()
            await asyncio.wait([talking])


async def test_what_is_told_while_the_database_is_asked_for_other_news_is_followed_at_once_too() -> None:
    url = new_database()
    async with AsyncExitStack() as stack:
        (log, other), (third, _) = await _two_logs(url, stack), await _two_logs(url, stack)
        sessions = [f"n{n}" for n in range(24)]
        for name in sessions:
            await log.create(name, started())
        followers = {name: await _following(log, name, stack) for name in sessions}

        async def seconds(n: int) -> float:
            """From an append in one of the other processes to the follower here."""
            await asyncio.sleep(0.0003 * (n % 17))
            await (other, third)[n % 2].send(sessions[n], said("something"))
            begun = time.perf_counter()
            await asyncio.wait_for(anext(followers[sessions[n]]), 5)
            return time.perf_counter() - begun

        bursts = [max(await asyncio.gather(*(seconds(n) for n in range(24)))) for _ in range(20)]
        late = [f"{longest:.2f}" for longest in bursts if longest > 0.5]
    assert len(late) < 5, f"{late} s: found by the look each second alone"


class _Follower:
    """Follows a session until it is deleted, or nobody wants it any more."""

    def __init__(self, log: PostgresLog, session_id: str, after: int) -> None:
        self.log, self.session_id, self.after = log, session_id, after
        self.got: list[Recorded] = []
        self.task = asyncio.create_task(self._follow())

    async def _follow(self) -> None:
        with suppress(UnknownSession):
            async with aclosing(self.log.follow(self.session_id, self.after)) as events:
                async for recorded in events:
                    self.got.append(recorded)

    async def has_all(self) -> bool:
        """Whether it has, in order and once, what the session that is there now has; one that has ended need not."""
        return self.task.done() or self.got == await self.log.read(self.session_id, self.after)

    def check(self) -> None:
        """Whatever happened meanwhile: events of one session in order, none left out."""
        assert numbers(self.got) == [*range(self.after + 1, self.after + 1 + len(self.got))]
        assert len({r.event.text.split()[0] for r in self.got if r.event.kind == "guidance"}) <= 1


def _break_watchers(url: str) -> int:
    """End the connections of those that look for what others commit; how many there were."""
    with psycopg.connect(url) as connection:
        return connection.execute(
            """SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE
            ANY (ARRAY['SELECT id, birth, head %', 'SELECT sessions.birth, sessions.head, events.seq%'])"""
        ).rowcount


@dataclass
class _Turmoil:
    """What two processes do at once with a few sessions. What is said names how often its session was made before."""

    logs: tuple[PostgresLog, PostgresLog]
    chance: random.Random
    made: dict[str, int] = field(default_factory=lambda: {f"s{n}": 0 for n in range(4)})
    followers: list[_Follower] = field(default_factory=list)
    sending: list[asyncio.Task[None]] = field(default_factory=list)

    async def go_on(self) -> None:
        """Do something."""
        doings = {self.send: 60, self.follow: 15, self.leave: 12, self.rest: 10, self.make_anew: 2}
        await self.chance.choices([*doings], [*doings.values()])[0](self.chance.choice(self.logs), self.session_id)

    @property
    def session_id(self) -> str:
        """One of them."""
        return self.chance.choice([*self.made])

    async def send(self, log: PostgresLog, session_id: str) -> None:
        async def sent() -> None:
            await log.send(session_id, said(f"{self.made[session_id]}"))

        self.sending.append(asyncio.create_task(sent()))

    async def follow(self, log: PostgresLog, session_id: str) -> None:
        self.followers.append(_Follower(log, session_id, self.chance.randrange(4)))

    async def leave(self, _: PostgresLog, __: str) -> None:
        if self.followers:
            self.chance.choice(self.followers).task.cancel()

    async def rest(self, _: PostgresLog, __: str) -> None:
        await asyncio.sleep(self.chance.random() / 50)

    async def make_anew(self, log: PostgresLog, session_id: str) -> None:
        await asyncio.gather(*self.sending)
        await log.delete(session_id)
        self.made[session_id] += 1
        await self.chance.choice(self.logs).create(session_id, started())

    async def calm(self) -> None:
        """Nothing is said any more, by which somebody could notice what was missed; everybody has all of it soon."""
        await asyncio.gather(*self.sending)
        stayed = [follower for follower in self.followers if not follower.task.cancelling()]
        with suppress(TimeoutError):
            async with asyncio.timeout(10):
                while not all([await follower.has_all() for follower in stayed]):  # noqa: ASYNC110 - nobody tells
                    await asyncio.sleep(0.02)
        assert not [follower.session_id for follower in stayed if not await follower.has_all()]
        for follower in self.followers:
            follower.check()


@pytest.mark.parametrize("seed", range(3))
async def test_every_follower_has_every_event_once_whoever_follows_writes_deletes_and_makes_anew(seed: int) -> None:
    url = new_database()
    async with AsyncExitStack() as stack:
        turmoil, broken = _Turmoil(await _two_logs(url, stack), random.Random(seed)), 0
        for session_id in turmoil.made:
            await turmoil.logs[0].create(session_id, started())
        for n in range(1, 501):
            await turmoil.go_on()
            if n % 100 == 0:
                broken += await asyncio.to_thread(_break_watchers, url)
            if n % 20 == 0:
                await turmoil.calm()
        for follower in turmoil.followers:
            follower.task.cancel()
        ended = await asyncio.gather(*(follower.task for follower in turmoil.followers), return_exceptions=True)
    assert {type(error) for error in ended} == {NoneType, asyncio.CancelledError}, "some sessions were deleted"
    assert broken
