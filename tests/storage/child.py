"""Programs for other processes: `python child.py VERB PACKAGE.MODULE:FUNCTION PLACE …`.

The function opens a log at the place. They say on stdout how far they are, a line each.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import resource
import signal
import sqlite3
import sys
import time
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from elenchus.debate_engine.errors import ElenchusError, LostOwnership, SessionHeld, StorageError
from elenchus.debate_engine.log import EventLog
from tests.storage.logs import epoch_of, said


def say(*words: object) -> None:
    print(*words, flush=True)


def heard() -> str:
    """The next line of stdin; "" at its end."""
    return sys.stdin.readline().strip()


async def run(log: EventLog, session: str) -> None:
    """Own a session and append pairs without end, saying each number once it is returned."""
    epoch = (await log.claim(session)).epoch
    say("held", epoch)
    n = 0
    while True:
        n += 1
        say((await log.append(session, [said(f"{n}/a"), said(f"{n}/b")], epoch))[-1].seq)


async def hold(log: EventLog, session: str) -> None:
    """Own a session; append one event for each line on stdin and say what came of it."""
    ownership = await log.claim(session)
    say("held", ownership.epoch)
    while line := await asyncio.to_thread(heard):
        try:
            (recorded,) = await log.append(session, [said(line)], ownership.epoch)
            say("appended", recorded.seq)
        except ElenchusError as error:
            say(type(error).__name__, error)


async def history(log: EventLog, sessions: str, seconds: str, seed: str) -> None:
    """Do what a log lets anybody do, several things at once, also under epochs of long ago, and say when each began and
    what came of it: a line of JSON each, times of the machine's monotonic clock.
    """
    until, chance, epochs, count = time.monotonic() + float(seconds), random.Random(seed), {"": [0]}, itertools.count()

    async def at_work() -> None:
        while time.monotonic() < until:
            session = chance.choice(sessions.split(","))
            await one(session, epochs.setdefault(session, [0]))

    async def one(session: str, had: list[int]) -> None:
        does = chance.choices(["claim", "append", "send", "read"], [2, 10, 3, 3])[0]
        name, epoch = f"{seed}-{next(count)}", had[-1] if chance.random() < 0.7 else chance.choice(had)
        told: dict[str, Any] = {"id": name, "does": does, "session": session, "epoch": epoch, "from": time.monotonic()}
        say(json.dumps(told))
        texts = [f"{name}/{n}" for n in range(chance.choice([1, 1, 3]))]
        try:
            if does == "claim":
                had.append((await log.claim(session, take_over=chance.random() < 0.9)).epoch)
                told["epoch"] = had[-1]
            elif does == "read":
                told["numbers"] = [r.seq for r in await log.read(session)]
            elif does == "send":
                told["numbers"] = [(await log.send(session, said(f"{name}/0"))).seq]
            else:
                told["numbers"] = [r.seq for r in await log.append(session, [said(t) for t in texts], epoch)]
            told["came"] = "ok"
        except (LostOwnership, SessionHeld) as error:
            told["came"] = type(error).__name__
        except StorageError:
            told["came"] = "unknown"  # an append during which the server dies may have been written
        say(json.dumps({**told, "until": time.monotonic()}))
        await asyncio.sleep(chance.random() * 0.01)

    say("ready")
    await asyncio.gather(*(at_work() for _ in range(4)))


async def race(log: EventLog, how: str) -> None:
    """Claim each session that is named, say who won, and keep it."""
    say("ready")
    while session := await asyncio.to_thread(heard):
        try:
            say("won", (await log.claim(session, take_over=how == "take_over")).epoch)
        except ElenchusError as error:
            say(type(error).__name__, error)


async def send(log: EventLog, session: str, tag: str, count: str, pause: str) -> None:
    """Send the time of day, `count` times."""
    say("ready")
    for n in range(int(count)):
        await log.send(session, said(f"{tag} {n} {time.time()!r}"))
        await asyncio.sleep(float(pause))


async def fill(log: EventLog, session: str) -> None:
    """Append under a file size limit until it hurts, then without it."""
    epoch = await epoch_of(log, session)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, hard))
    done = 2
    try:
        while done < 1000:
            done = (await log.append(session, [said("x" * 5000)], epoch))[-1].seq
    except ElenchusError as error:
        say(type(error).__name__, error)
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    again = (await log.append(session, [said("again")], epoch))[-1].seq
    say("resumed", again - done, len(await log.read(session)) == again)


async def die(log: EventLog, session: str, most: str) -> None:
    """Append pairs until a file would be larger than `most` bytes: the system kills who writes on, amid the write."""
    epoch = (await log.claim(session)).epoch
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(most), resource.RLIM_INFINITY))
    for n in range(300):
        say((await log.append(session, [said(f"{n}/a{'x' * 3000}"), said(f"{n}/b{'x' * 3000}")], epoch))[-1].seq)


async def opened(log: EventLog) -> None:
    """Only open the log."""
    say("open", len(await log.sessions()))


def lock(path: str, statement: str) -> None:
    """Be another program that keeps a transaction open until a line comes or stdin ends."""
    connection = sqlite3.connect(path, isolation_level=None, timeout=1)
    try:
        connection.execute(statement)
        connection.execute("SELECT count(*) FROM events").fetchone()
        say("locked")
    except sqlite3.OperationalError as error:
        say(error)
    heard()
    connection.close()


async def with_log(verb: str, function: str, place: str, *arguments: str) -> None:
    programs = {
        "run": run, "hold": hold, "race": race, "send": send, "fill": fill, "die": die, "opened": opened,
        "history": history,
    }  # fmt: skip
    try:
        log: EventLog = await resolve_name(function)(Path(place))
        await programs[verb](log, *arguments)  # type: ignore[operator] # the caller gives what the program takes
        await log.aclose()
    except ElenchusError as error:
        say(type(error).__name__, error)


if __name__ == "__main__":
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    if sys.argv[1] == "lock":
        lock(*sys.argv[3:])
    else:
        asyncio.run(with_log(*sys.argv[1:]))
