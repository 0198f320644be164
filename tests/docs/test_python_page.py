"""docs/python.md: every example is run as it stands there, in a fresh process, and prints what the page shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.twins import GREENHOUSE

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
EXAMPLES = re.findall(r"^```python\n(.*?)^```\n+^```text\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def ran(code: str, folder: Path) -> str:
    """What a program prints in a process of its own, in an empty folder, without anybody's keys."""
    return finished(code, folder).stdout


def finished(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """The same, with what it writes to standard error."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=folder, capture_output=True, text=True, check=False,
        env=kept | {"ELENCHUS_HOME": str(folder / "home"), "PYTHONUTF8": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done


@pytest.mark.slow
@pytest.mark.parametrize(("code", "shown"), EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_prints_what_the_page_shows(code: str, shown: str, tmp_path: Path) -> None:
    assert ran(code, tmp_path) == shown


def test_importing_elenchus_loads_nothing_heavy_and_opening_a_lab_leaves_the_process_as_it_was(tmp_path: Path) -> None:
    code = """
import asyncio, gc, logging, signal, sys
before = (gc.get_threshold(), signal.getsignal(signal.SIGINT), list(logging.getLogger().handlers))
known = set(sys.modules)
import elenchus
print(sorted({name.split(".")[0] for name in set(sys.modules) - known} - sys.stdlib_module_names))

async def main():
    async with elenchus.open(model="scripted:demo") as lab:
        await lab.crit("Homework helps, because practice does.", max_reasons=1)
        assert signal.getsignal(signal.SIGINT) is not None

asyncio.run(main())
print(before == (gc.get_threshold(), signal.getsignal(signal.SIGINT), list(logging.getLogger().handlers)))
"""
    assert ran(code, tmp_path) == "['elenchus']\nTrue\n"


@pytest.mark.slow
def test_what_compares_by_meaning_leaves_logging_to_the_program(tmp_path: Path) -> None:
    code = f"""
import asyncio, logging, sys
import elenchus
root = logging.getLogger()

async def main():
    async with elenchus.open(model="scripted:demo") as lab:
        await lab.scene_grid({GREENHOUSE!r}, n=1, seed=7)

asyncio.run(main())
print("wordllama" in sys.modules, root.handlers, root.level == logging.WARNING)
logging.basicConfig(filename="mine.log", level=logging.DEBUG)
logging.debug("mine")
print(open("mine.log").read(), end="")
"""
    assert ran(code, tmp_path) == "True [] True\nDEBUG:root:mine\n"


@pytest.mark.slow
def test_a_session_that_fails_is_told_in_one_sentence_and_its_traceback_where_the_program_logs(tmp_path: Path) -> None:
    code = """
import asyncio
import elenchus
from elenchus.debate_engine.protocols.registry import register
from elenchus.debate_engine.protocols.spec import ProtocolSpec

async def fails(s, config):
    raise LookupError("no tea")

async def main():
    register(ProtocolSpec(name="failing", run=fails, seats=("first",)))
    async with elenchus.open(model="scripted:demo") as lab:
        try:
            await (await lab.protocol("failing", {}))
        except elenchus.Unfinished as error:
            print(error)

asyncio.run(main())
"""
    done = finished(code, tmp_path)
    assert "The protocol failing is at fault: LookupError: no tea" in done.stdout
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == ""
    logged = finished("import logging\nlogging.basicConfig()\n" + code, tmp_path).stderr
    assert "Traceback" in logged
