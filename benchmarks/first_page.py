"""The first page of anybody is at most 60 kB over the network, and there within 300 ms on loopback.

A page with all that it loads, as a phone that was never here loads it: the document, the stylesheet, the script and
the scripts that this imports, the icon; packed with gzip where the server packs it, heads included. What is known only
from a file is asked for when that file is there, at most six requests at once, as browsers do; the time is until the
last of it has come, the best of ten, and the median. Drawing is left out: it is the phone's.
"""

from __future__ import annotations

import asyncio
import re
import statistics
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin

from aiohttp import ClientSession, TCPConnector

from benchmarks._served import AUTHORIZED, load, serving

TIMES, AT_ONCE = 10, 6
DEBATE = {
    "protocol": "debate",
    "options": {"motion": "Wide pavements", "pro": "human", "con": "scripted:demo", "judges": ["scripted:demo"]},
}
_LOADED = re.compile(r"""(?:href|src)="(/static/[^"]+)"|\bfrom "(\./[\w.]+)"|^import "(\./[\w.]+)""", re.MULTILINE)


@dataclass
class Loading:
    """A page on its way."""

    client: ClientSession
    bytes: int = 0
    files: dict[str, None] = field(default_factory=dict)

    async def load(self, url: str, headers: dict[str, str]) -> None:
        """A file, and what it names."""
        self.files[url] = None
        async with self.client.get(url, headers={"Accept": "text/html", **headers}, allow_redirects=False) as answer:
            body = await answer.read()
            assert answer.status == 200, (url, answer.status)
            kind, packed = answer.content_type, int(answer.headers.get("Content-Length", len(body)))
            head = sum(len(name) + len(value) + 4 for name, value in answer.raw_headers) + 17
        self.bytes += packed + head
        if kind not in ("text/html", "text/javascript"):
            return
        named = [urljoin(url, next(filter(None, found))) for found in _LOADED.findall(body.decode())]
        new = [one for one in dict.fromkeys(named) if one not in self.files]
        self.files |= dict.fromkeys(new)
        await asyncio.gather(*(self.load(one, {}) for one in new))


async def loaded(url: str, headers: dict[str, str]) -> tuple[int, int, float]:
    """Bytes, files and milliseconds of a page in a browser that was never here."""
    async with ClientSession(connector=TCPConnector(limit=AT_ONCE)) as client:
        loading, began = Loading(client), time.perf_counter()
        await loading.load(url, headers)
        return loading.bytes, len(loading.files), 1000 * (time.perf_counter() - began)


async def main() -> None:
    """Measure the pages to which somebody comes first, and print a Markdown table."""
    with serving() as server:
        async with ClientSession(headers=AUTHORIZED) as program:

            async def post(path: str, body: Any) -> Any:
                async with program.post(f"{server.url}/api/v1{path}", json=body) as answer:
                    assert answer.status < 300, await answer.text()
                    return await answer.json()

            session = (await post("/sessions", DEBATE))["id"]
            room = await post("/classes", {"options": {"scene": "anchoring", "people": 30}})
            seat = await post(f"/sessions/{session}/invites", {"role": "seat", "seat": "pro"})
            place = await post("/class-places", {"code": room["code"]})
        sitting = {"Authorization": f"Bearer {seat['code']}"}
        pages = {
            "a class's code is typed or photographed": (f"/join/{room['code']}", {}),
            "one's own place in a class": (f"/classes/{room['id']}/me", {"Authorization": f"Bearer {place['token']}"}),
            "a class, of who teaches it": (f"/classes/{room['id']}", AUTHORIZED),
            "a class, on the projector": (f"/classes/{room['id']}/room", AUTHORIZED),
            "home, of who moderates": ("/", AUTHORIZED),
            "a debate, of who moderates": (f"/sessions/{session}", AUTHORIZED),
            "a seat": (f"/sessions/{session}/seats/pro", sitting),
            "a debate, on the projector": (f"/sessions/{session}/room", AUTHORIZED),
        }
        print("| page | files | kB | best, ms | median, ms |\n| --- | ---: | ---: | ---: | ---: |")
        for name, (path, headers) in pages.items():
            found = [await loaded(server.url + path, headers) for _ in range(TIMES)]
            size, files, _ = found[-1]
            times = [one[2] for one in found]
            print(
                f"| {name} | {files} | **{size / 1000:.1f}** | {min(times):.0f} | **{statistics.median(times):.0f}** |"
            )
    print(f"\n{load()}")


if __name__ == "__main__":
    asyncio.run(main())
