"""Vendors' SDKs in one process that has imported none of them yet, beside each other on every seat."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import combinations
from pathlib import Path

import pytest

from tests.fakes.llm.loopback import KEY, serving
from tests.fakes.llm.unreliable import Unreliable, UnreliableAnthropic, UnreliableGemini, UnreliableOpenAI
from tests.service.cli.program import ROOT, Program, Result, environment
from tests.twins import SEEDS

pytestmark = pytest.mark.slow

WATCHED_IMPORTS = ROOT / "tests" / "fakes" / "watched_imports"
KINDS: dict[str, type[Unreliable]] = {
    "openai": UnreliableOpenAI,
    "anthropic": UnreliableAnthropic,
    "gemini": UnreliableGemini,
}
TOGETHER = [together for size in (2, 3) for together in combinations(KINDS, size)]
PROCESSES = 10
SECONDS = 0.1
"""For which a vendor thinks before each answer."""
DEBATERS = ("--pro", "--con", "--judge", "--judge", "--judge", "--crit")
PLAYERS = ("--subject", "--confederate", "--moderator", "--others", "--judge", "--judge")
DEBATE = ("debate", "Trams", "--topics", "1", "--max-rounds", "1")
SCENE = ("scene", "run", SEEDS, "--condition", "treatment")
AT_ONCE = 4


@asynccontextmanager
async def vendors() -> AsyncIterator[dict[str, Unreliable]]:
    """The three of them, of whom none fails."""
    async with (
        serving(UnreliableOpenAI(share=0, thinks=SECONDS)) as openai,
        serving(UnreliableAnthropic(share=0, thinks=SECONDS)) as claude,
        serving(UnreliableGemini(share=0, thinks=SECONDS)) as gemini,
    ):
        yield {"openai": openai, "anthropic": claude, "gemini": gemini}


async def held(
    folder: Path,
    servers: dict[str, Unreliable],
    together: tuple[str, ...],
    turn: int,
    place: asyncio.Semaphore,
    watched: dict[str, str] | None = None,
) -> Result:
    """A debate or, by turns, a scene in a process that has imported nothing of any SDK; `watched`: see the fake.

    The vendors sit there by turns, each on one, two or three seats: some are first needed when others have calls under
    way.
    """
    folder.mkdir()
    home = folder / "home"
    program = Program(home, folder, bare=True)
    seats, alike = PLAYERS if turn % 2 else DEBATERS, 1 + turn // 2 % 3
    spec = [f"{together[(turn // 2 + n // alike) % len(together)]}:a-model" for n in range(len(seats))]
    seated = [word for seat, name in zip(seats, spec, strict=True) for word in (seat, name)]
    what = SCENE if turn % 2 else DEBATE
    env = {f"{name.upper()}_API_KEY": KEY for name in servers}
    env |= {f"{name.upper()}_BASE_URL": server.url for name, server in servers.items()}
    env |= {"OPENAI_BASE_URL": f"{servers['openai'].url}/v1"}
    if watched is not None:
        env |= {"PYTHONPATH": f"{WATCHED_IMPORTS}{os.pathsep}{ROOT}", **watched}
    async with place:
        return await asyncio.to_thread(program, *what, *seated, "--json", env=env)


@pytest.mark.parametrize("together", TOGETHER, ids="+".join)
async def test_ten_fresh_processes_with_these_vendors_on_every_seat_end_well(
    tmp_path: Path, together: tuple[str, ...]
) -> None:
    async with vendors() as servers:
        place = asyncio.Semaphore(AT_ONCE)
        ends = await asyncio.gather(*(held(tmp_path / str(n), servers, together, n, place) for n in range(PROCESSES)))
    assert [(end.code, end.err[-500:]) for end in ends if end.code or "failed in" in end.err] == []
    assert all(servers[name].requests for name in together)


async def test_no_vendor_meets_another_ones_library_half_imported(tmp_path: Path) -> None:
    """The import of httpx takes seconds here: whoever looks at it meanwhile finds it unfinished, every time."""
    together = ("openai", "gemini")
    async with vendors() as servers:
        end = await held(tmp_path / "one", servers, together, 0, asyncio.Semaphore(1), {})
    assert (end.code, "failed in" in end.err) == (0, False), end.err[-500:]
    assert all(servers[name].requests for name in together)


@pytest.mark.parametrize("turn", [2, 3], ids=["debate", "scene"])
async def test_no_sdk_is_imported_once_a_call_is_under_way(tmp_path: Path, turn: int) -> None:
    """The loading of one would stop all calls, for seconds."""
    notes = tmp_path / "imports"
    async with vendors() as servers:
        watched = {"IMPORTS_FILE": str(notes)}
        end = await held(tmp_path / "one", servers, tuple(KINDS), turn, asyncio.Semaphore(1), watched)
    assert end.code == 0, end.err
    first = min(at for server in servers.values() for at in server.came_at)
    imported = [line.split() for line in notes.read_text(encoding="utf-8").splitlines()]
    assert {"openai", "anthropic", "google.genai"} <= {name for _, name in imported}
    assert [name for at, name in imported if float(at) > first] == []


PRELOAD = """
import asyncio, sys
from elenchus.bot.completions import Completions
from elenchus.bot.services import BotServices
from elenchus.bot.preload import preload
from elenchus.config.settings import load_settings
from elenchus.service.app import open_app

async def main():
    async with open_app(load_settings(None)) as app:
        services = BotServices(app.settings, app.log, app.registry, app.runner, app.store, app.pseudonyms)
        assert not {"openai", "anthropic", "google.genai"} & set(sys.modules)
        await asyncio.to_thread(preload, Completions(services))
        print(*sys.modules)

asyncio.run(main())
"""


@pytest.mark.parametrize(
    ("keys", "loaded"),
    [((), set()), (("OPENAI",), {"openai"}), (tuple(map(str.upper, KINDS)), {"openai", "anthropic", "google.genai"})],
    ids=["no key", "one key", "every key"],
)
def test_the_bot_imports_the_sdks_of_what_it_offers_before_it_says_that_it_is_there(
    tmp_path: Path, keys: tuple[str, ...], loaded: set[str]
) -> None:
    """Later it would stop every debate, and every command's acknowledgement."""
    modules = preloaded(tmp_path, {f"{name}_API_KEY": KEY for name in keys})
    assert {"openai", "anthropic", "google.genai"} & modules == loaded
    assert "numpy" in modules


def preloaded(home: Path, keys: dict[str, str]) -> set[str]:
    """The modules that there are when the bot says that it is there."""
    env = environment(home, {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "", **keys})
    command = [sys.executable, "-c", PRELOAD]
    done = subprocess.run(command, capture_output=True, text=True, cwd=home, env=env, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_the_bot_imports_the_sdks_of_ones_own_servers_too_whatever_models_they_have(tmp_path: Path) -> None:
    (tmp_path / "models.yaml").write_text(
        "servers:\n"
        "  lab: {speaks: gemini, url: 'http://127.0.0.1:9'}\n"
        "  annex: {speaks: anthropic, url: 'http://127.0.0.1:9'}\n"
        "  attic: {speaks: openai, url: 'http://127.0.0.1:9', key_env: NOT_SET}\n"
    )
    assert {"openai", "anthropic", "google.genai"} & preloaded(tmp_path, {}) == {"anthropic", "google.genai"}


EXPECT = """
import asyncio, sys
from elenchus.config.settings import load_settings
from elenchus.debate_engine.llm.client import Call, Message
from elenchus.debate_engine.llm.registry import Registry, parse_spec

async def main():
    registry = Registry(load_settings(None))
    registry.expect(["openai:a", "human", "gemini:b", "anthropic:no-key", "nonsense", "openai:c"])
    assert not {"openai", "google.genai", "anthropic", "httpx"} & set(sys.modules)
    await registry.model("openai:a").complete(Call("a", (Message("user", "Speak."),)), None, None)
    print(*sys.modules)
    await registry.aclose()

asyncio.run(main())
"""


async def test_what_a_grid_will_call_later_is_imported_with_the_first_call(tmp_path: Path) -> None:
    async with vendors() as servers:
        urls = {"OPENAI_BASE_URL": f"{servers['openai'].url}/v1", "GEMINI_BASE_URL": servers["gemini"].url}
        env = environment(tmp_path, {"PYTHONPATH": str(ROOT), "OPENAI_API_KEY": KEY, **urls})
        command = [sys.executable, "-c", EXPECT]
        done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, cwd=tmp_path, env=env)
    assert done.returncode == 0, done.stderr
    assert {"openai", "anthropic", "google.genai"} & set(done.stdout.split()) == {"openai", "google.genai"}
