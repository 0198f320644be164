"""What processes share over Redis, and what they do without it. Each `RedisShared` is a process's own."""

from __future__ import annotations

import asyncio
import logging
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from pydantic import SecretStr

from elenchus.config.settings import Settings, load_settings
from elenchus.config.shared_settings import RedisSettings
from elenchus.debate_engine.buckets import Rate
from elenchus.debate_engine.errors import StorageError
from elenchus.debate_engine.events import SessionStarted
from elenchus.debate_engine.llm.client import Reply, Usage
from elenchus.debate_engine.llm.gate import Allowed
from elenchus.debate_engine.shared import Spent
from elenchus.service.app import open_app
from elenchus.storage.redis_replies import RedisReplies
from elenchus.storage.redis_shared import RedisShared, open_shared
from elenchus.storage.sqlite_log import open_log
from tests.fakes.old_redis import old_redis
from tests.storage.redis_server import RedisServer, redis_server

WORD = "a-word-of-the-tests"


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    with redis_server() as made:
        yield made


@asynccontextmanager
async def processes(server: RedisServer, count: int = 2) -> AsyncIterator[list[RedisShared]]:
    """So many processes, as the server sees them."""
    async with AsyncExitStack() as stack:
        made = [await open_shared(server.url) for _ in range(count)]
        for one in made:
            stack.push_async_callback(one.aclose)
        yield made


# ── what is refused ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "url",
    ["localhost:6379", "http://localhost:6379", "redis://", "redis://h:99999", "redis://h/zero", "rediss://:6379"],
)
def test_an_address_that_is_none_is_refused_without_being_told(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELENCHUS_REDIS_URL", url)
    with pytest.raises(
        ValueError, match=r"^ELENCHUS_REDIS_URL cannot be used: it is no address such as redis://"
    ) as said:
        load_settings(None)
    assert url == "redis://" or url not in str(said.value)


async def test_a_wrong_password_is_told_in_one_sentence() -> None:
    with redis_server("--requirepass", WORD) as guarded:
        sentence = "^Redis refuses the name or the password: correct ELENCHUS_REDIS_URL.$"
        for url in (guarded.url, guarded.url.replace("redis://", "redis://:wrong@")):
            with pytest.raises(StorageError, match=sentence):
                await open_shared(url)
        await (await open_shared(guarded.url.replace("redis://", f"redis://:{WORD}@"))).aclose()


@pytest.mark.parametrize(
    "settings",
    [("--rename-command", "EVAL", ""), ("--user", "default", "on", "nopass", "~*", "&*", "+@all", "-@scripting")],
)
async def test_a_server_without_scripts_is_told_in_one_sentence(settings: tuple[str, ...]) -> None:
    with redis_server(*settings) as without, pytest.raises(StorageError, match=r"^Redis .*(Lua scripts).*\.$"):
        await open_shared(without.url)


async def test_a_database_that_is_not_there_is_told_in_one_sentence(server: RedisServer) -> None:
    with pytest.raises(StorageError, match=r"^Redis has no database of this number: correct ELENCHUS_REDIS_URL\.$"):
        await open_shared(server.url.replace("/0", "/99"))


@pytest.mark.parametrize("version", ["6.2.14", "5.0.0", "what?"])
async def test_an_old_version_is_told_in_one_sentence(version: str) -> None:
    async with old_redis(version) as url:
        with pytest.raises(StorageError, match=r"^Redis is (of|older).*: Elenchus needs 7\.0 or newer; upgrade it\.$"):
            await open_shared(url)


async def test_what_is_no_redis_is_told_in_one_sentence() -> None:
    async def greet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(greet, "127.0.0.1", 0) as other:
        port = other.sockets[0].getsockname()[1]
        with pytest.raises(
            StorageError, match=r"^What answers at ELENCHUS_REDIS_URL is not Redis: correct the address\.$"
        ):
            await open_shared(f"redis://127.0.0.1:{port}")


async def test_a_server_that_is_not_there_is_warned_of_and_waited_for(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with redis_server() as gone:
        gone.stop()
        settings = Settings(home=tmp_path, redis=RedisSettings(url=SecretStr(gone.url)))
        async with open_app(settings) as app:
            assert "Redis cannot be used" in caplog.text
            async with app.registry.model("scripted:demo").limits.gate.passed():
                pass
            await asyncio.to_thread(gone.start)
            assert isinstance(app.shared, RedisShared)
            link = app.shared.link
            await until(lambda: not link.gone)
        assert "Redis is there again" in caplog.text


async def test_a_process_that_redis_was_too_slow_for_from_the_start_says_that_it_takes_the_whole_limit(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with redis_server() as slow:
        slow.send(signal.SIGSTOP)
        shared = await open_shared(slow.url)
        gate = shared.gate("lab", Allowed(4))
        for _ in range(2):
            async with gate.passed():
                pass
        await shared.aclose()
        slow.send(signal.SIGCONT)
    assert caplog.text.count("share the limits of lab: this one takes the whole of them, so several together") == 1


# ── limits ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_calls_in_flight_are_counted_over_all_processes_and_let_go_of(server: RedisServer) -> None:
    async with processes(server) as (one, other):
        gates = [each.gate("anthropic", Allowed(3)) for each in (one, other)]
        now = most = 0

        async def call(n: int) -> None:
            nonlocal now, most
            async with gates[n % 2].passed():
                now += 1
                most = max(most, now)
                await asyncio.sleep(0.01)
                now -= 1

        async with asyncio.TaskGroup() as group:
            for n in range(40):
                group.create_task(call(n))
        assert most == 3
        used = one.gates["anthropic"]
        await asyncio.sleep(0.2)
        assert await used.used() == 0
        of_a_dead_process = str(int((time.time() - 1) * 1000))
        server.command("ZADD", "{elenchus}:anthropic:leases", of_a_dead_process, "dead:1")
        assert await used.used() == 0, "a lease that has run out is no call"


async def test_whoever_is_cancelled_while_waiting_or_calling_keeps_no_lease(server: RedisServer) -> None:
    async with processes(server) as (one, other):
        gates = [each.gate("gemini", Allowed(1)) for each in (one, other)]
        began = asyncio.Event()

        async def call(n: int) -> None:
            async with gates[n].passed():
                began.set()
                await asyncio.sleep(60)

        calls = [asyncio.create_task(call(n)) for n in (0, 0, 1, 1)]
        await began.wait()
        await asyncio.sleep(0.05)
        for task in calls:
            task.cancel()
        await asyncio.gather(*calls, return_exceptions=True)
        async with asyncio.timeout(5):
            async with gates[0].passed():
                pass
            async with gates[1].passed():
                pass


async def test_a_bucket_is_shared(server: RedisServer) -> None:
    async with processes(server) as (one, other):
        rate = Rate(0.001, 3.0)
        held = [await each.left("somebody", rate, take=True) for each in (one, other, one, other)]
        assert [round(left) for left in held] == [3, 2, 1, 0]
        assert round(await one.left("somebody", rate, take=False)) == 0
        assert round(await one.left("somebody else", rate, take=False)) == 3


async def test_what_a_day_has_used_is_a_sum_and_comes_back_when_redis_was_emptied(server: RedisServer) -> None:
    async with processes(server) as (one, other):
        await one.spend("house", Spent(100, 0.25))
        assert await other.spend("house", Spent(10, 0.5)) == (110, 0.75)
        server.command("FLUSHALL")
        await one.spend("house", Spent())
        assert await other.spend("house", Spent(1)) == (111, 0.75)


async def test_without_redis_what_others_had_used_still_counts() -> None:
    with redis_server() as short:
        async with processes(short) as (one, other):
            await one.spend("house", Spent(100))
            assert await other.spend("house", Spent(10)) == (110, 0.0)
            short.stop()
            assert await other.spend("house", Spent(10)) == (120, 0.0)


async def test_one_at_a_time_is_alone_and_what_a_dead_process_held_is_free_in_time(server: RedisServer) -> None:
    inside: list[str] = []
    async with processes(server) as (one, other):

        async def work(shared: RedisShared, name: str) -> None:
            async with shared.alone("it"):
                inside.append(name)
                assert len(inside) == 1
                await asyncio.sleep(0.02)
                inside.remove(name)

        await asyncio.gather(*(work(shared, str(n)) for n, shared in enumerate([one, other, one, other])))


# ── the cache of replies ─────────────────────────────────────────────────────────────────────────────────────────


async def test_a_reply_comes_from_redis_until_somebody_is_forgotten(server: RedisServer, tmp_path: Path) -> None:
    reply = Reply("Ada said so.", "stop", Usage(3, 4), "m", 1.5)
    async with processes(server, 1) as (one,):
        log = await open_log(tmp_path / "elenchus.db")
        replies = RedisReplies(one.link, log.reply_cache)
        await replies.put("key", "m", reply)
        assert await replies.get("key") == reply
        assert await one.link.client.hgetall("elenchus:replies:0")
        await log.create("s", STARTED)
        await log.delete("s")  # which empties the cache of the database in its transaction
        assert await replies.get("key") is None
        assert not await one.link.client.keys("elenchus:replies:0*")
        await log.aclose()


async def test_hits_in_redis_are_counted_where_they_last(server: RedisServer, tmp_path: Path) -> None:
    async with processes(server, 1) as (one,):
        log = await open_log(tmp_path / "elenchus.db")
        replies = RedisReplies(one.link, log.reply_cache)
        await replies.put("counted", "m", Reply("Yes.", "stop", Usage(1, 1), "m", 0.1))
        await replies.get("counted")
        await replies.get("counted")
        await log.create("s", STARTED)
        assert [one.hits for one in await log.reply_cache.overview()] == [2]
        await log.aclose()


async def test_while_redis_hangs_an_answer_is_late_by_a_second_at_most(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with redis_server() as short:
        async with processes(short, 1) as (one,):
            log = await open_log(tmp_path / "elenchus.db")
            replies = RedisReplies(one.link, log.reply_cache)
            reply = Reply("Yes.", "stop", Usage(1, 1), "m", 0.1)
            await replies.put("key", "m", reply)
            short.send(signal.SIGSTOP)
            began = time.monotonic()
            assert await replies.get("key") == reply
            assert time.monotonic() - began < 3
            began = time.monotonic()
            for _ in range(50):
                assert await replies.get("key") == reply
            assert time.monotonic() - began < 2  # nobody waits for it again
            short.send(signal.SIGCONT)
            await log.aclose()
    assert [r.levelno for r in caplog.records if "Redis cannot be used" in r.message] == [logging.WARNING]


STARTED = SessionStarted(protocol="debate", title="t", config={}, seats=(), seed=1, version="0")


async def until(holds: Callable[[], bool]) -> None:
    """Wait until it holds."""
    async with asyncio.timeout(20):
        while not holds():  # noqa: ASYNC110 - another task's or process's doing
            await asyncio.sleep(0.02)
