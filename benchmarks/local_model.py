"""The embedded model is as fast in our path as in llama.cpp alone, and reads the known beginning of a prompt once.

The same prompt and the same number of tokens, one call at a time, with and without us between; then a debate's usual
case, a prompt that has grown by a turn since the last call. Medians of rounds in which both take turns.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from elenchus.debate_engine.llm.client import Call, Message
from elenchus.debate_engine.llm.local import LocalClient, Setup, load, request_body
from elenchus.debate_engine.llm.weights import locate

ROUNDS, TOKENS = 5, 64
TURN = "The committee argued that wider pavements change how a centre lives, since people walk more and stay longer. "


def a_call(text: str, tokens: int = TOKENS) -> Call:
    """A call that has to write a while."""
    role = Message("system", "You are a debater who argues at length.")
    return Call("smollm2-135m", (role, Message("user", f"{text}\nArgue at great length.")), max_tokens=tokens)


async def main() -> None:
    """Measure and print."""
    setup = Setup(locate("smollm2-135m", Path("none")), context=2048, parallel=1, threads=0)
    engine, client = await asyncio.to_thread(load, setup), LocalClient(setup)
    await client.complete(a_call("warm up", 1))
    alone, ours = [], []
    for number in range(ROUNDS):
        print(f"  round {number + 1} of {ROUNDS}", file=sys.stderr)
        call = a_call(f"{number}. {TURN}")
        alone.append(await asyncio.to_thread(bare, engine, call))
        ours.append(await in_our_path(client, call))
    print("| | tokens/s | ratio |\n| --- | ---: | ---: |")
    print(f"| llama.cpp alone | {statistics.median(alone):.0f} | 1.00 |")
    ratio = statistics.median(b / a for a, b in zip(alone, ours, strict=True))
    print(f"| our path, streamed | {statistics.median(ours):.0f} | {ratio:.2f} |")
    await growing(client)
    await client.aclose()


def bare(engine: Any, call: Call) -> float:
    """Tokens a second of the engine itself."""
    last: dict[str, Any] = {}
    started = time.monotonic()
    engine.handle_chat_completions(request_body(call), last.update)
    return float(last["usage"]["completion_tokens"] / (time.monotonic() - started))


async def in_our_path(client: LocalClient, call: Call) -> float:
    """Tokens a second as a session gets them."""
    pieces: list[str] = []
    started = time.monotonic()
    reply = await client.complete(call, pieces.append)
    return reply.usage.output_tokens / (time.monotonic() - started)


async def growing(client: LocalClient) -> None:
    """A prompt that grows turn by turn."""
    print("\n| turn | prompt, tokens | known already | read, tokens/s | before the first word, s |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    for turns in range(1, 6):
        reply = await client.complete(a_call(TURN * 4 * turns, 1))
        speed, used = reply.raw["timings"]["prompt_per_second"], reply.usage
        print(f"| {turns} | {used.input_tokens} | {used.cached_tokens} | {speed:.0f} | {reply.seconds:.2f} |")


if __name__ == "__main__":
    asyncio.run(main())
