"""docs/classroom.md: its commands say what the page shows, what it names is there, and its slips let people in."""

from __future__ import annotations

import re
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from elenchus.service.web.pages.table import PAGES
from elenchus.service.web.strings import catalogue
from tests.service.cli.program import PATIENCE, Program
from tests.service.cli.served import free_port

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "classroom.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```console\n\$ elenchus (.*)\n((?:.*\n)*?)```", PAGE, re.MULTILINE)


@pytest.fixture
def elenchus(tmp_path: Path) -> Program:
    (tmp_path / "folder").mkdir()
    return Program(tmp_path / "home", tmp_path / "folder")


def shape(line: str) -> str:
    """What stays the same in a line whoever runs it when: secrets, ids, codes, addresses and numbers are left out."""
    line = re.sub(r"link=el_[\w-]{43}", "link=SECRET", line)
    line = re.sub(r"(The class|deleted the class) [a-z0-9]{7}\b", r"\1 ID", line)
    line = re.sub(r"by the code [a-z0-9]{3}-[a-z0-9]{3}\b", "by the code CODE", line)
    line = re.sub(r"http://[\d.]+:\d+", "ADDRESS", line)
    return re.sub(r"[-−]?\d[\d,.]*", "N", line)


@contextmanager
def running(elenchus: Program, arguments: str) -> Iterator[list[str]]:
    """The lines that a command of the page writes, as they come."""
    process = elenchus.start(*arguments.replace("--lan", "--host 127.0.0.1").split(), "--port", str(free_port()))
    lines: list[str] = []
    readers = [
        threading.Thread(target=lambda pipe=pipe: lines.extend(line.rstrip("\n") for line in pipe or ()), daemon=True)
        for pipe in (process.stdout, process.stderr)
    ]
    for reader in readers:
        reader.start()
    try:
        yield lines
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        for reader, pipe in zip(readers, (process.stdout, process.stderr), strict=True):
            reader.join(PATIENCE)
            assert pipe is not None
            pipe.close()


def until_said(lines: list[str], wanted: list[str], seconds: float = PATIENCE) -> None:
    """Wait until all these lines were written, in whatever order the two streams come."""
    deadline = time.monotonic() + seconds
    while missing := [line for line in wanted if line not in [shape(one) for one in lines]]:
        assert time.monotonic() < deadline, (missing, lines)
        time.sleep(0.1)


def block(holding: str) -> tuple[str, list[str]]:
    """The command of the page with this in it, and the lines under it."""
    ((command, said),) = [found for found in BLOCKS if holding in found[0]]
    return command, said.splitlines()


def test_a_class_is_announced_as_shown(elenchus: Program) -> None:
    ((command, said),) = [found for found in BLOCKS if found[0].endswith("--lan")]
    with running(elenchus, command) as lines:
        until_said(lines, [shape(line) for line in said.splitlines()])


def test_slips_are_made_as_shown_and_the_class_is_deleted_as_shown(elenchus: Program) -> None:
    command, said = block("--slips")
    with running(elenchus, command) as lines:
        until_said(lines, [shape(line) for line in said])
        class_id = re.search(r"The class (\w+)", "\n".join(lines))
        assert class_id
    assert (elenchus.folder / "slips.html").read_text().count("<section>") == 30
    command, said = block("--delete")
    shown = re.search(r"class (\w+) ", command)
    assert shown
    refused = elenchus(*command.replace(shown[1], class_id[1]).split(), "--port", str(free_port()))
    assert "End the class first" in refused.err
    assert said == [f"deleted the class {shown[1]}"]


@pytest.mark.slow
def test_robots_play_it_the_evening_before_as_shown(elenchus: Program) -> None:
    command, said = block("--bots")
    chance = re.compile(r"^  (?:a median|high against)")
    with running(elenchus, command) as lines:
        until_said(lines, [shape(line) for line in said if not chance.search(line)], 200)
        assert len([line for line in lines if chance.search(line)]) == 2


def test_what_the_page_calls_a_page_or_a_button_is_there() -> None:
    paths = {route.path for route in PAGES}
    assert {"/new/class", "/classes/{classroom}", "/classes/{classroom}/room", "/check", "/join"} <= paths
    words = set(map(str, catalogue("en").values()))
    buttons = ("Start for everybody", "Close", "Debrief", "Reveal", "Five minutes more", "Leave the class",
               "Tell me now what it was about", "Open places", "Take back what I said", "All files",
               "New class", "Try again", "Remove the class", "Hold a class debate", "Open the lobby",
               "Begin the debate", "Close the vote", "Take away", "Lead the debate")  # fmt: skip
    for name in buttons:
        assert f"*{name}*" in PAGE
        assert name in words, name
