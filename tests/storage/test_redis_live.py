"""What processes tell each other over Redis of what goes on just now: texts being written, who follows a session."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from elenchus.debate_engine.run_context import Draft
from elenchus.debate_engine.shared import Present, Texts, Written
from tests.storage.redis_server import RedisServer, redis_server
from tests.storage.test_redis import processes, until


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    with redis_server() as made:
        yield made


# ── what is being written ────────────────────────────────────────────────────────────────────────────────────────


async def test_what_one_process_writes_another_reads(server: RedisServer) -> None:
    heard: list[Written] = []
    async with processes(server) as (writer, reader):
        texts = Texts(writer)
        async with reader.reading("s1", heard.append), writer.reading("s1", lambda _: pytest.fail("its own")):
            texts.drafted("s1", Draft("opening/pro", "pro", None))
            for word in ("One ", "more ", "word."):
                texts.drafted("s1", Draft("opening/pro", "pro", word))
            texts.drafted("other", Draft("opening/pro", "pro", "not this"))
            await until(lambda: bool(heard) and heard[-1] == {"opening/pro": ("pro", "One more word.")})
            texts.drafted("s1", Draft("opening/pro", "pro", None, done=True))
            await until(lambda: heard[-1] == {})
    assert all("not this" not in str(one) for one in heard)


@pytest.mark.slow
async def test_who_comes_later_reads_all_of_it_and_a_server_begun_anew_is_listened_to_again() -> None:
    heard: list[Written] = []
    with redis_server() as short:
        async with processes(short) as (writer, reader):
            texts = Texts(writer)
            texts.drafted("s1", Draft("a", "pro", "All "))
            async with reader.reading("s1", heard.append):
                await tell_until(texts, lambda: bool(heard) and heard[-1].get("a", ("", ""))[1].startswith("All "))
                await asyncio.to_thread(short.stop)
                await asyncio.to_thread(short.start)
                heard.clear()
                await tell_until(texts, lambda: bool(heard) and bool(heard[-1]))


async def test_a_text_that_is_remembered_is_known_to_all_and_to_its_own_process_without_redis() -> None:
    with redis_server() as short:
        async with processes(short) as (one, other):
            await one.remember("codes of a class", "abc-def", 60)
            assert await other.remembered("codes of a class") == "abc-def"
            assert await other.remembered("nothing") == ""
            await one.remember("words", "half a thought", 60)
            await other.remember("words", "", 60)
            assert await one.remembered("words") == "", "forgotten by one it is forgotten by all"
            short.stop()
            known = [await each.remembered("codes of a class") for each in (one, other)]
            assert known == ["abc-def", ""]


# ── who follows a session ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
async def test_who_follows_a_session_elsewhere_is_known_and_whoever_leaves_or_dies_is_gone(server: RedisServer) -> None:
    heard, mine = list[Present](), list[Present]()
    async with processes(server, 3) as (one, other, reader):
        one.present("s1", {"audience": 2, "seat:pro": 1})
        other.present("s1", {"audience": 1})
        other.present("s2", {"moderator": 1})
        async with reader.seeing("s1", heard.append), one.seeing("s1", mine.append):
            await until(lambda: heard[-1] == {"audience": 3, "seat:pro": 1})
            await until(lambda: mine[-1] == {"audience": 1})  # its own it knows itself
            one.present("s1", {})
            await until(lambda: heard[-1] == {"audience": 1})
            await other.aclose()  # it says nothing more, as whoever was killed
            began = time.monotonic()
            await until(lambda: heard[-1] == {})
            assert time.monotonic() - began < 8


@pytest.mark.slow
async def test_while_redis_is_gone_nobody_is_known_elsewhere_and_everybody_is_again_when_it_is_back(
    caplog: pytest.LogCaptureFixture,
) -> None:
    heard = list[Present]()
    with redis_server() as short:
        async with processes(short) as (teller, reader):
            teller.present("s1", {"audience": 1})
            async with reader.seeing("s1", heard.append):
                for end, start in (
                    (short.stop, short.start),
                    (partial(short.send, signal.SIGSTOP), partial(short.send, signal.SIGCONT)),
                ):
                    await until(lambda: heard[-1] == {"audience": 1})
                    await asyncio.to_thread(end)
                    await until(lambda: heard[-1] == {})
                    await asyncio.to_thread(start)
                await until(lambda: heard[-1] == {"audience": 1})
    assert "Redis cannot be used" in caplog.text


async def tell_until(texts: Texts, holds: Callable[[], bool]) -> None:
    """Write on until it holds."""
    async with asyncio.timeout(30):
        while not holds():
            texts.drafted("s1", Draft("a", "pro", "and "))
            await asyncio.sleep(0.05)
