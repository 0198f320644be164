"""Logs, real ones, each in a folder of its own. `--event-log PACKAGE.MODULE:FUNCTION` adds one from elsewhere."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from elenchus.debate_engine.log import EventLog
from elenchus.storage.sqlite_log import SqliteLog, open_log
from tests.storage.logs import PRIVATE, SHARED, Opener


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Ask each log what every log is asked, and what two objects on one store are asked where it can be shared."""
    named = {name: Opener(name) for name in metafunc.config.getoption("--event-log")}
    for fixture, logs in (("open_one", {**PRIVATE, **SHARED, **named}), ("open_shared", {**SHARED, **named})):
        if fixture in metafunc.fixturenames:
            metafunc.parametrize(fixture, [pytest.param(opener, id=name) for name, opener in logs.items()])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "elenchus.db"


@pytest.fixture
async def sqlite_log(path: Path) -> AsyncIterator[SqliteLog]:
    log = await open_log(path, patience=5)
    yield log
    await log.aclose()


@pytest.fixture
async def log(open_one: Opener, tmp_path: Path) -> AsyncIterator[EventLog]:
    made = await open_one(tmp_path / "home")
    yield made
    await made.aclose()


@pytest.fixture
async def two_logs(open_shared: Opener, tmp_path: Path) -> AsyncIterator[tuple[EventLog, EventLog]]:
    """Two log objects on one store, as two processes have them."""
    async with AsyncExitStack() as stack:
        first, second = await open_shared(tmp_path / "home"), await open_shared(tmp_path / "home")
        stack.push_async_callback(first.aclose)
        stack.push_async_callback(second.aclose)
        yield first, second
