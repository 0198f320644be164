from __future__ import annotations

import asyncio

from elenchus.storage.redis_link import RedisLink
from tests.storage.redis_server import redis_server


async def test_whoever_is_cancelled_while_asking_is_cancelled() -> None:
    with redis_server() as server:
        link = RedisLink(server.url)

        async def asks_and_works() -> None:
            await link.ask(lambda client: client.ping())
            await asyncio.sleep(60)

        try:
            await link.check()
            for n in range(400):
                task = asyncio.create_task(asks_and_works())
                for _ in range(n % 8):
                    await asyncio.sleep(0)
                task.cancel()
                await asyncio.wait([task], timeout=5)
                assert task.cancelled()
        finally:
            await link.aclose()
