"""What another program, or nobody's friend, writes into the Redis that processes share: it counts for nothing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from elenchus.debate_engine.buckets import Rate
from elenchus.debate_engine.llm.client import Reply, Usage
from elenchus.debate_engine.llm.gate import Allowed
from elenchus.debate_engine.run_context import Draft
from elenchus.debate_engine.shared import Present, Spent, Texts, Written
from elenchus.storage.redis_replies import RedisReplies
from elenchus.storage.redis_shared import RedisShared, open_shared
from elenchus.storage.sqlite_log import open_log
from tests.fakes.old_redis import old_redis
from tests.storage.redis_server import RedisServer, redis_server
from tests.storage.test_redis import processes, until


@pytest.fixture
def server() -> Iterator[RedisServer]:
    with redis_server() as made:
        yield made


NO_REPLIES = [
    "no JSON", "{}", '"text"', "[1, 2, 3, 4]", '["a", "m", ["1", 2], 2.0]', '["a", "m", [1, 2], NaN]',
    '["a", "m", [1, 2, 3, 4, 5, 6, 7, 8, 9], 2.0]', '["a", "m", [-5, 2], 2.0]', "[" * 100_000,
]  # fmt: skip


async def test_a_cached_reply_that_is_none_is_asked_of_the_database(server: RedisServer, tmp_path: Path) -> None:
    reply = Reply("As it was said.", "stop", Usage(3, 4), "m", 1.5)
    async with processes(server, 1) as (one,):
        log = await open_log(tmp_path / "elenchus.db")
        replies = RedisReplies(one.link, log.reply_cache)
        await replies.put("key", "m", reply)
        for body in NO_REPLIES:
            await one.link.client.hset("elenchus:replies:0", "key", body)
            assert await replies.get("key") == reply, body
        await one.link.client.set("elenchus:replies:0", "of another type")
        assert await replies.get("key") == reply
        await log.aclose()


async def test_a_server_whose_scripts_return_no_numbers_leaves_each_process_to_its_own_limits(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with old_redis("7.2.0") as address:  # it says OK to every script
        one = await open_shared(address)
        try:
            await passed(one.gate("openai", Allowed(2)))
            assert await one.left("b", Rate(60, 2), take=True) == 2, "before it was taken"
            assert await one.spend("all", Spent(5, 0.5)) == Spent(5, 0.5)
        finally:
            await one.aclose()
    assert caplog.text.count("something else where a number of ours should be") == 1


async def test_values_of_other_types_cost_the_limits_that_they_stand_for_and_not_all_of_redis(
    server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    async with processes(server, 1) as (one,):
        await one.link.client.set("{elenchus}:opens", 0)  # it gives out leases at once
        gate = one.gate("openai", Allowed(2))
        await passed(gate)
        day = f"elenchus:spent:{datetime.now(UTC).date()}:all"
        for key in ("{elenchus}:openai:leases", "{elenchus}:openai:bucket", "elenchus:rate:b", day):
            await one.link.client.delete(key)
            await one.link.client.set(key, "of another type")
        with caplog.at_level(logging.WARNING):
            for _ in range(3):
                await passed(gate)
                assert await one.left("b", Rate(1.0, 5), take=True) > 0
                assert (await one.spend("all", Spent(5, 0.5))).tokens > 0
        assert not one.link.gone
        assert [record.message.partition(" (")[0] for record in caplog.records] == [
            "Redis has something else where a number of ours should be"
        ]


async def passed(gate: object, seconds: float = 5.0) -> None:
    async with asyncio.timeout(seconds), gate.passed():  # type: ignore[attr-defined]
        pass


@pytest.mark.slow
async def test_a_server_whose_clock_was_set_back_holds_nobody_up(server: RedisServer) -> None:
    """What its clock of before has left is set here by hand: it is an hour ahead."""
    async with processes(server, 1) as (before,):
        await before.link.client.set("{elenchus}:opens", 0)
        gate = before.gate("openai", Allowed(1, a_minute=6000))
        await passed(gate)
        await before.left("b", Rate(1.0, 5), take=True)
        ahead = (int((await before.link.client.time())[0]) + 3600) * 1000
        client = before.link.client
        await client.set("{elenchus}:opens", ahead)
        await client.zadd("{elenchus}:openai:leases", {"of somebody who died": ahead})
        await client.hset("{elenchus}:openai:bucket", "at", ahead)
        await client.hset("elenchus:rate:b", mapping={"left": 3, "at": ahead / 1000})
        async with processes(server, 1) as (fresh,):
            later = fresh.gate("openai", Allowed(1, a_minute=6000))
            for _ in range(2):
                await passed(later)
            assert await fresh.left("b", Rate(1.0, 5), take=True) >= 2


async def test_what_a_day_has_used_is_never_less_than_what_is_known_here(server: RedisServer) -> None:
    async with processes(server, 1) as (one,):
        await one.spend("all", Spent(5, 0.5))
        key = f"elenchus:spent:{datetime.now(UTC).date()}:all"
        await one.link.client.hset(key, mapping={"evil:tokens": "-1000", "evil:usd": "nan"})
        assert await one.spend("all", Spent(5, 0.5)) == Spent(10, 1.0)


async def test_a_message_that_is_none_of_ours_is_passed_over_and_the_next_one_heard(server: RedisServer) -> None:
    heard, seen = list[Written](), list[Present]()
    one: RedisShared = await open_shared(server.url)
    async with processes(server, 1) as (other,):
        texts = Texts(other)
        texts.drafted("s", Draft("a", "pro", "word"))
        async with one.reading("s", heard.append), one.seeing("s", seen.append):
            await until(lambda: bool(heard) and bool(heard[-1]))
            began = len(heard), len(seen)
            for body in (
                "[" * 100_000,
                '{"from": "x", "sessions": {"s": {"audience": 1e400}}, "texts": {"a": [1]}}',
                "null",
            ):
                for channel in ("elenchus:presence", "elenchus:texts:s"):
                    await other.link.client.publish(channel, body)
            texts.drafted("s", Draft("a", "pro", " more"))
            await until(lambda: heard[-1] == {"a": ("pro", "word more")})
        assert {} not in heard[began[0] :], "it went on listening"
        assert len(seen) == began[1]
    await one.aclose()
