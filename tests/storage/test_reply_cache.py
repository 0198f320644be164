"""The cache of answers in the log's file: it outlives processes, counts hits, and holds nobody's words too long."""

from __future__ import annotations

import asyncio
import subprocess
from pathlib import Path

from elenchus.debate_engine.llm.client import Reply, Usage
from elenchus.storage.sqlite_log import SqliteLog, open_log
from tests.storage.logs import said, started
from tests.storage.test_forgetting import SECRET, redacted, traces

REPLY = Reply(f"They say: {SECRET}.", "stop", Usage(11, 5, 2), "m-2026", 0.25, {"x": 1})


async def test_what_is_kept_is_there_for_the_next_process_and_hits_are_counted(path: Path) -> None:
    log = await open_log(path)
    assert await log.reply_cache.get("k") is None
    await log.reply_cache.put("k", "openai:m", REPLY)
    await log.reply_cache.put("k", "openai:m", Reply("too late", "stop", Usage(), "m", 1.0))
    await log.reply_cache.put("l", "local:n", REPLY)
    await log.aclose()
    other = await open_log(path)
    found = [await other.reply_cache.get("k") for _ in range(3)]
    assert [(f.text, f.usage, f.model, f.seconds, f.finish) for f in found if f] == [
        (REPLY.text, REPLY.usage, "m-2026", 0.25, "stop")
    ] * 3
    await other.reply_cache.put("m", "openai:m", REPLY)
    overview = await other.reply_cache.overview()
    assert [(of.model, of.answers, of.hits) for of in overview] == [("local:n", 1, 0), ("openai:m", 2, 3)]
    assert overview[0].bytes > len(REPLY.text)
    await other.aclose()


async def test_two_processes_that_keep_the_same_answer_at_once_do_not_hinder_each_other(path: Path) -> None:
    logs = [await open_log(path) for _ in range(3)]
    await asyncio.gather(*(log.reply_cache.put(f"k{n % 5}", "a:m", REPLY) for n in range(30) for log in logs))
    assert [of.answers for of in await logs[0].reply_cache.overview()] == [5]
    for log in logs:
        await log.aclose()


async def test_clearing_leaves_no_trace_and_touches_no_session(sqlite_log: SqliteLog, path: Path) -> None:
    await sqlite_log.create("s", started("kept words"))
    for n in range(40):
        await sqlite_log.reply_cache.put(f"k{n}", "a:m", REPLY)
    assert traces(path)
    assert await sqlite_log.reply_cache.clear() == 40
    assert traces(path) == []
    assert await sqlite_log.reply_cache.clear() == 0
    assert [info.id for info in await sqlite_log.sessions()] == ["s"]


async def test_forgetting_somebody_empties_the_cache_as_any_answer_may_quote_them(
    sqlite_log: SqliteLog, path: Path
) -> None:
    await sqlite_log.create("s", started("a title"))
    epoch = (await sqlite_log.claim("s")).epoch
    await sqlite_log.append("s", [said(SECRET)], epoch)
    await sqlite_log.reply_cache.put("k", "a:m", REPLY)
    await sqlite_log.rewrite("s", redacted(await sqlite_log.read("s")), epoch)
    assert await sqlite_log.reply_cache.get("k") is None
    assert traces(path) == []


async def test_deleting_a_session_empties_the_cache_too(sqlite_log: SqliteLog, path: Path) -> None:
    await sqlite_log.create("s", started(SECRET))
    await sqlite_log.reply_cache.put("k", "a:m", REPLY)
    await sqlite_log.delete("s")
    assert await sqlite_log.reply_cache.overview() == []
    assert subprocess.run(["grep", "-rlaF", SECRET, path.parent], check=False, capture_output=True).stdout == b""
