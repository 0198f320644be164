"""Logs, real ones, each on a file of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from elenchus.debate_engine.log import EventLog
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.storage.sqlite_log import SqliteLog, open_log


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "elenchus.db"


@pytest.fixture
async def sqlite_log(path: Path) -> AsyncIterator[SqliteLog]:
    log = await open_log(path, patience=5)
    yield log
    await log.aclose()


@pytest.fixture(params=["memory", "sqlite"])
async def log(request: pytest.FixtureRequest, path: Path) -> AsyncIterator[EventLog]:
    made: EventLog = MemoryLog() if request.param == "memory" else await open_log(path)
    yield made
    await made.aclose()
