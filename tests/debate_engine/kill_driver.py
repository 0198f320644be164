"""Runs toy sessions in child processes and kills them with SIGKILL at random moments.

Started by `test_kill.py` as a process of its own: single-threaded and without an event loop, so that it may fork.
Arguments: database, file of calls, number of kills, seed. Prints one JSON line: the ids of the sessions.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import filelock  # noqa: F401 - imported before the forks, so that a child's short life is spent on the session
import jinja2  # noqa: F401 - the same

from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.run_ends import Run
from elenchus.storage.sqlite_log import open_log
from tests.debate_engine.toy import toy_runner, toy_started

ROUNDS = 25


async def _session(
    database: Path, calls: Path, session_id: str, *, create: bool = False, ready: int | None = None
) -> Run | None:
    async def noted(ask: Ask) -> None:
        with calls.open("a") as file:  # one short O_APPEND write: never torn by a kill
            file.write(f"{session_id} {ask.step}\n")
        await asyncio.sleep(0.002)

    log = await open_log(database)
    try:
        runner = toy_runner(log, Counter(), noted)
        if create:
            await runner.create(toy_started(rounds=ROUNDS), session_id)
            return None
        if ready is not None:
            os.write(ready, b"!")
        return await runner.run(session_id)
    finally:
        await log.aclose()


def _child(work: Coroutine[Any, Any, Run | None]) -> int:
    pid = os.fork()
    if pid == 0:
        try:
            run = asyncio.run(work)
            os._exit(0 if run is None or run.state == "finished" else 3)
        except BaseException as error:  # noqa: BLE001 - the child must say why it ends
            print(repr(error), file=sys.stderr, flush=True)
            os._exit(4)
    return pid


def _waited(pid: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def main(database: Path, calls: Path, kills: int, seed: int) -> list[str]:
    """Kill `kills` children at random moments, then let every session end; the sessions' ids."""
    chance, ids, done = random.Random(seed), list[str](), True
    while kills:
        if done:
            ids.append(f"s{len(ids)}")
            assert _waited(_child(_session(database, calls, ids[-1], create=True))) == 0
        reader, writer = os.pipe()
        pid = _child(_session(database, calls, ids[-1], ready=writer))
        os.close(writer)
        os.read(reader, 1)  # the child is about to run
        os.close(reader)
        time.sleep(chance.uniform(0.0, 0.15))
        os.kill(pid, signal.SIGKILL)
        status = _waited(pid)
        assert status in (0, -signal.SIGKILL), f"a resumed child failed with status {status}"
        done = status == 0
        kills -= not done
    for session_id in ids:
        assert _waited(_child(_session(database, calls, session_id))) == 0
    return ids


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))))
