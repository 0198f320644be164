"""Logs, real ones, each in a folder of its own. `--event-log PACKAGE.MODULE:FUNCTION` adds one from elsewhere."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from pkgutil import resolve_name

import pytest

from elenchus.debate_engine.log import EventLog
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.storage.sqlite_log import SqliteLog, open_log
from tests.storage.json_lines_log import JsonLinesLog

Open = Callable[[Path], Awaitable[EventLog]]
"""Opens a log object on the store in a folder."""


async def open_memory(_: Path) -> EventLog:
    return MemoryLog()


async def open_sqlite(folder: Path) -> EventLog:
    return await open_log(folder / "elenchus.db")


async def open_json_lines(folder: Path) -> EventLog:
    return JsonLinesLog(folder)


PRIVATE: dict[str, Open] = {"memory": open_memory}
"""Logs that nobody but their process can see: two objects have two stores."""
SHARED: dict[str, Open] = {"sqlite": open_sqlite, "json-lines": open_json_lines}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Ask each log what every log is asked, and what two objects on one store are asked where it can be shared."""
    named = {name: resolve_name(name) for name in metafunc.config.getoption("--event-log")}
    for fixture, logs in (("open_one", {**PRIVATE, **SHARED, **named}), ("open_shared", {**SHARED, **named})):
        if fixture in metafunc.fixturenames:
            metafunc.parametrize(fixture, [pytest.param(function, id=name) for name, function in logs.items()])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "elenchus.db"


@pytest.fixture
async def sqlite_log(path: Path) -> AsyncIterator[SqliteLog]:
    log = await open_log(path, patience=5)
    yield log
    await log.aclose()


@pytest.fixture
async def log(open_one: Open, tmp_path: Path) -> AsyncIterator[EventLog]:
    made = await open_one(tmp_path / "home")
    yield made
    await made.aclose()


@pytest.fixture
async def two_logs(open_shared: Open, tmp_path: Path) -> AsyncIterator[tuple[EventLog, EventLog]]:
    """Two log objects on one store, as two processes have them."""
    async with AsyncExitStack() as stack:
        first, second = await open_shared(tmp_path / "home"), await open_shared(tmp_path / "home")
        stack.push_async_callback(first.aclose)
        stack.push_async_callback(second.aclose)
        yield first, second
