"""Of a class of 300 who answer within the same 10 seconds none is lost, and 99 of 100 answers are taken in 300 ms.

The service is `elenchus serve` with the settings that it has by itself; the phones are another process. Each has come
by the class's code, follows its own place by a stream, looks at the form of what it is asked, and sends its answer at a
moment that is drawn evenly from the 10 seconds; the time is that of the request with the answer, which holds the log's
transaction on disk. A wave is over when everybody's own page shows the next thing: that is how it is seen that none is
lost. The last row is the same with the garbage collector as Python sets it (decision 8), for whose sake the program
looks for garbage less often.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import ClientSession, ClientTimeout, TCPConnector

from benchmarks._served import AUTHORIZED, Child, load, serving, share

PEOPLE, SECONDS, WAVES = 300, 10.0, 3
SCENE = "anchoring"
AT_ONCE = 20
PATIENCE = 90
PYTHONS_OWN = "from elenchus.service.cli import context; context.GARBAGE = (700, 10, 10); "


@dataclass
class Phone:
    """Somebody's browser."""

    client: ClientSession
    api: str
    classroom: str
    token: str
    place: dict[str, Any] = field(default_factory=dict)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def headers(self) -> dict[str, str]:
        """Who it is."""
        return {"Authorization": f"Bearer {self.token}"}

    async def follow(self) -> None:
        """Keep what one's page shows."""
        url = f"{self.api}/classes/{self.classroom}/me/stream"
        async with self.client.get(url, headers=self.headers, timeout=ClientTimeout(total=None)) as stream:
            async for line in stream.content:
                if line.startswith(b"data: {") and b'"phase"' in line:
                    self.place = json.loads(line[6:])
                    self.changed.set()

    async def until(self, what: Callable[[dict[str, Any]], bool]) -> None:
        """Wait until the page shows that."""
        while not (self.place and what(self.place)):
            self.changed.clear()
            await self.changed.wait()

    async def answer(self) -> float:
        """Look at the form and send it; milliseconds of the request with the answer. The next thing is waited for."""
        step, session = self.place["step"], self.place["session"]
        async with self.client.get(f"{self.api}/sessions/{session}/turns", headers=self.headers) as asked:
            (turn,) = (await asked.json())["turns"]
        body = {"fields": {one["name"]: typed(one) for one in turn["fields"]}}
        url = f"{self.api}/sessions/{session}/turns/{step.replace('/', '%2F')}/answer"
        began = time.perf_counter()
        async with self.client.post(url, json=body, headers=self.headers) as taken:
            document = await taken.json()
            assert taken.status < 300, document
        took = 1000 * (time.perf_counter() - began)
        await self.until(lambda place: place["step"] != step)
        return took


def typed(asked: dict[str, Any]) -> str:
    """Something that a field takes."""
    match asked["kind"]:
        case "number":
            low = asked["low"] or 0
            return str(round(low + ((asked["high"] or low + 100) - low) / 2))
        case "choice":
            return str(asked["choices"][0])
        case "yes-no":
            return "yes"
    return "word"


@asynccontextmanager
async def a_class(server: Child) -> AsyncIterator[list[Phone]]:
    """A class whose people have come, and play."""
    connector, api = TCPConnector(limit=0), f"{server.url}/api/v1"
    async with ClientSession(connector=connector) as client, asyncio.TaskGroup() as tasks:

        async def post(path: str, body: Any, headers: dict[str, str]) -> Any:
            async with client.post(f"{api}{path}", json=body, headers=headers) as answer:
                document = await answer.json()
                assert answer.status < 300, document
                return document

        made = await post("/classes", {"options": {"scene": SCENE, "people": PEOPLE}}, AUTHORIZED)
        phones = list[Phone]()
        for _ in range(PEOPLE // AT_ONCE):
            came = [post("/class-places", {"code": made["code"]}, {}) for _ in range(AT_ONCE)]
            places = await asyncio.gather(*came)
            phones += [Phone(client, api, made["id"], place["token"]) for place in places]
        following = [tasks.create_task(phone.follow()) for phone in phones]
        await post(f"/classes/{made['id']}/phase", {"to": "playing", "sure": True}, AUTHORIZED)
        yield phones
        for task in following:
            task.cancel()


async def wave(phones: list[Phone]) -> tuple[list[float], int]:
    """Everybody answers within the seconds; the times in milliseconds, and how many were lost."""
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*(phone.until(lambda place: bool(place["step"])) for phone in phones))

    async def some_time(phone: Phone) -> float:
        await asyncio.sleep(random.uniform(0, SECONDS))
        return await phone.answer()

    tasks = [asyncio.create_task(some_time(phone)) for phone in phones]
    done, waiting = await asyncio.wait(tasks, timeout=SECONDS + PATIENCE)
    for task in waiting:
        task.cancel()
    failed = [task for task in done if task.exception()]
    for task in failed[:3]:
        print(f"  {task.exception()}", file=sys.stderr)
    return [task.result() for task in done if not task.exception()], len(waiting) + len(failed)


async def measured(name: str, before: str = "") -> None:
    """A class from its beginning, and its row of the table."""
    with serving(before) as server:
        print(f"  {name}: {PEOPLE} people come", file=sys.stderr)
        times, lost = list[float](), 0
        async with a_class(server) as phones:
            cpu = server.cpu()
            for number in range(WAVES):
                print(f"  wave {number + 1}", file=sys.stderr)
                found, missing = await wave(phones)
                times, lost = times + found, lost + missing
            cpu = 1000 * (server.cpu() - cpu) / (PEOPLE * WAVES)
    print(
        f"| {name} | {len(times)} | {lost} | {share(times, 0.5):.0f} | **{share(times, 0.99):.0f}** | {max(times):.0f} "
        f"| {cpu:.1f} |"
    )


async def main() -> None:
    """Measure, and print a Markdown table."""
    print("| | answers | lost | median, ms | p99, ms | slowest, ms | CPU of the server an answer, ms |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    await measured("`elenchus serve`")
    await measured("garbage as Python looks for it", PYTHONS_OWN)
    print(f"\n{WAVES} waves of {PEOPLE} answers in {SECONDS:.0f} s each. {load()}")


if __name__ == "__main__":
    asyncio.run(main())
