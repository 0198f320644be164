"""A Redis that answers and takes no changes is gone, with the reason, until it takes them again."""

from __future__ import annotations

import asyncio
import logging
import shutil
from pathlib import Path

import pytest
from pydantic import SecretStr

from elenchus.config.settings import Settings
from elenchus.config.shared_settings import RedisSettings
from elenchus.debate_engine.errors import StorageError
from elenchus.debate_engine.llm.gate import Allowed
from elenchus.debate_engine.shared import Spent
from elenchus.service.cli.shared_health import examined
from elenchus.storage.redis_shared import open_shared
from tests.service.workers.fleet import until
from tests.storage.redis_server import RedisServer, redis_server

FULL, REPLICA, NO_DISK = (
    "its memory is full (maxmemory)",
    "a replica that takes no changes",
    "it cannot write to its disk",
)


SPOILT = {
    FULL: ("CONFIG", "SET", "maxmemory", "1"),
    REPLICA: ("REPLICAOF", "127.0.0.1", "1"),
    NO_DISK: ("CONFIG", "SET", "save", "3600 1"),
}
MENDED = {
    FULL: ("CONFIG", "SET", "maxmemory", "0"),
    REPLICA: ("REPLICAOF", "NO", "ONE"),
    NO_DISK: ("CONFIG", "SET", "stop-writes-on-bgsave-error", "no"),
}
"""How a server comes to take no changes, and to take them again."""


def spoil(server: RedisServer, how: str) -> None:
    """Have it take no changes any more."""
    server.command(*SPOILT[how])
    if how == NO_DISK:
        shutil.rmtree(server.folder)
        server.command("BGSAVE")


def settings_of(server: RedisServer, home: Path) -> Settings:
    return Settings(home=home, redis=RedisSettings(url=SecretStr(server.url)))


@pytest.mark.parametrize("how", [FULL, REPLICA, NO_DISK])
async def test_a_server_that_takes_no_changes_is_gone_and_its_reason_is_told_once(
    how: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with redis_server() as server:
        shared = await open_shared(server.url)
        try:
            await shared.link.client.set("{elenchus}:opens", 0)  # it gives out leases at once
            gate = shared.gate("openai", Allowed(2))
            async with gate.passed():
                pass
            spoil(server, how)
            await asyncio.sleep(0.5)
            with caplog.at_level(logging.WARNING):
                for _ in range(10):
                    async with asyncio.timeout(5), gate.passed():
                        await shared.spend("all", Spent(5, 0.5))
                    await asyncio.sleep(0.2)
            assert shared.link.gone
            (told,) = [record.message for record in caplog.records if "Redis" in record.message]
            assert told.startswith("Redis cannot be used (")
            assert how in told
            (row,) = [row for row in await examined(settings_of(server, tmp_path)) if row["what"] == "Redis"]
            assert row["well"] is False
            assert how in row["said"]
            server.command(*MENDED[how])
            await until(lambda: not shared.link.gone)
            assert await shared.spend("all", Spent(0, 0.0)) == Spent(50, 5.0), "nothing was forgotten"
        finally:
            await shared.aclose()


async def test_a_replica_is_refused_at_the_start_and_a_full_server_waited_for() -> None:
    with redis_server() as server:
        spoil(server, FULL)
        shared = await open_shared(server.url)
        assert shared.link.gone
        await shared.aclose()
        server.command(*MENDED[FULL])
        spoil(server, REPLICA)
        with pytest.raises(StorageError, match=r"^Redis is a replica that takes no changes: set ELENCHUS_REDIS_URL"):
            await open_shared(server.url)
