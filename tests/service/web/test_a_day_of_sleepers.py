"""A day of phones that sleep and wake leaves nothing on a server. The day is simulated; server and sockets are not."""

from __future__ import annotations

import asyncio
import gc
import os
import random
from collections import Counter
from collections.abc import Sized
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import pytest

from elenchus.debate_engine.shared import LocalShared
from elenchus.storage.sqlite_log import SqliteLog
from tests.service.lab.classes.room import scene_in
from tests.service.web.conftest import Served, served_from
from tests.service.web.test_at_once import waiting
from tests.service.web.test_classes import a_class, pupil

HOURS, PHONES = 24, 12
MINUTE = 60.0
SAID, FEW = 12, 10
"""Things that are said in the sessions within an hour, which they keep, and objects that may come and go."""
FILES_OF_A_READER = 2
"""The database and its log: up to four connections read it, made when so many are asked at once for the first time."""
REST = 0.004
"""Seconds of real time in which the server does what is due after a leap."""


class LeapingLoop(asyncio.SelectorEventLoop):
    """An event loop of real sockets whose clock is put forward: what sleeps there wakes, as if time had gone by."""

    leapt = 0.0

    def time(self) -> float:
        return super().time() + self.leapt


def leaping() -> LeapingLoop:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, LeapingLoop)
    return loop


async def go_by(seconds: float) -> None:
    """Let so much simulated time go by, when all that was asked has been answered."""
    leaping().leapt += seconds
    await asyncio.sleep(REST)


@dataclass
class Phone:
    """Somebody who looks at a path now and then, by a token of their own; `last` is the last event that was seen."""

    served: Served
    path: str
    token: str
    last: str = ""
    streams: int = 0
    _open: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = field(default_factory=list)

    async def wake(self) -> None:
        """Open the page's stream, and read until it says how things stand."""
        reader, writer = await asyncio.open_connection(self.served.client.host, self.served.client.port)
        self._open.append((reader, writer))
        goes_on = f"Last-Event-ID: {self.last}\r\n" if self.last else ""
        head = (
            f"GET /api/v1{self.path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self.token}\r\n{goes_on}\r\n"
        )
        writer.write(head.encode())
        assert b" 200 " in await reader.readline()
        while (line := await reader.readline()) not in (b"event: status\n", b"event: class\n"):
            assert line, "the stream ended before it said how things stand"
            if line.startswith(b"id: "):
                self.last = line.decode().removeprefix("id: ").strip()
        self.streams += 1

    def gone(self) -> None:
        """The network has forgotten the phone's connections; the server learns of it when it writes."""
        for _, writer in self._open:
            writer.transport.abort()
        self._open.clear()

    async def live(self, chance: random.Random) -> None:
        """What it does in one minute."""
        match chance.randrange(8), len(self._open):
            case (0 | 1, 0):
                await self.wake()
            case 0, 1:  # loaded anew: the old connection goes a moment after the new one is there
                await self.wake()
                _, old = self._open.pop(0)
                old.transport.abort()
            case 1, 1:  # asleep: nothing is read, and the connection stays until the phone wakes
                self._open[0][1].transport.pause_reading()  # type: ignore[attr-defined]
            case 2, 1:
                self.gone()
            case 3, 1:
                self.gone()
                await self.wake()


class Left(NamedTuple):
    """What is there while nobody looks."""

    tasks: int
    streams: int
    followed: int
    remembered: int
    subscriptions: int
    files: int
    objects: Counter[str]


async def left(served: Served, phones: list[Phone]) -> Left:
    """Everybody has gone, and a while has gone by."""
    for phone in phones:
        phone.gone()
    for _ in range(3):
        await go_by(MINUTE)
        await asyncio.sleep(0.05)
    live, log = served.service.live, served.app.log
    assert isinstance(log, SqliteLog)
    held: tuple[Sized, ...] = (live._drafts, live._leaving, live._opening, live._tasks, live._ending)
    remembered = sum(len(one) for one in held)
    gc.collect()
    kinds = (type(one) for one in gc.get_objects())
    ours = (kind.__qualname__ for kind in kinds if str(kind.__module__).startswith(("elenchus", "aiohttp", "asyncio")))
    objects = Counter(ours)
    objects["TimerHandle"] = sum(not timer.cancelled() for timer in leaping()._scheduled)  # type: ignore[attr-defined]
    return Left(
        len(asyncio.all_tasks()),
        len(served.service.limits.streams),
        live.followed,
        remembered,
        sum(len(followers) for followers in log._followers._by_session.values()),
        len(os.listdir("/proc/self/fd")) - FILES_OF_A_READER * len(log._readers._connections),  # noqa: PTH208 - links
        objects,
    )


async def day(home: Path) -> None:
    chance = random.Random(24)
    scene_in(home)
    async with served_from(home) as served:
        shared = served.app.shared
        assert isinstance(shared, LocalShared)
        shared._buckets.clock = leaping().time
        sessions = [(await waiting(served))[0] for _ in range(2)]
        phones = await phones_of(served, sessions)
        hours = list[Left]()
        for _ in range(HOURS):
            for minute in range(57):
                if minute % 10 == 0:
                    words = {"command": "guide", "to": "con", "text": "Be brief, and answer what was said."}
                    for session in sessions:
                        await served.moderator.post(f"/sessions/{session}/commands", words)
                for phone in phones:
                    await phone.live(chance)
                await go_by(MINUTE)
            hours.append(await left(served, phones))
        assert min(phone.streams for phone in phones) > 3 * HOURS, "the phones have slept all day"
        settled = hours[2]  # by then all that is made once is made
        assert (settled.streams, settled.followed, settled.remembered) == (0, 0, 0)
        for since, later in enumerate(hours[3:], 1):
            assert later[:-1] == settled[:-1]
            grown = later.objects - settled.objects  # by what was said, and by what the program that said it keeps
            assert max(grown.values(), default=0) <= since * SAID + FEW, grown
        print(f"{sum(phone.streams for phone in phones)} streams, {(hours[-1].objects - settled.objects)}")


async def phones_of(served: Served, sessions: list[str]) -> list[Phone]:
    """A third of them look at each session, and a third wait in a class for it to begin."""
    each = PHONES // 3
    made = await a_class(served, each)
    people = [(await pupil(served, made["code"])).asker for _ in range(each)]
    audience = [(one, (await served.invited(one, "audience")).token) for one in sessions for _ in range(each)]
    return [
        *(Phone(served, f"/sessions/{session}/stream", token) for session, token in audience),
        *(Phone(served, f"/classes/{made['id']}/me/stream", one.token) for one in people),
    ]


@pytest.mark.slow
def test_a_day_of_phones_that_sleep_and_wake_leaves_nothing(tmp_path: Path) -> None:
    with asyncio.Runner(loop_factory=LeapingLoop) as runner:
        runner.run(day(tmp_path))
