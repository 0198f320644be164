"""What somebody may have named as a log by mistake: a constant, a class, functions that open none."""

from __future__ import annotations

from pathlib import Path

from elenchus.debate_engine.errors import StorageError
from elenchus.debate_engine.log.memory import MemoryLog

CONSTANT = 7


class Log:
    """No function."""


def without_async(folder: Path) -> MemoryLog:
    return MemoryLog()


async def giving_nothing(folder: Path) -> None: ...


async def with_two(folder: Path, more: str) -> MemoryLog:
    return MemoryLog()


async def without() -> MemoryLog:
    return MemoryLog()


async def failing(folder: Path) -> MemoryLog:
    raise RuntimeError("boom")


async def damaged(folder: Path) -> MemoryLog:
    raise StorageError("The medium is wet: dry it.")
