"""Beside 100 sessions that run, 99 of 100 requests to the API are answered within 50 ms.

The service is `elenchus serve`, the client another process, which asks 25 times a second at even distances, each kind
of request in turn, whatever the answers before have taken. The sessions are whole debates by the defaults, with a
scripted model that answers after 10 s, as one does that reasons; they were begun one after the other, over more than
these 10 seconds. Above, the same requests to the same service before anything ran. CPU is the server's, of one second.

Sessions that are begun in one moment, with a model that always takes the same time, have all their answers in one
moment: who asks then waited for up to half a second (a p99 of 521 ms, seen once while this was written).
"""

from __future__ import annotations

import asyncio
import sys
import time
from typing import Any

from aiohttp import ClientSession

from benchmarks._served import AUTHORIZED, Child, load, serving, share

SESSIONS, RATE, REQUESTS = 100, 25, 600
LATENCY = 10
MODEL = f"scripted:demo?latency={LATENCY}"
QUIET = "human"


def debate(model: str) -> dict[str, Any]:
    """A debate in which nothing happens while people are waited for, or one that runs."""
    options = {"motion": "Wide pavements are worth it", "pro": model, "con": model, "judges": [MODEL] * 3}
    return {"protocol": "debate", "options": options}


class Client:
    """A program with a moderator's token."""

    def __init__(self, server: Child, http: ClientSession) -> None:
        self.server, self.http = server, http

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        """The document of an answer."""
        url = f"{self.server.url}/api/v1{path}"
        async with self.http.request(method, url, json=body, headers=AUTHORIZED) as answer:
            document = await answer.json()
            assert answer.status < 300, document
            return document

    async def timed(self, method: str, path: str, body: Any = None) -> float:
        """Milliseconds of a request."""
        began = time.perf_counter()
        await self.ask(method, path, body)
        return 1000 * (time.perf_counter() - began)

    async def many(self, sessions: list[str]) -> tuple[list[float], float]:
        """Requests at even distances: the times, and the server's CPU in milliseconds a second."""
        cpu, began, tasks = self.server.cpu(), time.perf_counter(), list[asyncio.Task[float]]()
        for number in range(REQUESTS):
            session = sessions[number % len(sessions)]
            kinds: list[tuple[Any, ...]] = [
                ("GET", f"/sessions/{session}"),
                ("GET", f"/sessions/{session}/events?after=5"),
                ("GET", f"/sessions/{session}/turns"),
                ("GET", "/sessions?limit=20"),
                ("POST", f"/sessions/{session}/commands", {"command": "guide", "to": "pro", "text": "Be brief."}),
            ]
            tasks.append(asyncio.create_task(self.timed(*kinds[number % len(kinds)])))
            await asyncio.sleep(max(0.0, began + number / RATE - time.perf_counter()))
        times = await asyncio.gather(*tasks)
        return list(times), 1000 * (self.server.cpu() - cpu) / (time.perf_counter() - began)


async def main() -> None:
    """Measure both, and print a Markdown table."""
    with serving(ELENCHUS_WEB_REQUESTS="6000") as server:
        async with ClientSession() as http:
            client, rows = Client(server, http), []
            quiet = [(await client.ask("POST", "/sessions", debate(QUIET)))["id"]]
            await client.many(quiet)  # warm
            rows.append(("one session that waits for people", *await client.many(quiet)))
            print(f"  {SESSIONS} sessions begin", file=sys.stderr)
            sessions = list[str]()
            for _ in range(SESSIONS):
                sessions.append((await client.ask("POST", "/sessions", debate(MODEL)))["id"])
                await asyncio.sleep(LATENCY / SESSIONS)
            await asyncio.sleep(LATENCY)
            rows.append((f"{SESSIONS} sessions that run", *await client.many(sessions)))
            running = [(await client.ask("GET", f"/sessions/{one}"))["state"] for one in sessions].count("running")
    print("| beside | requests | median, ms | p99, ms | slowest, ms | CPU of the server, ms a second |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name, times, cpu in rows:
        print(
            f"| {name} | {len(times)} | {share(times, 0.5):.0f} | **{share(times, 0.99):.0f}** | {max(times):.0f} "
            f"| {cpu:.0f} |"
        )
    print(f"\n{running} of {SESSIONS} still ran at the end. {load()}")


if __name__ == "__main__":
    asyncio.run(main())
