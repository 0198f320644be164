"""Pupils without a browser: programs that join a class by its code and answer by HTTP whatever they are asked."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event
from typing import Any, Self
from urllib.parse import quote

PATIENCE = 120.0
"""Seconds in which a server that was killed is there again."""


@dataclass
class Bot:
    """One of them. `answered` is what it said, by step, and the server took; `place` how it stands at its end."""

    url: str
    number: int
    code: str
    token: str = ""
    classroom: str = ""
    name: str = ""
    answered: dict[str, str] = field(default_factory=dict)
    place: dict[str, Any] = field(default_factory=dict)

    def joins(self) -> None:
        """Take a place."""
        place = self._ask("POST", "/class-places", {"code": self.code})
        self.token, self.classroom, self.name = place["token"], place["classroom"], place["name"]

    def plays(self, over: Event) -> None:
        """Answer until the class is over, or this is enough."""
        while not over.is_set():
            self.place = self._ask("GET", f"/classes/{self.classroom}/me")
            if self.place["waits_for"] == "you":
                self._answers()
            time.sleep(0.5)

    def _answers(self) -> None:
        session = self.place["session"]
        for turn in self._ask("GET", f"/sessions/{session}/turns").get("turns", ()):
            fields = {one["name"]: self._typed(one) for one in turn["fields"]}
            path = f"/sessions/{session}/turns/{quote(turn['step'], safe='')}/answer"
            if "seq" in self._ask("POST", path, {"fields": fields}):
                self.answered[turn["step"]] = " ".join(fields.values())

    def _typed(self, asked: dict[str, Any]) -> str:
        if asked["kind"] == "number":
            wanted, high = (asked["low"] or 0.0) + 1 + self.number, asked["high"]
            return f"{wanted if high is None else min(wanted, high):g}"
        return str(asked["choices"][0]) if asked["choices"] else f"Bot {self.number} cannot tell."

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        """The document of an answer, a problem's too; asked again until there is one."""
        headers = {"Content-Type": "application/json"} | (
            {"Authorization": f"Bearer {self.token}"} if self.token else {}
        )
        request = urllib.request.Request(  # noqa: S310 - a server of ours
            f"{self.url}/api/v1{path}", json.dumps(body).encode() if body else None, headers, method=method
        )
        until = time.monotonic() + PATIENCE
        while True:
            try:
                with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310 - as above
                    return json.load(answer)
            except urllib.error.HTTPError as refused:
                with refused:
                    document = json.load(refused)
                if refused.code not in (429, 503) or time.monotonic() > until:
                    assert refused.code < 500, document
                    return document
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                assert time.monotonic() < until, "the server does not come back"
            time.sleep(1)


@dataclass
class Bots:
    """All of them, each in a thread."""

    each: list[Bot]
    over: Event = field(default_factory=Event)
    _pool: ThreadPoolExecutor = field(init=False)
    _working: list[Future[None]] = field(default_factory=list)

    def __enter__(self) -> Self:
        self._pool = ThreadPoolExecutor(len(self.each))
        list(self._pool.map(Bot.joins, self.each))
        self._working = [self._pool.submit(bot.plays, self.over) for bot in self.each]
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self._pool.shutdown()

    def until(self, **wanted: Any) -> None:
        """Wait until all stand so. Raises what one of them has met, AssertionError where it takes too long."""
        until = time.monotonic() + PATIENCE
        while not all(bot.place.get(name) == value for bot in self.each for name, value in wanted.items()):
            for one in self._working:
                if one.done():
                    one.result()
            assert time.monotonic() < until, [(bot.place.get("stage"), bot.place.get("waits_for")) for bot in self.each]
            time.sleep(0.2)
