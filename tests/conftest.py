"""What holds for every test: it stays on this machine, and touches neither the developer's keys nor his sessions."""

from __future__ import annotations

import gc
import ipaddress
import logging
import os
import sys
from collections.abc import Generator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from elenchus.debate_engine.protocols.registry import BUILT_IN

# Machines are shared and slow at times: how long a draw takes is no property of the code.
settings.register_profile("elenchus", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("elenchus")

sys.set_coroutine_origin_tracking_depth(1)
"""A coroutine that nobody awaited says where it was made, as it is noticed in whichever test runs then."""

BESIDE = Path(__file__).parents[2] / "shared"
"""What some tests compare with: it lies beside the repository, for its developers and the gate."""
LOCAL_NAMES = {"", "localhost"}
LONGEST_ID = 60
"""Characters of a parameter in a test's name."""
ENDINGS_OF_PRIVATE_SETTINGS = ("_API_KEY", "_BASE_URL", "_PROXY", "_proxy", "_TOKEN")


def is_here(host: str | bytes | None) -> bool:
    """Tell whether a host, by name or address, is this machine."""
    name = host.decode() if isinstance(host, bytes) else host or ""
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return name in LOCAL_NAMES
    return address.is_loopback or address.is_unspecified


def stay_here(event: str, arguments: tuple[Any, ...]) -> None:
    """Refuse to look up or connect to any other machine: a test that forgot its fake fails at once and loudly."""
    if event == "socket.getaddrinfo":
        host = arguments[0]
    elif event == "socket.connect" and isinstance(arguments[1], tuple):
        host = arguments[1][0]
    else:
        return
    if not is_here(host):
        raise RuntimeError(f"a test tried to reach {host!r}: tests speak to servers on loopback only")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--event-log",
        action="append",
        default=[],
        metavar="PACKAGE.MODULE:FUNCTION",
        help="a function from a folder to an awaitable EventLog there, which is asked what every log is asked",
    )


def pytest_configure() -> None:
    sys.addaudithook(stay_here)


def pytest_make_parametrize_id(val: object) -> str | None:
    """Call a long text by its beginning: xdist sends every test's name to and from every worker (they were 395 MB)."""
    return f"{val[:LONGEST_ID]!r} of {len(val)}" if isinstance(val, str | bytes) and len(val) > LONGEST_ID else None


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import what would be left out by its marker: every worker imports everything, for half a minute."""
    wanted: str = config.option.markexpr
    if collection_path.name == "test_every_operation.py":  # slow as a whole; schemathesis draws as it is collected
        return wanted == "not slow" or None
    return (wanted == "slow" and collection_path.match("test_*.py") and not _says_slow(collection_path)) or None


@cache
def _says_slow(module: Path) -> bool:
    return "pytest.mark.slow" in module.read_text(encoding="utf-8")


def pytest_collection_finish() -> None:
    """Spare the garbage collector what lives to the end: some millions of objects, gone through again and again."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep on one worker the tests of the embedded model, which would fight for the cores, and of what a module makes.

    What a module makes once (a fixture of its scope) would be made again on every worker that runs one of its tests.
    """
    for item in items:
        if item.get_closest_marker("slow") and not _says_slow(item.path):
            raise pytest.UsageError(f"{item.nodeid} is slow, and its module does not say `pytest.mark.slow`")
        if item.get_closest_marker("local_model"):
            item.add_marker(pytest.mark.xdist_group("local_model"))
        elif isinstance(item, pytest.Function) and not item.get_closest_marker("xdist_group"):
            fixtures = chain.from_iterable(item._fixtureinfo.name2fixturedefs.values())
            if any(fixture.scope == "module" for fixture in fixtures):
                item.add_marker(pytest.mark.xdist_group(item.module.__name__))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Say once what is missing beside the repository, with the number of tests that need it, not in a line for each."""
    report = yield
    if report.skipped and isinstance(report.longrepr, tuple) and str(BESIDE) in report.longrepr[2]:
        report.longrepr = (str(BESIDE), 0, report.longrepr[2])
    return report


@pytest.fixture(autouse=True)
def _no_protocol_of_ours_is_at_fault() -> Generator[None]:
    """A part of a presentation that fails is left out, so that people lose no more than it: a test is to notice."""
    logged: list[str] = []
    handler, logger = logging.Handler(), logging.getLogger("elenchus.debate_engine.reports.view")
    handler.emit = lambda record: logged.append(record.getMessage())  # type: ignore[method-assign]
    logger.addHandler(handler)
    yield
    logger.removeHandler(handler)
    assert not [fault for fault in logged if any(f"The protocol {name} is at fault" in fault for name in BUILT_IN)]


@pytest.fixture(scope="session", autouse=True)
def _own_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Take the developer's keys, proxies and servers out of the environment, and give the run a home of its own."""
    for name in list(os.environ):
        if name.endswith(ENDINGS_OF_PRIVATE_SETTINGS) or name.startswith("ELENCHUS_"):
            del os.environ[name]
    os.environ["ELENCHUS_HOME"] = str(tmp_path_factory.mktemp("elenchus-home"))
