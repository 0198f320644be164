"""Our path to a model takes at most half the CPU of the OpenAI SDK on its default transport.

CPU of the calling process for a call (a prompt of 400 tokens, a reply of 100; the server is another process), and the
ratio to the SDK as it comes. *Our path* is what a debate uses: retries, deadline, concurrency, request, reply and
usage read. The figures are medians of rounds in which all take turns, so a busy machine disturbs all alike.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

from benchmarks._loopback import running

if TYPE_CHECKING:
    import httpx2
    from openai import AsyncOpenAI

ROUNDS, CALLS, STREAMED_CALLS = 7, 60, 20
SYSTEM, USER = "You are a debater. " * 20, "Argue for wider pavements in the centre. " * 30
MESSAGES = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": USER}]
BODY = {"model": "bench", "messages": MESSAGES, "max_completion_tokens": 300, "temperature": 0.7}
STREAM = {"stream": True, "stream_options": {"include_usage": True}}
Way = Callable[[bool], Awaitable[object]]
"""Makes one call, streamed or not."""


async def ways(url: str, stack: AsyncExitStack) -> dict[str, Way]:
    """All that is compared, by name; the first is what the others are compared with."""
    from openai import AsyncOpenAI, DefaultAioHttpClient

    from elenchus.debate_engine.llm.transport import AiohttpClient

    def sdk(http_client: httpx2.AsyncClient | None = None) -> AsyncOpenAI:
        client = AsyncOpenAI(api_key="x", base_url=url, max_retries=0, http_client=http_client)
        stack.push_async_callback(client.close)
        return client

    return {
        "the SDK, default transport": typed(sdk()),
        "the SDK over its own aiohttp transport": typed(sdk(DefaultAioHttpClient())),
        "the SDK over our transport": typed(sdk(AiohttpClient())),
        "the SDK's generic `post`, default transport": generic(sdk()),
        "the SDK's generic `post` over our transport": generic(sdk(AiohttpClient())),
        "**our path**": ours(url, stack),
        "aiohttp alone, nothing read": await plain(url, stack),
    }


def typed(client: AsyncOpenAI) -> Way:
    """The SDK as its guide shows it."""

    async def call(streamed: bool) -> object:
        create: Any = client.chat.completions.create
        if not streamed:
            return (await create(**BODY)).choices[0].message.content
        stream = await create(**BODY, **STREAM)
        return [chunk.choices[0].delta.content async for chunk in stream if chunk.choices]

    return call


def generic(client: AsyncOpenAI) -> Way:
    """The SDK's way to call what it has no method for: no walk over type hints."""
    import httpx2
    from openai import AsyncStream

    async def call(streamed: bool) -> object:
        if not streamed:
            response = await client.post("/chat/completions", body=BODY, cast_to=httpx2.Response)
            return json.loads(response.content)["choices"][0]["message"]["content"]
        body, kind = {**BODY, **STREAM}, AsyncStream[object]
        stream = await client.post("/chat/completions", body=body, cast_to=object, stream=True, stream_cls=kind)
        return [event async for event in stream]

    return call


def ours(url: str, stack: AsyncExitStack) -> Way:
    """A model's call as a session makes it."""
    from elenchus.debate_engine.llm.client import Call, Message
    from elenchus.debate_engine.llm.openai import OpenAIClient
    from elenchus.debate_engine.llm.retrying import Limits, complete

    client, limits = OpenAIClient("x", url, None), Limits(concurrency=100)
    stack.push_async_callback(client.aclose)
    asked = Call("bench", (Message("system", SYSTEM), Message("user", USER)), max_tokens=300, temperature=0.7)

    async def call(streamed: bool) -> object:
        pieces: list[str] = []
        return (await complete(client, asked, limits, pieces.append if streamed else None)).text

    return call


async def plain(url: str, stack: AsyncExitStack) -> Way:
    """What the wire alone costs."""
    import aiohttp

    session = await stack.enter_async_context(aiohttp.ClientSession())

    async def call(streamed: bool) -> object:
        async with session.post(f"{url}/chat/completions", json={**BODY, **(STREAM if streamed else {})}) as response:
            if not streamed:
                return json.loads(await response.read())
            return [line async for line in response.content]

    return call


async def cpu_of(way: Way, streamed: bool, at_once: int) -> float:
    """CPU milliseconds a call."""
    calls = STREAMED_CALLS if streamed else CALLS
    places = asyncio.Semaphore(at_once)

    async def one() -> None:
        async with places:
            await way(streamed)

    before = time.process_time()
    await asyncio.gather(*(one() for _ in range(calls)))
    return (time.process_time() - before) / calls * 1000


async def compare(url: str, streamed: bool) -> None:
    """Print one table."""
    measured: dict[tuple[str, int], list[float]] = defaultdict(list)
    async with AsyncExitStack() as stack:
        compared = await ways(url, stack)
        for way in compared.values():
            await cpu_of(way, streamed, 50)
        for number in range(ROUNDS):
            print(f"  round {number + 1} of {ROUNDS}", file=sys.stderr)
            for name, way in compared.items():
                for at_once in (1, 50):
                    measured[name, at_once].append(await cpu_of(way, streamed, at_once))
    title = "streamed in 100 pieces" if streamed else "in one piece"
    print(f"\n| {title} | 1 at once: ms | ratio | 50 at once: ms | ratio |")
    print("| --- | ---: | ---: | ---: | ---: |")
    base = next(iter(compared))
    for name in compared:
        cells = []
        for at_once in (1, 50):
            ratios = [a / b for a, b in zip(measured[name, at_once], measured[base, at_once], strict=True)]
            cells += [f"{statistics.median(measured[name, at_once]):.2f}", f"{statistics.median(ratios):.2f}"]
        print(f"| {name} | {' | '.join(cells)} |")


def main() -> None:
    """Compare whole and streamed replies."""
    with running() as url:
        for streamed in (False, True):
            asyncio.run(compare(url, streamed))


if __name__ == "__main__":
    main()
