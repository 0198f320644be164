"""A process that makes calls within a shared limit: `python -m tests.storage.gate_child`.

Its argument is a JSON document; see `Work`. On its standard input it waits for a line before it begins; it prints a
line for each call that begins or ends, as the fake vendor of the test sees them: it connects to it for as long as a
call takes.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from dataclasses import dataclass

from elenchus.debate_engine.llm.gate import Allowed
from elenchus.debate_engine.shared import LocalShared, Shared
from elenchus.storage.redis_shared import open_shared


@dataclass
class Work:
    """`callers` at once, each calls as often as it may for so many `seconds`; a call takes `latency` seconds."""

    url: str
    vendor: int
    callers: int
    seconds: float
    concurrency: int
    a_minute: int | None = None
    provider: str = "openai"


async def one_call(port: int) -> None:
    """A call: the vendor at the port answers when it is done."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(b"x")
        await reader.read(1)
    finally:
        writer.close()


async def main(work: Work) -> None:
    """Work."""
    shared: Shared = await open_shared(work.url) if work.url else LocalShared()
    gate = shared.gate(work.provider, Allowed(work.concurrency, work.a_minute))
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    end, done = time.monotonic() + work.seconds, 0

    async def caller() -> None:
        nonlocal done
        while time.monotonic() < end:
            async with asyncio.timeout(end - time.monotonic()):
                async with gate.passed():
                    await one_call(work.vendor)
                    done += 1

    callers = [asyncio.create_task(caller()) for _ in range(work.callers)]
    await asyncio.gather(*callers, return_exceptions=True)
    await shared.aclose()
    print(json.dumps({"done": done}), flush=True)


if __name__ == "__main__":
    asyncio.run(main(Work(**json.loads(sys.argv[1]))))
