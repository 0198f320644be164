"""What following costs on PostgreSQL: a process is woken for what it follows, and reads what others wrote of it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import psycopg

from elenchus.debate_engine.events import Recorded
from elenchus.storage.postgres_connection import channel_of
from elenchus.storage.postgres_log import PostgresLog, open_postgres
from tests.storage.logs import said, started
from tests.storage.postgres_server import new_database


async def _two_logs(url: str, stack: AsyncExitStack) -> tuple[PostgresLog, PostgresLog]:
    logs = await open_postgres(url), await open_postgres(url)
    for log in logs:
        stack.push_async_callback(log.aclose)
    return logs


async def _following(log: PostgresLog, session_id: str, stack: AsyncExitStack) -> AsyncIterator[Recorded]:
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
