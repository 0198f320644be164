"""A training's own process, seen from outside: heavy, killed without harm, and never in the event loop's way.

It is told its work as one line of JSON on standard input and answers in lines of JSON. It ends by itself when nobody
reads them any more.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

from elenchus.debate_engine.errors import ElenchusError, StorageError, UsageError
from elenchus.detectors.alignment.training.folder import CHATTER, TrainingFailed, TrainingRun
from elenchus.detectors.alignment.training.settings import TrainingSettings

MODULE = "elenchus.detectors.alignment.training.learning"
PACKAGES = ("torch", "transformers", "trl", "peft", "datasets", "accelerate", "gguf")
_LINE = 50_000_000
"""Bytes of a message at the most."""

Message = dict[str, Any]


def check_packages() -> None:
    """Raises UsageError where the extra is missing."""
    if missing := [name for name in PACKAGES if find_spec(name) is None]:
        raise UsageError(f'Training needs {", ".join(missing)}: install "elenchus[train]".')


async def trained(settings: TrainingSettings, out: Path, tell: Callable[[Message], None]) -> TrainingRun:
    """Train into a folder, or go on with what was broken off there. `tell` is given a message a step.

    Raises UsageError, StorageError or TrainingFailed.
    """
    work = {
        "work": "train", "settings": settings.model_dump(mode="json"), "out": str(out), "device": settings.device,
        "threads": settings.threads,
    }  # fmt: skip
    return TrainingRun.model_validate((await worked(work, out, tell))["run"])


async def worked(work: Message, chatter: Path, tell: Callable[[Message], None]) -> Message:
    """Have a piece of work done; what it says at its end. `chatter` is where its libraries write.

    Raises UsageError, StorageError or TrainingFailed.
    """
    with await asyncio.to_thread(_chatter, chatter) as log:
        async with _child(work, log) as child:
            assert child.stdout is not None
            async for line in child.stdout:
                message = json.loads(line)
                if message["kind"] == "done":
                    return dict(message)
                if message["kind"] == "failed":
                    raise _error(message)
                tell(message)
            code = await child.wait()
    raise TrainingFailed(
        f"The process of the training has ended {'by signal ' + str(-code) if code < 0 else f'with code {code}'}"
        f"{', perhaps for want of memory' if code == -9 else ''}: the same command goes on from its last checkpoint "
        f"(what it said is in {chatter / CHATTER})."
    )


def _chatter(folder: Path) -> IO[bytes]:
    folder.mkdir(parents=True, exist_ok=True)
    return (folder / CHATTER).open("ab")


@asynccontextmanager
async def _child(work: Message, log: IO[bytes]) -> AsyncIterator[asyncio.subprocess.Process]:
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-X", "utf8", "-W", "default", "-m", MODULE,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=log, limit=_LINE, start_new_session=True,
    )  # fmt: skip
    try:
        assert child.stdin is not None
        child.stdin.write(json.dumps(work).encode() + b"\n")
        with suppress(BrokenPipeError, ConnectionResetError):
            await child.stdin.drain()
            child.stdin.close()
        yield child
    finally:
        await _ended(child)


async def _ended(child: asyncio.subprocess.Process) -> None:
    """Have it end, whatever it does: what it holds is on the disk up to its last checkpoint."""
    with suppress(ProcessLookupError):
        child.kill()
    await child.wait()


def _error(message: Message) -> ElenchusError:
    kinds: dict[int, type[ElenchusError]] = {2: UsageError, 5: StorageError}
    return kinds.get(message["exit"], TrainingFailed)(message["text"])
